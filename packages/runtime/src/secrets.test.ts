import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createSecrets, shownPrefixFor } from './secrets.ts';

const secrets = createSecrets();

describe('a new key', () => {
  it('is stored under the SHA-256 of its text', () => {
    const { key, prefix, secretHash } = secrets.newKey();
    expect(key).toMatch(/^tfk_[0-9A-Za-z]{49}$/);
    expect(secrets.hashFor(key)).toBe(secretHash);
    expect(secretHash).toBe(createHash('sha256').update(key).digest('hex'));
    expect(prefix).toBe(key.slice(0, 12));
  });

  it('differs each time, and has 32 random bytes', () => {
    const lengths: number[] = [];
    const counting = createSecrets((byteCount) => {
      lengths.push(byteCount);
      return new Uint8Array(byteCount);
    });
    counting.newKey();
    expect(lengths).toEqual([32]);
    expect(new Set(Array.from({ length: 100 }, () => secrets.newKey().key)).size).toBe(100);
  });

  it('has the same length for the smallest and the largest secret', () => {
    const least = createSecrets(() => new Uint8Array(32)).newKey().key;
    const greatest = createSecrets(() => new Uint8Array(32).fill(255)).newKey().key;
    expect([least.length, greatest.length]).toEqual([53, 53]);
    // CRC-32 worked out with zlib.crc32 of Python: 0x58418a60.
    expect(least).toBe(`tfk_${'0'.repeat(43)}1cCpBA`);
  });
});

it('a salt has 16 random bytes, in hexadecimal, and differs each time', () => {
  expect(createSecrets((byteCount) => new Uint8Array(byteCount).fill(10)).newSalt()).toBe('0a'.repeat(16));
  expect(new Set(Array.from({ length: 100 }, () => secrets.newSalt())).size).toBe(100);
});

describe('the prefix that may be shown', () => {
  it('exists for a key, and for no other text', () => {
    const { key, prefix } = secrets.newKey();
    expect(shownPrefixFor(key)).toBe(prefix);
    expect(shownPrefixFor(`${key}x`)).toBeNull();
    expect(shownPrefixFor('hunter2 and the rest of a password')).toBeNull();
    expect(shownPrefixFor(undefined)).toBeNull();
  });
});

describe('a fingerprint', () => {
  it('A-53: is the HMAC of the pieces under the API key', () => {
    // RFC 4231, test case 2.
    const pieces = ['what do ya want ', new TextEncoder().encode('for nothing?')];
    expect(secrets.fingerprint('Jefe', pieces)).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    expect(secrets.fingerprint('Jefa', pieces)).not.toBe(secrets.fingerprint('Jefe', pieces));
  });
});

describe('a token', () => {
  const cipher = secrets.cipherFor('tfk_1', 'changes');
  const token = cipher.seal('1 2 zz');

  it('A-99: is opened under its key and for its purpose alone', () => {
    expect(cipher.open(token)).toBe('1 2 zz');
    expect(secrets.cipherFor('tfk_2', 'changes').open(token)).toBeNull();
    expect(secrets.cipherFor('tfk_1', 'offers').open(token)).toBeNull();
  });

  it('A-99: says nothing of its text: letters, as many for each text, and other ones for the same text of another purpose', () => {
    expect(token).toMatch(/^[a-p]+$/);
    expect(cipher.seal('1 2 zz')).toBe(token);
    expect(cipher.seal('x'.repeat(90))).toHaveLength(token.length);
    const [other, ofOther] = [cipher.seal('1 2 zy'), secrets.cipherFor('tfk_1', 'offers').seal('1 2 zz')];
    for (const another of [other, ofOther]) expect(another.slice(0, 40)).not.toBe(token.slice(0, 40));
  });

  it('A-99: is not opened when a character was changed, added or left out', () => {
    for (let at = 0; at < token.length; at += 1) {
      const changed = token[at] === 'a' ? 'b' : 'a';
      expect(cipher.open(token.slice(0, at) + changed + token.slice(at + 1))).toBeNull();
      expect(cipher.open(token.slice(0, at))).toBeNull();
    }
    for (const wrong of [`${token}aa`, token.toUpperCase(), 'x', 'á']) expect(cipher.open(wrong)).toBeNull();
  });
});

describe('a password', () => {
  it('is stored as argon2id with the chosen cost and its own salt', async () => {
    const [one, two] = await Promise.all([secrets.hashPassword('molinos'), secrets.hashPassword('molinos')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
  });

  it('is verified to its last character', async () => {
    const long = `${'ñ'.repeat(200)}!`;
    const stored = await secrets.hashPassword(long);
    expect(await secrets.verifyPassword(stored, long)).toBe(true);
    expect(await secrets.verifyPassword(stored, long.slice(0, -1))).toBe(false);
  });

  it('never matches a text that is not a password hash', async () => {
    for (const stored of ['', '-', 'molinos', '$2b$10$abc']) {
      expect(await secrets.verifyPassword(stored, stored)).toBe(false);
    }
  });

  it('is hashed without blocking file work, also when there are many', async () => {
    let hashed = 0;
    const [ofThread, ofProcess] = [process.threadCpuUsage(), process.cpuUsage()];
    const hashes = Array.from({ length: 12 }, async () => {
      await secrets.hashPassword('molinos');
      hashed += 1;
    });
    // Looking at a file needs one of the threads that hashing may not take all of.
    await stat(import.meta.filename);
    const hashedBefore = hashed;
    await Promise.all(hashes);
    expect(hashedBefore).toBeLessThan(6);
    const [thread, all] = [process.threadCpuUsage(ofThread), process.cpuUsage(ofProcess)];
    expect(thread.user + thread.system).toBeLessThan((all.user + all.system) / 2);
  });
});

it('A-122: a secret of a webhook is Base64 of 33 bytes, of letters that are equally likely', () => {
  const made = Array.from({ length: 500 }, () => secrets.newWebhookSecret());
  for (const secret of made) {
    expect(secret).toMatch(/^whsec_[A-Za-z]{44}$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(33);
  }
  const counts = new Map<string, number>();
  for (const letter of made.flatMap((secret) => [...secret.slice(6)])) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  // 423 of each are expected, and 20 are one standard deviation.
  expect(counts.size).toBe(52);
  for (const count of counts.values()) expect(Math.abs(count - 423)).toBeLessThan(150);
});
