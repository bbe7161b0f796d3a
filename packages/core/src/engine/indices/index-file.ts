import { MAX_INDEX_PRICE } from '../bounds.ts';
import { dayNumber, dayOf } from '../calendar.ts';
import type { SheetRow } from '../cells.ts';
import { hoursIn, startOfDay } from '../consumption/tariff-periods.ts';
import { DomainError } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';
import { type IndexDay, QUARTER_MS, QUARTERS_OF_DAY } from './index-days.ts';

/** What of a file is meant, where it has several series. */
export interface IndexChoice {
  /** The zone of ESIOS, such as `8741`; `null`: the only one of the file. */
  readonly geo: string | null;
  /** The type of REData; `null`: the only one of the file. */
  readonly series: string | null;
}

/** Reads one publication. */
export interface IndexFileReader {
  /** A row of a CSV. @throws DomainError `business_rule` that names the line. */
  takeRow(row: SheetRow): void;
  /** A whole JSON. @throws DomainError `business_rule` that names the instant. */
  takeJson(value: unknown): void;
  /** Days of UTC, the oldest first. @throws DomainError `business_rule`. */
  finish(index: string): readonly IndexDay[];
}

const OMIE = 'MARGINALPDBC';
/** From here on OMIE numbers quarter-hours. */
const FIRST_QUARTERS_OF_OMIE = '2025-10-01';
const INSTANT = /^(2\d{3}-\d\d-\d\d)T([01]\d|2[0-3]):(00|15|30|45):00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)$/;
const PRICE = /^-?\d{1,9}(?:[.,]\d{1,20})?$/;

/** EUR/MWh as EUR/kWh, by its decimals. */
const perKwh = (text: string): number => Number(`${text.replace(',', '.')}e-3`);

/**
 * A reader of what ESIOS (CSV and JSON), REData and OMIE publish, recognised by content.
 *
 * @see docs/assumptions.md, A-163
 */
export function createIndexFileReader({ geo, series }: IndexChoice): IndexFileReader {
  const quarters = createQuarters();
  const geos = new Set<string>();
  const takeEsios = createEsios({ geo, geos, put: quarters.put });
  const omie = createOmie(quarters.put);
  let form: 'esios' | 'omie' | 'json' | null = null;
  return {
    takeRow({ row: line, cells: placed }) {
      const cells: string[] = [];
      for (const { column, value } of placed) cells[column] = value.kind === 'text' ? value.text.trim() : '';
      const [first = ''] = cells;
      if (first === OMIE) form ??= 'omie';
      if (form === 'omie') return omie.take(line, cells);
      if (form === null && !takeEsios.header(cells)) throw unknownForm();
      else if (form === 'esios') takeEsios.row(line, cells);
      form = 'esios';
    },
    takeJson(value) {
      form = 'json';
      const { indicator, included } = Object(value);
      if (Array.isArray(indicator?.values)) return takeEsios.values(indicator.values);
      if (!Array.isArray(included)) throw unknownForm();
      for (const one of chosenOf(included, series)) takeValues(one, quarters.put);
    },
    finish(index) {
      if (form === null) throw unknownForm();
      const isOfZones = geos.size > 0;
      if (geo !== null && !geos.has(geo)) throw refused(notIn('--geo', geo, [...geos]));
      if (geo === null && isOfZones && geos.size > 1) throw refused(several('--geo', [...geos]));
      if (series !== null && (form !== 'json' || isOfZones)) throw refused(notIn('--serie', series, []));
      omie.finish();
      return quarters.days(index);
    },
  };
}

/** @param isOwn - Whether the file may have another price beside it in its hour; default `true`. */
type Put = (time: number, price: number, place: Message, isOwn?: boolean) => void;

/** Prices by instant. An instant twice with one price is one. */
function createQuarters() {
  const days = new Map<number, (number | null)[]>();
  let hasQuarters = false;
  const put: Put = (time, price, place, isOwn = true) => {
    if (Math.abs(price) > MAX_INDEX_PRICE)
      throw refused(say('{=place}: a price beyond {max} EUR/kWh', { place, max: MAX_INDEX_PRICE }));
    const at = time / QUARTER_MS;
    const number = Math.floor(at / QUARTERS_OF_DAY);
    const prices = days.get(number) ?? new Array<number | null>(QUARTERS_OF_DAY).fill(null);
    days.set(number, prices);
    const quarter = at - number * QUARTERS_OF_DAY;
    hasQuarters ||= isOwn && quarter % 4 > 0;
    if ((prices[quarter] ?? price) !== price)
      throw refused(say('{=place}: an instant that the file has with another price', { place }));
    prices[quarter] = price;
  };
  return {
    put,
    days: (index: string): readonly IndexDay[] => {
      if (days.size === 0) throw refused('it has no price');
      // The smallest step of a file says which it has.
      const own = (prices: readonly (number | null)[]) =>
        hasQuarters ? prices : prices.filter((_, at) => at % 4 === 0);
      const inOrder = [...days].toSorted(([a], [b]) => a - b);
      return inOrder.map(([number, prices]) => ({ index, day: dayOf(number), prices: own(prices) }));
    },
  };
}

