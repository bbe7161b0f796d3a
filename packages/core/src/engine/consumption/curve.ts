import { MAX_KWH } from '../bounds.ts';
import { type Day, dayAfter, monthNumber } from '../calendar.ts';
import type { SheetPart, SheetRow } from '../cells.ts';
import { DomainError } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';
import type { DecimalMark } from '../number-text.ts';
import type { Community, Territory } from '../offers/offer.ts';
import { MOST_KWH_OF_AN_HOUR_OF_2_0TD, probableLoads } from '../plausible.ts';
import { beginningOf, HOUR, type HourNames, hourNamesOf, timesOf, withEndsOfDays } from './curve-hours.ts';
import { curveHeaderFinder, type HourRow, isMonthly, type MonthRow, refusedRow, rowReader } from './curve-rows.ts';

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
  'consumo_improbable',
  'excedentes_sin_datos',
  'horas_estimadas',
  'horas_por_inicio',
  'horas_sin_datos',
  'indice_incompleto',
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
    /** The year of the month. */
    readonly year: number;
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
  /** How the file was read. */
  readonly reading: {
    /** What the file names of each hour; `null`: it has totals by month. */
    readonly hoursNamed: 'beginning' | 'end' | null;
    /** `null`: it shows none. */
    readonly decimalMark: DecimalMark | null;
    /** How many lines above the header, or around the hours, are no part of the table, such as titles and totals. */
    readonly linesOutside: number;
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

/** An hour or a quarter-hour of a file, as it is named there. */
export interface CurveHour {
  readonly day: Day;
  /** Minutes of the day at which it begins, by its name. */
  readonly start: number;
  /** The file has it the second time, as when the clock goes back. */
  readonly isSecond: boolean;
  /** Its minutes. */
  readonly span: 15 | 60;
  /** Of energy, 0 for P1. */
  readonly period: number;
  readonly consumedKwh: number;
  readonly exportedKwh: number;
}

/** Who gets what a reader reads besides the sums, in the order of the file, when it finishes. */
interface CurveListeners {
  readonly onLoad?: (load: CurveLoad) => void;
  readonly onHour?: (hour: CurveHour) => void;
}

/** Reads a curve part by part, so that the reader can pause between two parts. */
export interface CurveReader {
  /** @throws DomainError `business_rule` that names row and column. */
  take(part: Pick<SheetPart, 'rows' | 'hasCommas'>): void;
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

/**
 * A reader of the CSV that distributors and Datadis give to every customer, as rows of texts; The result does not have
 * the supply point, and no refusal repeats a cell.
 *
 * @throws DomainError `business_rule` as `tariffCalendar`.
 * @see docs/assumptions.md, A-80
 */
export function createCurveReader(
  { tariff, territory, community = null }: CurveTerms,
  listeners: CurveListeners = {},
): CurveReader {
  const calendar = tariffCalendar(tariff, territory, community);
  const hours: HourRow[] = [];
  const months: MonthRow[] = [];
  const header = curveHeaderFinder();
  let reader: ReturnType<typeof rowReader> | null = null;
  let isByMonth = false;
  let [count, outside, isBelow] = [0, 0, false];
  const take = (row: SheetRow): boolean => {
    if (reader === null) {
      const columns = header.take(row);
      if (columns === null) return false;
      isByMonth = isMonthly(columns);
      if (isByMonth && tariff !== '2.0TD') throw refusedRow(row.row, 'totals by month are those of 2.0TD alone');
      reader = rowReader(row, columns, territory);
      return true;
    }
    count += 1;
    if (count > MAX_CURVE_ROWS)
      throw refusedRow(row.row, say('a file has at most {max} rows', { max: MAX_CURVE_ROWS }));
    const [hour, month] = isByMonth ? [null, reader.month(row)] : [reader.hour(row), null];
    if (hour === null && month === null) {
      isBelow ||= hours.length + months.length > 0 && !reader.mayStandBetween(row);
      return false;
    }
    if (isBelow) throw refusedRow(row.row, 'stands below a line without a day: delete the lines between the hours');
    if (hour) hours.push(hour);
    if (month) months.push(month);
    return true;
  };
  return {
    take({ rows, hasCommas }) {
      for (const row of rows) if (!take(row)) outside += 1;
      if (hasCommas) reader?.separatedByCommas();
    },
    finish() {
      if (reader === null) header.give();
      const totals = createTotals(calendar);
      const { settled = () => null, mark = () => null, namesUnit = true } = reader ?? {};
      const settle: Settle = (name, row, value) =>
        settled(name, row, value, tariff === '2.0TD' && !isByMonth ? MOST_KWH_OF_AN_HOUR_OF_2_0TD : MAX_KWH);
      const read = isByMonth
        ? takeMonths(months, totals, settle)
        : takeHours(hours, totals, { territory, ...listeners, settle });
      const reading = { hoursNamed: read.hoursNamed, decimalMark: mark(), linesOutside: outside };
      return { tariff, territory, ...totals.result({ ...read, tariff, namesUnit }), reading };
    },
  };
}

/** A day of a file, with sums in whole millionths. What every hour of it needs is looked up once. */
interface MeteredDay {
  hours: number;
  exported: number;
  /** The first row with a surplus and no consumption; `null`: none. */
  surplusRow: number | null;
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
      const [length, periods] = [hoursIn(day), calendar.periodsOf(day)];
      const made = { hours: 0, exported: 0, surplusRow: null, energy, length, periods, times: [] };
      days.set(day, made);
      return made;
    },
    peak(period: number, kilowatts: number, isOfQuarter: boolean) {
      hasHours ||= !isOfQuarter;
      maxima[period] = Math.max(maxima[period] ?? 0, kilowatts);
    },
    result({ estimatedHours, hoursNamed, isOpen, lacksSurplus, tariff, namesUnit }: HoursRead & UnitRead) {
      const isByMonth = hoursNamed === null;
      const { hours, expectedHours } = coverageOf(days);
      const coverage = { hours: isByMonth ? null : hours, expectedHours, estimatedHours };
      const byMonth = Map.groupBy([...days].toSorted(), ([day]) => `${day.slice(0, 7)}-01`);
      if (byMonth.size > MAX_MONTHS) throw refusedFile(say('it covers more than {max} months', { max: MAX_MONTHS }));
      const months = [...byMonth].map(([month, own]) => ({
        month: (monthNumber(month) % 12) + 1,
        year: Number(month.slice(0, 4)),
        ...energyOf(own.map(([, each]) => each)),
      }));
      const whole = energyOf([...days.values()]);
      const isTooMuch = [...whole.consumptionKwh, whole.exportedKwh].some((kwh) => kwh > MAX_KWH);
      if (isTooMuch) throw refusedFile(say('it has more than {max} kWh', { max: MAX_KWH }));
      const notices: CurveNotice[] = [];
      if (isImprobable(whole, hours, { tariff, namesUnit: namesUnit || isByMonth })) notices.push('consumo_improbable');
      if (lacksSurplus) notices.push('excedentes_sin_datos');
      if (estimatedHours > 0) notices.push('horas_estimadas');
      if (isOpen) notices.push('horas_por_inicio');
      if (hours < expectedHours) notices.push('horas_sin_datos');
      if (whole.days < 365) notices.push('menos_de_un_ano');
      if (isByMonth) notices.push('totales_mensuales');
      const maximaKw = isByMonth || hasHours ? null : maxima.map((kilowatts) => kilowatts / MILLIONTHS);
      return { ...whole, months, maximaKw, coverage, notices };
    },
  };
}

