import { monthNumber } from '../calendar.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { MEAN_WINDOW_MONTHS } from '../ranking/applied-price.ts';
import { type Demand, YEAR } from '../ranking/customer.ts';
import { CUSTOMER_BITS, INCLUDES_SSAA, TERRITORY_BITS } from '../ranking/masks.ts';
import { type MarketFacts, type Named, type RankedFacts, together } from './market-facts.ts';

/** Why the offers of a ranking may not be comparable, in the order in which they are told. The codes are wire values. */
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
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** A reason to look twice at a ranking. */
export interface RankingWarning extends Named {
  readonly code: WarningCode;
}

/** What a customer says that an access tariff depends on. */
export interface TariffQuestion {
  readonly annualMwh: number;
  /** Highest contracted power, kW; `null` when none is known. */
  readonly highestPowerKw: number | null;
  /** The periods that the customer uses; `null`: not known. */
  readonly periods: 'three' | 'six' | null;
}

/** A warning about the request, and not about some of its offers. */
const REQUEST: Named = { total: 0, offerIds: [] };
const NOBODY: Named = REQUEST;

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

/** The kind of which there are most; of equal ones the first. */
function commonest<K>(kinds: ReadonlyMap<K, Named>, isBefore: (a: K, b: K) => boolean): K | undefined {
  let best: [K, Named] | undefined;
  for (const kind of kinds) {
    const [key, { total }] = kind;
    if (!best || total > best[1].total || (total === best[1].total && isBefore(key, best[0]))) best = kind;
  }
  return best?.[0];
}

function allBut<K>(kinds: ReadonlyMap<K, Named>, isLeftOut: (key: K) => boolean): Named {
  const others = [...kinds].filter(([key]) => !isLeftOut(key)).map(([, named]) => named);
  return others.length === 0 ? NOBODY : together(others);
}

function mixedTariffs({ byTariff }: MarketFacts): Named {
  const most = commonest(byTariff, (a, b) => a < b);
  return allBut(byTariff, (tariff) => tariff === most);
}

function isOf3_0TD(tariff: string): boolean {
  return tariff === '3.0TD' || tariff === '3.0TDVE';
}

function hasSixPeriods(tariff: string): boolean {
  return isOf3_0TD(tariff) || tariff.startsWith('6.');
}

function isImpossible(tariff: string, { annualMwh, highestPowerKw, periods }: TariffQuestion): boolean {
  if (tariff.startsWith('RL.')) {
    const band = GAS_BANDS_MWH.findIndex((most) => annualMwh <= most);
    const isNamed = /^RL\.([1-9]|1[01])$/.test(tariff);
    return isNamed && tariff !== `RL.${band < 0 ? GAS_BANDS_MWH.length + 1 : band + 1}`;
  }
  if (hasSixPeriods(tariff) && periods === 'three') return true;
  if (highestPowerKw === null) return false;
  const isLarge = highestPowerKw > MAX_KW_OF_2_0TD;
  return tariff === '2.0TD' ? isLarge : isOf3_0TD(tariff) && !isLarge;
}

function impossibleTariffs({ byTariff }: MarketFacts, question: TariffQuestion): Named {
  return allBut(byTariff, (tariff) => !isImpossible(tariff, question));
}

function mixedSsaa({ flagsOfAny, withoutSsaa }: MarketFacts): Named {
  return (flagsOfAny & INCLUDES_SSAA) === 0 ? NOBODY : withoutSsaa;
}

function shortHistories({ byWindow }: MarketFacts): Named {
  return allBut(byWindow, ({ monthCount }) => monthCount >= MEAN_WINDOW_MONTHS);
}

function oldHistories({ byWindow }: MarketFacts): Named {
  const newest = [...byWindow.keys()].reduce((latest, { toMonth }) => Math.max(latest, monthNumber(toMonth)), 0);
  return allBut(byWindow, ({ toMonth }) => newest - monthNumber(toMonth) <= MAX_MONTHS_BEHIND);
}

/** Windows count by their ends alone. */
function otherWindows({ byWindow }: MarketFacts): Named {
  const ends = Map.groupBy([...byWindow], ([{ fromMonth, toMonth }]) => `${toMonth} ${fromMonth}`);
  const byEnds = new Map([...ends].map(([key, same]) => [key, together(same.map(([, named]) => named))]));
  const most = commonest(byEnds, (a, b) => a.slice(0, 7) > b.slice(0, 7) || (a.slice(0, 7) === b.slice(0, 7) && a < b));
  return allBut(byEnds, (key) => key === most);
}

