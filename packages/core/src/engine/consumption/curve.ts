import { MAX_KWH } from '../bounds.ts';
import { type Day, dayAfter, monthNumber } from '../calendar.ts';
import type { SheetPart } from '../cells.ts';
import { DomainError } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';
import type { Community, Territory } from '../offers/offer.ts';
import { columnsOf, type HourRow, isMonthly, type MonthRow, refusedRow, rowReader } from './curve-rows.ts';

import {
  type DayPeriods,
  hoursFrom,
  hoursIn,
  type MeasuredTariff,
  type TariffCalendar,
  tariffCalendar,
} from './tariff-periods.ts';

/** What to know about a curve. The codes are wire values. */
export const CURVE_NOTICES = [
  'horas_estimadas',
  'horas_por_inicio',
  'horas_sin_datos',
  'menos_de_un_ano',
  'totales_mensuales',
] as const;
export type CurveNotice = (typeof CURVE_NOTICES)[number];

/** Consumption and surplus of some days. */
interface Energy {
  /** Whole days. */
  readonly days: number;
  /** kWh by energy period, P1 first: three or six. */
  readonly consumptionKwh: readonly number[];
  /** kWh. */
  readonly exportedKwh: number;
}

/** What a meter has counted, by period and by month. Sums are those of the file: nothing is scaled or put in. */
export interface Curve extends Pick<CurveTerms, 'tariff' | 'territory'>, Energy {
  /** By calendar month, oldest first, at most 36. */
  readonly months: readonly (Energy & {
    /** The month of the year, 1 to 12. */
    readonly month: number;
  })[];
  /** Highest kW by power period, P1 first; `null` where it was not metered by the quarter-hour: an hour has only a mean. */
  readonly maximaKw: readonly number[] | null;
  readonly coverage: {
    /** `null`: the file has totals by month. */
    readonly hours: number | null;
    /** Of all days from the first to the last. */
    readonly expectedHours: number;
    /** How many hours were estimated. */
    readonly estimatedHours: number;
  };
  readonly notices: readonly CurveNotice[];
}

/** The tariff and where the supply is. */
export interface CurveTerms {
  readonly tariff: MeasuredTariff;
  readonly territory: Territory;
  /** Tells Ceuta from Melilla. */
  readonly community?: Community | null;
}

/** An hour or a quarter-hour of a file. */
export interface CurveLoad {
  readonly day: Day;
  /** Of power, 0 for P1. */
  readonly period: number;
  readonly kw: number;
  readonly isQuarter: boolean;
}

/** Reads a curve part by part, so that the reader can pause between two parts. */
export interface CurveReader {
  /** @throws DomainError `business_rule` that names row and column. */
  take(part: Pick<SheetPart, 'rows'>): void;
  /** @throws DomainError `business_rule`. */
  finish(): Curve;
}

/** Rows of a file, without its header. */
export const MAX_CURVE_ROWS = 40_000;
const MAX_MONTHS = 36;
/** How much of the hours may be missing. */
const MAX_MISSING = 0.05;
const MILLIONTHS = 1e6;
const QUARTER = 15;
const HOUR = 60;

/**
 * A reader of the CSV that distributors and Datadis give to every customer, as rows of texts; The result does not have
 * the supply point, and no refusal repeats a cell.
 *
 * @param onLoad - Gets each load in the order of the file, when the reader finishes.
 * @throws DomainError `business_rule` as `tariffCalendar`.
 * @see docs/assumptions.md, A-80
 */
