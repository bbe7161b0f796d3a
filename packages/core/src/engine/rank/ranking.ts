// What is asked of a ranking, and what it answers.
import type { Day, Month } from '../calendar.ts';
import type { HourlyEntries } from '../consumption/hourly-prices.ts';
import type { ExcludedOffer } from '../offers/exclusion.ts';
import type { Offer } from '../offers/offer.ts';
import type { CompanyFilter, OfferFilter } from '../offers/offer-filter.ts';
import type { LeastPowerPrices } from '../power/least-prices.ts';
import type { CommissionBreakdown, CostBreakdown, CostLine, DiscountedCost } from '../price/cost.ts';
import type { CalculationPeriod, Customer, Fees } from '../price/customer.ts';
import type { AppliedPrices, PriceOrigin } from '../price/prices.ts';
import type { Bill } from '../taxes/bill.ts';
import { BILL_NOTICES, type BillTerms } from '../taxes/bill-terms.ts';
import type { Named } from './facts.ts';
import type { PresentContract, PresentPricing } from './present-contract.ts';
import type { Conflict, Extras, Range, WinnerSegment } from './score.ts';

//
/** At most this many exclusions are listed; `excludedCount` is the whole number. */
export const MAX_LISTED_EXCLUSIONS = 200;
/** The default weight: savings and commission count equally. */
export const DEFAULT_WEIGHT = 0.5;
/** The most EUR of the customer's annual cost for one EUR of commission. */
export const MAX_TOLERANCE = 100;
/** The default number of results. */
export const DEFAULT_LIMIT = 50;
/** The maximum number of results. */
export const MAX_LIMIT = 200;
/** How many results may be passed over. Nobody reads on for longer, and they have to be put in order too. */
export const MAX_RANKED_OFFSET = 10_000;

/** Words that the name of an offer or of its company contains. */
export interface NameSearch {
  /** As `searchForm` makes them. */
  readonly words: readonly string[];
  /** In the same form. */
  readonly companyNameOf: (companyId: number) => string;
}

/** One question: which offers for this customer, at which weight. */
export interface RankingRequest {
  readonly customer: Customer;
  readonly period: CalculationPeriod;
  readonly fees: Fees;
  //
  /** What balancing services cost where an offer bills them apart, EUR/MWh; none if left out. */
  readonly ssaaEurPerMwh?: number;
  /**
   * A number, 0 (commission only) to 1 (savings only), both included. Where commissions may not be seen it is ignored and 1 is
   * used.
   */
  readonly weight: number;
  /** The month whose prices indexed offers apply; `null`: the mean of their history. */
  readonly month: Month | null;
  /** Its supply type is the customer's. */
  readonly filter: OfferFilter;
  readonly company: CompanyFilter;
  /** Whether there are offers of the other supply: asked where nothing passes the filter; left out: not known. */
  readonly hasOtherSupply?: () => boolean;
  /** The number of `results` at most, 1 to 200. */
  readonly limit: number;
  /** How many of the first are left out of `results`, a whole number >= 0; none if left out. */
  readonly offset?: number;
  //
  /** `false`: nothing in the answer depends on commissions. */
  readonly seesCommissions: boolean;
  //
  /**
   * EUR of the customer's annual cost for one EUR of commission, 0 to `MAX_TOLERANCE`: replaces the weight, and is
   * ignored where the weight is.
   */
  readonly tolerance?: number | null;
  //
  /** The month in which the question is asked, on which two warnings depend; left out or `null`: not known. */
  readonly presentMonth?: Month | null;
  //
  /** The present contract of the customer, with which every result is compared. */
  readonly contract?: PresentContract | null;
  //
  /** With it every result has its bill. Nothing else in the answer depends on it, but for warnings. */
  readonly bill?: BillTerms | null;
  //
  /** With it the answer has reasons. Nothing else in the answer depends on it. */
  readonly reasons?: AskedReasons | null;
  //
  /**
   * With it `results` has only the ranked offers that are found, each with its place, and `offset` and `limit` count these.
   * Nothing else in the answer depends on it but `foundCount`. Offers of a list are not searched.
   */
  readonly search?: NameSearch;
  //
  /** The day on which the customer signs: offers that are not valid on it are excluded; left out: not said. */
  readonly signingDay?: Day;
  //
  /** Those of the day that the question names, where it names one: they only give a warning. */
  readonly leastPowerPrices?: LeastPowerPrices | undefined;
}

