import fc, { type Arbitrary } from 'fast-check';
import type { Draft } from './references.ts';

/** The keys of the world in which every list of commands begins; see `beginning.ts`. */
export const KEYS = {
  full: 'key-one-full',
  bound: 'key-one-bound',
  boundReader: 'key-one-bound-reader',
  reader: 'key-one-reader',
  blind: 'key-one-blind',
  blindWriter: 'key-one-blind-writer',
  nothing: 'key-one-nothing',
  revoked: 'key-one-revoked',
  other: 'key-two-full',
  otherBound: 'key-two-bound',
} as const;

/** The key of a request. */
export const key = fc.oneof(
  { weight: 22, arbitrary: fc.constant(KEYS.full) },
  { weight: 5, arbitrary: fc.constant(KEYS.bound) },
  { weight: 8, arbitrary: fc.constantFrom(KEYS.blindWriter, KEYS.other) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<(string | null)[]>(...Object.values(KEYS), 'key-unknown', 'junk', null),
  },
);

/** A field that is present in one of `rarity` cases; with a rarity of 1 in two of three. */
export const maybe = <T>(arbitrary: Arbitrary<T>, rarity = 3): Arbitrary<T | undefined> =>
  fc.oneof({ weight: Math.max(1, 2 * rarity - 2), arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary });

/** Optional fields. */
export type Maybe = Readonly<Record<string, Arbitrary<Draft | undefined>>>;

/** An object of those fields that are present. */
export function some(fields: Maybe): Arbitrary<{ readonly [name: string]: Draft }> {
  return fc
    .record(fields)
    .map((values) =>
      Object.fromEntries(
        Object.entries(values).flatMap(([name, value]): [string, Draft][] =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    );
}

/** Mostly one, now and then the other. */
export const mostly = (usual: Arbitrary<Draft>, rare: Arbitrary<Draft>, weight = 30) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** Values of JSON that hardly any field accepts. */
export const junk = fc.constantFrom<Draft>(null, true, -1, 1.5, '', 'x', [], {}, '1', 1e9);

const NAMES = ['Norte', ' norte ', 'NORTE', 'Sur', 'Energi\u0301a', 'ENERGÍA', 'Iberia 100%', 'a_b'];
const BAD_NAMES = ['', '   ', 'a\u0000b', 'a\u202Eb', 'x'.repeat(201)];
/** A name out of a few, so that two records often have the same. */
export const name = mostly(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...BAD_NAMES), junk));
export const flag = mostly(fc.boolean(), junk, 80);
export const supply = fc.constantFrom('LUZ', 'LUZ', 'GAS');
export const tariff = fc.constantFrom('2.0TD', '3.0TD', 'RL.1');
