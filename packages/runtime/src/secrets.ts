import { createCipheriv, createDecipheriv, createHmac, hash as digestOf, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { hash, verify } from '@node-rs/argon2';
import { createFairQueue, type Secrets } from '@tarifario/core/service';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
const SALT_BYTES = 16;
// 62^43 > 2^256 and 62^6 > 2^32. The widths are fixed, so that a key has only one spelling.
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Texts are padded to it, so that the length of a token tells nothing of them. */
const SEALED_LENGTH = 90;
const KEY_START = 'tfk_';
const SHOWN_LENGTH = KEY_START.length + 8;
const KEY_FORM = new RegExp(`^${KEY_START}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

// 52^44 > 2^250, and a multiple of four letters is Base64. Of letters alone: a search for an amount never matches.
const WEBHOOK_SECRET_START = 'whsec_';
const WEBHOOK_SECRET_LENGTH = 44;
const LETTERS = ALPHABET.slice(10);

/** Finds keys anywhere in a text, to remove them from logs. */
export const KEY_ANYWHERE = new RegExp(`(${KEY_START}[0-9A-Za-z]{8})[0-9A-Za-z]+`, 'g');

// argon2id (the library's default) with the parameters that OWASP recommends first.
const PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// A hash takes 19 MB and one of the four threads that all file operations of this process share.
const MAX_HASHES_AT_ONCE = 2;

/**
 * Keys and passwords on this machine.
 *
 * A key is `tfk_`, 43 digits of base 62 that hold a 256-bit secret, and 6 that hold the CRC-32 of all before them. The
 * checksum is no protection: it lets junk and typing mistakes be refused without a database query.
 *
 * @param random - The source of randomness; for tests only.
 */
export function createSecrets(random: (byteCount: number) => Uint8Array = randomBytes): Secrets {
  const queue = createFairQueue({ places: MAX_HASHES_AT_ONCE });
  return {
    newKey() {
      const secret = toBase62(BigInt(`0x${Buffer.from(random(SECRET_BYTES)).toString('hex')}`), SECRET_LENGTH);
      const key = withChecksum(KEY_START + secret);
      return { key, prefix: key.slice(0, SHOWN_LENGTH), secretHash: sha256(key) };
    },
    newWebhookSecret: () => WEBHOOK_SECRET_START + randomLetters(random, WEBHOOK_SECRET_LENGTH),
    newSalt: () => Buffer.from(random(SALT_BYTES)).toString('hex'),
    sha256,
    hashFor: (key) => (isKey(key) ? sha256(key) : null),
    hashPassword: (password) => queue.run('hash', () => hash(password, PASSWORD_COST)),
    // Any other text means "no password yet".
    verifyPassword: async (passwordHash, password) =>
      passwordHash.startsWith('$argon2') && (await queue.run('hash', () => verify(passwordHash, password))),
    // The API key is the secret of this hash and is not stored, so a password in the text cannot be guessed from the
    // stored fingerprint.
    fingerprint(key, pieces) {
      return macOf(key, pieces).toString('hex');
    },
    cipherFor(key, purpose) {
      const ownKey = macOf(key, ['cipher ', purpose]);
      return {
        // The nonce follows from the text, so that equal texts give equal tokens, and no nonce serves two texts.
        seal(text) {
          const nonce = macOf(key, ['nonce ', purpose, '\n', text]).subarray(0, NONCE_BYTES);
          const cipher = createCipheriv(CIPHER, ownKey, nonce);
          const sealed = [cipher.update(text.padEnd(SEALED_LENGTH)), cipher.final(), cipher.getAuthTag()];
          return toLetters(Buffer.concat([nonce, ...sealed]));
        },
        open(token) {
          if (!/^(?:[a-p]{2})+$/.test(token)) return null;
          const bytes = fromLetters(token);
          try {
            const cipher = createDecipheriv(CIPHER, ownKey, bytes.subarray(0, NONCE_BYTES), {
              authTagLength: TAG_BYTES,
            });
            cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
            const text = cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8');
            return (text + cipher.final('utf8')).trimEnd();
          } catch {
            return null;
          }
        },
      };
    },
  };
}

/** The part of a key that may be shown and logged, or `null` for text that is no key of ours. */
export function shownPrefixFor(key: string | undefined): string | null {
  return key !== undefined && isKey(key) ? key.slice(0, SHOWN_LENGTH) : null;
}

function isKey(text: string): boolean {
  return KEY_FORM.test(text) && withChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text;
}

function withChecksum(text: string): string {
  return text + toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function macOf(key: string, pieces: Iterable<string | Uint8Array>): Buffer {
  const mac = createHmac('sha256', key);
  for (const piece of pieces) mac.update(piece);
  return mac.digest();
}

/** Hexadecimal in letters alone, so that a search for the digits of an amount never matches. */
function toLetters(bytes: Buffer): string {
  return bytes.toString('hex').replace(/./g, (digit) => 'abcdefghijklmnop'.charAt(Number.parseInt(digit, 16)));
}

function fromLetters(token: string): Buffer {
  return Buffer.from(
    token.replace(/./g, (letter) => (letter.charCodeAt(0) - 97).toString(16)),
    'hex',
  );
}

function sha256(text: string): string {
  return digestOf('sha256', text, 'hex');
}

/** Each letter is as likely as any other: bytes beyond the last multiple of 52 are not used. */
function randomLetters(random: (byteCount: number) => Uint8Array, length: number): string {
  const usable = 256 - (256 % LETTERS.length);
  let letters = '';
  while (letters.length < length) {
    for (const byte of random(length)) if (byte < usable) letters += LETTERS.charAt(byte % LETTERS.length);
  }
  return letters.slice(0, length);
}

function toBase62(value: bigint, length: number): string {
  const base = BigInt(ALPHABET.length);
  let digits = '';
  for (let rest = value; rest > 0n; rest /= base) digits = ALPHABET.charAt(Number(rest % base)) + digits;
  return digits.padStart(length, ALPHABET.charAt(0));
}
