import type { BulkState } from '../../src/bulk/state.ts';
import type { CellToWrite } from '../../src/engine/cells.ts';
import type { BulkFormat } from '../../src/engine/errors.ts';
import { FIELD_LIST, type FieldPart, fieldPartsOf, initialOf } from '../../src/engine/offers/field-parts.ts';
import type { MonthlyPrice, OfferTerms } from '../../src/engine/offers/offer.ts';
import { foldName } from '../../src/engine/text.ts';

/** A sheet after editing: a header and rows. */
export interface Table {
  readonly name: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly CellToWrite[])[];
}

interface NaiveTier {
  readonly from: number;
  readonly to: number | null;
  readonly value: number;
  readonly type: string;
}

/** An offer in the words of the specification: one flat record, its tiers, its months. */
export interface NaiveOffer {
  /** Firm and company by folded names. */
  owner: string;
  readonly fields: Record<string, unknown>;
  readonly tiers: Record<string, NaiveTier[]>;
  readonly months: Record<string, Record<string, unknown>>;
}

/** The values of offers that have their own cell, by the names of the columns. */
const CELLS = FIELD_LIST.filter(({ kind }) => kind !== 'id' && kind !== 'tiers').flatMap(fieldPartsOf);
const PRICES = CELLS.filter(({ field }) => field.section === 'prices').map(({ wire }) => wire);

/** A value by the name of its field and, where there is one, the period or the flag. */
function valueAt(holder: object, { field, part }: FieldPart): unknown {
  const value: unknown = new Map(Object.entries(holder)).get(field.name);
  return part === null ? value : new Map(Object.entries(value ?? {})).get(String(part));
}

/** The value as a cell. */
const flat = (value: unknown) => (Array.isArray(value) ? value.join(',') : value);

/** The defaults of a new offer, which are also the meaning of an empty cell. */
const DEFAULTS = Object.fromEntries(
  CELLS.map((cell) => [cell.wire, flat(valueAt({ [cell.field.name]: initialOf(cell.field) }, cell))]),
);

function flatten(terms: OfferTerms): Record<string, unknown> {
  const values = CELLS.map((cell) => [cell.wire, flat(valueAt(terms, cell)) ?? DEFAULTS[cell.wire]]);
  return { supply_type: terms.supplyType, ...Object.fromEntries(values) };
}

function flatPrices(month: MonthlyPrice): Record<string, unknown> {
  const cells = CELLS.filter(({ field }) => field.section === 'prices');
  return Object.fromEntries(cells.map((cell) => [cell.wire, valueAt(month, cell) ?? null]));
}

function naiveOffer(terms: OfferTerms, owner: string, months: readonly MonthlyPrice[]): NaiveOffer {
  return {
    owner,
    fields: flatten(terms),
    tiers: {
      tramos_consumo: [...terms.consumptionTiers],
      tramos_potencia: terms.supplyType === 'LUZ' ? [...terms.powerTiers] : [],
    },
    months: Object.fromEntries(months.map((price) => [price.month, flatPrices(price)])),
  };
}

/** Offers by id; new ones as `new 0`, `new 1`, ... in the order in which they were made. */
export type NaiveState = Record<string, NaiveOffer>;

function ownersOf(state: BulkState): ReadonlyMap<number, string> {
  const firms = new Map<number | null, string>(state.firms.map(({ id, name }) => [id, foldName(name)]));
  return new Map(state.companies.map(({ id, firmId, name }) => [id, `${firms.get(firmId) ?? ''}/${foldName(name)}`]));
}

export function naiveState(state: BulkState): NaiveState {
  const owners = ownersOf(state);
  return Object.fromEntries(
    state.offers.map(({ offer, months }) => [offer.id, naiveOffer(offer, owners.get(offer.companyId) ?? '', months)]),
  );
}

type Row = Readonly<Record<string, CellToWrite>>;

function ownerOf(row: Row): string {
  return `${foldName(String(row.cliente ?? ''))}/${foldName(String(row.company_name ?? ''))}`;
}

function findByNames(state: NaiveState, row: Row): string {
  const name = foldName(String(row.offer_name));
  const entry = Object.entries(state).find(
    ([, { owner, fields }]) => owner === ownerOf(row) && foldName(String(fields.offer_name)) === name,
  );
  if (!entry) throw new Error(`the model has no offer for ${JSON.stringify(row)}`);
  return entry[0];
}

