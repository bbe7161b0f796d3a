import { monthNumber } from '../calendar.ts';
import type { SupplyType } from '../offers/offer.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { MEAN_WINDOW_MONTHS } from '../ranking/applied-price.ts';
import { type BoundedCache, createBoundedCache } from '../ranking/bounded-cache.ts';
import { type Demand, YEAR } from '../ranking/customer.ts';
import { CUSTOMER_BITS, INCLUDES_SSAA, TERRITORY_BITS } from '../ranking/masks.ts';
import { type MarketFacts, type Named, type RankedFacts, together, togetherBy } from './market-facts.ts';

/** Why the offers of a ranking may not be comparable, in the order of the answer. The codes are wire values. */
export const WARNING_CODES = [
  'peajes_mezclados',
  'peaje_imposible',
  'potencia_decreciente',
  'ssaa_mezclados',
  'historico_corto',
  'historico_antiguo',
  'ventanas_distintas',
  'periodo_incoherente',
  'excedentes_tope_anual',
  'sin_filtro_territorio',
  'sin_filtro_cliente',
  'fee_power_sin_efecto',
  'alcance_actual',
  'peaje_sin_ofertas',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** A reason to check a ranking. */
export interface RankingWarning extends Named {
  readonly code: WarningCode;
  /** For `peaje_sin_ofertas`: the tariffs that may be meant. */
  readonly tariffTypes?: readonly string[];
}

/** Above this a connection of low voltage is no longer 2.0TD (Circular CNMC 3/2020, art. 6). */
const MAX_KW_OF_2_0TD = 15;
/** MWh a year up to which each gas tariff goes, its bound included: RL.1 to RL.10 (Circular CNMC 6/2020). */
const GAS_BANDS_MWH = [5, 15, 50, 300, 1500, 5000, 15_000, 50_000, 150_000, 500_000];
/** Months that a history may end before the newest one. */
const MAX_MONTHS_BEHIND = 3;
/** Days of a billing month: surplus is capped in each (RD 244/2019, art. 14.3). */
const MAX_BILLING_DAYS = 31;
/** Months by which days and months that are both sent may disagree. */
const MAX_MONTHS_APART = 0.5;

/** The figures of a customer on which access tariffs depend. */
interface TariffTerms {
  /** The tariff of the annual consumption; `null` for electricity. */
  readonly gasTariff: string | null;
  /** Whether some contracted power is above 15 kW; `null` when none is known. */
  readonly isLarge: boolean | null;
  /** Three of energy and two of power, or more; `null` when they are not known. */
  readonly periods: 'three' | 'six' | null;
}

/** Everything on which the warnings of a market depend. */
interface WarningFacts extends TariffTerms {
  /** Whether some contracted power is lower than the one before it. */
  readonly powerDecreases: boolean;
  readonly filtersSixPeriods: boolean;
  readonly isIncoherent: boolean;
  readonly isCapExceeded: boolean;
  readonly isAnywhere: boolean;
  readonly isAnybody: boolean;
}

type AnnualUse = Pick<Demand, 'annualMwh' | 'highestPowerKw'>;

function isUsed(quantity: number): boolean {
  return quantity > 0;
}

function tariffTerms(supplyType: SupplyType, { annualMwh, highestPowerKw }: AnnualUse): TariffTerms {
  const gasBand = GAS_BANDS_MWH.filter((most) => annualMwh > most).length + 1;
  const powerKw = highestPowerKw ?? 0;
  return {
    gasTariff: supplyType === 'GAS' ? `RL.${gasBand}` : null,
    isLarge: isUsed(powerKw) ? powerKw > MAX_KW_OF_2_0TD : null,
    periods: null,
  };
}

function warningFactsOf({ demand, filter }: WarningQuestion, ranked: RankedFacts): WarningFacts {
  const { customer, period, parts } = demand;
  const isCappedLate = parts.some(
    ({ days, exportedKwh, consumptionKwh: boughtKwh }) =>
      days > MAX_BILLING_DAYS && isUsed(exportedKwh) && boughtKwh.some(isUsed),
  );
  const { consumptionKwh, powerKw } = customer.supplyType === 'LUZ' ? customer : NO_ELECTRICITY;
  const contracted = powerKw.filter(isUsed);
  const usesMore = consumptionKwh.slice(3).some(isUsed) || powerKw.slice(2).some(isUsed);
  const consumes = consumptionKwh.some(isUsed);
  const { gasTariff, isLarge } = tariffTerms(customer.supplyType, demand);
  return {
    gasTariff,
    isLarge,
    periods: usesMore ? 'six' : consumes ? 'three' : null,
    powerDecreases: contracted.some((kw, index) => kw < (contracted[index - 1] ?? 0)),
    filtersSixPeriods: filter.tariffType !== null && hasSixPeriods(filter.tariffType),
    isIncoherent: Math.abs(period.months - (period.days * YEAR.months) / YEAR.days) > MAX_MONTHS_APART,
    isCapExceeded: isCappedLate && ranked.creditsSurplus(),
    isAnywhere: filter.territory === null,
    isAnybody: filter.customerType === null,
  };
}

const NO_ELECTRICITY = { consumptionKwh: [], powerKw: [] };

/** The most frequent kind; of equally frequent ones the first. */
function commonest(kinds: ReadonlyMap<string, Named>, isBefore: (a: string, b: string) => boolean): string {
  let [best, most] = ['', 0];
  for (const [name, { total }] of kinds) {
    if (total > most || (total === most && isBefore(name, best))) [best, most] = [name, total];
  }
  return best;
}

function those(kinds: ReadonlyMap<string, Named>, isNamed: (kind: string) => boolean): Named {
  return together([...kinds].filter(([kind]) => isNamed(kind)).map(([, named]) => named));
}

function isOf3_0TD(tariff: string): boolean {
  return tariff === '3.0TD' || tariff === '3.0TDVE';
}

function hasSixPeriods(tariff: string): boolean {
  return isOf3_0TD(tariff) || tariff.startsWith('6.');
}

function mixedTariffs({ byTariff }: MarketFacts): Named {
  const most = commonest(byTariff, (a, b) => a < b);
  return those(byTariff, (tariff) => tariff !== most);
}

function impossibleTariffs({ byTariff }: MarketFacts, { gasTariff, isLarge, periods }: TariffTerms): Named {
  return those(byTariff, (tariff) => {
    if (tariff.startsWith('RL.')) return /^RL\.([1-9]|1[01])$/.test(tariff) && tariff !== gasTariff;
    if (hasSixPeriods(tariff) && periods === 'three') return true;
    return tariff === '2.0TD' ? isLarge === true : isOf3_0TD(tariff) && isLarge === false;
  });
}

// Parts of the name of a window of history.
const lastMonth = (window: string) => window.slice(0, 10);
const bothEnds = (window: string) => window.slice(0, 21);
const monthCount = (window: string) => Number(window.slice(22));

function oldHistories({ byWindow }: MarketFacts): Named {
  const newest = Math.max(...[...byWindow.keys()].map((window) => monthNumber(lastMonth(window))));
  return those(byWindow, (window) => newest - monthNumber(lastMonth(window)) > MAX_MONTHS_BEHIND);
}

/** Of equally frequent windows the one that ends last is the usual one, then the one that begins first. */
function otherWindows({ byWindow }: MarketFacts): Named {
  const byEnds = togetherBy(byWindow, bothEnds);
  const most = commonest(byEnds, (a, b) => lastMonth(a) > lastMonth(b) || (lastMonth(a) === lastMonth(b) && a < b));
  return those(byEnds, (ends) => ends !== most);
}

const NOBODY: Named = { total: 0, offerIds: [] };

/** For each warning about offers those offers, perhaps none; for each warning about the request whether it applies. */
function findings(facts: MarketFacts, request: WarningFacts): Readonly<Record<WarningCode, Named | boolean>> {
  const { byTariff, byWindow, flagsOfAny, flagsOfAll, withoutSsaa, withPowerFee } = facts;
  const differ = (bits: number) => byTariff.size > 0 && ((flagsOfAny ^ flagsOfAll) & bits) !== 0;
  const isSixPeriods =
    request.filtersSixPeriods || (request.periods === 'six' && [...byTariff.keys()].some(hasSixPeriods));
  return {
    peajes_mezclados: mixedTariffs(facts),
    peaje_imposible: impossibleTariffs(facts, request),
    potencia_decreciente: request.powerDecreases && isSixPeriods,
    ssaa_mezclados: (flagsOfAny & INCLUDES_SSAA) === 0 ? NOBODY : withoutSsaa,
    historico_corto: those(byWindow, (window) => monthCount(window) < MEAN_WINDOW_MONTHS),
    historico_antiguo: oldHistories(facts),
    ventanas_distintas: otherWindows(facts),
    periodo_incoherente: request.isIncoherent,
    excedentes_tope_anual: request.isCapExceeded,
    sin_filtro_territorio: request.isAnywhere && differ(TERRITORY_BITS),
    sin_filtro_cliente: request.isAnybody && differ(CUSTOMER_BITS),
    fee_power_sin_efecto: withPowerFee,
    alcance_actual: false,
    peaje_sin_ofertas: false,
  };
}

/** The parts of the question on which warnings depend. */
export interface WarningQuestion {
  readonly demand: Demand;
  readonly filter: OfferFilter;
}

/** The warnings of a market, cached: the same list each time. */
const CACHED = new WeakMap<MarketFacts, BoundedCache<string, readonly RankingWarning[]>>();
const MAX_CACHED = 16;

/**
 * Why the ranked offers may not be comparable, in the order of `WARNING_CODES`. None of it depends on a commission.
 *
 * @param ranked - All ranked offers, shown or not.
 * @see docs/assumptions.md, A-69 and A-70
 */
export function warningsFor(ranked: RankedFacts, question: WarningQuestion): readonly RankingWarning[] {
  const facts = ranked.facts();
  const request = warningFactsOf(question, ranked);
  const known = CACHED.get(facts) ?? createBoundedCache(MAX_CACHED);
  CACHED.set(facts, known);
  const { gasTariff, isLarge, periods, powerDecreases, filtersSixPeriods } = request;
  const { isIncoherent, isCapExceeded, isAnywhere, isAnybody } = request;
  const flags = `${powerDecreases} ${filtersSixPeriods} ${isIncoherent} ${isCapExceeded} ${isAnywhere} ${isAnybody}`;
  return known.at(`${gasTariff} ${isLarge} ${periods} ${flags}`, () => {
    const all = findings(facts, request);
    return WARNING_CODES.flatMap((code) => warningOf(code, all[code]));
  });
}

function warningOf(code: WarningCode, finding: Named | boolean): readonly RankingWarning[] {
  if (typeof finding === 'boolean') return finding ? [{ code, ...NOBODY }] : [];
  return finding.total > 0 ? [{ code, ...finding }] : [];
}

/** The first two warnings, where only a year's consumption and a power are known. */
export function tariffWarnings(facts: MarketFacts, supplyType: SupplyType, use: AnnualUse): readonly RankingWarning[] {
  return [
    ...warningOf('peajes_mezclados', mixedTariffs(facts)),
    ...warningOf('peaje_imposible', impossibleTariffs(facts, tariffTerms(supplyType, use))),
  ];
}
