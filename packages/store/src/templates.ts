import type { BulkState, Reader, RecordOwner, TemplateCounts, TemplateQuery } from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';
import { monthsOf } from './months.ts';
import { eachRange, type OfferRange, offersIn } from './offer-ranges.ts';
import { offersOn } from './offers.ts';
import { changedCompanies, changedFirms } from './owner-changes.ts';
import { flag } from './values.ts';

export function templateReads(session: Session): Pick<Reader, 'templateCounts' | 'templateState'> {
  return {
    templateCounts: (owner, query, enough) => templateCounts(session, { owner, query, enough }),
    templateState: (owner, query) => templateState(session, owner, query),
  };
}

/** The offers of a range that are meant: a query to add columns to. */
async function matching(session: Session, query: TemplateQuery) {
  const { firmId, supplyType, isIndexed, includeInactive } = query;
  const inRange = await offersIn(session, firmId);
  return (range: OfferRange) =>
    inRange(range)
      .where('is_indexed', '=', flag(isIndexed))
      .$if(!includeInactive, (offers) => offers.where('is_active', '=', 1))
      .$if(supplyType !== null, (offers) => offers.where('supply_type', '=', supplyType ?? 'LUZ'));
}

async function templateCounts(
  session: Session,
  given: { readonly owner: RecordOwner; readonly query: TemplateQuery; readonly enough: number },
): Promise<TemplateCounts> {
  const { owner, query, enough } = given;
  const { dialect } = session;
  const chosen = await matching(session, query);
  const zero = sql<number>`0`;
  const months = sql<number>`(select cast(count(*) as integer) from monthly_prices where offer_id = offers.id)`;
  const sum = (of: typeof zero) => sql<number>`coalesce(sum(${of}), 0)`;
  const tiersOf = (column: 'consumption_tiers' | 'power_tiers') =>
    sum(query.withCommissions ? dialect.listLength(sql.ref(column)) : zero);
  const total = { offers: 0, months: 0, consumptionTiers: 0, powerTiers: 0 };
  await eachRange(session, owner, async (range) => {
    const counts = await chosen(range)
      .select(({ fn }) => [
        fn.countAll<number>().as('offers'),
        sum(query.isIndexed ? months : zero).as('months'),
        tiersOf('consumption_tiers').as('consumptionTiers'),
        tiersOf('power_tiers').as('powerTiers'),
      ])
      .executeTakeFirstOrThrow();
    for (const name of ['offers', 'months', 'consumptionTiers', 'powerTiers'] as const) total[name] += counts[name];
    return Math.max(...Object.values(total)) <= enough;
  });
  return total;
}

async function templateState(session: Session, owner: RecordOwner, query: TemplateQuery): Promise<BulkState> {
  const chosen = await matching(session, query);
  const ids: number[] = [];
  await eachRange(session, owner, async (range) => {
    for (const { id } of await chosen(range).select('offers.id').orderBy('offers.id').execute()) ids.push(id);
    return true;
  });
  const offers = await offersOn(session, owner, ids, query);
  const months = query.isIndexed ? await monthsOf(session, ids) : new Map<number, never>();
  return {
    firms: await changedFirms(session, owner, 0),
    companies: await changedCompanies(session, owner, 0),
    offers: offers.map((offer) => ({ offer, months: months.get(offer.id) ?? [] })),
  };
}
