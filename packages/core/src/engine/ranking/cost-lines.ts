import type { Applied } from '../cost/applied-price.ts';
import { energyPricesByMonth, energyPricesOf, fixedPricesOf } from '../cost/applied-price.ts';
import type { CostBreakdown } from '../cost/cost.ts';
import { COST_PARTS, type CostPartName, SSAA_PART } from '../cost/cost-parts.ts';
import type { Demand } from '../cost/customer.ts';
import { energyFactor, powerFactor } from '../cost/discount.ts';
import type { OfferWithHistory } from '../offers/offer.ts';

/** What stands behind one price of an offer, or one part of its cost. */
export interface CostLine {
  readonly part: CostPartName | typeof SSAA_PART.name;
  /** The number of the period, 1 to 6; `null` where the part has no periods. */
  readonly period: number | null;
  /** EUR over the calculation period, without fees. */
  readonly eur: number;
}

/** The prices of an offer that has a cost. */
export interface Priced extends Applied {
  readonly cost: CostBreakdown;
}

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
    const factor = discountedPower(entry, period);
    return line(
      name,
      customer.powerKw.map((kw, index) => kw * (power[index] ?? 0) * period.days * factor),
    );
  });
  return [...always, ...line(SSAA_PART.name, [cost.ssaaEur ?? 0])];
}

function energyByPeriod(entry: OfferWithHistory, pricing: Priced, demand: Demand): readonly number[] {
  const priced = pricedParts(entry, pricing, demand);
  return energyPricesOf(pricing.prices).map((_price, index) =>
    priced.reduce((sum, { paidKwh, prices }) => sum + (paidKwh[index] ?? 0) * (prices[index] ?? 0), 0),
  );
}

/** The energy of a part of the period, with what the definition applies to it. */
interface PricedPart {
  /** The energy that is paid for: less than what is consumed where a discount applies. */
  readonly paidKwh: readonly number[];
  /** Those of its calendar month, or the mean. */
  readonly prices: readonly (number | null)[];
  readonly exportedKwh: number;
}

/** What a discount leaves of the prices of power. */
export function discountedPower({ offer }: OfferWithHistory, period: Demand['period']): number {
  if (offer.discountMonths === null || offer.supplyType !== 'LUZ') return 1;
  return powerFactor((offer.powerDiscountPercent ?? 0) / 100, offer.discountMonths, period);
}

/** The parts of the period with the energy prices of an offer. */
export function pricedParts(
  { offer, months }: OfferWithHistory,
  { prices, origin }: Applied,
  demand: Demand,
): readonly PricedPart[] {
  const mean = energyPricesOf(prices);
  const byMonth = energyPricesByMonth(months, origin);
  const { discountMonths, energyDiscountPercent } = offer;
  return demand.parts.map(({ month, consumptionKwh, exportedKwh }, part) => {
    const own = month === null ? undefined : byMonth.get(month);
    const factor =
      discountMonths === null ? null : energyFactor((energyDiscountPercent ?? 0) / 100, discountMonths, demand, part);
    return {
      paidKwh: factor === null ? consumptionKwh : consumptionKwh.map((kwh) => kwh * factor),
      prices: own ? mean.map((price, index) => own[index] ?? price) : mean,
      exportedKwh,
    };
  });
}