export function createCurveReader(
  { tariff, territory, community = null }: CurveTerms,
  onLoad?: (load: CurveLoad) => void,
): CurveReader {
  const calendar = tariffCalendar(tariff, territory, community);
  const hours: HourRow[] = [];
  const months: MonthRow[] = [];
  let reader: ReturnType<typeof rowReader> | null = null;
  let isByMonth = false;
  let count = 0;
  return {
    take({ rows }) {
      for (const row of rows) {
        if (reader === null) {
          const columns = columnsOf(row);
          isByMonth = isMonthly(columns);
          if (isByMonth && tariff !== '2.0TD') throw refusedRow(row.row, 'totals by month are those of 2.0TD alone');
          reader = rowReader(columns);
          continue;
        }
        count += 1;
        if (count > MAX_CURVE_ROWS)
          throw refusedRow(row.row, say('a file has at most {max} rows', { max: MAX_CURVE_ROWS }));
        if (isByMonth) months.push(reader.month(row));
        else hours.push(reader.hour(row));
      }
    },
    finish() {
      const totals = createTotals(calendar);
      const { estimatedHours, namesBeginnings } = isByMonth
        ? takeMonths(months, totals)
        : takeHours(hours, totals, { territory, onLoad });
      return { tariff, territory, ...totals.result({ isByMonth, estimatedHours, namesBeginnings }) };
    },
  };
}

/** A day of a file, with sums in whole millionths. What every hour of it needs is looked up once. */
interface MeteredDay {
  hours: number;
  exported: number;
  readonly energy: number[];
  readonly length: number;
  readonly periods: DayPeriods;
  /** How often the file has each quarter-hour of a day. */
  readonly times: number[];
}

function createTotals(calendar: TariffCalendar) {
  const days = new Map<Day, MeteredDay>();
  const maxima = new Array<number>(calendar.powerPeriods).fill(0);
  let hasHours = false;
  return {
    day(day: Day): MeteredDay {
      const known = days.get(day);
      if (known) return known;
      const energy = new Array<number>(calendar.energyPeriods).fill(0);
      const made = { hours: 0, exported: 0, energy, length: hoursIn(day), periods: calendar.periodsOf(day), times: [] };
      days.set(day, made);
      return made;
    },
    peak(period: number, kilowatts: number, isOfQuarter: boolean) {
      hasHours ||= !isOfQuarter;
      maxima[period] = Math.max(maxima[period] ?? 0, kilowatts);
    },
    result({ isByMonth, estimatedHours, namesBeginnings }: HoursRead & { readonly isByMonth: boolean }) {
      const { hours, expectedHours } = coverageOf(days);
      const coverage = { hours: isByMonth ? null : hours, expectedHours, estimatedHours };
      const byMonth = Map.groupBy([...days].toSorted(), ([day]) => `${day.slice(0, 7)}-01`);
      if (byMonth.size > MAX_MONTHS) throw refusedFile(say('it covers more than {max} months', { max: MAX_MONTHS }));
      const months = [...byMonth].map(([month, own]) => ({
        month: (monthNumber(month) % 12) + 1,
        ...energyOf(own.map(([, each]) => each)),
      }));
      const whole = energyOf([...days.values()]);
      const isTooMuch = [...whole.consumptionKwh, whole.exportedKwh].some((kwh) => kwh > MAX_KWH);
      if (isTooMuch) throw refusedFile(say('it has more than {max} kWh', { max: MAX_KWH }));
      const notices: CurveNotice[] = [];
      if (estimatedHours > 0) notices.push('horas_estimadas');
      if (namesBeginnings) notices.push('horas_por_inicio');
      if (hours < expectedHours) notices.push('horas_sin_datos');
      if (whole.days < 365) notices.push('menos_de_un_ano');
      if (isByMonth) notices.push('totales_mensuales');
      const maximaKw = isByMonth || hasHours ? null : maxima.map((kilowatts) => kilowatts / MILLIONTHS);
      return { ...whole, months, maximaKw, coverage, notices };
    },
  };
}

type Totals = ReturnType<typeof createTotals>;

function energyOf(days: readonly { readonly energy: readonly number[]; readonly exported: number }[]): Energy {
  const sums = days.reduce<readonly number[]>(
    (sum, { energy }) => energy.map((value, period) => value + (sum[period] ?? 0)),
    [],
  );
  const exported = days.reduce((sum, day) => sum + day.exported, 0);
  return {
    days: days.length,
    consumptionKwh: sums.map((value) => value / MILLIONTHS),
    exportedKwh: exported / MILLIONTHS,
  };
}

function refusedFile(message: Message): DomainError {
  return new DomainError('business_rule', { issues: [{ path: 'file', message }] });
}

