import {
  type AnyTier,
  type CellValue,
  createMarks,
  draftOffer,
  FIELD_LIST,
  fieldPartsOf,
  initialOf,
  OFFER_COLUMNS,
  type Offer,
  type OfferChanges,
  type OfferTerms,
  type RequiredTerms,
  type TermsField,
  TIER_HEADERS,
  type TierSheet,
} from '@tarifario/core/service';
import { arbitraryOfferTerms } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromWireNewOffer, newOfferBody, offerPatchBody } from '../packages/api/src/nouns/offers/body.ts';
import { EXPORT_COLUMNS } from '../packages/api/src/nouns/offers/export.ts';
import { offerShape, toWireOffer } from '../packages/api/src/nouns/offers/offer.ts';
import { changesOf, offerCells, tierCells, tierOf } from '../packages/core/src/bulk/offer-cells.ts';
import { readCell } from '../packages/core/src/bulk/read-cell.ts';

import { TERMS_COLUMNS, toTermsValues } from '../packages/store/src/offer-columns.ts';
import { fromOfferRow } from '../packages/store/src/rows.ts';

/** A field as a person reviews it; of each value its name on the wire, its column, and its English and Spanish text. */
function described(field: TermsField) {
  const { kind, section, supply } = field;
  const bounds = 'bounds' in field ? field.bounds : null;
  const monthly = 'monthlyBounds' in field ? field.monthlyBounds : undefined;
  const words = 'names' in field ? field.names : 'types' in field ? field.types : null;
  return {
    kind,
    section,
    supply,
    initial: JSON.stringify(initialOf(field)),
    ...(bounds ? { bounds: `${bounds.min} to ${bounds.max} ${bounds.unit}, ${bounds.unidad}` } : {}),
    ...(monthly ? { monthlyBounds: `${monthly.min} to ${monthly.max} ${monthly.unit}, ${monthly.unidad}` } : {}),
    ...('maxLength' in field ? { maxLength: field.maxLength } : {}),
    ...(words ? { words: words.join(' ') } : {}),
    values: Object.fromEntries(
      fieldPartsOf(field).map(({ path, wire, column, en, es }) => [
        path,
        [wire, column, en ?? '-', es ?? '-'].join(' | '),
      ]),
    ),
  };
}

/** The order of fields wherever one can be seen. */
const orders = {
  request: Object.keys(offerPatchBody.shape),
  answer: Object.fromEntries(
    offerShape.options.map(({ shape }) => [shape.supply_type.value, Object.keys(shape).join(' ')]),
  ),
  spreadsheet: OFFER_COLUMNS.map(({ header }) => header),
  export: EXPORT_COLUMNS,
  database: TERMS_COLUMNS,
};

test('the table of offer fields has every name, default, bound, text and order that was reviewed', async () => {
  const fields = Object.fromEntries(FIELD_LIST.map((field) => [field.name, described(field)]));
  const inLines = Object.fromEntries(
    Object.entries(orders).map(([name, order]) => [name, Array.isArray(order) ? order.join(' ') : order]),
  );
  await expect(`${JSON.stringify({ fields, orders: inLines }, null, 2)}\n`).toMatchFileSnapshot('offer-fields.json');
});

/** A cell as it is read back from a file. */
function cellOf(written: string | number | boolean): CellValue {
  if (typeof written === 'string') return { kind: 'text', text: written };
  if (typeof written === 'boolean') return { kind: 'boolean', value: written };
  return { kind: 'number', text: String(written), number: written };
}

/** The row of a spreadsheet read back, with the tiers of its other sheets. */
function fromSheets(terms: OfferTerms): OfferChanges {
  const cells = offerCells(terms);
  const values = OFFER_COLUMNS.map((column) => {
    const written = cells[column.header] ?? null;
    const reading =
      written === null
        ? { content: null }
        : readCell(cellOf(written), column, { dates1904: false, place: 0, marks: createMarks() });
    expect(reading).toHaveProperty('content');
    return [column.header, 'content' in reading ? reading.content : null];
  });
  const read = (tiers: readonly AnyTier[], sheet: TierSheet) =>
    tiers.map((tier) => tierOf(tierCells(tier, TIER_HEADERS[sheet]), TIER_HEADERS[sheet]));
  return {
    ...changesOf(Object.fromEntries(values)),
    consumptionTiers: read(terms.consumptionTiers, 'tramos_consumo'),
    ...(terms.supplyType === 'LUZ' ? { powerTiers: read(terms.powerTiers, 'tramos_potencia') } : {}),
  };
}

const STAMPS = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

function toWire(terms: OfferTerms) {
  const company = { id: terms.companyId, firmId: 1, name: 'Alba', logoUrl: null, isActive: true, ...STAMPS };
  const offer: Offer = { ...terms, id: 1, ...STAMPS };
  const {
    id,
    company: shown,
    is_catalog,
    created_at,
    updated_at,
    ...fields
  } = toWireOffer({ offer, company, firm: null }, { seesCommissions: true });
  return JSON.stringify({ company_id: terms.companyId, ...fields });
}

function drafted(required: RequiredTerms, changes: OfferChanges): OfferTerms {
  const { terms, issues } = draftOffer(required, changes);
  expect(issues).toEqual([]);
  return terms;
}

test('an offer that goes from the wire to a row, to cells of a spreadsheet and back to the wire stays the same', () => {
  fc.assert(
    fc.property(arbitraryOfferTerms(), (terms) => {
      const sent = toWire(terms);
      const body = fromWireNewOffer(newOfferBody.parse(JSON.parse(sent)));
      const received = drafted(body.required, body.changes);
      expect(received).toEqual(terms);
      const stored = toTermsValues(received).map((value, index) => [TERMS_COLUMNS[index], value]);
      const row = { id: 1, created_at: '', updated_at: '', masked_updated_at: null, ...Object.fromEntries(stored) };
      const { id, createdAt, updatedAt, ...read } = fromOfferRow(row);
      expect(read).toEqual(terms);
      const { companyId, supplyType } = terms;
      const inCells = drafted({ companyId, supplyType, offerName: '', tariffType: '' }, fromSheets(read));
      expect(inCells).toEqual(terms);
      expect(toWire(inCells)).toBe(sent);
    }),
    { seed: 20_260_101, numRuns: 200 },
  );
});
