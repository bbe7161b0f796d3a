import {
  type AnyTier,
  assert,
  FIELD_LIST,
  fieldPartsOf,
  MONTH_VALUES,
  OFFER_VALUES,
  type OfferHead,
  type OfferRow,
  type Reader,
  type RecordChanges,
  type RecordOwner,
  type Revisions,
  type RowValue,
  type SupplyType,
  type ValuePlace,
} from '@tarifario/core/service';
import { pause } from './chunks.ts';
import type { Session } from './dialects.ts';
import { monthsOf } from './months.ts';
import { eachRange } from './offer-ranges.ts';
import { offersOn } from './offers.ts';
import { prepared, preparedLists } from './prepared.ts';
import { CATALOG_SUBSCRIPTION, COMPANY, FIRM } from './rows.ts';
import type { Schema } from './schema.ts';
import { accountIdOf, ownerIdOf } from './unit-of-work.ts';

export function ownerReads(session: Session): Omit<Reader['changes'], 'after' | 'mark'> {
  return {
    revisions: (accountId) => revisionsOf(session, accountId),
    since: async (owner, since, isWanted) => {
      const ids = isWanted ? await wantedIds(session, owner, since, isWanted) : await changedIds(session, owner, since);
      const offers = await offersWithMonths(session, owner, ids);
      return { ...(await recordsSince(session, owner, since)), offers };
    },
    recordsSince: (owner, since) => recordsSince(session, owner, since),
  };
}

export function offerRowReads(session: Session): Pick<Reader['offers'], 'rowsSince'> {
  return { rowsSince: (owner, since) => offerRowsSince(session, owner, since) };
}

const revisionRows = prepared((db, own: number, catalog: number) => {
  const revisionOf = (ownerId: number) => db.selectFrom('revisions').select('revision').where('owner_id', '=', ownerId);
  return db.selectNoFrom([revisionOf(own).as('own'), revisionOf(catalog).as('catalog')]);
});

async function revisionsOf(session: Session, accountId: number): Promise<Revisions> {
  const [row] = await revisionRows(session, ownerIdOf(accountId), ownerIdOf('catalog'));
  return { own: row?.own ?? 0, catalog: row?.catalog ?? 0 };
}

async function recordsSince(session: Session, owner: RecordOwner, since: number): Promise<RecordChanges> {
  const accountId = accountIdOf(owner);
  const companies = await changedCompanies(session, owner, since);
  const firms = await changedFirms(session, owner, since);
  const subscriptions = accountId === null ? [] : await subscriptionRows(session, accountId, since);
  return { firms, companies, subscriptions: subscriptions.map(CATALOG_SUBSCRIPTION.read) };
}

async function changedCompanies(session: Session, owner: RecordOwner, since: number) {
  return (await companyRows(session, ownerIdOf(owner), since)).map(COMPANY.read);
}

async function changedFirms(session: Session, owner: RecordOwner, since: number) {
  const accountId = accountIdOf(owner);
  return accountId === null ? [] : (await firmRows(session, accountId, since)).map(FIRM.read);
}

const companyRows = prepared((db, ownerId: number, since: number) =>
  db.selectFrom('companies').selectAll().where('owner_id', '=', ownerId).where('revision', '>', since).orderBy('id'),
);

const firmRows = prepared((db, accountId: number, since: number) =>
  db
    .selectFrom('firms')
    .select(FIRM.columns)
    .where('account_id', '=', accountId)
    .where('revision', '>', since)
    .orderBy('id'),
);

