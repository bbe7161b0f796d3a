import { arbitraryHistory, arbitraryOfferTerms } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createImportWorld } from '../../../../test/import-world.ts';
import { refusalOf } from '../../../../testing/callers.ts';
import { TEMPLATE_KINDS, templateOf } from '../../../bulk/template.ts';
import type { SheetToWrite } from '../../../engine/cells.ts';
import { BULK_FORMATS } from '../../../engine/errors.ts';
import { SUPPLY_TYPES } from '../../../engine/offers/offer.ts';
import type { Workbooks } from '../../ports/workbooks.ts';
import { accountOffersFor } from '../offers/visible-offers.ts';
import { bulkTemplate } from './bulk.ts';

const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code;

const CHOICE = { kind: 'fixed', supplyType: null, includeInactive: false, firmId: null } as const;

test('A-41, A-45, A-61: a template too large to be sent back is refused', async () => {
  const world = await createImportWorld();
  const { accountId } = world.fullCaller;
  const insert = (count: number) =>
    world.store.write({ keyId: null, at: '2026-02-01T00:00:00.000Z' }, (writer) =>
      writer.offers.insert(accountId, new Array(count).fill(world.offers[0])),
    );
  let written = 0;
  const write: Workbooks['write'] = async ([ofertas]) => {
    written = ofertas?.kind === 'table' ? [...ofertas.rows].length : 0;
    return new Uint8Array(10 * 1024 * 1024);
  };
  /** The template of an account with the first 1 024 offers 48 times, because storing so many takes long. */
  const template = async () => {
    const { own, catalog } = await accountOffersFor(world.deps, world.fullCaller);
    const { LUZ } = own.universes;
    const tables = [...new Array(47).fill(LUZ.tables[0]), ...LUZ.tables];
    const many = { ...own, universes: { ...own.universes, LUZ: { ...LUZ, tables } } };
    const offerCache = { ...world.deps.offerCache, ready: () => ({ own: many, catalog }) };
    const deps = { ...world.deps, offerCache, workbooks: { ...world.workbooks, write } };
    return bulkTemplate(deps, world.fullCaller, { ...CHOICE, format: 'own' });
  };
  // With the two that are there and the header: exactly 50 000 rows.
  await insert(49_997 - 47 * 1024);
  expect((await template()).length).toBe(10 * 1024 * 1024);
  expect(written).toBe(49_999);
  await insert(1);
  await expect(template()).rejects.toMatchObject({
    code: 'wrong_state',
    message: expect.stringMatching(/^the sheet ofertas /),
  });
  const workbooks = { ...world.workbooks, write: async () => new Uint8Array(10 * 1024 * 1024 + 1) };
  const narrowed = { ...CHOICE, format: 'own', firmId: world.firms[1].id } as const;
  expect(await codeOf(bulkTemplate({ ...world.deps, workbooks }, world.fullCaller, narrowed))).toBe('wrong_state');
});

test('A-41: a template from memory has the same rows as one from all stored records', async () => {
  const world = await createImportWorld();
  const { store, firms, companies, catalogOffer } = world;
  const { accountId } = world.fullCaller;
  const owners = { own: accountId, catalog: 'catalog' } as const;
  await store.write({ keyId: null, at: '2026-02-01T00:00:00.000Z' }, async (writer) => {
    for (const format of BULK_FORMATS) {
      const ids = format === 'own' ? companies.map(({ id }) => id) : [catalogOffer.companyId];
      const arbitrary = fc.record({
        terms: arbitraryOfferTerms({ companyId: fc.constantFrom(...ids) }),
        LUZ: arbitraryHistory('LUZ', 3),
        GAS: arbitraryHistory('GAS', 3),
      });
      for (const { terms, ...histories } of fc.sample(arbitrary, { seed: 1, numRuns: 80 })) {
        const [offer] = await writer.offers.insert(owners[format], [terms]);
        const months = terms.isIndexed ? histories[terms.supplyType] : [];
        const offerId = offer?.id ?? 0;
        await writer.months.put(
          owners[format],
          months.map((price) => ({ offerId, before: null, price })),
        );
      }
    }
  });
  const rowsOf = (sheets: readonly SheetToWrite[]) =>
    sheets.map((sheet) => (sheet.kind === 'table' ? { ...sheet, rows: [...sheet.rows] } : sheet));
  let written: unknown;
  const write: Workbooks['write'] = async (sheets) => {
    written = rowsOf(sheets);
    return new Uint8Array();
  };
  const deps = { ...world.deps, workbooks: { ...world.workbooks, write } };
  for (const format of BULK_FORMATS) {
    const records = await store.read((reader) => reader.changes.since(owners[format], 0));
    for (const kind of TEMPLATE_KINDS) {
      for (const supplyType of [null, ...SUPPLY_TYPES]) {
        for (const [includeInactive, seesCommissions, firmId] of [
          [true, true, null] as const,
          [false, true, firms[0].id] as const,
          [true, false, firms[1].id] as const,
        ]) {
          const scopes = new Set(seesCommissions ? (['commissions:read'] as const) : []);
          const caller = { ...world.fullCaller, fullAccess: false, scopes };
          const choice = { kind, supplyType, includeInactive };
          const rights = { format, seesCommissions, boundFirmId: format === 'own' ? firmId : null };
          await bulkTemplate(deps, caller, { ...choice, format, firmId });
          expect(written).toEqual(rowsOf(templateOf(records, rights, choice)));
        }
      }
    }
  }
});
