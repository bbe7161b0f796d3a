import {
  type Cell,
  type FieldSection,
  fieldPartsOf,
  fieldsOf,
  type ListedOffer,
  type OfferRecord,
  recordOf,
} from '@tarifario/core/service';
import { toWireOffer, type Visibility } from './offer.ts';
import { toWirePath } from './paths.ts';

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

/** Offers as a table with a header, generated row by row. */
export function* toOfferTable(listed: readonly ListedOffer[], visibility: Visibility): Generator<readonly Cell[]> {
  yield EXPORT_COLUMNS;
  for (const offer of listed) yield toOfferRow(recordOf(offer), visibility);
}

/** The value of the list. Null, and a field that the list would not have, give an empty cell. */
function toOfferRow(record: OfferRecord, visibility: Visibility): readonly Cell[] {
  const { company, communities, ...offer } = toWireOffer(record, visibility);
  const fields: Readonly<Record<string, unknown>> = {
    ...offer,
    client_id: company.client?.id,
    client_name: company.client?.name,
    company_id: company.id,
    company_name: company.name,
    communities: communities.join(','),
  };
  return EXPORT_COLUMNS.map((column) => toCell(fields[column]));
}

/** A list, such as that of tiers, becomes JSON text. */
function toCell(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}
