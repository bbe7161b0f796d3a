import { expect, it } from 'vitest';
import { addressEnd, inOneOrder, type ListQuestion, nextOrder, questionIn } from './list-question.ts';

const FIRST: ListQuestion = { owner: 'both', supply: 'LUZ', search: '', order: null, withInactive: false, terms: {} };

it.each<ListQuestion>([
  FIRST,
  { ...FIRST, search: 'ñandú 100% & más' },
  { ...FIRST, owner: 'own' },
  { owner: 'catalog', supply: 'GAS', search: 'a b', order: '-updated_at', withInactive: true, terms: {} },
  { ...FIRST, terms: { permanencia_max: 0, precio_fijo_min: 120, energia_verde: false } },
])('the question of a list is the same again from its address: %j', (question) => {
  expect(questionIn(addressEnd(question))).toEqual(question);
});

it('the address of the first question has no end', () => {
  expect(addressEnd(FIRST)).toBe('');
});

it.each([
  '?sort=commission',
  '?owner=x&supply_type=AGUA',
  '?sort=&q=',
  '?permanencia_max=61&precio_fijo_min=0&energia_verde=x',
  '?%zz&unknown=1',
])('an address that says nothing valid is the first question: %s', (address) => {
  expect(questionIn(address)).toEqual(FIRST);
});

it.each(['ES00210000', 'es 0021 0000 0000', 'zeta ES0021000000000001'])(
  'the beginning of the number of a supply point is in no address: %s',
  (search) => {
    expect(addressEnd({ ...FIRST, search })).toBe('');
  },
);

it('the number of a supply point is in no address', () => {
  expect(addressEnd({ ...FIRST, search: 'ES0021000000000001AB0F zeta' })).toBe('?q=zeta');
});

it('a head gives its order, then the reverse, then none, and takes the place of another', () => {
  expect(nextOrder('offer_name', null)).toBe('offer_name');
  expect(nextOrder('offer_name', 'offer_name')).toBe('-offer_name');
  expect(nextOrder('offer_name', '-offer_name')).toBeNull();
  expect(nextOrder('updated_at', 'company_name')).toBe('-updated_at');
});

it('own offers and those of the catalog stand in one order, and without one after each other', () => {
  const offer = (offer_name: string, day: number) => ({
    ...{ offer_name, company: { name: `Luz ${day}` }, updated_at: `2026-01-0${day}T00:00:00Z` },
  });
  const lists = [[offer('Única', 1), offer('alba', 3)], [offer('Brisa', 2)]];
  const named = (order: Parameters<typeof inOneOrder>[1]) =>
    inOneOrder(lists, order).map(({ offer_name }) => offer_name);
  expect(named(null)).toEqual(['Única', 'alba', 'Brisa']);
  expect(named('offer_name')).toEqual(['alba', 'Brisa', 'Única']);
  expect(named('-updated_at')).toEqual(['alba', 'Brisa', 'Única']);
  expect(named('company_name')).toEqual(['Única', 'Brisa', 'alba']);
});
