import { MAX_KW_OF_2_0TD } from '../bounds.ts';
import { type Month, monthNumber } from '../calendar.ts';
import { MEAN_WINDOW_MONTHS } from '../cost/applied-price.ts';
import { type Demand, type ElectricityCustomer, YEAR } from '../cost/customer.ts';
import { CUSTOMER_BITS, ENERGY_BIT, INCLUDES_SSAA, POWER_BIT, TERRITORY_BITS } from '../cost/flags.ts';
import { roundHalfUp } from '../numbers.ts';
import type { SupplyType } from '../offers/offer.ts';
import type { CompanyFilter, OfferFilter } from '../offers/offer-filter.ts';
import { BILL_NOTICES } from '../taxes/bill-terms.ts';
import { type MarketFacts, type Named, NONE, together, togetherBy } from './facts.ts';

/** Why the offers of a ranking may not be comparable, in the order of the answer. The codes are wire values. */
export const WARNING_CODES = [
  'peajes_mezclados',
  'peaje_imposible',
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
  'solo_con_placas',
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
  /** For `peaje_sin_ofertas`: the tariffs that may be meant. */
  readonly tariffTypes?: readonly string[];
  /** For `sin_ofertas`: the filter without which there are offers; `null`: no single one. */
  readonly filterName?: FilterName | null;
}

/** A condition of a filter. */
export type FilterName = keyof Omit<OfferFilter, 'supplyType'> | keyof CompanyFilter;

/** MWh a year up to which each gas tariff goes, its bound included: RL.1 to RL.10 (Circular CNMC 6/2020). */
const GAS_BANDS_MWH = [5, 15, 50, 300, 1500, 5000, 15_000, 50_000, 150_000, 500_000];
/** The nearest to a bound that a band is certain: consumption of another year may lie beyond it. */
const BOUND_SHARE = 0.05;
/** From this gas tariff on a capacity term is paid that no offer has (Circular CNMC 6/2020, art. 26.2). */
const FIRST_BAND_WITH_CAPACITY = 5;
/** Fewer days say nothing about a year. */
const DAYS_OF_A_YEAR = 350;
/** Hours a year at the contracted power, the bounds included: less or more was meant in another unit. */
const PROBABLE_HOURS = [20, 8760] as const;
/** The present cost as a share of the cheapest one, the bounds included: another one is of another time or taxed. */
const PROBABLE_SHARES = [0.6, 2.5] as const;
/** Months that a history may end before the newest one. */
const MAX_MONTHS_BEHIND = 3;
/** Calendar months from the newest month of all histories to that of the question. */
const MAX_MONTHS_WITHOUT_NEW = 2;
/** From this month on who leaves the TUR owes its debt (RDL 25/2026, art. 1.6). */
const FIRST_MONTH_WITH_DEBT = '2026-10-01';
/** Days of a billing month: surplus is capped in each (RD 244/2019, art. 14.3). */
const MAX_BILLING_DAYS = 31;
/** Months by which days and months that are both sent may disagree. */
const MAX_MONTHS_APART = 0.5;

// What warnings depend on besides the offers, as bits of one integer.

/** Some contracted power is above 15 kW; none is. Neither bit where no power is known. */
const LARGE = 1;
const SMALL = 2;
/** Three periods of energy and two of power, or more. Neither bit where they are not known. */
const THREE_PERIODS = 4;
const SIX_PERIODS = 8;
/** Some contracted power is lower than the one before it. */
const POWER_DECREASES = 16;
const FILTERS_SIX_PERIODS = 32;
const INCOHERENT = 64;
const CAP_EXCEEDED = 128;
const ANYWHERE = 256;
const ANYBODY = 512;
const SEES_COMMISSIONS = 1024;
/** All energy, and all power, is in the first period. */
const ENERGY_IN_P1 = 1 << 11;
const POWER_IN_P1 = 1 << 12;
const IMPROBABLE_USE = 1 << 13;
const EXPORTS = 1 << 14;
/** Nothing is exported, and the filter does not ask for offers with panels. */
const WITHOUT_PANELS = 1 << 15;
const IMPROBABLE_PRESENT = 1 << 16;
const SHORT_SAVING = 1 << 17;
/** The gas tariff after that of the bits is possible too. */
const AT_BOUND = 1 << 18;
const LOSES_SOCIAL_BONUS = 1 << 19;
const OLD_HISTORY = 1 << 20;
const LEAVES_LAST_RESORT = 1 << 21;
/** The first gas tariff that the annual consumption may have, 0 where nothing is known, is in the bits from here on. */
const GAS_BAND_SHIFT = 22;

