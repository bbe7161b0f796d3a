import { type Day, dayIn, monthIn } from '../calendar.ts';
import type { SheetRow } from '../cells.ts';
import { DomainError } from '../errors.ts';
import { headerFinder, isTotal } from '../header.ts';
import { type Message, say } from '../messages/message.ts';
import { createMarks, type DecimalMark, type OpenNumber, openFault } from '../number-text.ts';
import type { Territory } from '../offers/offer.ts';
import { searchForm } from '../text.ts';
import { DAY, HOUR, type HourName } from './curve-hours.ts';
import { hoursIn, localTime } from './tariff-periods.ts';

/** Whole millionths of a kWh, so that sums are exact; a number that the rest of the file decides; `null`: missing. */
type Metered = number | OpenNumber | null;

/** The values of a row of hours. */
export interface HourRow extends HourName {
  readonly row: number;
  readonly consumed: Metered;
  readonly exported: Metered;
  readonly isEstimated: boolean;
}

/** The values of a row of a month, P1 to P3. */
export interface MonthRow {
  readonly row: number;
  /** Its first day. */
  readonly day: Day;
  readonly consumed: readonly [Metered, Metered, Metered];
  readonly exported: Metered;
}

/** Columns, by the names that distributors give them, without case, accents and signs. */
const HEADERS = {
  cups: ['cups'],
  fecha: ['fecha', 'date'],
  hora: ['hora', 'time'],
  fecha_hora: ['fechahora', 'fechayhora'],
  consumo: ['consumokwh', 'consumo', 'consumowh', 'aekwh', 'ehcrkwh', 'consumptionkwh'],
  energia_vertida: ['energiavertidakwh', 'askwh', 'ehexkwh', 'generacionwh', 'surplusenergykwh'],
  metodo: ['metodoobtencion', 'realestimado', 'obtainmethod'],
  punta: ['punta', 'puntakwh', 'consumopunta', 'consumopuntakwh'],
  llano: ['llano', 'llanokwh', 'consumollano', 'consumollanokwh'],
  valle: ['valle', 'vallekwh', 'consumovalle', 'consumovallekwh'],
} as const;
type ColumnName = keyof typeof HEADERS;
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(HEADERS).flatMap(([name, headers]) => headers.map((header): [string, string] => [header, name])),
);
/** Where a column is, whether it names its unit, and how many of it are a kWh. */
interface Column {
  readonly place: number;
  readonly namesUnit: boolean;
  readonly perKwh: 1 | 1000;
}
/** Those in which a line may say that it is a total. */
const LABELS = ['cups', 'fecha', 'hora', 'fecha_hora'] as const;
type Columns = Readonly<Partial<Record<ColumnName, Column>>>;

/** The largest value of an hour, kWh, so that sums of all rows of a file are exact. */
const MAX_HOUR_KWH = 200_000;
const MILLIONTHS = 1e6;

/**
 * The refusal of a row. Neither a cell nor a header of the file is repeated: they may hold the CUPS.
 *
 * @param column - `null`: the row as a whole.
 */
export function refusedRow(
  row: number,
  message: Message,
  column: { readonly name: ColumnName; readonly place: number | undefined } | null = null,
): DomainError {
  const inRow =
    column === null
      ? say('row {row}: {=message}', { row, message })
      : say('row {row}, column {number} ({name}): {=message}', {
          ...{ row, number: (column.place ?? 0) + 1, name: column.name, message },
        });
  return new DomainError('business_rule', { issues: [{ path: 'file', message: inRow }] });
}

/** Finds the header of a curve. */
export const curveHeaderFinder = () =>
  headerFinder(columnsOf, ({ cells }) => cells.filter((cell) => NAMES.has(headerForm(cell))).length);

const headerForm = ({ value }: SheetRow['cells'][number]): string =>
  searchForm(value.kind === 'text' ? value.text : '').replaceAll(/[^a-z0-9]/g, '');

/** The columns that a header names. @throws DomainError `business_rule` when it names too few, or one twice. */
function columnsOf({ row, cells }: SheetRow): Columns {
  const columns: Partial<Record<string, Column>> = {};
  for (const cell of cells) {
    const header = headerForm(cell);
    const name = NAMES.get(header);
    if (name === undefined) continue;
    if (columns[name] !== undefined) throw refusedRow(row, say('two columns are called {name}', { name }));
    const [namesUnit, perKwh] = [header.endsWith('wh'), /(?<!k)wh$/.test(header) ? 1000 : 1] as const;
    columns[name] = { place: cell.column, namesUnit, perKwh };
  }
  const needed = neededOf(columns);
  const missing = needed.find((name) => columns[name] === undefined);
  if (missing !== undefined) {
    const named = { name: missing, columns: needed.join(', ') };
    throw refusedRow(row, say('no column is called {name}; it needs {columns}', named));
  }
  return columns;
}

