// Why a ranking may mislead: warnings about its offers, by what facts say of them, and about what was asked.
import { type Month, monthNumber } from '../calendar.ts';
import { readsHours } from '../consumption/hourly-prices.ts';
import { roundHalfUp } from '../numbers.ts';
import type { SupplyType } from '../offers/offer.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { gasBandOf, hasSixPeriods } from '../offers/tariff-names.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { HOME, PROBABLE_HOURS, PROBABLE_SHARES } from '../plausible.ts';
import { CUSTOMER_BITS, INCLUDES_SSAA, TERRITORY_BITS } from '../price/conditions.ts';
import {
  type AnnualUse,
  DAYS_OF_A_YEAR,
  isImpossible,
  type TariffUse,
  tariffsToAsk,
  tariffUseOf,
} from '../price/cost.ts';
import { type Demand, YEAR } from '../price/customer.ts';
import { ENERGY_BIT, MEAN_WINDOW_MONTHS, POWER_BIT } from '../price/prices.ts';
import { type Named, NONE, type RankedFacts, together, togetherBy } from './facts.ts';
import { ADVISOR_WARNINGS, type RankingWarning, WARNING_CODES, type WarningCode } from './ranking.ts';

/** From this gas tariff on a capacity term is paid that no offer has (Circular CNMC 6/2020, art. 26.2). */
const FIRST_BAND_WITH_CAPACITY = 5;
/** Months that a history may end before the newest one. */
const MAX_MONTHS_BEHIND = 3;

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

function mixedTariffs({ byTariff }: RankedFacts): Named {
  const most = commonest(byTariff, (a, b) => a < b);
  return those(byTariff, (tariff) => tariff !== most);
}

/** @param isForAnyTariff - Then it says which tariffs to ask with. */
function impossibleTariffs({ byTariff }: RankedFacts, use: TariffUse, isForAnyTariff: boolean): Found {
  const named = those(byTariff, (tariff) => isImpossible(tariff, use));
  return isForAnyTariff ? { ...named, tariffTypes: tariffsToAsk(byTariff.keys(), use) } : named;
}

// Parts of the name of a window of history.
const lastMonth = (window: string) => window.slice(0, 10);
const bothEnds = (window: string) => window.slice(0, 21);
const monthCount = (window: string) => Number(window.slice(22));

function oldHistories({ byWindow, newestMonth }: RankedFacts): Named {
  const newest = newestMonth === null ? 0 : monthNumber(newestMonth);
  return those(byWindow, (window) => newest - monthNumber(lastMonth(window)) > MAX_MONTHS_BEHIND);
}

/** Of equally frequent windows the one that ends last is the usual one, then the one that begins first. */
function otherWindows({ byWindow }: RankedFacts): Named {
  const byEnds = togetherBy(byWindow, bothEnds);
  const most = commonest(byEnds, (a, b) => lastMonth(a) > lastMonth(b) || (lastMonth(a) === lastMonth(b) && a < b));
  return those(byEnds, (ends) => ends !== most);
}

/** Whether balancing services are in some prices, and not in others or perhaps not. */
export function mixesSsaa({ flagsOfAny, withoutSsaa }: RankedFacts): boolean {
  return (flagsOfAny & INCLUDES_SSAA) !== 0 && withoutSsaa.total > 0;
}

/** For a warning about offers those offers, perhaps none, for one about the request whether it applies or in which period. */
type Finding = Found | boolean | number | null;
type Found = Omit<RankingWarning, 'code'>;