/** A ranked offer, with everything that determined its position. */
export interface RankedOffer extends Extras {
  /** Its place among all that are ranked, from 1; only where the request has a search. */
  readonly place?: number;
  readonly offer: Offer;
  /** The prices used: the offer's own, or for indexed offers those of `origin`. */
  readonly prices: AppliedPrices;
  /** `null` for offers that are not indexed. */
  readonly origin: PriceOrigin | null;
  readonly cost: CostBreakdown;
  //
  /** How many entries of a profile are priced by hours; left out: none is. */
  readonly byHours?: HourlyEntries;
  //
  /** Only where some ranked offer has a discount; `null` for an offer without one. */
  readonly discounted?: DiscountedCost | null;
  /** `null` where commissions may not be seen; so are `commissionScore` and `isOnFrontier`. */
  readonly commission: CommissionBreakdown | null;
  /** 0 to 10, 9 decimals. */
  readonly score: number;
  /** 0 to 10, 9 decimals. */
  readonly priceScore: number;
  /** 0 to 10, 9 decimals; `null` where commissions may not be seen. */
  readonly commissionScore: number | null;
  /** Only true for the first offer. */
  readonly isOptimal: boolean;
  /** No other ranked offer is at least as cheap and at least as well paid, and better in one of the two. */
  readonly isOnFrontier: boolean | null;
  /** `null` where no present contract is known. */
  readonly saving: Saving | null;
  /** Only where the request has the terms of bills. */
  readonly billed?: BilledResult;
  /** The customer cannot have its access tariff; only where no tariff is asked for, and absent where he can. */
  readonly isImpossibleTariff?: true;
  /** Only where the request asks for reasons. */
  readonly reasons?: ResultReasons;
}

/** The saving of an offer compared with the present contract over the calculation period. */
export interface Saving {
  /** EUR, rounded to 6 decimals; below 0 where the offer costs more. */
  readonly eur: number;
  /** The same over 365 days, EUR, rounded to 6 decimals. */
  readonly eurPerYear: number;
  /** As a share of the present cost, %, rounded to 2 decimals; `null` where that is 0 or less. */
  readonly percent: number | null;
}

//

/** The bill of a ranked offer. */
export interface BilledResult {
  readonly bill: Bill;
  /** EUR beyond the lowest bill of all ranked offers; `null` where commissions may not be seen. */
  readonly extraEur: number | null;
  /** Compared with the present bill; `null` where that is not known. */
  readonly saving: Saving | null;
}

/** What a ranking says of bills, besides those of its results. */
export interface BilledRanking {
  readonly terms: BillTerms;
  /** The id of the offer with the lowest bill; `null` when nothing is ranked. */
  readonly cheapestId: number | null;
  /** The bill of the present contract; `null` where its parts are not known. */
  readonly present: Bill | null;
  /** What the customer pays today with taxes, EUR; `null` where that is not known. */
  readonly presentEur: number | null;
}

/** The answer to a request: ranked offers, best first, and the excluded ones. */
export interface Ranking extends PresentPricing {
  /** The weight used, 0 to 1. */
  readonly weight: number;
  readonly period: CalculationPeriod;
  /** Only where the request says it. */
  readonly signingDay?: Day;
  /** How many offers are ranked, and `excludedCount` how many are excluded: together the filtered universe. */
  readonly rankedCount: number;
  /** How many offers are excluded. */
  readonly excludedCount: number;
  /** How many ranked offers are found; only where the request has a search. */
  readonly foundCount?: number;
  /** By ascending id, at most `MAX_LISTED_EXCLUSIONS`. */
  readonly excluded: readonly ExcludedOffer[];
  /** The id of an offer; `null` when nothing is ranked. */
  readonly cheapestId: number | null;
  /** The id of an offer; `null` also where commissions may not be seen. */
  readonly bestPaidId: number | null;
  /** The id of an offer; `null` when nothing is ranked. */
  readonly mostEfficientId: number | null;
  /** The figures that the scores are relative to; `null` when nothing is ranked. */
  readonly costRangeEur: Range | null;
  readonly commissionRangeEur: Range | null;
  //
  /** Winners by weight, covering 0 to 1 without gap; `[]` when nothing is ranked, `null` for masked callers. */
  readonly winners: readonly WinnerSegment[] | null;
  //
  /** Why the ranked offers may not be comparable. */
  readonly warnings: readonly RankingWarning[];
  /**
   * Beside the warning `ssaa_mezclados`: the most that balancing services may cost, EUR/MWh, before the cheapest offer is one
   * that does not bill them apart; `null` where it is such a one, or nothing is consumed.
   */
  readonly ssaaThresholdEurPerMwh?: number | null;
  /** What the commission costs the customer; `null` when nothing is ranked, and where commissions may not be seen. */
  readonly conflict: Conflict | null;
  /** Only where the request has the terms of bills. */
  readonly billed?: BilledRanking;
  /** Only where the request asks for reasons. */
  readonly reasons?: Reasons;
  readonly results: readonly RankedOffer[];
}

/** What an answer says of its reasons. What is left out is not asked for. */
export interface ReasonsAsked {
  /** Why each result costs more than the offer with this id; `null`: than the cheapest. */
  readonly why?: Required<Pick<Reasons, 'againstId'>> | null;
  /** Which offer is the cheapest at which consumption. */
  readonly thresholds?: boolean;
  /** What each indexed result would have cost by every year of its history. */
  readonly retrospective?: boolean;
  /** How far the prices of the first offer may rise. */
  readonly margin?: boolean;
}

