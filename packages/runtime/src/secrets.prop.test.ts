import { ANY_CHARACTER } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSecrets } from './secrets.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
const keys = secretBytes.map((bytes) => createSecrets(() => bytes).newKey().key);
const { hashFor } = createSecrets();

it('a key contains all 256 bits of its secret', () => {
  fc.assert(
    fc.property(secretBytes, (bytes) => {
      const { key } = createSecrets(() => bytes).newKey();
      const digits = [...key.slice('tfk_'.length, -6)];
      const value = digits.reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
      expect(value.toString(16).padStart(64, '0')).toBe(Buffer.from(bytes).toString('hex'));
    }),
    { seed: 20_261_120 },
  );
});

it('a key with one changed character is invalid', () => {
  fc.assert(
    fc.property(keys, fc.nat(52), fc.constantFrom(...DIGITS, '_', ' ', 'é'), (key, index, character) => {
      fc.pre(key[index] !== character);
      expect(hashFor(key.slice(0, index) + character + key.slice(index + 1))).toBeNull();
    }),
    { seed: 20_261_120, numRuns: 2000 },
  );
});

it('a key with two adjacent characters swapped is invalid', () => {
  fc.assert(
    fc.property(keys, fc.nat(51), (key, index) => {
      fc.pre(key[index] !== key[index + 1]);
      const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2);
      expect(hashFor(swapped)).toBeNull();
    }),
    { seed: 20_261_120, numRuns: 2000 },
  );
});

it('a key with an additional or missing character is invalid', () => {
  fc.assert(
    fc.property(keys, fc.nat(53), fc.constantFrom(...DIGITS), (key, index, character) => {
      expect(hashFor(key.slice(0, index) + character + key.slice(index))).toBeNull();
      if (index < key.length) expect(hashFor(key.slice(0, index) + key.slice(index + 1))).toBeNull();
    }),
    { seed: 20_261_120 },
  );
});

it('any text is either hashed or refused, without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 80 }), (text) => {
      expect(hashFor(text)).toBeNull();
    }),
    { seed: 20_261_120 },
  );
});