function findings(facts: RankedFacts, question: QuestionFacts): Readonly<Partial<Record<WarningCode, Finding>>> {
  const { byTariff, byWindow, indexed, withoutSsaa } = facts;
  const { tariffs, energyPeriod, powerPeriod } = question;
  const isRanked = byTariff.size > 0;
  const differ = (flags: number) => isRanked && ((facts.flagsOfAny ^ facts.flagsOfAll) & flags) !== 0;
  const someSixPeriods = [...byTariff.keys()].some(hasSixPeriods);
  const isHome = byTariff.has('2.0TD');
  const hasPeriods = isHome || someSixPeriods;
  const isForSixPeriods = question.isForSixPeriods || (tariffs.periods === 6 && someSixPeriods);
  return {
    sin_potencia: isRanked && question.lacksPower,
    peaje_imposible: impossibleTariffs(facts, tariffs, question.isForAnyTariff),
    peajes_mezclados: mixedTariffs(facts),
    peaje_en_el_limite: tariffs.gasBands.length > 1,
    gas_capacidad: those(byTariff, (tariff) => (gasBandOf(tariff) ?? 0) >= FIRST_BAND_WITH_CAPACITY),
    consumo_en_un_periodo: hasPeriods && energyPeriod,
    potencia_en_un_periodo: hasPeriods && powerPeriod,
    consumo_improbable: question.isImprobable || (isHome && question.isMonthOfHome),
    potencia_decreciente: question.powerDecreases && isForSixPeriods,
    potencia_bajo_regulado: facts.belowLeastPower,
    penalizacion_sobre_el_limite: facts.penaltyTooHigh,
    descuento_temporal: facts.discounted,
    ssaa_mezclados: mixesSsaa(facts) ? withoutSsaa : NONE,
    historico_corto: those(byWindow, (window) => monthCount(window) < MEAN_WINDOW_MONTHS),
    historico_antiguo: oldHistories(facts),
    historico_sin_actualizar: question.hasOldHistory ? indexed : NONE,
    ventanas_distintas: otherWindows(facts),
    periodo_incoherente: question.isIncoherent,
    excedentes_tope_anual: question.isCappedLate,
    bono_social: question.losesSocialBonus,
    salir_de_la_tur: question.leavesLastResort,
    indexada_sin_curva: question.exports || question.readsHours ? facts.withoutHours : NONE,
    forma_de_otro_ano: facts.hoursOfOtherYear,
    solo_con_placas: question.lacksPanels ? facts.withPanels : NONE,
    placas_sin_excedentes: isRanked && question.asksForPanels,
    sin_filtro_territorio: question.isAnywhere && differ(TERRITORY_BITS),
    sin_filtro_cliente: question.isForAnybody && differ(CUSTOMER_BITS),
    terminos_desconocidos: facts.unknownTerms,
    fee_power_sin_efecto: facts.withPowerFee,
    actual_improbable: question.isPresentImprobable,
    menos_de_un_ano: question.isSavingShort,
  };
}

/**
 * Why the ranked offers may not be comparable, in the order of `WARNING_CODES`. None of it depends on a commission.
 *
 * @param facts - Of all ranked offers, shown or not.
 * @see docs/assumptions.md, A-69 and A-70
 */
export function warningsOf(facts: RankedFacts, question: QuestionFacts): readonly RankingWarning[] {
  const all = findings(facts, question);
  const codes = WARNING_CODES.filter((code) => question.seesCommissions || !ADVISOR_WARNINGS.has(code));
  return codes.flatMap((code) => warningOf(code, all[code] ?? false));
}

function warningOf(code: WarningCode, finding: Finding): readonly RankingWarning[] {
  if (finding === null || finding === false) return [];
  if (finding === true) return [{ code, ...NONE }];
  if (typeof finding === 'number') return [{ code, ...NONE, period: finding }];
  return finding.total > 0 ? [{ code, ...finding }] : [];
}

/** The warnings where only a year's consumption and a power are known. */
export function tariffWarnings(
  facts: RankedFacts,
  { supplyType, tariffType }: { readonly supplyType: SupplyType; readonly tariffType: string | null },
  use: Omit<AnnualUse, 'days'>,
): readonly RankingWarning[] {
  const ofYear = { ...use, days: YEAR.days };
  const tariffs = tariffUseOf(supplyType, ofYear, 0);
  const isImprobable = isImprobableUse(use) || (facts.byTariff.has('2.0TD') && isMonthOfHome(ofYear));
  return [
    ...warningOf('peaje_imposible', impossibleTariffs(facts, tariffs, tariffType === null)),
    ...warningOf('peajes_mezclados', mixedTariffs(facts)),
    ...warningOf('peaje_en_el_limite', tariffs.gasBands.length > 1),
    ...warningOf('consumo_improbable', isImprobable),
    ...warningOf('terminos_desconocidos', facts.unknownTerms),
  ];
}

