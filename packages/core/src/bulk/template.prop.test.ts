import { arbitraryBulkState, toSheetParts } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BULK_FORMATS } from '../engine/errors.ts';
import { diffOf } from './diff.ts';
import { planBulkUpdate } from './plan.ts';
import { type BulkDrafts, readRows } from './read-rows.ts';
import type { BulkRights } from './state.ts';
import { TEMPLATE_KINDS, templateOf } from './template.ts';

const BOTH = [true, false] as const;
const cases = BULK_FORMATS.flatMap((format) =>
  TEMPLATE_KINDS.flatMap((kind) => BOTH.map((seesCommissions) => ({ format, kind, seesCommissions }))),
);

function rowCount({ sheets }: BulkDrafts): number {
  return Object.values(sheets).reduce((sum, sheet) => sum + (sheet?.rows.length ?? 0), 0);
}

describe.each(cases)('the $kind template, $format, commissions shown: $seesCommissions', (one) => {
  const { format, kind, seesCommissions } = one;
  const rights: BulkRights = { format, seesCommissions, boundFirmId: null };
  const choice = { kind, supplyType: null, includeInactive: true } as const;

  test('A-44: uploaded as it was downloaded changes nothing', () => {
    let offersSeen = 0;
    let monthsSeen = 0;
    holds(
      fc.property(arbitraryBulkState(format), (state) => {
        const drafts = readRows(toSheetParts(templateOf(state, rights, choice)), format);
        expect(drafts.errors).toEqual([]);
        const outcome = planBulkUpdate(state, drafts, rights);
        if (outcome.kind === 'errors') throw new Error(JSON.stringify(outcome.errors));
        const { plan } = outcome;
        expect(plan).toMatchObject({ companies: [], created: [], changed: [], months: [], warnings: [] });
        expect(diffOf(plan, state, rights)).toEqual({ entries: [], count: 0 });
        const chosen = state.offers.filter(({ offer }) => offer.isIndexed === (kind === 'indexed'));
        expect(plan.counts.replaced).toBe(chosen.length);
        // Every row counts as applied, though none changes anything.
        const { replaced, pricesUpserted, tiersReplaced } = plan.counts;
        expect(replaced + pricesUpserted + tiersReplaced).toBe(rowCount(drafts));
        offersSeen += replaced;
        monthsSeen += pricesUpserted;
      }),
      60,
    );
    expect(offersSeen).toBeGreaterThan(50);
    if (kind === 'indexed') expect(monthsSeen).toBeGreaterThan(50);
  });

  test('A-44: has commission columns and tier sheets only for those who see commissions', () => {
    holds(
      fc.property(arbitraryBulkState(format), (state) => {
        const sheets = templateOf(state, rights, choice);
        const headers = sheets.flatMap((sheet) =>
          sheet.kind === 'table' ? sheet.columns.map(({ header }) => header) : [],
        );
        const words = JSON.stringify(sheets.filter(({ kind }) => kind === 'notes'));
        expect(headers.some((header) => header.includes('commission'))).toBe(seesCommissions);
        expect(sheets.some(({ name }) => name.startsWith('tramos'))).toBe(seesCommissions);
        expect(/"commission|per_mwh|tramos_/.test(words)).toBe(seesCommissions);
      }),
      5,
    );
  });
});

test('a template leaves out inactive offers, offers of other firms and other offers', () => {
  const arbitrary = arbitraryBulkState('own').filter(({ offers }) => offers.length > 2);
  holds(
    fc.property(arbitrary, fc.constantFrom('LUZ' as const, 'GAS' as const), (state, supplyType) => {
      const firmId = state.firms[0]?.id ?? 0;
      const rights: BulkRights = { format: 'own', seesCommissions: true, boundFirmId: firmId };
      const sheets = templateOf(state, rights, { kind: 'fixed', supplyType, includeInactive: false });
      const drafts = readRows(toSheetParts(sheets), 'own');
      const firmOf = new Map(state.companies.map((company) => [company.id, company.firmId]));
      const expected = state.offers.filter(
        ({ offer }) =>
          offer.isActive &&
          !offer.isIndexed &&
          offer.supplyType === supplyType &&
          firmOf.get(offer.companyId) === firmId,
      );
      expect(drafts.sheets.ofertas?.rows.map(({ id }) => id)).toEqual(expected.map(({ offer }) => offer.id));
      const tiers = expected.flatMap(({ offer }) => offer.consumptionTiers.map(() => offer.id));
      expect(drafts.sheets.tramos_consumo?.rows.map(({ id }) => id)).toEqual(tiers);
    }),
    50,
  );
});
