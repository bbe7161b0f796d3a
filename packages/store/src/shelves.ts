import type { Reader, Revisions, ShelfChanges, ShelfOwner } from '@tarifario/core';
import type { Session } from './dialects.ts';
import { monthsOf } from './months.ts';
import { offersOn } from './offers.ts';
import { prepared } from './prepared.ts';
import { fromCatalogSubscriptionRow, fromCompanyRow, fromFirmRow } from './rows.ts';
import { accountIdOf, shelfIdOf } from './unit-of-work.ts';

export function shelfReads(session: Session): Pick<Reader, 'revisions' | 'changesSince'> {
  return {
    revisions: (accountId) => revisionsOf(session, accountId),
    changesSince: (owner, since) => changesSince(session, owner, since),
  };
}

const revisionRows = prepared((db, own: number, catalog: number) => {
  const revisionOf = (shelfId: number) => db.selectFrom('revisions').select('revision').where('shelf_id', '=', shelfId);
  return db.selectNoFrom([revisionOf(own).as('own'), revisionOf(catalog).as('catalog')]);
});

async function revisionsOf(session: Session, accountId: number): Promise<Revisions> {
  const [row] = await revisionRows(session, shelfIdOf(accountId), shelfIdOf('catalog'));
  return { own: row?.own ?? 0, catalog: row?.catalog ?? 0 };
}

async function changesSince(session: Session, owner: ShelfOwner, since: number): Promise<ShelfChanges> {
  const { db } = session;
  const accountId = accountIdOf(owner);
  const companies = await db
    .selectFrom('companies')
    .selectAll()
    .where('shelf_id', '=', shelfIdOf(owner))
    .where('revision', '>', since)
    .orderBy('id')
    .execute();
  const offers = await changedOffers(session, owner, since);
  return {
    firms: accountId === null ? [] : await changedFirms(session, accountId, since),
    companies: companies.map(fromCompanyRow),
    subscriptions: accountId === null ? [] : await changedSubscriptions(session, accountId, since),
    offers,
  };
}

async function changedFirms({ db }: Session, accountId: number, since: number) {
  const changed = db.selectFrom('firms').selectAll().where('account_id', '=', accountId);
  return (await changed.where('revision', '>', since).orderBy('id').execute()).map(fromFirmRow);
}

async function changedSubscriptions({ db }: Session, accountId: number, since: number) {
  const changed = db.selectFrom('catalog_subscriptions').selectAll().where('account_id', '=', accountId);
  const rows = await changed.where('revision', '>', since).orderBy('firm_id').orderBy('company_id').execute();
  return rows.map(fromCatalogSubscriptionRow);
}

/** Ids first, then whole offers in chunks: a big shelf is read without stopping everything else for long. */
async function changedOffers(session: Session, owner: ShelfOwner, since: number) {
  const changed = await session.db
    .selectFrom('offers')
    .select('id')
    .where('shelf_id', '=', shelfIdOf(owner))
    .where('revision', '>', since)
    .orderBy('id')
    .execute();
  const ids = changed.map((row) => row.id);
  const offers = await offersOn(session, owner, ids);
  const months = await monthsOf(session, ids);
  return offers.map((offer) => ({ offer, months: months.get(offer.id) ?? [] }));
}