/** Calendar months from the newest month of all histories to that of the question. */
const MAX_MONTHS_WITHOUT_NEW = 2;
/** From this month on who leaves the TUR owes its debt (RDL 25/2026, art. 1.6). */
const FIRST_MONTH_WITH_DEBT = '2026-10-01';
/** Days of a billing month: surplus is capped in each (RD 244/2019, art. 14.3). */
const MAX_BILLING_DAYS = 31;
/** Months by which days and months that are both sent may disagree. */
const MAX_MONTHS_APART = 0.5;

/** The parts of the question on which warnings depend. */
export interface WarningQuestion {
  readonly demand: Demand;
  /** As `neededPrices` has it. */
  readonly needed: number;
  readonly filter: OfferFilter;
  readonly seesCommissions: boolean;
  /** Of the present contract: the free market does not have it. */
  readonly hasSocialBonus?: boolean | undefined;
  /** Of the present contract: the last-resort tariff of gas. */
  readonly isLastResort?: boolean | undefined;
  /** The month of the question; left out or `null`: not known. */
  readonly presentMonth?: Month | null | undefined;
  /** What the present contract costs, and the cheapest offer, both before tax or both with taxes; `null`: not known. */
  readonly presentEur: number | null;
  readonly cheapestEur: number | null;
}

/** What warnings about a market depend on. */
export interface QuestionFacts {
  readonly tariffs: TariffUse;
  /** No tariff is asked for, so offers of several may be ranked. */
  readonly isForAnyTariff: boolean;
  readonly isForSixPeriods: boolean;
  readonly lacksPower: boolean;
  /** The only period, from 1, with energy and with power; `null`: there are several, or none. */
  readonly energyPeriod: number | null;
  readonly powerPeriod: number | null;
  /** Some contracted power is lower than the one before it. */
  readonly powerDecreases: boolean;
  readonly isImprobable: boolean;
  /** A home with the consumption of a month. */
  readonly isMonthOfHome: boolean;
  readonly exports: boolean;
  /** A curve was read beside indices. */
  readonly readsHours: boolean;
  /** Nothing is exported, and the filter asks for offers with panels, or does not. */
  readonly asksForPanels: boolean;
  readonly lacksPanels: boolean;
  readonly isIncoherent: boolean;
  readonly isCappedLate: boolean;
  readonly isAnywhere: boolean;
  readonly isForAnybody: boolean;
  readonly seesCommissions: boolean;
  readonly losesSocialBonus: boolean;
  readonly leavesLastResort: boolean;
  readonly hasOldHistory: boolean;
  readonly isPresentImprobable: boolean;
  readonly isSavingShort: boolean;
}

/**
 * What the warnings about a market depend on.
 *
 * @param creditsSurplus - Whether some ranked offer pays this customer for surplus.
 */
