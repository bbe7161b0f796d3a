import { createHash } from 'node:crypto';
import type { RateLimiter, Secrets, Tables } from '@tarifario/core/service';

/** Keys `test-<n>` with a checksum that is a bang, and salts that follow from how many came before. */
export function createFakeSecrets(before = 0): Secrets & { made(): number } {
  let count = before;
  const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
  return {
    made: () => count,
    newKey: () => {
      count += 1;
      const key = `test-${count}!`;
      return { key, prefix: key.slice(0, 6), secretHash: hashOf(key) };
    },
    newSalt: () => {
      count += 1;
      return hashOf(`salt ${count}`).slice(0, 32);
    },
    newWebhookSecret: () => {
      count += 1;
      return `whsec_${'A'.repeat(40)}${String(count)
        .padStart(4, '0')
        .replace(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)))}`;
    },
    sha256: hashOf,
    hashFor: (key) => (/^test-\d+!$/.test(key) ? hashOf(key) : null),
    hashPassword: async (password) => `$fake$${password}`,
    verifyPassword: async (passwordHash, password) => passwordHash === `$fake$${password}`,
    fingerprint: (key, pieces) => hashOf(Buffer.concat([key, ...pieces].map((piece) => Buffer.from(piece))).toString()),
    // A token has its text, which anybody could read, and a hash.
    cipherFor: (key, purpose) => {
      const seal = (text: string) => {
        const hex = Buffer.from(text).toString('hex') + hashOf(`${key} ${purpose} ${text}`);
        return hex.replace(/./g, (digit) => 'ponmlkjihgfedcba'.charAt(Number.parseInt(digit, 16)));
      };
      const open = (token: string) => {
        const hex = token.slice(0, -64).replace(/./g, (letter) => (112 - letter.charCodeAt(0)).toString(16));
        const text = Buffer.from(hex, 'hex').toString();
        return seal(text) === token ? text : null;
      };
      return { seal, open };
    },
  };
}

/** Tables as lines of JSON, the form first: what becomes of them is for others to test. */
export const fakeTables: Tables = {
  *csv(rows, form) {
    yield `${JSON.stringify(form)}\n`;
    for (const row of rows) yield `${JSON.stringify(row)}\n`;
  },
};

/** Counts nothing, so that tests about other things may call as often as they like. */
export const UNLIMITED: RateLimiter = {
  take: async (buckets) => ({
    accepted: true,
    states: buckets.map(({ name, points, windowSeconds }) => {
      return { name, points, windowSeconds, remaining: points, resetSeconds: windowSeconds };
    }),
  }),
  giveBack: async () => {},
};
