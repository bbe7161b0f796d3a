import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_NAMED, type Named, together } from './market-facts.ts';

const namedOf = (ids: readonly number[]): Named => {
  return { total: ids.length, offerIds: ids.toSorted((a, b) => a - b).slice(0, MAX_NAMED) };
};

test('kinds that are joined name the first of all their offers by id, in whatever order the kinds come', () => {
  const ids = fc.uniqueArray(fc.nat(1000), { maxLength: 200 });
  const lists = fc.tuple(ids, fc.array(fc.nat(3), { minLength: 200, maxLength: 200 }), fc.boolean());
  holds(
    fc.property(lists, ([all, kindOf, isInOrder]) => {
      const sorted = isInOrder ? all.toSorted((a, b) => a - b) : all;
      const size = Math.ceil(sorted.length / 4);
      const kind = (index: number) => (isInOrder ? Math.floor(index / size) : kindOf[index]);
      const kinds = [0, 1, 2, 3].map((each) => sorted.filter((_, index) => kind(index) === each));
      expect(together(kinds.map(namedOf))).toEqual(namedOf(all));
    }),
  );
});

test('a full list of named offers is not copied when only later offers join it', () => {
  const first = namedOf(Array.from({ length: 60 }, (_, index) => index));
  const joined = together([first, namedOf([100, 101])]);
  expect(joined).toEqual({ total: 62, offerIds: first.offerIds });
  expect(joined.offerIds).toBe(first.offerIds);
});