interface EsiosParts {
  readonly geo: string | null;
  /** Gets the zones of the file. */
  readonly geos: Set<string>;
  readonly put: Put;
}

/** The export of ESIOS as CSV and as JSON. */
function createEsios({ geo, geos, put }: EsiosParts) {
  const isMeant = (zone: string): boolean => {
    geos.add(zone);
    // Of several unnamed ones nothing is read: the end of the file refuses them.
    return zone === (geo ?? geos.values().next().value);
  };
  let columns: readonly number[] = [];
  return {
    header(cells: readonly string[]): boolean {
      const names = cells.map((cell) => cell.toLowerCase());
      columns = ['geoid', 'datetime', 'value'].map((name) => names.indexOf(name));
      return !columns.includes(-1);
    },
    row(line: number, cells: readonly string[]): void {
      const [zone = '', instant = '', value = ''] = columns.map((column) => cells[column] ?? '');
      if (!isMeant(zone) || value === '') return;
      const place = say('line {line}', { line });
      put(timeOf(instant, place), priceOf(value, place), place);
    },
    values(values: readonly unknown[]): void {
      takeValues(
        values.filter((one) => isMeant(String(Object(one).geo_id))),
        put,
      );
    },
  };
}

/** Members `value` and `datetime`, which has its offset, or `datetime_utc`. */
function takeValues(values: readonly unknown[], put: Put): void {
  for (const one of values) {
    const { value, datetime, datetime_utc: utc } = Object(one);
    if (value === null || value === undefined) continue;
    const instant = String(INSTANT.test(datetime) ? datetime : (utc ?? datetime));
    const place = say('the price of {instant}', { instant: instant.slice(0, 40) });
    put(timeOf(instant, place), priceOf(String(value), place), place);
  }
}

/** The values of the series of REData that is meant. */
function chosenOf(included: readonly unknown[], series: string | null): readonly (readonly unknown[])[] {
  const all = included.map((one) => Object(one));
  const types = all.map(({ type }) => String(type));
  if (series !== null && !types.includes(series)) throw refused(notIn('--serie', series, types));
  if (series === null && types.length > 1) throw refused(several('--serie', types));
  const meant = all.filter(({ type }) => series === null || type === series);
  return meant.map(({ attributes }) => {
    if (!Array.isArray(attributes?.values)) throw unknownForm();
    return attributes.values;
  });
}

/** Days of OMIE, each with its hours or quarter-hours numbered from 1. */
function createOmie(put: Put) {
  const days = new Map<string, Map<number, number>>();
  return {
    take(line: number, cells: readonly string[]): void {
      const place = say('line {line}', { line });
      const [year = '', month = '', day = '', number = '', , spain = ''] = cells;
      if (year === OMIE || year === '*' || year === '') return;
      const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
      if (dayNumber(text) === null || !/^\d{1,3}$/.test(number))
        throw refused(say('{=place}: no day with a number of its hours', { place }));
      const prices = days.get(text) ?? new Map<number, number>();
      days.set(text, prices);
      const quarters = text < FIRST_QUARTERS_OF_OMIE ? 4 : 1;
      const most = (hoursIn(text) * 4) / quarters;
      if (Number(number) < 1 || Number(number) > most)
        throw refused(say('{=place}: the day has {count} prices', { place, count: most }));
      prices.set(Number(number), most);
      const price = priceOf(spain, place);
      const first = startOfDay(text, 'peninsula') + (Number(number) - 1) * quarters * QUARTER_MS;
      for (let at = 0; at < quarters; at++) put(first + at * QUARTER_MS, price, place, quarters === 1);
    },
    finish(): void {
      for (const [day, prices] of days) {
        const most = prices.values().next().value ?? 0;
        if (prices.size < most)
          throw refused(say('{day} has {number} of its {count} prices', { day, number: prices.size, count: most }));
      }
    },
  };
}

function timeOf(text: string, place: Message): number {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  const time = dayNumber(day) === null ? Number.NaN : Date.parse(text);
  if (Number.isNaN(time) || time % QUARTER_MS !== 0)
    throw refused(say('{=place}: no instant at which an hour or a quarter-hour begins', { place }));
  return time;
}

function priceOf(text: string, place: Message): number {
  if (!PRICE.test(text)) throw refused(say('{=place}: no price in EUR/MWh', { place }));
  return perKwh(text);
}

function refused(message: Message): DomainError {
  return new DomainError('business_rule', { issues: [{ path: 'file', message }] });
}

function unknownForm(): DomainError {
  return refused('it is no publication of ESIOS, REData or OMIE');
}

function several(option: string, values: readonly string[]): Message {
  return say('it has several: name one with {option}: {values}', { option, values: values.slice(0, 20).join(', ') });
}

function notIn(option: string, value: string, values: readonly string[]): Message {
  const has = values.length === 0 ? '-' : values.slice(0, 20).join(', ');
  return say('{option} {value} is not in it; it has {values}', { option, value: value.slice(0, 40), values: has });
}
