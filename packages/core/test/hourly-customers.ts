import { readFileSync } from 'node:fs';
import { type Day, dayAfter, dayNumber } from '../src/engine/calendar.ts';
import { type CurveHour, type CurveTerms, createCurveReader } from '../src/engine/consumption/curve.ts';
import { hoursIn, startOfDay } from '../src/engine/consumption/tariff-periods.ts';
import { readIndex } from '../src/engine/indices/curve-prices.ts';
import { type IndexDay, QUARTER_MS } from '../src/engine/indices/index-days.ts';
import { createIndexFileReader } from '../src/engine/indices/index-file.ts';
import {
  type CURVE_DIALECTS,
  type CurveStyle,
  curveText,
  type CurveHour as MadeUpHour,
  PLAIN_STYLE,
  plainCurveParts,
} from '../testing/curve-files.ts';

/** The customers and prices of the references of an index: readings of their hours. */

export const MAINLAND: CurveTerms = { tariff: '2.0TD', territory: 'peninsula' };

const PVPC = readFileSync(new URL('../../../test-fixtures/catalog/pvpc-2.0TD-hourly.csv', import.meta.url), 'utf8');

export function published(): readonly IndexDay[] {
  const reader = createIndexFileReader({ geo: null, series: null });
  for (const [at, line] of PVPC.trimEnd().split('\n').entries()) {
    const cells = line.split(';').map((text, column) => ({ column, value: { kind: 'text', text } as const }));
    reader.takeRow({ row: at + 1, cells });
  }
  return reader.finish('PVPC');
}

export function daysOf(month: string): readonly Day[] {
  const days: Day[] = [];
  for (let day = `${month}-01`; day.startsWith(month); day = dayAfter(day)) days.push(day);
  return days;
}

interface Asked {
  readonly terms?: CurveTerms;
  readonly dialect?: (typeof CURVE_DIALECTS)[number];
  readonly style?: CurveStyle;
}

/** What a reading of a file says of an index. */
export function readingOf(
  made: readonly MadeUpHour[],
  days: readonly IndexDay[],
  { terms = MAINLAND, dialect = 'datadis_surplus', style = PLAIN_STYLE }: Asked = {},
) {
  const hours: CurveHour[] = [];
  const reader = createCurveReader(terms, { onHour: (hour) => void hours.push(hour) });
  for (const part of plainCurveParts(curveText(made, dialect, style))) reader.take(part);
  const curve = reader.finish();
  return { curve, ...readIndex(curve, { ...terms, community: terms.community ?? null, hours, days, index: 'PVPC' }) };
}

/** Hundredths of a kWh by the hour of every day, from 0 on. */
const HOME = [30, 25, 22, 21, 21, 23, 30, 42, 45, 40, 38, 38, 42, 50, 52, 42, 38, 40, 48, 62, 75, 78, 66, 45];
const ROOF = [0, 0, 0, 0, 0, 0, 0, 0, 20, 60, 110, 150, 180, 200, 200, 180, 140, 90, 40, 10, 0, 0, 0, 0];

export type Loads = (day: Day, hour: number) => readonly [kwh: number, exported: number];

/** Every day alike; an hour of 23 or 25 has the load of the hour that the clock shows. */
export function customer(months: readonly string[], loads: Loads) {
  return months.flatMap(daysOf).flatMap((day) =>
    Array.from({ length: hoursIn(day) }, (_, at): MadeUpHour => {
      const moved = hoursIn(day) === 23 && at >= 2 ? 1 : hoursIn(day) === 25 && at >= 3 ? -1 : 0;
      const [kwh, exportedKwh] = loads(day, at + moved);
      return { day, number: at + 1, kwh, exportedKwh, isEstimated: false };
    }),
  );
}

export const isWorkday = (day: Day) => ((dayNumber(day) ?? 0) + 3) % 7 < 5;
const net = (hour: number) => ((HOME[hour] ?? 0) - (ROOF[hour] ?? 0)) / 100;
export const CUSTOMERS: Readonly<Record<'home' | 'panels' | 'car' | 'office', Loads>> = {
  home: (_day: Day, hour: number) => [(HOME[hour] ?? 0) / 100, 0],
  panels: (_day: Day, hour: number) => [Math.max(0, net(hour)), Math.max(0, -net(hour))],
  car: (_day: Day, hour: number) => [(HOME[hour] ?? 0) / 100 + (hour >= 1 && hour < 5 ? 2.2 : 0), 0],
  office: (day: Day, hour: number) => [isWorkday(day) && hour >= 8 && hour < 18 ? 3 : 0.5, 0],
};

/** A series of random prices for whole local months, by the hour or by quarters. */
export function series(
  months: readonly string[],
  price: (time: number) => number | null,
  length: 24 | 96 = 24,
): readonly IndexDay[] {
  const all = months.flatMap(daysOf);
  const [first, last] = [startOfDay(all[0] ?? '', 'peninsula'), startOfDay(dayAfter(all.at(-1) ?? ''), 'canarias')];
  const days: IndexDay[] = [];
  for (let day = new Date(first).toISOString().slice(0, 10); Date.parse(day) < last; day = dayAfter(day)) {
    const at = (part: number) => price(Date.parse(day) + (part * 96 * QUARTER_MS) / length);
    days.push({ index: 'PVPC', day, prices: Array.from({ length }, (_, part) => at(part)) });
  }
  return days;
}
