import type { PeerOffer, PeerQuestion } from './peer-offers.ts';

const round = (value: number, scale: number) => Math.floor(value * scale + 0.5) / scale;

interface AnyTier {
  readonly from: number;
  readonly to: number | null;
  readonly value: number;
  readonly type: string;
}

function pay(
  tiers: readonly AnyTier[],
  quantity: number,
  base: { readonly value: number; readonly type: string },
): number {
  const tier = tiers.find(({ from, to }) => from <= quantity && (to === null || quantity <= to)) ?? base;
  return tier.type === 'fixed' ? tier.value : tier.value * quantity;
}

/** The ranking as one would write it in an afternoon: filter, map, sort, slice. The ids of the best 50. */
export function naiveRanking(offers: readonly PeerOffer[], question: PeerQuestion): readonly number[] {
  const { kwh, kw, exportedKwh, days, months, annualMwh, highestKw, energyFee, energyFeePerYear, weight } = question;
  const priced = offers
    .filter((offer) => offer.isActive && offer.inPeninsula && offer.acceptsCif)
    .filter((offer) => ![...offer.energy, ...offer.power].includes(null))
    .map((offer) => {
      const energy = offer.energy.map((price, i) => (kwh[i] ?? 0) * (price ?? 0)).reduce((a, b) => a + b, 0);
      const power = offer.power.map((price, i) => (kw[i] ?? 0) * (price ?? 0)).reduce((a, b) => a + b, 0) * days;
      const surplus = Math.max(0, Math.min(exportedKwh * offer.surplus, energy));
      const cost = round(energy + energyFee + power + (0 - surplus) + offer.services * months, 1e6);
      const base = { value: offer.commissionValue, type: offer.commissionType };
      const consumptionPay = pay(offer.consumptionTiers, annualMwh, base) + energyFeePerYear;
      const powerPay = pay(offer.powerTiers, highestKw, { value: 0, type: 'fixed' });
      return { id: offer.id, cost, commission: round(consumptionPay + powerPay, 1e6) };
    });
  const costs = priced.map(({ cost }) => cost);
  const commissions = priced.map(({ commission }) => commission);
  const [low, high] = rangeOf(costs);
  const [least, most] = rangeOf(commissions);
  return priced
    .map((offer) => {
      const price = round((10 * (high - offer.cost)) / (high - low), 1e9);
      const commission = round((10 * (offer.commission - least)) / (most - least), 1e9);
      return { ...offer, score: round(weight * price + (1 - weight) * commission, 1e9) };
    })
    .sort((a, b) => b.score - a.score || a.cost - b.cost || b.commission - a.commission || a.id - b.id)
    .slice(0, 50)
    .map(({ id }) => id);
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}