const subscriptionRows = prepared((db, accountId: number, since: number) =>
  db
    .selectFrom('catalog_subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('revision', '>', since)
    .orderBy('firm_id')
    .orderBy('company_id'),
);

async function changedIds({ db }: Session, owner: RecordOwner, since: number): Promise<readonly number[]> {
  const changed = await db
    .selectFrom('offers')
    .select('id')
    .where('owner_id', '=', ownerIdOf(owner))
    .where('revision', '>', since)
    .orderBy('id')
    .execute();
  return changed.map((row) => row.id);
}

/** The ids of those offers that are wanted by what names them, which is read in parts. */
async function wantedIds(
  session: Session,
  owner: RecordOwner,
  since: number,
  isWanted: (head: OfferHead) => boolean,
): Promise<readonly number[]> {
  const ids: number[] = [];
  await eachRange(session, owner, async ({ ownerId, after, upTo }) => {
    const heads = session.db
      .selectFrom('offers')
      .select(['id', 'company_id as companyId', 'offer_name as offerName', 'is_active'])
      .where('owner_id', '=', ownerId)
      .where('id', '>', after)
      .where('id', '<=', upTo)
      .where('revision', '>', since)
      .orderBy('id');
    for (const { is_active, ...head } of await heads.execute()) {
      if (isWanted({ ...head, isActive: is_active === 1 })) ids.push(head.id);
    }
    return true;
  });
  return ids;
}

/** In chunks, so that many offers are read without stopping everything else for long. */
async function offersWithMonths(session: Session, owner: RecordOwner, ids: readonly number[]) {
  const offers = await offersOn(session, owner, ids);
  const months = await monthsOf(session, owner, ids);
  return offers.map((offer) => ({ offer, months: months.get(offer.id) ?? [] }));
}

/** The columns of values of a row that are not in the table of fields. */
const STAMP_COLUMNS = {
  id: 'id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  maskedUpdatedAt: 'masked_updated_at',
  blindRevision: 'blind_revision',
  month: 'month',
} as const;

/** The columns that follow the parts of some values. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ...FIELD_LIST.flatMap(fieldPartsOf).map(({ path, column }) => [path, column] as const),
  ...Object.entries(STAMP_COLUMNS),
]);

function columnsOf<Table>(places: readonly ValuePlace[]): readonly (keyof Table & string)[] {
  return places.map(({ field, part }) => {
    const column = COLUMNS.get(part === null ? field : `${field}.${part}`);
    assert(column !== undefined, 'every value of a row has a column');
    return column as keyof Table & string;
  });
}

/** The values in their order, and one more: a list of values is handed over as it was read. */
const OFFER_ROW = [...columnsOf<Schema['offers']>(OFFER_VALUES), 'supply_type'] as const;
const MONTH_ROW = [...columnsOf<Schema['monthly_prices']>(MONTH_VALUES), 'offer_id'] as const;

/** The values that have to be parsed; all others are passed on as they are stored. */
const TIERS = OFFER_VALUES.flatMap(({ kind }, index) => (kind === 'tiers' ? [index] : []));

/** Offers handed over at once. */
const ROWS_AT_ONCE = 512;

const allOffers = preparedLists(({ db }, ownerId: number, after: number, limit: number) =>
  db
    .selectFrom('offers')
    .select(OFFER_ROW)
    .where('owner_id', '=', ownerId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit),
);

const someOffers = preparedLists(({ db, dialect }, ownerId: number, ids: unknown) =>
  db
    .selectFrom('offers')
    .select(OFFER_ROW)
    .where('owner_id', '=', ownerId)
    .where((eb) => dialect.isIn(eb.ref('id'), ids))
    .orderBy('id'),
);

const monthsOfSome = preparedLists(({ db, dialect }, ownerId: number, ids: unknown) =>
  db
    .selectFrom('monthly_prices')
    .select(MONTH_ROW)
    .where('owner_id', '=', ownerId)
    .where((eb) => dialect.isIn(eb.ref('offer_id'), ids))
    .orderBy('offer_id')
    .orderBy('month'),
);

async function* offerRowsSince(session: Session, owner: RecordOwner, since: number) {
  const pieces = since === 0 ? wholeInPieces(session, owner) : changedInPieces(session, owner, since);
  for await (const rows of pieces) {
    if (rows.length > 0) yield await withMonths(session, owner, rows);
    await pause();
  }
}

/** All offers of an owner need no list of ids. */
async function* wholeInPieces(session: Session, owner: RecordOwner) {
  let after = 0;
  for (;;) {
    const rows = await allOffers(session, ownerIdOf(owner), after, ROWS_AT_ONCE);
    yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = idIn(rows.at(-1));
  }
}

async function* changedInPieces(session: Session, owner: RecordOwner, since: number) {
  const ids = await changedIds(session, owner, since);
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) {
    const piece = ids.slice(start, start + ROWS_AT_ONCE);
    yield await someOffers(session, ownerIdOf(owner), session.dialect.listParameter(piece));
  }
}

const ID = OFFER_VALUES.findIndex(({ field }) => field === 'id');

function idIn(row: readonly unknown[] | undefined): number {
  return Number(row?.[ID]);
}

async function withMonths(
  session: Session,
  owner: RecordOwner,
  rows: readonly unknown[][],
): Promise<readonly OfferRow[]> {
  const months = await monthsOfSome(session, ownerIdOf(owner), session.dialect.listParameter(rows.map(idIn)));
  const byOffer = Map.groupBy(months, (month) => month[MONTH_VALUES.length]);
  return rows.map((row) => ({
    supplyType: row[OFFER_VALUES.length] as SupplyType,
    values: fromStoredValues(row),
    months: (byOffer.get(row[ID]) ?? NO_MONTHS) as readonly (readonly RowValue[])[],
  }));
}

const NO_MONTHS: readonly never[] = [];

/** Only tiers are stored in another form than they are handed over in. */
function fromStoredValues(values: unknown[]): readonly RowValue[] {
  for (const index of TIERS) values[index] = JSON.parse(String(values[index] ?? '[]')) as readonly AnyTier[];
  return values as readonly RowValue[];
}
