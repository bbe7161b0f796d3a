import {
  type Cell,
  exportOffers,
  type FieldSection,
  fieldPartsOf,
  fieldsOf,
  indicesOf,
  type ListedOffer,
  MAX_EXPORT,
  type OfferRecord,
  recordOf,
} from '@tarifario/core/service';
import { z } from 'zod';
import { supplyTypeField } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import type { Visibility } from '../../wire/answer.ts';
import { toWirePath } from '../../wire/paths.ts';
import { OFFER_QUERY, toOfferChoice } from './lists.ts';
import { toWireOffer } from './offer.ts';
import { visibilityOf } from './records.ts';

const [OFFER_NAME = '', ...IDENTITY] = fieldsOf('identity').map(({ name }) => toWirePath(name));

function wiresOf(...sections: readonly FieldSection[]): readonly string[] {
  return fieldsOf(...sections)
    .flatMap(fieldPartsOf)
    .map(({ wire }) => wire);
}

/**
 * The columns of an export, in their order, whatever the supply type: the keys of a listed offer, with company and
 * firm as columns of their own.
 *
 * @see docs/assumptions.md, A-35
 */
export const EXPORT_COLUMNS: readonly string[] = [
  'id',
  'company_id',
  'company_name',
  'client_id',
  'client_name',
  OFFER_NAME,
  'supply_type',
  ...IDENTITY,
  'is_catalog',
  ...wiresOf('prices', 'costs', 'options', 'commissions', 'reach'),
  'created_at',
  'updated_at',
  ...wiresOf('contract'),
];

/** At the end, where some offer of the export has one. */
export const HOURS_COLUMNS: readonly string[] = wiresOf('hours');

/** Offers as a table with a header, generated row by row. */
function* toOfferTable(listed: readonly ListedOffer[], visibility: Visibility): Generator<readonly Cell[]> {
  const followsHours = listed.some((one) => indicesOf(recordOf(one).offer).length > 0);
  const columns = followsHours ? [...EXPORT_COLUMNS, ...HOURS_COLUMNS] : EXPORT_COLUMNS;
  yield columns;
  for (const offer of listed) yield toOfferRow(recordOf(offer), columns, visibility);
}

/** The value of the list. Null, and a field that the list would not have, give an empty cell. */
function toOfferRow(record: OfferRecord, columns: readonly string[], visibility: Visibility): readonly Cell[] {
  const { company, communities, ...offer } = toWireOffer(record, visibility);
  const fields: Readonly<Record<string, unknown>> = {
    ...offer,
    client_id: company.client?.id,
    client_name: company.client?.name,
    company_id: company.id,
    company_name: company.name,
    communities: communities.join(','),
  };
  return columns.map((column) => toCell(fields[column]));
}

/** A list, such as that of tiers, becomes JSON text. */
function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}

const separator = z
  .enum([',', ';'])
  .describe('The text between two cells. `;` also writes decimal commas, for a spreadsheet in Spanish.')
  .default(',');

export const OFFER_EXPORT = defineOperation({
  id: 'exportOffers',
  method: 'GET',
  path: '/v1/offers/export',
  summary: 'Export own offers as CSV',
  description:
    'The own offers that a list with the same filters shows, of both supplies where supply_type is left out; ' +
    `placas_solares selects electricity. The first ${MAX_EXPORT} by id; the header X-Total-Count says how many match. ` +
    'Text that a spreadsheet could run as a formula begins with an apostrophe. The separator ; ' +
    'also writes decimal commas and a byte order mark, for a spreadsheet in Spanish. Without commissions:read the ' +
    `columns of commissions are empty. Columns: ${EXPORT_COLUMNS.join(', ')}; and, where an offer has one, ` +
    `${HOURS_COLUMNS.join(', ')}.`,
  scopes: ['offers:export'],
  longRead: 'rows',
  query: { ...OFFER_QUERY, supply_type: supplyTypeField.optional(), separator },
  tagged: true,
  output: z.string(),
  contentType: 'text/csv',
  examples: [{ summary: 'Electricity', query: { supply_type: 'LUZ', company_name: 'alba' } }],
  perform: async ({ deps, caller }, { firmId, query }) => {
    const choice = { firmId, ...toOfferChoice({ ...query, supply_type: query.supply_type ?? null }) };
    const { total, unknownTerms, results } = await exportOffers(deps, caller, choice);
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="ofertas.csv"',
        'X-Total-Count': String(total),
        ...(unknownTerms !== undefined && { 'X-Unknown-Terms-Count': String(unknownTerms) }),
      },
      body: undefined,
      text: deps.tables.csv(toOfferTable(results, visibilityOf(caller)), { separator: query.separator }),
    };
  },
});