/** `days`: of which the use is known. */
type AnnualUse = Pick<Demand, 'annualMwh' | 'highestPowerKw'> & { readonly days: number };

function isUsed(quantity: number): boolean {
  return quantity > 0;
}

/** The bits on which access tariffs depend, without those of periods. */
function tariffBits(supplyType: SupplyType, { annualMwh, highestPowerKw, days }: AnnualUse): number {
  if (supplyType === 'GAS') {
    if (days < DAYS_OF_A_YEAR) return 0;
    const isNear = (bound: number) => roundHalfUp(Math.abs(annualMwh - bound), 6) <= bound * BOUND_SHARE;
    const nearest = GAS_BANDS_MWH.findIndex(isNear);
    if (nearest >= 0) return AT_BOUND | ((nearest + 1) << GAS_BAND_SHIFT);
    return (GAS_BANDS_MWH.filter((most) => annualMwh > most).length + 1) << GAS_BAND_SHIFT;
  }
  const powerKw = highestPowerKw ?? 0;
  return isUsed(powerKw) ? (powerKw > MAX_KW_OF_2_0TD ? LARGE : SMALL) : 0;
}

/** The bits of `neededPrices` of some energy, and of what only six periods have. */
const ENERGY = ENERGY_BIT * 0b111111;
const POWER = POWER_BIT * 0b111111;
const MORE_THAN_THREE = ENERGY_BIT * 0b111000 + POWER_BIT * 0b111100;

function electricityBits({ powerKw }: ElectricityCustomer, needed: number): number {
  const periods =
    ((needed & MORE_THAN_THREE) !== 0 ? SIX_PERIODS : (needed & ENERGY) !== 0 ? THREE_PERIODS : 0) |
    ((needed & ENERGY) === ENERGY_BIT ? ENERGY_IN_P1 : 0) |
    ((needed & POWER) === POWER_BIT ? POWER_IN_P1 : 0);
  let before = 0;
  for (const kw of powerKw) {
    if (isUsed(kw) && kw < before) return periods | POWER_DECREASES;
    before = isUsed(kw) ? kw : before;
  }
  return periods;
}

function isImprobableUse({ annualMwh, highestPowerKw }: Pick<Demand, 'annualMwh' | 'highestPowerKw'>): boolean {
  const kw = highestPowerKw ?? 0;
  if (!isUsed(kw) || !isUsed(annualMwh)) return false;
  const [fewest, most] = PROBABLE_HOURS.map((hours) => roundHalfUp((hours * kw) / 1000, 6));
  return annualMwh < (fewest ?? 0) || annualMwh > (most ?? 0);
}

function isImprobablePresent(presentEur: number, cheapestEur: number): boolean {
  const [least, most] = PROBABLE_SHARES.map((share) => roundHalfUp(share * cheapestEur, 6));
  return isUsed(cheapestEur) && (presentEur < (least ?? 0) || presentEur > (most ?? 0));
}

/** The bits about the present contract of a customer. */
function presentBits({ presentEur, cheapestEur, demand }: WarningQuestion): number {
  if (presentEur === null || cheapestEur === null) return 0;
  return (
    (isImprobablePresent(presentEur, cheapestEur) ? IMPROBABLE_PRESENT : 0) |
    (demand.period.days < DAYS_OF_A_YEAR ? SHORT_SAVING : 0)
  );
}

/** The bits about surplus of electricity. */
function surplusBits({ exportedKwh }: ElectricityCustomer, { hasSolarPanels }: OfferFilter): number {
  return isUsed(exportedKwh) ? EXPORTS : hasSolarPanels === true ? 0 : WITHOUT_PANELS;
}

/** The bits that depend on the day of the question. */
function dateBits({ presentMonth = null, isLastResort }: WarningQuestion, newestMonth: Month | null): number {
  if (presentMonth === null) return 0;
  const months = newestMonth === null ? 0 : monthNumber(presentMonth) - monthNumber(newestMonth);
  return (
    (months > MAX_MONTHS_WITHOUT_NEW ? OLD_HISTORY : 0) |
    (isLastResort === true && presentMonth >= FIRST_MONTH_WITH_DEBT ? LEAVES_LAST_RESORT : 0)
  );
}

