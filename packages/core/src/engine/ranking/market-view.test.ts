import { electricityOffer, flatOffer, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { expect, test } from 'vitest';
import { demandOf } from '../cost/customer.ts';
import { neededPrices } from './masks.ts';
import { finish } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { compileUniverse, heldBytes, patchUniverse, type UniversePart, viewOf } from './universe.ts';

const flats = (from: number, to: number, companyId = 1) =>
  withoutHistory(
    Array.from({ length: to - from + 1 }, (_, index) => ({ ...flatOffer(from + index, 50, 5), companyId })),
  );

const everybody = () => true;

function viewFor(parts: readonly UniversePart[], fields: Partial<RankingRequest> = {}) {
  const request = requestOf(fields);
  return finish(viewOf(parts, { ...request, needed: neededPrices(demandOf(request.customer, request.period)) }));
}

test('questions of one kind get the same view, those of another kind get another', () => {
  const parts = [{ universe: compileUniverse('LUZ', flats(1, 10)), admits: everybody }];
  const view = viewFor(parts);
  expect(viewFor(parts, { weight: 1, limit: 3, seesCommissions: false })).toBe(view);
  const { customer, filter } = requestOf();
  const six = { ...customer, consumptionKwh: [1, 1, 1, 1, 1, 1] } as RankingRequest['customer'];
  for (const other of [{ month: '2026-01-01' }, { filter: { ...filter, tariffType: '2.0TD' } }, { customer: six }]) {
    expect(viewFor(parts, other)).not.toBe(view);
  }
});

test('after a change only the blocks of the changed offers are looked into again', () => {
  const universe = compileUniverse('LUZ', flats(1, 3000));
  const before = viewFor([{ universe, admits: everybody }]);
  const after = viewFor([{ universe: patchUniverse(universe, flats(2000, 2000)), admits: everybody }]);
  expect(after.blocks.map((block, index) => block === before.blocks[index])).toEqual([true, false, true]);
});

test('a change that moves a company to the front does not mix up which companies take part', () => {
  const offers = [...flats(1, 1024, 1), ...flats(1025, 2048, 2)];
  const universe = compileUniverse('LUZ', offers);
  const only = (companyId: number) => (id: number) => id === companyId;
  viewFor([{ universe, admits: only(1) }]);
  const patched = patchUniverse(universe, [...flats(1, 1, 2), ...flats(1025, 1025, 1)]);
  for (const companyId of [1, 2]) {
    const { blocks } = viewFor([{ universe: patched, admits: only(companyId) }]);
    const rows = blocks.map(({ mask }) => mask.filter((bits) => bits !== 0).length);
    expect(rows).toEqual(companyId === 1 ? [1023, 1] : [1, 1023]);
  }
});

test('two accounts share the view of a catalog, and each has its own together with it', () => {
  const catalog = { universe: compileUniverse('LUZ', flats(1, 10)), admits: everybody };
  const shared = viewFor([catalog]);
  const [one, two] = [20, 30].map((id) => {
    const parts = [{ universe: compileUniverse('LUZ', flats(id, id)), admits: everybody }, catalog];
    expect(viewFor(parts)).toBe(viewFor(parts));
    return viewFor(parts);
  });
  expect(one).not.toBe(two);
  for (const view of [one, two]) expect(view?.blocks[1]).toBe(shared.blocks[0]);
  expect([one, two].map((view) => view?.facts.byTariff.get('2.0TD')?.total)).toEqual([11, 11]);
});

test('an account without offers gets the view of the catalog itself', () => {
  const catalog = { universe: compileUniverse('LUZ', flats(1, 10)), admits: everybody };
  const own = { universe: compileUniverse('LUZ', []), admits: everybody };
  expect(viewFor([own, catalog])).toBe(viewFor([catalog]));
  const inactive = compileUniverse('LUZ', withoutHistory([electricityOffer({ id: 40, isActive: false })]));
  expect(viewFor([catalog, { universe: inactive, admits: everybody }])).toBe(viewFor([catalog]));
});

test('views count for the memory of their universe until sixteen others were used after them', () => {
  const universe = compileUniverse('LUZ', flats(1, 10));
  const parts = [{ universe, admits: everybody }];
  viewFor(parts);
  const one = heldBytes(universe);
  const { filter } = requestOf();
  const ask = (name: string) => viewFor(parts, { filter: { ...filter, tariffType: name } });
  ask('2.0TD');
  // A mask of 32 rows, and facts.
  const each = 32 * 4 + 4096;
  expect(heldBytes(universe) - one).toBe(each);
  for (let n = 0; n < 16; n++) ask(`no such ${n}`);
  expect(heldBytes(universe)).toBe(one - each);
});
