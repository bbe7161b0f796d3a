import type { Offer } from '../offers/offer.ts';
import type { OfferChanges, SparsePrices, TierDraft } from '../offers/offer-changes.ts';

/** Significant digits that a spreadsheet keeps of a number when it saves a file. */
const KEPT_DIGITS = 15;

/**
 * What a cell says of a number that is stored: where they agree as far as spreadsheets keep digits, the stored one. So a
 * file that was saved by a spreadsheet and not edited changes nothing.
 *
 * @see docs/assumptions.md, A-44
 */
export function settled<T extends number | null | undefined>(sent: T, stored: number | null | undefined): T | number {
  if (typeof sent !== 'number' || typeof stored !== 'number' || sent === stored) return sent;
  return sent.toPrecision(KEPT_DIGITS) === stored.toPrecision(KEPT_DIGITS) ? stored : sent;
}

/**
 * The changes of an offer, with every number settled. Tiers are compared in the order of their rows. Commissions of a
 * caller who may not see them stay as they are sent: whether tiers overlap must not depend on those stored.
 */
export function settledChanges(
  changes: OfferChanges,
  offer: Offer,
  { seesCommissions }: { readonly seesCommissions: boolean },
): OfferChanges {
  const electricity = offer.supplyType === 'LUZ' ? offer : null;
  const gas = offer.supplyType === 'GAS' ? offer : null;
  const prices = {
    ...changes,
    energyEurPerKwh: settledPrices(changes.energyEurPerKwh, electricity?.energyEurPerKwh),
    powerEurPerKwDay: settledPrices(changes.powerEurPerKwDay, electricity?.powerEurPerKwDay),
    gasEnergyEurPerKwh: settled(changes.gasEnergyEurPerKwh, gas?.gasEnergyEurPerKwh),
    gasFixedEurPerMonth: settled(changes.gasFixedEurPerMonth, gas?.gasFixedEurPerMonth),
    servicesEurPerMonth: settled(changes.servicesEurPerMonth, offer.servicesEurPerMonth),
    feePowerEurPerMwh: settled(changes.feePowerEurPerMwh, electricity?.feePowerEurPerMwh),
    surplusEurPerKwh: settled(changes.surplusEurPerKwh, electricity?.surplusEurPerKwh),
  };
  if (!seesCommissions) return prices;
  const { commissionValue, consumptionTiers, powerTiers } = changes;
  return {
    ...prices,
    commissionValue: settled(commissionValue, offer.commissionValue),
    consumptionTiers: consumptionTiers && settledTiers(consumptionTiers, offer.consumptionTiers),
    powerTiers: powerTiers && settledTiers(powerTiers, electricity?.powerTiers ?? []),
  };
}

function settledPrices(sent: SparsePrices | undefined, stored: SparsePrices | undefined): SparsePrices | undefined {
  return sent?.map((price, index) => settled(price, stored?.[index]));
}

function settledTiers(sent: readonly TierDraft[], stored: readonly TierDraft[]): readonly TierDraft[] {
  return sent.map((tier, index) => ({
    ...tier,
    from: settled(tier.from, stored[index]?.from),
    to: settled(tier.to, stored[index]?.to),
    value: settled(tier.value, stored[index]?.value),
  }));
}