/**
 * What the warnings about a market depend on.
 *
 * @param creditsSurplus - Whether some ranked offer pays this customer for surplus.
 */
export function warningBits(
  question: WarningQuestion,
  { newestMonth }: Pick<MarketFacts, 'newestMonth'>,
  creditsSurplus: () => boolean,
): number {
  const { demand, needed, filter, seesCommissions, hasSocialBonus = false } = question;
  const { customer, period, parts } = demand;
  const isCappedLate = parts.some(
    ({ days, exportedKwh, consumptionKwh: boughtKwh }) =>
      days > MAX_BILLING_DAYS && isUsed(exportedKwh) && boughtKwh.some(isUsed),
  );
  const isIncoherent = Math.abs(period.months - (period.days * YEAR.months) / YEAR.days) > MAX_MONTHS_APART;
  return (
    tariffBits(customer.supplyType, { ...demand, days: period.days }) |
    (customer.supplyType === 'LUZ' ? electricityBits(customer, needed) | surplusBits(customer, filter) : 0) |
    (isImprobableUse(demand) ? IMPROBABLE_USE : 0) |
    presentBits(question) |
    (filter.tariffType !== null && hasSixPeriods(filter.tariffType) ? FILTERS_SIX_PERIODS : 0) |
    (isIncoherent ? INCOHERENT : 0) |
    (isCappedLate && creditsSurplus() ? CAP_EXCEEDED : 0) |
    (filter.territory === null ? ANYWHERE : 0) |
    (filter.customerType === null ? ANYBODY : 0) |
    (seesCommissions ? SEES_COMMISSIONS : 0) |
    (hasSocialBonus ? LOSES_SOCIAL_BONUS : 0) |
    dateBits(question, newestMonth)
  );
}

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

/** The number of a gas tariff: 1 for RL.1 to 11; `null` for other names. */
export function gasBandOf(tariff: string): number | null {
  return /^RL\.([1-9]|1[01])$/.test(tariff) ? Number(tariff.slice(3)) : null;
}

function mixedTariffs({ byTariff }: MarketFacts): Named {
  const most = commonest(byTariff, (a, b) => a < b);
  return those(byTariff, (tariff) => tariff !== most);
}

function impossibleTariffs({ byTariff }: MarketFacts, bits: number): Named {
  const [firstBand, after] = [bits >> GAS_BAND_SHIFT, (bits & AT_BOUND) !== 0 ? 1 : 0];
  return those(byTariff, (tariff) => {
    const band = gasBandOf(tariff);
    if (band !== null) return firstBand > 0 && (band < firstBand || band > firstBand + after);
    if (hasSixPeriods(tariff) && (bits & THREE_PERIODS) !== 0) return true;
    return tariff === '2.0TD' ? (bits & LARGE) !== 0 : isOf3_0TD(tariff) && (bits & SMALL) !== 0;
  });
}

// Parts of the name of a window of history.
const lastMonth = (window: string) => window.slice(0, 10);
const bothEnds = (window: string) => window.slice(0, 21);
const monthCount = (window: string) => Number(window.slice(22));

function oldHistories({ byWindow, newestMonth }: MarketFacts): Named {
  const newest = newestMonth === null ? 0 : monthNumber(newestMonth);
  return those(byWindow, (window) => newest - monthNumber(lastMonth(window)) > MAX_MONTHS_BEHIND);
}

/** Of equally frequent windows the one that ends last is the usual one, then the one that begins first. */
function otherWindows({ byWindow }: MarketFacts): Named {
  const byEnds = togetherBy(byWindow, bothEnds);
  const most = commonest(byEnds, (a, b) => lastMonth(a) > lastMonth(b) || (lastMonth(a) === lastMonth(b) && a < b));
  return those(byEnds, (ends) => ends !== most);
}

/** Whether balancing services are in some prices, and not in others or perhaps not. */
export function mixesSsaa({ flagsOfAny, withoutSsaa }: MarketFacts): boolean {
  return (flagsOfAny & INCLUDES_SSAA) !== 0 && withoutSsaa.total > 0;
}

