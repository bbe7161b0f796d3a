import {
  type AnyTier,
  asksForTerms,
  assert,
  foldName,
  isMaskedChange,
  type ListFilter,
  type Offer,
  type OfferChange,
  type OfferDepth,
  type OfferQuery,
  type OfferRecord,
  type OfferRecordStamps,
  type OfferTerms,
  type OfferVersion,
  type Page,
  type Reader,
  type RecordOwner,
  type Writes,
} from '@tarifario/core/service';
import {
  type AliasedExpression,
  type Expression,
  type ExpressionBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { inChunks } from './chunks.ts';
import { bitsOf, inOrder } from './communities.ts';
import type { Session } from './dialects.ts';
import { HIDDEN_VALUES, SECTIONS, TERMS_COLUMNS, TIER_FIELDS, termsColumns, toTermsValues } from './offer-columns.ts';
import { eachRange } from './offer-ranges.ts';
import { type OfferStamps, VERSION_BYTES } from './offer-rows.ts';
import { totalOf } from './pages.ts';
import { aliased } from './record-codec.ts';
import { COMPANY, FIRM, fromOfferRow, type TermsRow, toVersionRow } from './rows.ts';
import type { Schema } from './schema.ts';
import { accountIdOf, addToBytes, ownerIdOf, type Stamp, stamp, type UnitOfWork } from './unit-of-work.ts';

/** The values in place of columns of commissions that are not read. */
export const UNREAD: ReadonlyMap<string, AliasedExpression<unknown, string>> = new Map(
  [...HIDDEN_VALUES].map(([name, value]) => [name, sql.lit(value).as(name)]),
);

const STORED_COLUMNS = [
  ...TERMS_COLUMNS,
  'id',
  'created_at',
  'updated_at',
  'masked_updated_at',
  'blind_revision',
] as const;
const ALL_COLUMNS = STORED_COLUMNS.map((name) => `offers.${name}` as const);
const OTHER_COLUMNS = STORED_COLUMNS.map((name) => UNREAD.get(name) ?? (`offers.${name}` as const));

/** A query for offers. */
export function offerRows({ db }: Session, { seesCommissions }: OfferDepth) {
  return db
    .selectFrom('offers')
    .select(seesCommissions ? ALL_COLUMNS : OTHER_COLUMNS)
    .$castTo<TermsRow>();
}

/** That a company is the one of an offer: of its owner too, so that a database that is divided by owner joins in one place. */
const ofOffer = sql<SqlBool>`companies.owner_id = offers.owner_id and companies.id = offers.company_id`;

/** A query for offers with their companies and firms. */
export function recordRows(session: Session, depth: OfferDepth) {
  return offerRows(session, depth)
    .innerJoin('companies', (join) => join.on(ofOffer))
    .leftJoin('firms', (join) =>
      join.onRef('firms.account_id', '=', 'companies.owner_id').onRef('firms.id', '=', 'companies.firm_id'),
    )
    .select(aliased('companies', COMPANY.columns, 'company_'))
    .select(aliased('firms', FIRM.columns, 'firm_'))
    .$castTo<RecordRow>();
}

/** An offer with its company and firm, whose columns have their prefixes. */
interface RecordRow extends TermsRow {
  readonly firm_id: number | null;
}

const companyIn = COMPANY.readerIn('company_');
const firmIn = FIRM.readerIn('firm_');

function fromRecordRow(row: RecordRow): OfferRecord {
  return { offer: fromOfferRow(row), company: companyIn(row), firm: row.firm_id === null ? null : firmIn(row) };
}

export function offerReads(session: Session): Pick<Reader['offers'], 'list' | 'byId'> {
  return {
    list: (query, page) => listOffers(session, query, page),
    byId: (owner, offerIds, depth = WHOLE) => recordsById(session, owner, offerIds, depth),
  };
}

export const WHOLE: OfferDepth = { seesCommissions: true };

async function listOffers(session: Session, query: OfferQuery, page: Page) {
  const { db, dialect } = session;
  const { owner, firmId, includeInactive, filter, companyId, companyName } = query;
  const part = companyName === null ? '' : foldName(companyName);
  const either = db
    .selectFrom('offers')
    .innerJoin('companies', (join) => join.on(ofOffer))
    .where('offers.owner_id', '=', ownerIdOf(owner))
    .where((eb) => eb.and(filterConditions(eb, filter)))
    .$if(!includeInactive, (matches) => matches.where('offers.is_active', '=', 1))
    .$if(firmId !== null, (matches) => matches.where('companies.firm_id', '=', firmId))
    .$if(companyId !== null, (matches) => matches.where('offers.company_id', '=', companyId ?? 0))
    .$if(part !== '', (matches) => matches.where((eb) => dialect.contains(eb.ref('companies.name_folded'), part)));
  const ids = either.select('offers.id');
  const matching = ids.where((eb) => eb.and(termsConditions(eb, filter)));
  // `and` of SQL is null where `termsVerdict` is.
  const unknown = asksForTerms(filter) ? ids.where((eb) => eb(eb.and(termsConditions(eb, filter)), 'is', null)) : null;
  return await pageOfRecords(session, { ...query, matching, unknown }, page);
}

/** How many offers one query reads with their companies and firms: the maximum length of a list. */
const AT_ONCE = 200;

/**
 * A page of the offers whose ids a query gives.
 *
 * @param wanted - `matching` is not ordered and not cut; all its offers belong to `owner`. Those of `unknown` are counted.
 */
async function pageOfRecords(
  session: Session,
  wanted: Pick<OfferQuery, 'owner' | 'seesCommissions'> & {
    readonly matching: IdQuery;
    readonly unknown: IdQuery | null;
  },
  page: Page,
) {
  const { limit, offset, afterId = null } = page;
  const { db, dialect } = session;
  const { owner, matching, unknown, ...depth } = wanted;
  if (limit > AT_ONCE || !dialect.worksElsewhere) {
    // Reads the ids first, then the offers in parts, because a long page would block the thread.
    const ids: number[] = [];
    let [total, unknownTerms] = [0, 0];
    await eachRange(session, owner, async ({ after, upTo }) => {
      const inRange = (query: IdQuery) => query.where('offers.id', '>', after).where('offers.id', '<=', upTo);
      const inPage = await inRange(matching).orderBy('offers.id').execute();
      if (unknown) unknownTerms += (await inRange(unknown).execute()).length;
      const rest = afterId === null ? inPage : inPage.filter(({ id }) => id > afterId);
      const first = Math.max(0, offset - total);
      for (const { id } of rest.slice(first, first + limit - ids.length)) ids.push(id);
      total += inPage.length;
      return true;
    });
    return { total, results: await recordsById(session, owner, ids, depth), ...(unknown && { unknownTerms }) };
  }
  const countOf = (query: IdQuery) =>
    db.selectFrom(query.as('matching')).select(({ fn }) => fn.countAll<number>().as('count'));
  const counted = countOf(matching);
  const rest = matching.$if(afterId !== null, (query) => query.where('offers.id', '>', afterId ?? 0));
  const query = rest.orderBy('offers.id').limit(limit).offset(offset);
  const rows = await recordRows(session, depth)
    .innerJoin(query.as('found'), 'found.id', 'offers.id')
    .where('offers.owner_id', '=', ownerIdOf(owner))
    .select(counted.as('total'))
    .orderBy('offers.id')
    .execute();
  return {
    total: await totalOf(rows, page, counted),
    results: rows.map(fromRecordRow),
    ...(unknown && { unknownTerms: (await countOf(unknown).executeTakeFirstOrThrow()).count }),
  };
}

type IdQuery = SelectQueryBuilder<Schema, 'offers' | 'companies', { id: number }>;

/** `matchesFilter` of core as SQL conditions, but for the terms. */
function filterConditions(
  eb: ExpressionBuilder<Schema, 'offers' | 'companies'>,
  filter: ListFilter,
): Expression<SqlBool>[] {
  const { supplyType, tariffType, territory, community, customerType, ssaaIncluded, hasSolarPanels } = filter;
  const conditions: Expression<SqlBool>[] = [];
  if (supplyType !== null) conditions.push(eb('offers.supply_type', '=', supplyType));
  if (tariffType !== null) conditions.push(eb('offers.tariff_type', '=', tariffType));
  if (territory !== null) conditions.push(eb(`offers.territory_${territory}`, '=', 1));
  if (community !== null) {
    const bits = eb.ref('offers.communities');
    conditions.push(eb.or([eb(bits, '=', 0), sql<SqlBool>`(${bits} & ${bitsOf([community])}) <> 0`]));
  }
  if (customerType !== null) conditions.push(eb(`offers.accepts_${customerType}`, '=', 1));
  if (ssaaIncluded !== null) conditions.push(eb('offers.ssaa_included', '=', ssaaIncluded ? 1 : 0));
  if (hasSolarPanels !== null) {
    // Gas offers store null, because they have no panels.
    const has = eb.fn.coalesce('offers.has_solar_panels', eb.lit(0));
    conditions.push(eb(has, '=', hasSolarPanels ? 1 : 0));
  }
  return conditions;
}

function termsConditions(
  eb: ExpressionBuilder<Schema, 'offers' | 'companies'>,
  { maxPermanenceMonths, minFixedPriceMonths, isGreen }: ListFilter,
): Expression<SqlBool>[] {
  return [
    ...(maxPermanenceMonths === null ? [] : [eb('offers.permanence_months', '<=', maxPermanenceMonths)]),
    ...(minFixedPriceMonths === null ? [] : [eb('offers.fixed_price_months', '>=', minFixedPriceMonths)]),
    ...(isGreen === null ? [] : [eb('offers.is_green', '=', isGreen ? 1 : 0)]),
  ];
}

/** The given offers of an owner with their companies and firms, each once, by ascending id. */
function recordsById(session: Session, owner: RecordOwner, offerIds: readonly number[], depth: OfferDepth) {
  return inChunks(session.dialect, ascending(offerIds), async (ids) => {
    const rows = await recordRows(session, depth)
      .where('offers.owner_id', '=', ownerIdOf(owner))
      .where((eb) => session.dialect.isAnyOf(eb.ref('offers.id'), ids))
      .orderBy('offers.id')
      .execute();
    return rows.map(fromRecordRow);
  });
}

function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}

