import type { SheetPart } from '../src/engine/cells.ts';
import { toSheetRows } from './bulk.ts';

/** An hour of a curve, by local time. */
export interface CurveHour {
  readonly day: string;
  /** 1 is the first of its day; 23 to 25 are the last. */
  readonly number: number;
  readonly kwh: number;
  readonly exportedKwh: number;
  readonly isEstimated: boolean;
}

/** How distributors write curves. */
export const CURVE_DIALECTS = [
  'datadis',
  'datadis_surplus',
  'edistribucion',
  'edistribucion_seven',
  'quarters',
  'plain',
  'ufd',
  'ide',
] as const;
export type CurveDialect = (typeof CURVE_DIALECTS)[number];

/** What differs between files of one dialect. */
export interface CurveStyle {
  readonly cups: string;
  readonly eol: '\n' | '\r\n';
  readonly quotes: boolean;
  readonly decimal: ',' | '.';
  readonly separator: ';' | ',' | '\t';
  /**
   * Hours named by a number, which is their end, or by the clock, at their beginning or end. `quarters` and `ide` have
   * no numbers, and name the beginning instead.
   */
  readonly clock: 'number' | 'begin' | 'end';
}

export const PLAIN_STYLE: CurveStyle = {
  cups: 'ES0021000000000001AB0F',
  eol: '\n',
  quotes: false,
  decimal: ',',
  separator: ';',
  clock: 'number',
};

const HEADERS: Readonly<Record<CurveDialect, string>> = {
  datadis: 'CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion',
  datadis_surplus: 'cups;fecha;hora;consumo_kWh;metodoObtencion;energiaVertida_kWh;energiaGenerada_kWh',
  edistribucion: 'CUPS;Fecha;Hora;AE_kWh;REAL/ESTIMADO',
  edistribucion_seven: 'CUPS;Fecha;Hora;AE_kWh;AS_KWh;AE_AUTOCONS_kWh;REAL/ESTIMADO',
  quarters: 'CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion;energiaVertida_kWh',
  plain: 'CUPS;Fecha;Hora;Consumo;Metodo_obtencion',
  ufd: 'CUPS;FECHA;HORA;EHCR (kWh);EHEX (kWh)',
  ide: 'CUPS;FECHA-HORA;INV / VER;CONSUMO Wh;GENERACION Wh;',
};

/** A curve as a distributor would save it, without a byte order mark. */
export function curveText(hours: readonly CurveHour[], dialect: CurveDialect, style: CurveStyle = PLAIN_STYLE): string {
  const lengths = new Map<string, number>();
  for (const { day, number } of hours) lengths.set(day, Math.max(lengths.get(day) ?? 0, number));
  const rows = hours.flatMap((hour) => rowsOf(hour, { dialect, style, length: lengths.get(hour.day) ?? 24 }));
  const cells = [HEADERS[dialect].split(';'), ...rows];
  const textOf = (cell: string) => (style.quotes || cell.includes(style.separator) ? `"${cell}"` : cell);
  return cells.map((row) => row.map(textOf).join(style.separator) + style.eol).join('');
}

function rowsOf(
  hour: CurveHour,
  { dialect, style, length }: { readonly dialect: CurveDialect; readonly style: CurveStyle; readonly length: number },
): readonly (readonly string[])[] {
  const { cups } = style;
  const [year, month, day] = hour.day.split('-');
  const kwh = (value: number) => String(value).replace('.', style.decimal);
  const method = hour.isEstimated ? 'Estimada' : 'Real';
  const fecha = dialect.startsWith('edistribucion') ? `${day}/${month}/${year}` : `${year}/${month}/${day}`;
  const by = dialect === 'ide' && style.clock === 'number' ? 'begin' : style.clock;
  const hora = nameOf(hour, by, length);
  const { kwh: consumed, exportedKwh: exported } = hour;
  switch (dialect) {
    case 'datadis':
      return [[cups, fecha, hora, kwh(consumed), method]];
    case 'datadis_surplus':
      return [[cups, fecha, hora, kwh(consumed), method, kwh(exported), '']];
    case 'edistribucion':
      return [[cups, fecha, hora, kwh(consumed), method.charAt(0)]];
    case 'edistribucion_seven':
      return [[cups, fecha, hora, kwh(consumed), kwh(exported), kwh(0), method.charAt(0)]];
    case 'quarters':
      return [0, 15, 30, 45].map((minute) => {
        const at = beginOf(hour, length) * 60 + minute + (style.clock === 'end' ? 15 : 0);
        return [cups, fecha, clock(at), kwh(consumed / 4), method, kwh(exported / 4)];
      });
    case 'plain':
      return [[cups, `${day}/${month}/${year}`, hora, kwh(consumed), method.charAt(0)]];
    case 'ufd':
      return [[cups, `${day}/${month}/${year}`, hora, kwh(consumed), kwh(exported)]];
    case 'ide':
      return [
        [cups, `${fecha} ${hora}`, '1', ...[consumed, exported].map((value) => String(Math.round(value * 1000))), ''],
      ];
  }
}

function nameOf(hour: CurveHour, by: CurveStyle['clock'], length: number): string {
  if (by === 'number') return String(hour.number);
  return clock((beginOf(hour, length) + (by === 'end' ? 1 : 0)) * 60);
}

/** By the clock, on the mainland: from 2 to 3 there is no hour in March, and there are two in October. */
function beginOf({ number }: CurveHour, length: number): number {
  if (length === 23 && number > 2) return number;
  return length === 25 && number > 3 ? number - 2 : number - 1;
}

function clock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/**
 * Hours of whole days: some in the day, more in the evening, of a thousandth of a kWh each.
 *
 * @param lengthOf - Hours that a day has.
 */
export function madeUpHours(days: readonly string[], lengthOf: (day: string) => number): readonly CurveHour[] {
  return days.flatMap((day, index) =>
    Array.from({ length: lengthOf(day) }, (_, hour) => ({
      day,
      number: hour + 1,
      kwh: (40 * ((index * 7 + hour * 13) % 29) + (hour > 17 ? 400 : 0)) / 1000,
      exportedKwh: hour > 10 && hour < 17 ? (4 * ((index + hour) % 11)) / 1000 : 0,
      isEstimated: (index * 24 + hour) % 97 === 0,
    })),
  );
}

/** The rows of the simplest file: `;` between cells, no quotes, ASCII. */
export function plainCurveParts(file: Uint8Array | string): readonly SheetPart[] {
  const text = typeof file === 'string' ? file : Array.from(file, (byte) => String.fromCharCode(byte)).join('');
  const rows = toSheetRows(text.split(/\r?\n/).map((line) => line.split(';')));
  return [{ sheet: 0, name: '', dates1904: false, rows }];
}
