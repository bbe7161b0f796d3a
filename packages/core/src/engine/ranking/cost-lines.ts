import { type AppliedPrices, energyPricesByMonth, energyPricesOf, fixedPricesOf } from '../cost/applied-price.ts';
import type { Pricing } from '../cost/cost.ts';
import { COST_PARTS, type CostPartName, SSAA_PART } from '../cost/cost-parts.ts';
import type { Demand } from '../cost/customer.ts';
import type { OfferWithHistory } from '../offers/offer.ts';

/** What stands behind one price of an offer, or one part of its cost. */
export interface CostLine {
  readonly part: CostPartName | typeof SSAA_PART.name;
  /** 1 to 6; `null` where the part has no periods. */
  readonly period: number | null;
  /** EUR over the calculation period, without fees. */
  readonly eur: number;
}

/** The prices of an offer that has a cost. */
export type Priced = Extract<Pricing, { readonly priced: true }>;

/**
 * The cost of an offer by its prices: energy and power by period, then the other parts. Two offers of one supply have the
 * same lines in the same order, and their sums differ by what the costs do.
 */
export function costLinesOf(entry: OfferWithHistory, pricing: Priced, demand: Demand): readonly CostLine[] {
  const { prices, cost } = pricing;
  const { customer, period } = demand;
  const line = (part: CostLine['part'], eurs: readonly number[]) =>
    eurs.map((eur, index): CostLine => ({ part, period: eurs.length > 1 ? index + 1 : null, eur }));
  const always = COST_PARTS.flatMap(({ name }) => {
    if (name === 'energyEur') return line(name, energyByPeriod(entry, pricing, demand));
    if (name !== 'powerEur') return line(name, [cost[name]]);
    if (customer.supplyType === 'GAS') return [];
    const power = fixedPricesOf(prices);
    return line(
      name,
      customer.powerKw.map((kw, index) => kw * (power[index] ?? 0) * period.days),
    );
  });
  return [...always, ...line(SSAA_PART.name, [cost.ssaaEur ?? 0])];
}

function energyByPeriod(entry: OfferWithHistory, pricing: Priced, { parts }: Demand): readonly number[] {
  const priceIn = energyPricesFor(entry, pricing);
  return energyPricesOf(pricing.prices).map((_price, index) =>
    parts.reduce((sum, part) => sum + (part.consumptionKwh[index] ?? 0) * (priceIn(part.month)[index] ?? 0), 0),
  );
}

/** The energy prices that the definition applies in a calendar month, `null` for none. */
export function energyPricesFor(
  { months }: OfferWithHistory,
  { prices, origin }: { readonly prices: AppliedPrices; readonly origin: Priced['origin'] },
): (month: number | null) => readonly (number | null)[] {
  const mean = energyPricesOf(prices);
  const byMonth = energyPricesByMonth(months, origin);
  return (month) => {
    const own = month === null ? undefined : byMonth.get(month);
    return own ? mean.map((price, index) => own[index] ?? price) : mean;
  };
}