/** The given offers of an owner, each once, by ascending id. */
export function offersOn(session: Session, owner: RecordOwner, offerIds: readonly number[], depth = WHOLE) {
  return inChunks(session.dialect, ascending(offerIds), async (ids) => {
    const rows = offerRows(session, depth)
      .where('owner_id', '=', ownerIdOf(owner))
      .where((eb) => session.dialect.isAnyOf(eb.ref('id'), ids))
      .orderBy('id');
    return (await rows.execute()).map(fromOfferRow);
  });
}

export function offerWrites(unit: UnitOfWork): Writes['offers'] {
  return {
    insert: (owner, terms) => inChunks(unit.dialect, terms, (chunk) => insertOffers(unit, owner, chunk)),
    update: async (owner, changes) => {
      const ids = new Set(changes.map(({ before }) => before.id));
      assert(ids.size === changes.length, 'an offer is changed once');
      return await inChunks(unit.dialect, changes, (chunk) => updateOffers(unit, owner, chunk));
    },
  };
}

async function insertOffers(
  unit: UnitOfWork,
  owner: RecordOwner,
  terms: readonly OfferTerms[],
): Promise<readonly Offer[]> {
  const { at, revision } = await stamp(unit, owner);
  const ids = await unit.dialect.newOfferIds(unit.db, terms.length);
  const offers = terms.map((one, i) => offerOf(one, { id: ids[i] ?? 0, createdAt: at, updatedAt: at }));
  const rows = offers.map((offer) => ({ id: offer.id, values: toTermsValues(offer) }));
  await unit.offerRows.insert(rows, stampsOf(unit, owner, { at, revision }));
  return offers;
}