/** @throws DomainError `business_rule` for a file without an hour, or with too many missing. */
function coverageOf(days: ReadonlyMap<Day, { readonly hours: number }>) {
  const [first, ...others] = [...days.keys()].toSorted();
  if (first === undefined) throw refusedFile('it has no hour with a consumption');
  const expectedHours = hoursFrom(first, others.at(-1) ?? first);
  let hours = 0;
  for (const [day, own] of days) hours += Math.min(own.hours, hoursIn(day));
  if (expectedHours - hours > MAX_MISSING * expectedHours) {
    const missing = { missing: expectedHours - hours, hours: expectedHours };
    throw refusedFile(say('{missing} of its {hours} hours are missing, which is more than 5 %', missing));
  }
  return { hours, expectedHours };
}

/** How the hours of a file were read. */
interface HoursRead {
  readonly estimatedHours: number;
  /** It names hours by the clock, and an `HH:MM` was read as the beginning of its hour. */
  readonly namesBeginnings: boolean;
}

/** Adds the hours up. */
function takeHours(
  rows: readonly HourRow[],
  totals: Totals,
  { territory, onLoad }: { readonly territory: Territory; readonly onLoad: ((load: CurveLoad) => void) | undefined },
): HoursRead {
  // A file in which a day ends at 24:00, or at 25:00 in October, writes the end of each hour.
  let [span, namesEnds, hasClock, estimated] = [HOUR, false, false, 0];
  for (const { isClock, minute } of rows) {
    if (!isClock) continue;
    hasClock = true;
    if (minute % HOUR !== 0) span = QUARTER;
    if (minute >= 24 * HOUR) namesEnds = true;
  }
  const repeatedHour = territory === 'canarias' ? 1 : 2;
  for (const { row, day, minute, isClock, consumed, exported, isEstimated } of rows) {
    // The label of the row shows whether the file writes the beginning or the end of hours.
    if (consumed === null) continue;
    if (!isClock && span === QUARTER) throw refusedRow(row, 'an hour among quarter-hours');
    const start = !isClock || namesEnds ? minute - span : minute;
    if (start < 0)
      throw refusedRow(row, '00:00 in a file that names hours by their end: it is 24:00 of the day before');
    const own = totals.day(day);
    const hour = Math.floor(start / HOUR);
    // When the clock goes back one hour occurs twice, unless the file numbers the hours of that day to 25.
    const most = own.length === 25 && hour === repeatedHour ? 2 : 1;
    const times = (own.times[start / QUARTER] ?? 0) + 1;
    own.times[start / QUARTER] = times;
    own.hours += span / HOUR;
    if (times > most || own.hours > Math.max(24, own.length))
      throw refusedRow(row, 'an hour that the file has already');
    // Days on which the clock is changed are Sundays with one period, so it does not matter which of their hours it is.
    const at = Math.min(23, hour);
    const period = own.periods.energy[at] ?? 0;
    own.energy[period] = (own.energy[period] ?? 0) + consumed;
    own.exported += exported;
    const powerPeriod = own.periods.power[at] ?? 0;
    const load = consumed * (HOUR / span);
    totals.peak(powerPeriod, load, span === QUARTER);
    onLoad?.({ day, period: powerPeriod, kw: load / MILLIONTHS, isQuarter: span === QUARTER });
    if (isEstimated) estimated += span / HOUR;
  }
  return { estimatedHours: estimated, namesBeginnings: hasClock && !namesEnds };
}

/** Adds the months up, each with its days. */
function takeMonths(rows: readonly MonthRow[], totals: Totals): HoursRead {
  const seen = new Set<Day>();
  for (const { row, day: first, consumed, exported } of rows) {
    if (seen.size === MAX_MONTHS) throw refusedRow(row, say('a file covers at most {max} months', { max: MAX_MONTHS }));
    if (seen.has(first)) throw refusedRow(row, 'a month that the file has already');
    seen.add(first);
    const own = totals.day(first);
    for (const [period, value] of consumed.entries()) own.energy[period] = value;
    own.exported = exported;
    for (let day = first; day.startsWith(first.slice(0, 7)); day = dayAfter(day)) totals.day(day).hours = hoursIn(day);
  }
  return { estimatedHours: 0, namesBeginnings: false };
}
