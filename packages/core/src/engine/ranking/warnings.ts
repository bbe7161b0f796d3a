import { monthNumber } from '../calendar.ts';
import { MEAN_WINDOW_MONTHS } from '../cost/applied-price.ts';
import { YEAR } from '../cost/customer.ts';
import { CUSTOMER_BITS, INCLUDES_SSAA, TERRITORY_BITS } from '../cost/flags.ts';
import type { SupplyType } from '../offers/offer.ts';
import {
  type AnnualUse,
  gasBandOf,
  hasSixPeriods,
  isImpossible,
  type TariffUse,
  tariffsToAsk,
  tariffUseOf,
} from './access-tariffs.ts';
import { type MarketFacts, type Named, NONE, together, togetherBy } from './facts.ts';
import { isImprobableUse, isMonthOfHome, type QuestionFacts } from './question-warnings.ts';
import { ADVISOR_WARNINGS, type RankingWarning, WARNING_CODES, type WarningCode } from './warning-codes.ts';

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

function mixedTariffs({ byTariff }: MarketFacts): Named {
  const most = commonest(byTariff, (a, b) => a < b);
  return those(byTariff, (tariff) => tariff !== most);
}

/** @param isForAnyTariff - Then it says which tariffs to ask with. */
function impossibleTariffs({ byTariff }: MarketFacts, use: TariffUse, isForAnyTariff: boolean): Found {
  const named = those(byTariff, (tariff) => isImpossible(tariff, use));
  return isForAnyTariff ? { ...named, tariffTypes: tariffsToAsk(byTariff.keys(), use) } : named;
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

/** For a warning about offers those offers, perhaps none, for one about the request whether it applies or in which period. */
type Finding = Found | boolean | number | null;
type Found = Omit<RankingWarning, 'code'>;

function findings(facts: MarketFacts, question: QuestionFacts): Readonly<Partial<Record<WarningCode, Finding>>> {
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
    indexada_sin_curva: question.exports ? indexed : NONE,
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
export function warningsOf(facts: MarketFacts, question: QuestionFacts): readonly RankingWarning[] {
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
  facts: MarketFacts,
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