type Totals = ReturnType<typeof createTotals>;

interface UnitRead {
  readonly tariff: MeasuredTariff;
  /** Whether the header says kWh or Wh. */
  readonly namesUnit: boolean;
}

/** Whether the mean load is none of the tariff. @throws DomainError where it can only be Wh that no header names. */
function isImprobable({ consumptionKwh }: Energy, hours: number, { tariff, namesUnit }: UnitRead): boolean {
  const [least, most] = probableLoads(tariff);
  const meanKw = consumptionKwh.reduce((sum, kwh) => sum + kwh, 0) / hours;
  if (meanKw > most && tariff === '2.0TD' && !namesUnit)
    throw refusedFile('its consumption is more than 2.0TD has: where it is Wh, name the column consumo_Wh');
  return meanKw > most || (meanKw > 0 && meanKw < least);
}

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
function coverageOf(days: ReadonlyMap<Day, Pick<MeteredDay, 'hours' | 'surplusRow'>>) {
  const [first, ...others] = [...days.keys()].toSorted();
  if (first === undefined) throw refusedFile('it has no hour with a consumption');
  const expectedHours = hoursFrom(first, others.at(-1) ?? first);
  let hours = 0;
  for (const [day, own] of days) hours += Math.min(own.hours, hoursIn(day));
  const isShort = expectedHours - hours > MAX_MISSING * expectedHours;
  for (const own of days.values()) {
    if (own.surplusRow !== null && (isShort || own.hours === 0))
      throw refusedRow(own.surplusRow, 'a surplus without a consumption: write 0 where nothing was consumed');
  }
  if (isShort) {
    const missing = { missing: expectedHours - hours, hours: expectedHours };
    throw refusedFile(say('{missing} of its {hours} hours are missing, which is more than 5 %', missing));
  }
  return { hours, expectedHours };
}

