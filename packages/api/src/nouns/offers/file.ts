import {
  byMonth,
  type Company,
  DomainError,
  draftMonth,
  draftOffer,
  type FileOffers,
  fieldPartsOf,
  fieldsOf,
  type Issue,
  type MonthlyPrice,
  NEVER,
  type OfferWithHistory,
  refuseIfAny,
  type SupplyType,
  say,
} from '@tarifario/core/service';
import { z } from 'zod';
import { idField, supplyTypeField } from '../../fields.ts';
import { readJson } from '../../read-input.ts';
import { toWirePath } from '../../wire/paths.ts';
import { fromWireOffer, fromWirePrices, monthBody, OPTIONAL_FIELDS, type SentFields } from './body.ts';

/** The firm of own companies that name none. No firm has this id, so a filter by firm never selects them. */
const UNNAMED_FIRM_ID = 0;

const companyField = z.union([
  z.string(),
  z.strictObject({
    id: idField.optional(),
    name: z.string(),
    logo_url: z.string().nullable().optional(),
    client: z.looseObject({ id: idField }).nullable().optional(),
  }),
]);

const COMMISSIONS = fieldsOf('commissions').flatMap(fieldPartsOf);

/** An offer as it is listed, or as it is created with its company by name; commissions may be masked. */
const offerEntry = z.strictObject({
  ...OPTIONAL_FIELDS,
  id: idField.optional(),
  offer_name: z.string(),
  supply_type: supplyTypeField,
  tariff_type: z.string(),
  company: companyField.optional(),
  company_id: idField.optional(),
  is_catalog: z.boolean().optional(),
  ...Object.fromEntries(COMMISSIONS.map(({ wire }) => [wire, OPTIONAL_FIELDS[wire]?.nullable() ?? z.never()])),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  indexed_prices: z.array(monthBody).optional(),
  indexed_prices_total: z.int().min(0).optional(),
});
type OfferEntry = z.output<typeof offerEntry>;

const offerList = z.looseObject({ results: z.array(offerEntry) });

/**
 * Offers in wire form for programs without a server: an array, or the answer of a list. An offer without an id has
 * its place in the file, from 1; a company is known by its id, else by its name.
 *
 * @throws DomainError `invalid_request` when it is malformed or an id occurs twice, `business_rule` when an offer
 *   breaks a rule or is indexed in an answer that leaves its history out. Paths begin with the index of the offer.
 */
export function fromWireOffers(json: unknown): FileOffers {
  const entries = Array.isArray(json) ? readJson(z.array(offerEntry), json) : readJson(offerList, json).results;
  const numbers = companyNumbers(entries);
  const ids = new Set<number>();
  const issues: Issue[] = [];
  const companies = new Map<number, Company>();
  const offers = entries.map((entry, index) => {
    const id = entry.id ?? index + 1;
    if (ids.has(id))
      throw new DomainError('invalid_request', { issues: [{ path: `${index}.id`, message: 'occurs twice' }] });
    ids.add(id);
    const company = companyOf(entry, numbers);
    companies.set(company.id, company);
    const definition = readOffer(entry, { id, companyId: company.id });
    issues.push(...definition.issues.map(({ path, message }) => ({ path: `${index}.${toWirePath(path)}`, message })));
    return definition.offer;
  });
  refuseIfAny(issues);
  return { offers, companies, seesCommissions: !entries.some(isMasked) };
}

/** An absent member is unset; null is what an answer has in place of each masked commission field. */
function isMasked(entry: OfferEntry): boolean {
  const sent: SentFields = entry;
  return COMMISSIONS.some(
    ({ field, wire }) => (field.supply === null || field.supply === entry.supply_type) && sent[wire] === null,
  );
}

const NO_HISTORY =
  'offer {id} ({name}): the file has no indexed_prices of it: use the answer of compare or of the detail';

/** An answer has stamps, so an indexed offer of an answer without its history is not an offer without months. */
function missingHistory(entry: OfferEntry, id: number): Issue[] {
  const { created_at, indexed_prices, offer_name } = entry;
  const { is_indexed }: SentFields = entry;
  if (is_indexed !== true || created_at === undefined || indexed_prices !== undefined) return [];
  const message = say(NO_HISTORY, { id, name: offer_name });
  return [{ path: 'indexed_prices', message }];
}

function readOffer(
  entry: OfferEntry,
  { id, companyId }: { readonly id: number; readonly companyId: number },
): { readonly offer: OfferWithHistory; readonly issues: readonly Issue[] } {
  const { offer_name, supply_type, tariff_type, indexed_prices = [], created_at = NEVER, updated_at = NEVER } = entry;
  const required = { companyId, offerName: offer_name, supplyType: supply_type, tariffType: tariff_type };
  const sent: SentFields = entry;
  const commissions = COMMISSIONS.map(({ wire }) => [wire, sent[wire] ?? undefined]);
  const fields = { ...entry, company_id: companyId, ...Object.fromEntries(commissions) };
  const { terms, issues } = draftOffer(required, fromWireOffer(fields));
  const history = readHistory(supply_type, indexed_prices);
  return {
    offer: { offer: { ...terms, id, createdAt: created_at, updatedAt: updated_at }, months: history.months },
    issues: [...issues, ...missingHistory(entry, id), ...history.issues],
  };
}

function readHistory(
  supplyType: SupplyType,
  rows: readonly z.output<typeof monthBody>[],
): { readonly months: readonly MonthlyPrice[]; readonly issues: readonly Issue[] } {
  const drafts = rows.map((row) => draftMonth(supplyType, { month: row.reference_month, ...fromWirePrices(row) }));
  const months = drafts.map((draft) => draft.price).sort(byMonth);
  const issues = drafts.flatMap((draft, index) =>
    draft.issues.map(({ path, message }) => ({ path: `indexed_prices.${index}.${toWirePath(path)}`, message })),
  );
  const isRepeated = months.some((price, index) => price.month === months[index - 1]?.month);
  return {
    months,
    issues: isRepeated ? [...issues, { path: 'indexed_prices', message: 'has a month twice' }] : issues,
  };
}

function companyNameOf({ company }: OfferEntry): string {
  return typeof company === 'string' ? company : (company?.name ?? '');
}

function givenCompanyId({ company, company_id }: OfferEntry): number | undefined {
  return typeof company === 'object' ? (company.id ?? company_id) : company_id;
}

/** Ids for the companies that are known by name only, after those that the file gives. */
function companyNumbers(entries: readonly OfferEntry[]): ReadonlyMap<string, number> {
  const highest = entries.reduce((max, entry) => Math.max(max, givenCompanyId(entry) ?? 0), 0);
  const nameless = entries.filter((entry) => givenCompanyId(entry) === undefined);
  const names = [...new Set(nameless.map(companyNameOf))];
  return new Map(names.map((name, index) => [name, highest + index + 1]));
}

function companyOf(entry: OfferEntry, numbers: ReadonlyMap<string, number>): Company {
  const name = companyNameOf(entry);
  const { company } = entry;
  const object = typeof company === 'object' ? company : null;
  const isCatalog = entry.is_catalog ?? object?.client === null;
  return {
    id: givenCompanyId(entry) ?? numbers.get(name) ?? 0,
    firmId: isCatalog ? null : (object?.client?.id ?? UNNAMED_FIRM_ID),
    name,
    logoUrl: object?.logo_url ?? null,
    isActive: true,
    createdAt: NEVER,
    updatedAt: NEVER,
  };
}