/** The warnings that depend on nothing but the offers. */
const ABOUT_OFFERS = {
  peajes_mezclados: mixedTariffs,
  ssaa_mezclados: mixedSsaa,
  historico_corto: shortHistories,
  historico_antiguo: oldHistories,
  ventanas_distintas: otherWindows,
  fee_power_sin_efecto: ({ withPowerFee }: MarketFacts) => withPowerFee,
} satisfies { readonly [Code in WarningCode]?: (facts: MarketFacts) => Named };

/** What was found once for a market, which is never changed: the same objects each time. */
const KNOWN = new WeakMap<MarketFacts, ReadonlyMap<WarningCode, RankingWarning>>();

function aboutOffers(facts: MarketFacts): ReadonlyMap<WarningCode, RankingWarning> {
  const known = KNOWN.get(facts);
  if (known) return known;
  const found = new Map<WarningCode, RankingWarning>();
  for (const [code, find] of Object.entries(ABOUT_OFFERS) as [
    keyof typeof ABOUT_OFFERS,
    (of: MarketFacts) => Named,
  ][]) {
    const { total, offerIds } = find(facts);
    if (total > 0) found.set(code, { code, total, offerIds });
  }
  KNOWN.set(facts, found);
  return found;
}

/** What is asked, as far as warnings depend on it. */
export interface WarningQuestion {
  readonly demand: Demand;
  readonly filter: OfferFilter;
}

/** The periods that an electricity customer uses: three of energy and two of power, or more. */
function periodsOf({ customer }: Demand): TariffQuestion['periods'] {
  if (customer.supplyType === 'GAS') return null;
  const { consumptionKwh, powerKw } = customer;
  const isUsed = (quantity: number) => quantity > 0;
  if (consumptionKwh.slice(3).some(isUsed) || powerKw.slice(2).some(isUsed)) return 'six';
  return consumptionKwh.some(isUsed) ? 'three' : null;
}

function decreases({ customer }: Demand): boolean {
  const contracted = customer.supplyType === 'LUZ' ? customer.powerKw.filter((kw) => kw > 0) : [];
  return contracted.some((kw, period) => kw < (contracted[period - 1] ?? 0));
}

/**
 * Why the ranked offers may not be comparable, in the order of `WARNING_CODES`. None of it depends on a commission.
 *
 * @param ranked - All ranked offers, shown or not.
 * @see docs/assumptions.md, A-69 and A-70
 */
export function warningsFor(ranked: RankedFacts, { demand, filter }: WarningQuestion): readonly RankingWarning[] {
  const facts = ranked.facts();
  const { annualMwh, highestPowerKw, period, parts } = demand;
  const periods = periodsOf(demand);
  const [fixed, found] = [aboutOffers(facts), new Map<WarningCode, Named>()];
  const impossible = impossibleTariffs(facts, { annualMwh, highestPowerKw, periods });
  if (impossible.total > 0) found.set('peaje_imposible', impossible);
  const isSixPeriods = () =>
    [...facts.byTariff.keys()].some(hasSixPeriods) || (filter.tariffType !== null && hasSixPeriods(filter.tariffType));
  if (periods === 'six' && decreases(demand) && isSixPeriods()) found.set('potencia_decreciente', REQUEST);
  const months = (period.days * YEAR.months) / YEAR.days;
  if (Math.abs(period.months - months) > MAX_MONTHS_APART) found.set('periodo_incoherente', REQUEST);
  const isCappedLate = parts.some(({ days, exportedKwh }) => days > MAX_BILLING_DAYS && exportedKwh > 0);
  if (isCappedLate && ranked.creditsSurplus()) found.set('excedentes_tope_anual', REQUEST);
  const differing = facts.byTariff.size === 0 ? 0 : facts.flagsOfAny ^ facts.flagsOfAll;
  if (filter.territory === null && (differing & TERRITORY_BITS) !== 0) found.set('sin_filtro_territorio', REQUEST);
  if (filter.customerType === null && (differing & CUSTOMER_BITS) !== 0) found.set('sin_filtro_cliente', REQUEST);
  return WARNING_CODES.flatMap((code) => {
    const known = fixed.get(code);
    if (known) return known;
    const named = found.get(code);
    return named ? { code, ...named } : [];
  });
}

/** The first two warnings: what can be said of offers where only a year's consumption and a power are known. */
export function tariffWarnings(facts: MarketFacts, question: TariffQuestion): readonly RankingWarning[] {
  const mixed = aboutOffers(facts).get('peajes_mezclados');
  const { total, offerIds } = impossibleTariffs(facts, question);
  return [...(mixed ? [mixed] : []), ...(total > 0 ? [{ code: 'peaje_imposible', total, offerIds } as const] : [])];
}