/** How the hours of a file were read. */
interface HoursRead {
  readonly estimatedHours: number;
  readonly hoursNamed: HourNames['named'] | null;
  /** Nothing shows whether an `HH:MM` is the beginning of its hour. */
  readonly isOpen: boolean;
  /** Some hours have a surplus, and others none, not even 0. */
  readonly lacksSurplus: boolean;
}

type Settle = (
  name: 'consumo' | 'energia_vertida' | 'punta' | 'llano' | 'valle',
  row: number,
  value: HourRow['consumed'],
) => number | null;

interface HoursContext extends CurveListeners {
  readonly territory: Territory;
  readonly settle: Settle;
}

/** Adds the hours up. */
function takeHours(
  sentRows: readonly HourRow[],
  totals: Totals,
  { territory, onLoad, onHour, settle }: HoursContext,
): HoursRead {
  const rows = withEndsOfDays(sentRows);
  const names = hourNamesOf(rows, territory);
  const { span, named, hasEnds } = names;
  let [estimated, exports, lacksSurplus] = [0, false, false];
  for (const sent of rows) {
    const { row, isClock, isEstimated } = sent;
    const [consumed, exported] = [settle('consumo', row, sent.consumed), settle('energia_vertida', row, sent.exported)];
    // The label of the row shows what the file names of hours.
    if (consumed === null && exported === null) continue;
    if (!isClock && span === QUARTER) throw refusedRow(row, 'an hour among quarter-hours');
    if (!isClock && hasEnds && sent.minute === 0)
      throw refusedRow(row, 'hour 0 in a file that numbers them from 1 to 24');
    const { day, start } = beginningOf(sent, names);
    const own = totals.day(day);
    exports ||= exported !== null;
    own.exported += exported ?? 0;
    if (consumed === null) {
      own.surplusRow ??= row;
      onHour?.({
        ...{ day, start, span, isSecond: false, period: 0, consumedKwh: 0 },
        exportedKwh: Number(exported) / MILLIONTHS,
      });
      continue;
    }
    lacksSurplus ||= exported === null;
    const times = (own.times[start / QUARTER] ?? 0) + 1;
    own.times[start / QUARTER] = times;
    own.hours += span / HOUR;
    if (times > timesOf({ day, start }, named, territory) || own.hours > Math.max(24, own.length))
      throw refusedRow(
        row,
        sent.day === day
          ? 'an hour that the file has already'
          : '00:00 in a file that names hours by their end, and the day before has its 24:00',
      );
    // Days on which the clock is changed are Sundays with one period, so it does not matter which of their hours it is.
    const at = Math.min(23, Math.floor(start / HOUR));
    const period = own.periods.energy[at] ?? 0;
    own.energy[period] = (own.energy[period] ?? 0) + consumed;
    const powerPeriod = own.periods.power[at] ?? 0;
    const load = consumed * (HOUR / span);
    totals.peak(powerPeriod, load, span === QUARTER);
    const kwh = { consumedKwh: consumed / MILLIONTHS, exportedKwh: (exported ?? 0) / MILLIONTHS };
    onHour?.({ day, start, span, isSecond: times > 1, period, ...kwh });
    onLoad?.({ day, period: powerPeriod, kw: load / MILLIONTHS, isQuarter: span === QUARTER });
    if (isEstimated) estimated += span / HOUR;
  }
  return { estimatedHours: estimated, hoursNamed: named, isOpen: names.isOpen, lacksSurplus: exports && lacksSurplus };
}

/** Adds the months up, each with its days. */
function takeMonths(rows: readonly MonthRow[], totals: Totals, settle: Settle): HoursRead {
  const seen = new Set<Day>();
  for (const { row, day: first, consumed, exported } of rows) {
    if (seen.size === MAX_MONTHS) throw refusedRow(row, say('a file covers at most {max} months', { max: MAX_MONTHS }));
    if (seen.has(first)) throw refusedRow(row, 'a month that the file has already');
    seen.add(first);
    const own = totals.day(first);
    for (const [period, name] of (['punta', 'llano', 'valle'] as const).entries())
      own.energy[period] = settle(name, row, consumed[period] ?? null) ?? 0;
    own.exported = settle('energia_vertida', row, exported) ?? 0;
    for (let day = first; day.startsWith(first.slice(0, 7)); day = dayAfter(day)) totals.day(day).hours = hoursIn(day);
  }
  return { estimatedHours: 0, hoursNamed: null, isOpen: false, lacksSurplus: false };
}
