import { energyPricesOf, fixedPricesOf } from '../cost/applied-price.ts';
import type { Demand } from '../cost/customer.ts';

import type { OfferWithHistory } from '../offers/offer.ts';
import { type CostLine, discountedPower, type Priced, pricedParts } from './cost-lines.ts';

/** How far one price of an offer may rise before another offer is the first. */
export interface PriceMargin extends Pick<CostLine, 'part' | 'period'> {
  /** In the unit of the price, such as EUR/kWh; `null` where no rise changes the first. */
  readonly risesTo: number | null;
}

/**
 * The margin of each price by which something is paid, one price at a time.
 *
 * @param roomEur - How much more the offer may cost; Infinity: any.
 * @see docs/assumptions.md, A-116
 */
export function marginOf(
  entry: OfferWithHistory,
  pricing: Priced,
  { demand, roomEur }: { readonly demand: Demand; readonly roomEur: number },
): readonly PriceMargin[] {
  const { customer } = demand;
  const { prices } = pricing;
  const margin = (line: Pick<CostLine, 'part' | 'period'>, price: number | null, rise: number): PriceMargin[] =>
    price === null ? [] : [{ ...line, risesTo: Number.isFinite(rise) ? price + rise : null }];
  const isGas = customer.supplyType === 'GAS';
  const energy = energyPricesOf(prices).flatMap((price, index) => {
    const parts = energyParts(entry, pricing, { demand, consumed: (kwh) => kwh[index] ?? 0 });
    const isUsed = parts.some(({ kwh }) => kwh > 0);
    return isUsed
      ? margin({ part: 'energyEur', period: isGas ? null : index + 1 }, price, shiftFor(parts, roomEur))
      : [];
  });
  const kw = isGas ? [] : customer.powerKw;
  const powerDays = demand.period.days * discountedPower(entry, demand.period);
  const power = kw.flatMap((contractedKw, index) => {
    const price = contractedKw * powerDays > 0 ? (fixedPricesOf(prices)[index] ?? null) : null;
    return margin({ part: 'powerEur', period: index + 1 }, price, roomEur / (contractedKw * powerDays));
  });
  const fixed = isGas
    ? margin({ part: 'fixedEur', period: null }, fixedPricesOf(prices)[0] ?? null, roomEur / demand.period.months)
    : [];
  const services = margin(
    { part: 'servicesEur', period: null },
    entry.offer.servicesEurPerMonth,
    roomEur / demand.period.months,
  );
  return [...energy, ...power, ...fixed, ...services];
}

/** The energy of one part of the calculation period, with the credit that its cost may have. */
export interface EnergyPart {
  /** Bought at the prices that change; `eur` is of all prices. */
  readonly kwh: number;
  /** EUR, without fees. */
  readonly eur: number;
  /** The most that surplus is worth, EUR; 0 where it is worth nothing. */
  readonly creditEur: number;
}

/**
 * The energy of an offer by parts of the calculation period.
 *
 * @param consumed - The sum of the kWh whose price changes, from the kWh by period.
 */
export function energyParts(
  entry: OfferWithHistory,
  pricing: Priced,
  { demand, consumed }: { readonly demand: Demand; readonly consumed: (kwh: readonly number[]) => number },
): readonly EnergyPart[] {
  const { offer } = entry;
  const surplusPrice = offer.supplyType === 'LUZ' && offer.hasSolarPanels ? (offer.surplusEurPerKwh ?? 0) : 0;
  return pricedParts(entry, pricing, demand).map(({ paidKwh, prices, exportedKwh }) => ({
    kwh: consumed(paidKwh),
    eur: paidKwh.reduce((sum, kwh, index) => sum + kwh * (prices[index] ?? 0), 0),
    creditEur: Math.max(0, exportedKwh * surplusPrice),
  }));
}

/** Costs are compared to the millionth: at a bend of `shiftFor` the last bit of a double must not decide. */
const HALF_MILLIONTH = 5e-7;

/**
 * The highest change of the price of energy, EUR/kWh, at which the energy and its surplus together cost at most so much
 * more. The credit is capped by the energy, so the cost is a broken line: between its bends it is straight.
 */
export function shiftFor(parts: readonly EnergyPart[], moreEur: number): number {
  const allKwh = parts.reduce((sum, { kwh }) => sum + kwh, 0);
  if (!Number.isFinite(moreEur) || allKwh === 0)
    return moreEur < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const costAt = (shift: number) =>
    parts.reduce((sum, { kwh, eur, creditEur }) => {
      const energyEur = eur + kwh * shift;
      return sum + energyEur - Math.max(0, Math.min(creditEur, energyEur));
    }, 0);
  const mostEur = costAt(0) + moreEur;
  const bends = parts
    .filter(({ kwh, creditEur }) => kwh > 0 && creditEur > 0)
    .flatMap(({ kwh, eur, creditEur }) => [(0 - eur) / kwh, (creditEur - eur) / kwh])
    .sort((a, b) => a - b);
  const last = bends.findLastIndex((shift) => costAt(shift) <= mostEur + HALF_MILLIONTH);
  const [from = bends[0] ?? 0, to] = [bends[last], bends[last + 1]];
  if (last < 0 || to === undefined) return from + (mostEur - costAt(from)) / allKwh;
  return from + ((mostEur - costAt(from)) * (to - from)) / (costAt(to) - costAt(from));
}