const digitsOf = (value: unknown) => (typeof value === 'number' ? value.toPrecision(15) : value);

/** What a cell stands for: of the stored values the one that equals it in the 15 digits of a spreadsheet. */
function storedOr<T>(sent: T, stored: readonly (T | undefined)[]): T {
  if (stored.includes(sent)) return sent;
  return stored.find((value) => value !== undefined && digitsOf(value) === digitsOf(sent)) ?? sent;
}

/** A tier of a file; its numbers are compared with those of the stored tier that starts there, or has its place. */
function tierOf(sent: NaiveTier, place: number, stored: readonly NaiveTier[]): NaiveTier {
  const own = stored.find(({ from }) => digitsOf(from) === digitsOf(sent.from)) ?? stored[place];
  const bounds = stored.flatMap(({ from, to }) => [from, to ?? from]);
  return {
    from: storedOr(sent.from, bounds),
    to: storedOr(sent.to, bounds),
    value: storedOr(sent.value, [own?.value]),
    type: sent.type,
  };
}

/** The state after a valid workbook: its rows are applied one by one, sheet by sheet. */
export function naiveAfterRows(state: BulkState, tables: readonly Table[], format: BulkFormat): NaiveState {
  const before = naiveState(state);
  const after = naiveState(state);
  const idHeader = format === 'own' ? 'offer_id' : 'catalog_offer_id';
  const rowsOf = (name: string): readonly Row[] => {
    const table = tables.find((candidate) => candidate.name === name);
    return (table?.rows ?? []).map((cells) =>
      Object.fromEntries((table?.headers ?? []).map((header, index) => [header, cells[index] ?? null])),
    );
  };
  const named: string[] = [];
  let created = 0;
  for (const row of rowsOf('ofertas')) {
    const id = row[idHeader];
    const key = typeof id === 'number' ? String(id) : `new ${created++}`;
    named.push(key);
    const offer = after[key] ?? blank();
    after[key] = offer;
    if ('company_name' in row) offer.owner = ownerOf(row);
    for (const [header, cell] of Object.entries(row)) {
      if ([idHeader, 'cliente', 'company_name', 'version'].includes(header)) continue;
      offer.fields[header] = storedOr(cell ?? DEFAULTS[header] ?? null, [offer.fields[header]]);
    }
  }
  const keyOf = (row: Row) => {
    const id = row[idHeader];
    return typeof id === 'number' ? String(id) : findByNames(after, row);
  };
  for (const sheet of ['tramos_consumo', 'tramos_potencia']) {
    if (!tables.some(({ name }) => name === sheet)) continue;
    const unit = sheet === 'tramos_consumo' ? 'consumption' : 'power';
    for (const key of [...named, ...rowsOf(sheet).map(keyOf)]) after[key]?.tiers[sheet]?.splice(0);
    for (const row of rowsOf(sheet)) {
      const key = keyOf(row);
      const tiers = after[key]?.tiers[sheet];
      const sent = {
        from: Number(row[`${unit}_from`]),
        to: row[`${unit}_to`] === null ? null : Number(row[`${unit}_to`]),
        value: Number(row.commission),
        type: String(row.commission_type ?? 'fixed'),
      };
      tiers?.push(tierOf(sent, tiers.length, before[key]?.tiers[sheet] ?? []));
    }
    for (const { tiers } of Object.values(after)) tiers[sheet]?.sort((a, b) => a.from - b.from);
  }
  for (const row of rowsOf('precios_indexados')) {
    const month = `${String(row.reference_month).slice(0, 7)}-01`;
    const offer = after[keyOf(row)];
    if (!offer) continue;
    const prices = offer.months[month] ?? Object.fromEntries(PRICES.map((name) => [name, null]));
    for (const name of PRICES) if (name in row) prices[name] = storedOr<unknown>(row[name], [prices[name]]);
    offer.months[month] = prices;
  }
  for (const row of rowsOf('borrar')) {
    const offer = after[String(row[idHeader])];
    if (offer) offer.fields.is_active = false;
  }
  return after;
}

function blank(): NaiveOffer {
  return { owner: '', fields: { ...DEFAULTS }, tiers: { tramos_consumo: [], tramos_potencia: [] }, months: {} };
}
