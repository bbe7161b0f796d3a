import { expect, test } from 'vitest';
import { columnNamed, headerForm } from './headers.ts';
import { recordColumns, recordHeader } from './records.ts';

const ALL = { hasBills: true, hasDiscounts: true };
const spanish = recordHeader({ ...ALL, isSpanish: true });

test('A-168: a Spanish table of answers has a name in words for each column, which is that of no other', () => {
  const wire = recordHeader({ ...ALL, isSpanish: false });
  expect(wire).toEqual(recordColumns({ ...ALL, isSpanish: true }));
  expect(spanish).toHaveLength(wire.length);
  expect(spanish.filter((name) => wire.includes(name) || /_|undefined/.test(name))).toEqual([]);
  expect(new Set(spanish.map(headerForm)).size).toBe(spanish.length);
});

test('A-168: what a table of answers has of its customers is called as in their own tables', () => {
  const shared = spanish.flatMap((name) => columnNamed(name) ?? []);
  expect(shared).toEqual(['ref', 'w', 'actual_coste_total', 'actual_factura_total']);
});