function neededOf({ fecha, hora, fecha_hora, consumo, punta }: Columns): readonly ColumnName[] {
  if (hora === undefined && fecha_hora !== undefined) return ['fecha_hora', 'consumo'];
  if (hora === undefined && punta !== undefined) return ['fecha', 'punta', 'llano', 'valle'];
  // Its cells may have hours too.
  if (hora === undefined && fecha !== undefined && consumo !== undefined) return ['fecha', 'consumo'];
  return ['fecha', 'hora', 'consumo'];
}

/** Whether rows are months. */
export function isMonthly({ hora, fecha_hora, punta }: Columns): boolean {
  return hora === undefined && fecha_hora === undefined && punta !== undefined;
}

/** The texts of a row by their places. */
interface TextRow {
  readonly row: number;
  readonly texts: readonly string[];
}

function textsOf({ row, cells }: SheetRow): TextRow {
  const texts: string[] = [];
  for (const { column, value } of cells) if (value.kind === 'text') texts[column] = value.text.trim();
  return { row, texts };
}

/** Reads what a meter has counted. */
function energyReader(columns: Columns) {
  const marks = createMarks();
  const inMillionths = (name: ColumnName, row: number, value: number): number => {
    const { perKwh = 1, place } = columns[name] ?? {};
    const max = MAX_HOUR_KWH * perKwh;
    if (value >= 0 && value <= max) return Math.round(value * (MILLIONTHS / perKwh));
    const unit = perKwh === 1 ? 'kWh' : 'Wh';
    throw refusedRow(row, say(`must be ${unit} from 0 to {max}, such as 0,123`, { max }), { name, place });
  };
  return {
    separatedByCommas() {
      // No meter counts thousandths of a Wh.
      if (columns.consumo?.perKwh !== 1000) marks.separatedByCommas();
    },
    /** The decimal mark of the file; `null`: it shows none. */
    mark: (): DecimalMark | null => marks.of(-1),
    read: (name: ColumnName, { row, texts }: TextRow, isNeeded = false): Metered => {
      const { place = -1 } = columns[name] ?? {};
      const text = texts[place] ?? '';
      if (text === '' && !isNeeded) return null;
      const value = marks.read(place, text);
      return typeof value === 'object' && value !== null ? value : inMillionths(name, row, value ?? Number.NaN);
    },
    /**
     * The value of a column once all rows were read.
     *
     * @param most - What it has at most, kWh: more is not meant.
     */
    settled: (name: ColumnName, row: number, value: Metered, most: number): number | null => {
      if (value === null || typeof value === 'number') return value;
      const { place = -1, perKwh = 1 } = columns[name] ?? {};
      const isWhole = perKwh === 1000 && marks.of(place) === null;
      const meant = isWhole ? value.thousands : marks.meant(place, value, most * perKwh);
      if (meant === null) throw refusedRow(row, openFault(value), { name, place });
      return inMillionths(name, row, meant);
    },
  };
}

/** Reads the rows below a header. What is `null` is a line that is none, such as a total. */
export function rowReader(header: SheetRow, columns: Columns, territory: Territory) {
  const { read, ...energy } = energyReader(columns);
  const titles = textsOf(header).texts.join('\n');
  let cups = '';
  const checkCups = ({ row, texts }: TextRow) => {
    const named = texts[columns.cups?.place ?? -1] ?? '';
    const isOther = named !== '' && cups !== '' && named !== cups;
    if (isOther) throw refusedRow(row, 'names another supply point: a file is about one', columnOf('cups'));
    cups ||= named;
  };
  /** Other columns of an hour may have any words. */
  const isSum = ({ texts }: TextRow, day: Day | null): boolean =>
    (day === null ? texts : LABELS.map((name) => texts[columns[name]?.place ?? -1] ?? '')).some(isTotal);
  const columnOf = (name: ColumnName) => ({ name, place: columns[name]?.place });
  const stamps = columns.hora !== undefined ? null : columns.fecha_hora !== undefined ? 'fecha_hora' : 'fecha';
  const [dayColumn, hourColumn] = [columnOf(stamps ?? 'fecha'), columnOf(stamps ?? 'hora')];
  return {
    ...energy,
    hour: (sent: SheetRow): HourRow | null => {
      const own = textsOf(sent);
      const { row, texts } = own;
      const textOf = (name: ColumnName): string => texts[columns[name]?.place ?? -1] ?? '';
      const [dayText, hourText] = stamps === null ? [textOf('fecha'), textOf('hora')] : dayAndTimeIn(textOf(stamps));
      const named = dayIn(dayText);
      if (isSum(own, named) || (!isUsual(named) && isOutside(dayText, hourText))) return null;
      checkCups(own);
      if (!isUsual(named)) throw refusedRow(row, DAY_FAULT, dayColumn);
      // Programs that write stamps may leave the time of midnight out.
      const [day, clock] = localOf(named, hourText || (stamps === null ? '' : '00:00'), territory);
      const time = timeOf(clock, day);
      if (time === null) throw refusedRow(row, HOUR_FAULT, hourColumn);
      const [consumed, exported] = [read('consumo', own), read('energia_vertida', own)];
      return { row, day, ...time, consumed, exported, isEstimated: /^e/i.test(textOf('metodo')) };
    },
    month: (sent: SheetRow): MonthRow | null => {
      const own = textsOf(sent);
      const text = own.texts[dayColumn.place ?? -1] ?? '';
      const day = monthIn(text);
      if (isSum(own, day) || (day === null && isOutside(text, ''))) return null;
      if (!isUsual(day)) throw refusedRow(own.row, 'must be a month as YYYY/MM, of 2000 to 2099', dayColumn);
      checkCups(own);
      const consumed = [read('punta', own, true), read('llano', own, true), read('valle', own, true)] as const;
      return { row: own.row, day, consumed, exported: read('energia_vertida', own) };
    },
    /** Whether a line may stand between hours: a total, or the header again. */
    mayStandBetween: (sent: SheetRow): boolean => {
      const { texts } = textsOf(sent);
      return texts.some(isTotal) || texts.join('\n') === titles;
    },
    /** Whether the header says in which unit consumption is. */
    namesUnit: (columns.consumo ?? columns.punta)?.namesUnit === true,
  };
}

