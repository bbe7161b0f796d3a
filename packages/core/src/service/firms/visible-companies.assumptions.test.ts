import { expect, test } from 'vitest';
import type { CatalogDefault, Company, Firm } from './firm.ts';
import { visibleCompanies } from './visible-companies.ts';

const stamps = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

function firm(
  id: number,
  changes: { readonly isActive?: boolean; readonly catalogDefault?: CatalogDefault } = {},
): Firm {
  return { id, name: `Firm ${id}`, imageUrl: null, catalogDefault: 'all', isActive: true, ...stamps, ...changes };
}

function company(id: number, firmId: number | null, isActive = true): Company {
  return { id, firmId, name: `Company ${id}`, logoUrl: null, isActive, ...stamps };
}

const OWN = company(1, 1);
const CATALOG = company(10, null);
const decided = (firmId: number, isSubscribed: boolean) => [{ firmId, companyId: CATALOG.id, isSubscribed }];
const ids = (...input: Parameters<typeof visibleCompanies>) => visibleCompanies(...input).map(({ id }) => id);

test('A-21: active companies of active firms, and active ones of the catalog, are visible', () => {
  const companies = [OWN, company(2, 1, false), company(3, 2), company(4, 3), CATALOG, company(11, null, false)];
  expect(ids([firm(1), firm(2, { isActive: false })], companies, [])).toEqual([OWN.id, CATALOG.id]);
  expect(ids([firm(2, { isActive: false })], companies, [])).toEqual([]);
});

test('A-22: a firm subscribes by its default until it decides about a company', () => {
  expect(ids([firm(1)], [CATALOG], [])).toEqual([CATALOG.id]);
  expect(ids([firm(1)], [CATALOG], decided(1, false))).toEqual([]);
  expect(ids([firm(1, { catalogDefault: 'none' })], [CATALOG], [])).toEqual([]);
  expect(ids([firm(1, { catalogDefault: 'none' })], [CATALOG], decided(1, true))).toEqual([CATALOG.id]);
});

test('A-22: one subscribed firm is enough, and a decision of one firm does not affect another', () => {
  const two = [firm(1), firm(2)];
  expect(ids(two, [CATALOG], decided(1, false))).toEqual([CATALOG.id]);
  expect(ids(two, [CATALOG], [...decided(1, false), ...decided(2, false)])).toEqual([]);
  expect(ids([firm(1), firm(2, { isActive: false })], [CATALOG], decided(1, false))).toEqual([]);
});