export function questionFacts(
  question: WarningQuestion,
  { newestMonth }: Pick<RankedFacts, 'newestMonth'>,
  creditsSurplus: () => boolean,
): QuestionFacts {
  const { demand, needed, filter, seesCommissions, hasSocialBonus = false } = question;
  const { customer, period, parts } = demand;
  const use = { ...demand, days: period.days };
  const isElectric = customer.supplyType === 'LUZ';
  const exports = isElectric && customer.exportedKwh > 0;
  const hasLateCap = parts.some(
    ({ days, exportedKwh, consumptionKwh: boughtKwh }) =>
      days > MAX_BILLING_DAYS && exportedKwh > 0 && boughtKwh.some((kwh) => kwh > 0),
  );
  return {
    tariffs: tariffUseOf(customer.supplyType, use, needed),
    isForAnyTariff: filter.tariffType === null,
    isForSixPeriods: filter.tariffType !== null && hasSixPeriods(filter.tariffType),
    lacksPower: isElectric && demand.highestPowerKw === null,
    energyPeriod: isElectric ? onlyPeriod(needed, ENERGY_BIT) : null,
    powerPeriod: isElectric ? onlyPeriod(needed, POWER_BIT) : null,
    powerDecreases: isElectric && decreases(customer.powerKw),
    // A surplus alone: the consumption is absent.
    isImprobable: isImprobableUse(demand) || (exports && demand.annualMwh === 0),
    isMonthOfHome: isMonthOfHome(use),
    exports,
    readsHours: readsHours(parts),
    asksForPanels: isElectric && !exports && filter.hasSolarPanels === true,
    lacksPanels: isElectric && !exports && filter.hasSolarPanels !== true,
    isIncoherent: Math.abs(period.months - (period.days * YEAR.months) / YEAR.days) > MAX_MONTHS_APART,
    isCappedLate: hasLateCap && creditsSurplus(),
    isAnywhere: filter.territory === null,
    isForAnybody: filter.customerType === null,
    seesCommissions,
    losesSocialBonus: hasSocialBonus,
    ...presentFacts(question),
    ...dateFacts(question, newestMonth),
  };
}

/** The only period, from 1, whose price is needed; `null`: there are several, or none. */
function onlyPeriod(needed: number, first: number): number | null {
  const used = Array.from({ length: PERIOD_COUNT }, (_, index) => index + 1).filter(
    (period) => (needed & (first << (period - 1))) !== 0,
  );
  return used.length === 1 ? (used[0] ?? null) : null;
}

function decreases(powerKw: readonly number[]): boolean {
  const used = powerKw.filter((kw) => kw > 0);
  return used.some((kw, index) => kw < (used[index - 1] ?? 0));
}

/** A consumption that the power could not take in a year, or takes in less than 20 hours: one was meant in another unit. */
export function isImprobableUse({ annualMwh, highestPowerKw }: Pick<Demand, 'annualMwh' | 'highestPowerKw'>): boolean {
  if (highestPowerKw === null || highestPowerKw <= 0 || annualMwh <= 0) return false;
  const [fewest = 0, most = 0] = PROBABLE_HOURS.map((hours) => roundHalfUp((hours * highestPowerKw) / 1000, 6));
  return annualMwh < fewest || annualMwh > most;
}

/**
 * A home whose consumption of a year is that of a month.
 *
 * @param use - `days`: of which the use is known; of fewer than a year it is said, and was not mistaken for one.
 */
export function isMonthOfHome({
  annualMwh,
  highestPowerKw,
  days,
}: Pick<Demand, 'annualMwh' | 'highestPowerKw'> & { readonly days: number }): boolean {
  return days >= DAYS_OF_A_YEAR && annualMwh > 0 && annualMwh < HOME.leastMwh && (highestPowerKw ?? 0) >= HOME.kw;
}

function isImprobablePresent(presentEur: number, cheapestEur: number): boolean {
  const [least = 0, most = 0] = PROBABLE_SHARES.map((share) => roundHalfUp(share * cheapestEur, 6));
  return cheapestEur > 0 && (presentEur < least || presentEur > most);
}

/** About the present contract of a customer. */
function presentFacts({ presentEur, cheapestEur, demand }: WarningQuestion) {
  const isKnown = presentEur !== null && cheapestEur !== null;
  return {
    isPresentImprobable: isKnown && isImprobablePresent(presentEur, cheapestEur),
    isSavingShort: isKnown && demand.period.days < DAYS_OF_A_YEAR,
  };
}

/** What depends on the day of the question. */
function dateFacts({ presentMonth = null, isLastResort }: WarningQuestion, newestMonth: Month | null) {
  const months =
    presentMonth === null || newestMonth === null ? 0 : monthNumber(presentMonth) - monthNumber(newestMonth);
  return {
    hasOldHistory: months > MAX_MONTHS_WITHOUT_NEW,
    leavesLastResort: isLastResort === true && presentMonth !== null && presentMonth >= FIRST_MONTH_WITH_DEBT,
  };
}