const DAY_FAULT = 'must be a day as DD/MM/YYYY or YYYY/MM/DD, of 2000 to 2099';
const HOUR_FAULT = 'must be 1 to 24 (25 when the clock goes back), or HH:MM by quarter-hours or a range of them';

/** Whether a row without a day has nothing else that tells an hour, and what stands for the day looks like none. */
function isOutside(dayText: string, hourText: string): boolean {
  return !/^[\d/.-]+(T|$)/.test(dayText) && !/^\d{1,2}($|:\d\d| ?(-|[ap]\.? ?m))/i.test(hourText);
}

/** A clock may write the end of an hour or a quarter as the last minute or second of it. */
const CLOCK = /^(\d{1,2})(?::(\d\d)(?::00(?:\.0+)?|(?<=14|29|44|59):59)?)?(?: ?([ap])\.? ?m\.?)?$/i;
const RANGE = /\s*[-–]\s*|\s+a\s+/;
/** Without the name of its zone a minus is that of a range. */
const INSTANT = /^(\d\d:\d\d)(?::00(?:\.0+)?)? ?(?:(?:Z|UTC|GMT) ?([+-]\d\d?(?::?\d\d)?)?|(\+\d\d(?::?\d\d)?))$/i;

const OFFSET = /^([+-])(\d\d?):?(\d\d)?$/;

/** The texts of a day and a time in one cell. */
function dayAndTimeIn(text: string): readonly [day: string, time: string] {
  const [day = '', time = '', ...others] = text.split(/ +|(?<=\d)T(?=\d)/);
  const isStamp = text.charAt(day.length) === 'T';
  return [day, [isStamp ? time.replace(/(?=-\d\d:?\d\d$)/, 'Z') : time, ...others].join(' ')];
}

/** A day and a time of the local clock. With an offset they are those at that instant. */
function localOf(day: Day, text: string, territory: Territory): readonly [Day, string] {
  // Behind it may stand the name of the local clock, such as CET.
  const time = text.replace(/ (?!am?$|pm?$|m$|utc|gmt)[a-z]+$/i, '');
  const [, clock, offset, plain] = INSTANT.exec(time) ?? [];
  if (clock === undefined) return [day, time];
  const [, sign, hours, minutes = '00'] = OFFSET.exec(offset ?? plain ?? '+00') ?? [];
  const zone = `${sign}${hours?.padStart(2, '0')}:${minutes}`;
  return localTime(Date.parse(`${day}T${clock}${zone}`), territory) ?? [day, time];
}

const isUsual = (day: Day | null): day is Day => day !== null && day >= '2000' && day < '2100';

type Time = Omit<HourName, 'day'>;

/** Minutes of the day, of a range those of its end. Some files write the hours 1 to 25 as 01:00 to 25:00. */
function timeOf(text: string, day: Day): Time | null {
  const [first = null, last, ...more] = text.split(RANGE).map(minuteOf);
  const most = Math.max(24, hoursIn(day)) * 60;
  if (first === null || first.minute > most) return null;
  if (last === undefined) return first;
  if (last === null || first.isEnd || more.length > 0) return null;
  const minute = last.minute < first.minute - HOUR ? last.minute + DAY : last.minute;
  // One over the change of the clock is an hour longer or shorter.
  const changed = (hoursIn(day) - 24) * HOUR;
  const isOne = [0, changed].some((change) => [15, HOUR].includes(minute - first.minute + change));
  return isOne && minute <= most ? { minute, isClock: true, isEnd: true } : null;
}

function minuteOf(text: string): Time | null {
  const [whole, hour, past = '00', half] = CLOCK.exec(text) ?? [];
  const isOf12 = half !== undefined;
  if (whole === undefined || (isOf12 && (Number(hour) < 1 || Number(hour) > 12))) return null;
  const hours = isOf12 ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour);
  const isLast = (Number(past) + 1) % 15 === 0;
  const minute = hours * 60 + Number(past) + (isLast ? 1 : 0);
  if (minute % 15 !== 0) return null;
  return { minute, isClock: text.includes(':') || isOf12, isEnd: isLast || minute >= DAY };
}
