import { billedRequest, defineCustomer, type RankingRequest } from '@tarifario/core/service';
import { line } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { partsOf } from '../universe-parts.ts';
import { rankingOf } from './ranking.ts';

const OFFERS = 5_000;
const QUESTIONS = 16;
/** The days of the months of a year. */
const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** The same year by its months. */
function byMonth(request: RankingRequest): RankingRequest {
  const { customer } = request;
  if (customer.supplyType !== 'LUZ') throw new RangeError('the market is of electricity');
  const { consumptionKwh, exportedKwh, powerKw } = customer;
  const profile = MONTHS.map((days, index) => ({
    month: index + 1,
    days,
    consumptionKwh: consumptionKwh.map((kwh) => (kwh * days) / 365),
    exportedKwh: (exportedKwh * days) / 365,
  }));
  return { ...request, customer: defineCustomer({ supplyType: 'LUZ', powerKw, profile }) };
}

/**
 * A ranking of 5,000 offers whose answer has bills, against one of the same customers by month: both price every offer
 * by the definition.
 */
export const billsLine = line({
  name: 'Bills',
  run: async () => {
    const parts = partsOf(market('LUZ', OFFERS));
    const plain = customers(QUESTIONS).map((customer) => questionFor(customer));
    const withBills = plain.map((request) => billedRequest({}, { bill: { day: '2026-10-15', rental: 20 } }, request));
    const profiled = plain.map(byMonth);
    const { bills, months } = await sideBySide(
      { bills: rankingOf(parts, withBills), months: rankingOf(parts, profiled) },
      { rounds: 21, turnMs: 100 },
    );
    const row = { peer: 'the same with perfil', peerMicros: months, ratio: 'ours/theirs' } as const;
    return [{ what: '5,000 offers with impuestos', oursMicros: bills, ...row, goal: { atMost: 1.5 } }];
  },
});