async function updateOffers(
  unit: UnitOfWork,
  owner: RecordOwner,
  changes: readonly OfferChange[],
): Promise<readonly Offer[]> {
  const next = await stamp(unit, owner);
  const sections = SECTIONS.filter((section) => changes.some((change) => change.sections.includes(section)));
  const offers = changes.map((change) => ({
    id: change.before.id,
    values: toTermsValues(change.terms, sections),
    isMasked: isMaskedChange(change),
    isBlind: change.isBlind === true,
    keptTiers: TIER_FIELDS.map((name) => keepsTiers(change, name)),
  }));
  const columns = termsColumns(sections);
  const replaced = await unit.offerRows.replace({ columns, offers }, stampsOf(unit, owner, next));
  assert(replaced === changes.length, 'an offer of the owner is changed, and keeps its supply type');
  return changes.map((change) => {
    const { id, createdAt, updatedAt, maskedUpdatedAt = updatedAt, ...before } = change.before;
    const masked = isMaskedChange(change) ? { maskedUpdatedAt } : {};
    const blindRevision = change.isBlind ? next.revision : before.blindRevision;
    const blind = blindRevision === undefined ? {} : { blindRevision };
    return offerOf(change.terms, { id, createdAt, updatedAt: next.at, ...masked, ...blind });
  });
}

/** A blind write keeps those that are equal too, so the bytes of a history do not tell a guess. */
function keepsTiers({ before, terms, sections, isBlind }: OfferChange, name: (typeof TIER_FIELDS)[number]): boolean {
  if (isBlind || !sections.includes('commissions')) return isBlind === true;
  const tiersOf = (one: Partial<Record<typeof name, readonly AnyTier[]>>) => one[name] ?? [];
  const [old, now] = [tiersOf(before), tiersOf(terms)];
  return old !== now && (old.length !== now.length || old.some((tier, place) => !isSameTier(tier, now[place])));
}

function isSameTier(a: AnyTier, b: AnyTier | undefined): boolean {
  return a.from === b?.from && a.to === b.to && a.value === b.value && a.type === b.type;
}

/** The terms as they will be read back. */
function offerOf(terms: OfferTerms | Offer, stamps: OfferRecordStamps): Offer {
  const offer = { ...terms, communities: inOrder(terms.communities), ...stamps };
  // The terms may come from a whole offer with older stamps.
  if (!('maskedUpdatedAt' in stamps)) delete offer.maskedUpdatedAt;
  if (!('blindRevision' in stamps)) delete offer.blindRevision;
  return offer;
}

function stampsOf({ context }: UnitOfWork, owner: RecordOwner, { revision, at }: Stamp): OfferStamps {
  return { accountId: accountIdOf(owner), ownerId: ownerIdOf(owner), revision, at, keyId: context.keyId };
}

/** Appends to the history of offers. */
export async function addVersions(
  unit: UnitOfWork,
  owner: RecordOwner,
  versions: readonly OfferVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const rows = versions.map((version) => ({ owner_id: ownerIdOf(owner), ...toVersionRow(version) }));
  await unit.insertRows('offer_versions', rows);
  const bytes = rows.reduce((sum, { before }) => sum + VERSION_BYTES + Buffer.byteLength(before), 0);
  await addToBytes(unit, owner, 'history', bytes);
}
