import {
  ANY_COMPANY,
  anyOffer,
  compileUniverse,
  type ElectricityCustomer,
  type ElectricityOffer,
  entryAt,
  type GasOffer,
  initialTerms,
  NO_FEES,
  NO_PRICES,
  NO_QUANTITIES,
  type Offer,
  type OfferWithHistory,
  type Ranking,
  type RankingRequest,
  rankUniverses,
  type Table,
  YEAR,
} from '@tarifario/core/service';

const COMMON = {
  companyId: 1,
  offerName: 'Tarifa',
  accepts: { dni: true, cif: true, cdad: true },
  territories: { peninsula: true, canarias: true, baleares: true, ceuta_melilla: true },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
} as const;

/** An electricity offer without prices, open to everybody, with the given fields. */
export function electricityOffer(fields: Partial<ElectricityOffer> & { readonly id: number }): ElectricityOffer {
  return { ...initialTerms('LUZ'), ...COMMON, tariffType: '2.0TD', ...fields };
}

export function gasOffer(fields: Partial<GasOffer> & { readonly id: number }): GasOffer {
  return { ...initialTerms('GAS'), ...COMMON, tariffType: 'RL.1', ...fields };
}

/** Consumes 1 000 kWh a year in P1 and has no contracted power: a price per MWh is a cost. */
export const ONE_MWH: ElectricityCustomer = {
  supplyType: 'LUZ',
  consumptionKwh: [1000, 0, 0, 0, 0, 0],
  powerKw: NO_QUANTITIES,
  exportedKwh: 0,
};

/** An offer that costs and pays exactly this for `ONE_MWH` over a year. */
export function flatOffer(id: number, costEur: number, commissionEur: number): ElectricityOffer {
  const [, ...rest] = NO_PRICES;
  return electricityOffer({ id, energyEurPerKwh: [costEur / 1000, ...rest], commissionValue: commissionEur });
}

/** A request of `ONE_MWH` for a year that sees commissions, with the given fields. */
export function requestOf(fields: Partial<RankingRequest> = {}): RankingRequest {
  const customer = fields.customer ?? ONE_MWH;
  return {
    customer,
    period: YEAR,
    fees: NO_FEES,
    weight: 0.5,
    month: null,
    filter: anyOffer(customer.supplyType),
    company: ANY_COMPANY,
    limit: 200,
    seesCommissions: true,
    ...fields,
  };
}

/** Ranks entries in any order, as one universe that admits every company. */
export function rankEntries(entries: readonly OfferWithHistory[], request: RankingRequest): Ranking {
  const sorted = entries.toSorted((a, b) => a.offer.id - b.offer.id);
  const universe = compileUniverse(request.customer.supplyType, sorted);
  return rankUniverses([{ universe, admits: () => true }], request);
}

export function withoutHistory(offers: readonly Offer[]): readonly OfferWithHistory[] {
  return offers.map((offer) => ({ offer, months: [] }));
}

/** The offers of a table, by ascending id. */
export function entriesOf(table: Table): readonly OfferWithHistory[] {
  return Array.from({ length: table.rowCount }, (_, row) => entryAt(table, row));
}
