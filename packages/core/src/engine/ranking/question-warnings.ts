// What warnings depend on besides the offers.
import { type Month, monthNumber } from '../calendar.ts';
import { type Demand, YEAR } from '../cost/customer.ts';
import { ENERGY_BIT, POWER_BIT } from '../cost/flags.ts';
import { roundHalfUp } from '../numbers.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { DAYS_OF_A_YEAR, hasSixPeriods, type TariffUse, tariffUseOf } from './access-tariffs.ts';
import type { MarketFacts } from './facts.ts';

/** Hours a year at the contracted power, the bounds included: less or more was meant in another unit. */
const PROBABLE_HOURS = [20, 8760] as const;
/** kWh a year below which a home with this contracted power, kW, has sent those of a month. */
const LEAST_MWH_OF_A_HOME = 0.4;
const KW_OF_A_HOME = 3;
/** The present cost as a share of the cheapest one, the bounds included: another one is of another time or taxed. */
const PROBABLE_SHARES = [0.6, 2.5] as const;
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
  { newestMonth }: Pick<MarketFacts, 'newestMonth'>,
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
    isImprobable: isImprobableUse(demand),
    isMonthOfHome: isMonthOfHome(use),
    exports,
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
  return (
    days >= DAYS_OF_A_YEAR && annualMwh > 0 && annualMwh < LEAST_MWH_OF_A_HOME && (highestPowerKw ?? 0) >= KW_OF_A_HOME
  );
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