/** What `askReasons` gives; what explains is for the engine alone, which knows what it takes. */
export interface AskedReasons extends ReasonsAsked {
  readonly explain: (ranking: Ranking, standings: never, question: never) => Generator<undefined, Ranking>;
}

/** The offer that is the cheapest while the customer uses this many times the energy, both ends included. */
export interface ConsumptionThreshold {
  /** How many times the energy. */
  readonly fromFactor: number;
  /** How many times the energy. */
  readonly toFactor: number;
  /** The id of the offer. */
  readonly offerId: number;
}

/** The reasons of a ranking, besides those of its results. */
export interface Reasons {
  /** The id of the offer that results are explained against; `null` when nothing is ranked. */
  readonly againstId?: number | null;
  /** By factor, from a quarter to four times the energy without a gap; none when nothing is ranked. */
  readonly thresholds?: readonly ConsumptionThreshold[];
  /** Of the first offer; none when nothing is ranked. */
  readonly margin?: readonly PriceMargin[];
}

/** The reasons of a result. */
export interface ResultReasons {
  readonly why?: readonly CostDifference[];
  /** Only of an indexed offer. */
  readonly retrospective?: Retrospective;
}

/** What a price, or a part of the cost, adds to the difference of two costs. */
export interface CostDifference extends Pick<CostLine, 'part' | 'period'> {
  /** EUR over the calculation period, whole millionths; below 0 where the offer is cheaper in it. */
  readonly eur: number;
}

/** How far one price of an offer may rise before another offer is the first. */
export interface PriceMargin extends Pick<CostLine, 'part' | 'period'> {
  /** In the unit of the price, such as EUR/kWh; `null` where no rise changes the first. */
  readonly risesTo: number | null;
}

/** What an indexed offer would have cost, EUR over the calculation period. */
export interface Retrospective extends BesideFixed {
  /** How many times 12 consecutive months of its history give a cost; with 0 the figures are `null`. */
  readonly windowCount: number;
  /** EUR. */
  readonly lowestEur: number | null;
  /** Of an even number the mean of the middle two. */
  readonly medianEur: number | null;
  /** EUR. */
  readonly highestEur: number | null;
  /** By the latest 12 months. */
  readonly latestEur: number | null;
}

/** The same beside the cheapest offer that is not indexed; `null` where there is none. */
export interface BesideFixed {
  /** In how many windows the indexed offer was cheaper. */
  readonly timesCheapest: number | null;
  /** The most EUR that it would have cost more, >= 0. */
  readonly mostRegretEur: number | null;
  /** The most EUR that it would have cost less, >= 0. */
  readonly mostMissedEur: number | null;
}

/** Why the offers of a ranking may not be comparable, in the order of the answer. The codes are wire values. */
export const WARNING_CODES = [
  'sin_potencia',
  'peaje_imposible',
  'peajes_mezclados',
  'peaje_en_el_limite',
  'gas_capacidad',
  'consumo_en_un_periodo',
  'potencia_en_un_periodo',
  'consumo_improbable',
  'potencia_decreciente',
  'potencia_bajo_regulado',
  'penalizacion_sobre_el_limite',
  'descuento_temporal',
  'ssaa_mezclados',
  'historico_corto',
  'historico_antiguo',
  'historico_sin_actualizar',
  'ventanas_distintas',
  'periodo_incoherente',
  'excedentes_tope_anual',
  'bono_social',
  'salir_de_la_tur',
  'indexada_sin_curva',
  'forma_de_otro_ano',
  'solo_con_placas',
  'placas_sin_excedentes',
  'sin_filtro_territorio',
  'sin_filtro_cliente',
  'terminos_desconocidos',
  'fee_power_sin_efecto',
  'actual_improbable',
  'menos_de_un_ano',
  'alcance_actual',
  'peaje_sin_ofertas',
  'sin_ofertas',
  ...BILL_NOTICES,
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** About a margin of the advisor: callers who may not see commissions, and customers, do not get these. */
export const ADVISOR_WARNINGS: ReadonlySet<string> = new Set<WarningCode>(['fee_power_sin_efecto']);

/** A reason to check a ranking. */
export interface RankingWarning extends Named {
  readonly code: WarningCode;
  /**
   * For `peaje_sin_ofertas`: the tariffs that may be meant. For `peaje_imposible` where no tariff is asked for: those that the
   * customer can have.
   */
  readonly tariffTypes?: readonly string[];
  /** For `consumo_en_un_periodo` and `potencia_en_un_periodo`: the number of the only period that has some, from 1. */
  readonly period?: number;
  /** For `sin_ofertas`: the filter without which there are offers; `null`: no single one. */
  readonly filterName?: FilterName | null;
}

/** A condition of a filter. */
export type FilterName = keyof OfferFilter | keyof CompanyFilter;