/** For each warning about offers those offers, perhaps none; for each warning about the request whether it applies. */
function findings(facts: MarketFacts, bits: number): Readonly<Partial<Record<WarningCode, Named | boolean>>> {
  const {
    byTariff,
    byWindow,
    flagsOfAny,
    flagsOfAll,
    withoutSsaa,
    withPowerFee,
    indexed,
    withPanels,
    belowLeastPower,
    penaltyTooHigh,
    discounted,
    unknownTerms,
  } = facts;
  const differ = (flags: number) => byTariff.size > 0 && ((flagsOfAny ^ flagsOfAll) & flags) !== 0;
  const has = (bit: number) => (bits & bit) !== 0;
  const isSixPeriods = has(FILTERS_SIX_PERIODS) || (has(SIX_PERIODS) && [...byTariff.keys()].some(hasSixPeriods));
  return {
    peajes_mezclados: mixedTariffs(facts),
    peaje_imposible: impossibleTariffs(facts, bits),
    peaje_en_el_limite: has(AT_BOUND),
    gas_capacidad: those(byTariff, (tariff) => (gasBandOf(tariff) ?? 0) >= FIRST_BAND_WITH_CAPACITY),
    consumo_en_un_periodo: has(ENERGY_IN_P1) && byTariff.has('2.0TD'),
    potencia_en_un_periodo: has(POWER_IN_P1) && byTariff.has('2.0TD'),
    consumo_improbable: has(IMPROBABLE_USE),
    potencia_decreciente: has(POWER_DECREASES) && isSixPeriods,
    potencia_bajo_regulado: belowLeastPower,
    penalizacion_sobre_el_limite: penaltyTooHigh,
    descuento_temporal: discounted,
    ssaa_mezclados: mixesSsaa(facts) ? withoutSsaa : NONE,
    historico_corto: those(byWindow, (window) => monthCount(window) < MEAN_WINDOW_MONTHS),
    historico_antiguo: oldHistories(facts),
    historico_sin_actualizar: has(OLD_HISTORY) ? indexed : NONE,
    ventanas_distintas: otherWindows(facts),
    periodo_incoherente: has(INCOHERENT),
    excedentes_tope_anual: has(CAP_EXCEEDED),
    bono_social: has(LOSES_SOCIAL_BONUS),
    salir_de_la_tur: has(LEAVES_LAST_RESORT),
    indexada_sin_curva: has(EXPORTS) ? indexed : NONE,
    solo_con_placas: has(WITHOUT_PANELS) ? withPanels : NONE,
    sin_filtro_territorio: has(ANYWHERE) && differ(TERRITORY_BITS),
    sin_filtro_cliente: has(ANYBODY) && differ(CUSTOMER_BITS),
    terminos_desconocidos: unknownTerms,
    fee_power_sin_efecto: withPowerFee,
    actual_improbable: has(IMPROBABLE_PRESENT),
    menos_de_un_ano: has(SHORT_SAVING),
  };
}

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

/**
 * Why the ranked offers may not be comparable, in the order of `WARNING_CODES`. None of it depends on a commission.
 *
 * @param facts - Of all ranked offers, shown or not.
 * @see docs/assumptions.md, A-69 and A-70
 */
export function warningsOf(facts: MarketFacts, bits: number): readonly RankingWarning[] {
  const all = findings(facts, bits);
  const codes = WARNING_CODES.filter((code) => (bits & SEES_COMMISSIONS) !== 0 || !ADVISOR_WARNINGS.has(code));
  return codes.flatMap((code) => warningOf(code, all[code] ?? false));
}

function warningOf(code: WarningCode, finding: Named | boolean): readonly RankingWarning[] {
  if (typeof finding === 'boolean') return finding ? [{ code, ...NONE }] : [];
  return finding.total > 0 ? [{ code, ...finding }] : [];
}

/** The warnings where only a year's consumption and a power are known. */
export function tariffWarnings(
  facts: MarketFacts,
  supplyType: SupplyType,
  use: Omit<AnnualUse, 'days'>,
): readonly RankingWarning[] {
  const bits = tariffBits(supplyType, { ...use, days: YEAR.days });
  return [
    ...warningOf('peajes_mezclados', mixedTariffs(facts)),
    ...warningOf('peaje_imposible', impossibleTariffs(facts, bits)),
    ...warningOf('peaje_en_el_limite', (bits & AT_BOUND) !== 0),
    ...warningOf('consumo_improbable', isImprobableUse(use)),
    ...warningOf('terminos_desconocidos', facts.unknownTerms),
  ];
}
