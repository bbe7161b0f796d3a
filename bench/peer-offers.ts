import {
  type ConsumptionTier,
  choosePrices,
  type ElectricityCustomer,
  type OfferWithHistory,
  type PowerTier,
  type RankingRequest,
} from '@tarifario/core/service';

/**
 * An offer as the peers get it: the prices that apply are worked out for them (those of indexed offers too), and
 * surplus counts only where there are panels.
 */
export interface PeerOffer {
  readonly id: number;
  readonly isActive: boolean;
  readonly inPeninsula: boolean;
  readonly acceptsCif: boolean;
  readonly energy: readonly (number | null)[];
  readonly power: readonly (number | null)[];
  readonly services: number;
  readonly surplus: number;
  readonly commissionValue: number;
  readonly commissionType: string;
  readonly consumptionTiers: readonly ConsumptionTier[];
  readonly powerTiers: readonly PowerTier[];
}

export function toPeerOffers(entries: readonly OfferWithHistory[]): readonly PeerOffer[] {
  return entries.flatMap((entry) => {
    const { offer } = entry;
    const choice = choosePrices(entry, null);
    if (offer.supplyType !== 'LUZ' || !choice.found || choice.prices.supplyType !== 'LUZ') return [];
    return [
      {
        id: offer.id,
        isActive: offer.isActive,
        inPeninsula: offer.territories.peninsula,
        acceptsCif: offer.accepts.cif,
        energy: choice.prices.energyEurPerKwh,
        power: choice.prices.powerEurPerKwDay,
        services: offer.servicesEurPerMonth ?? 0,
        surplus: offer.hasSolarPanels ? (offer.surplusEurPerKwh ?? 0) : 0,
        commissionValue: offer.commissionValue,
        commissionType: offer.commissionType,
        consumptionTiers: offer.consumptionTiers,
        powerTiers: offer.powerTiers,
      },
    ];
  });
}

/** The numbers of a question that peers need, all periods of consumption and power above 0. */
export interface PeerQuestion {
  readonly kwh: readonly number[];
  readonly kw: readonly number[];
  readonly exportedKwh: number;
  readonly days: number;
  readonly months: number;
  readonly annualMwh: number;
  readonly highestKw: number;
  readonly energyFee: number;
  readonly energyFeePerYear: number;
  readonly weight: number;
}

export function toPeerQuestion({ customer, period, fees, weight }: RankingRequest): PeerQuestion {
  if (customer.supplyType !== 'LUZ') throw new RangeError('peers are asked about electricity');
  const { consumptionKwh, powerKw, exportedKwh }: ElectricityCustomer = customer;
  const periodMwh = consumptionKwh.reduce((sum, kwh) => sum + kwh, 0) / 1000;
  const annualMwh = Math.floor(((periodMwh * 365) / period.days) * 1e6 + 0.5) / 1e6;
  return {
    kwh: consumptionKwh,
    kw: powerKw,
    exportedKwh,
    days: period.days,
    months: period.months,
    annualMwh,
    highestKw: Math.floor(Math.max(...powerKw) * 1e6 + 0.5) / 1e6,
    energyFee: fees.energyEurPerMwh * periodMwh,
    energyFeePerYear: fees.energyEurPerMwh * annualMwh,
    weight,
  };
}
