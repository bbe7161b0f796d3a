import { describe, expect, test } from 'vitest';
import { plainCurveParts } from '../../../testing/curve-files.ts';
import { dayAfter } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { type Curve, type CurveTerms, createCurveReader } from './curve.ts';

const HOME: CurveTerms = { tariff: '2.0TD', territory: 'peninsula' };
const FACTORY: CurveTerms = { tariff: '6.1TD', territory: 'peninsula' };

function read(lines: readonly string[], terms = HOME): Curve {
  const reader = createCurveReader(terms);
  for (const part of plainCurveParts(lines.join('\n'))) reader.take(part);
  return reader.finish();
}

/** What a file is refused with. */
function refusalOf(lines: readonly string[], terms = HOME): string {
  try {
    read(lines, terms);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [issue] = 'issues' in error.details ? (error.details.issues ?? []) : [];
    return issue ? inWords(issue.message) : '';
  }
  return 'read';
}

const HEADER = 'Fecha;Hora;AE_kWh';
const clock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

function daysFrom(first: string, count: number): readonly string[] {
  const days = [first];
  while (days.length < count) days.push(dayAfter(days.at(-1) ?? first));
  return days;
}

/**
 * Rows of hours by their end, numbers of the hour as kWh; midnight as 24:00 where `late` says so, else as 00:00 of the next
 * day.
 */
const byEnd = (days: readonly string[], late: (day: string) => boolean, span = 60) =>
  days.flatMap((day) =>
    Array.from({ length: (24 * 60) / span }, (_, at) => {
      const end = (at + 1) * span;
      const isNext = end === 24 * 60 && !late(day);
      return `${isNext ? dayAfter(day) : day};${clock(isNext ? 0 : end)};${Math.floor((end - span) / 60) + 1}`;
    }),
  );
const byBeginning = (days: readonly string[]) =>
  days.flatMap((day) => Array.from({ length: 24 }, (_, hour) => `${day};${clock(hour * 60)};${hour + 1}`));
const asZero = (row: string): string => row.replace(';24:00;', ';00:00;');
/** Of days from Monday on: sums of the hours 1 to 24 by period. */
const WORKING_DAY = [11 + 12 + 13 + 14 + 19 + 20 + 21 + 22, 9 + 10 + 15 + 16 + 17 + 18 + 23 + 24, 36];

describe('A-80: hours are named by what the whole file shows', () => {
  const weekdays = daysFrom('2026-02-02', 5);
  const sums = WORKING_DAY.map((kwh) => kwh * 5);
  const late = byEnd(weekdays, () => true).map(asZero);
  test.each<[string, readonly string[], 'beginning' | 'end']>([
    ['ends, midnight as 00:00 of the next day', byEnd(weekdays, () => false), 'end'],
    ['ends, midnight as 24:00', byEnd(weekdays, () => true), 'end'],
    ['ends, midnight in both forms', byEnd(weekdays, (day) => day !== '2026-02-04'), 'end'],
    ['ends, 24:00 on one day alone', byEnd(weekdays, (day) => day === '2026-02-03'), 'end'],
    ['ends, a lone 00:00 after the last day', byEnd(weekdays, (day) => day !== '2026-02-06'), 'end'],
    ['beginnings', byBeginning(weekdays), 'beginning'],
    ['beginnings from 0 to 23', byBeginning(weekdays).map((row) => row.replace(/;0?(\d+):00;/, ';$1;')), 'beginning'],
    ['ends as 1 to 23 and 0', byEnd(weekdays, () => false).map((row) => row.replace(/;0?(\d+):00;/, ';$1;')), 'end'],
    ['ends, the newest hour first', byEnd(weekdays, () => false).toReversed(), 'end'],
    ['ends, midnight as 00:00 behind 23:00 of its day', late, 'end'],
    ['ends, the newest first, midnight as 00:00 of its day', late.toReversed(), 'end'],
    ['beginnings, the newest hour first', byBeginning(weekdays).toReversed(), 'beginning'],
  ])('%s', (_, rows, hoursNamed) => {
    const { consumptionKwh, days, notices, reading } = read([HEADER, ...rows]);
    expect({ consumptionKwh, days, notices }).toEqual({ consumptionKwh: sums, days: 5, notices: ['menos_de_un_ano'] });
    expect(reading.hoursNamed).toBe(hoursNamed);
  });

  test('quarter-hours by their end, midnight as 00:00 of the next day', () => {
    const { consumptionKwh, days, reading } = read([HEADER, ...byEnd(weekdays, () => false, 15)]);
    expect([consumptionKwh, days, reading.hoursNamed]).toEqual([sums.map((kwh) => kwh * 4), 5, 'end']);
    expect(read([HEADER, ...byEnd(weekdays, () => true, 15).map(asZero)]).consumptionKwh).toEqual(consumptionKwh);
  });

  test('a day of beginnings that has its first and last hour alone does not make ends of the others', () => {
    const rows = byBeginning(daysFrom('2026-02-02', 40)).filter((row) => !/-09;(0[1-9]|1\d|2[0-2])/.test(row));
    expect(read([HEADER, ...rows]).reading.hoursNamed).toBe('beginning');
  });

  test.each<[string, readonly string[]]>([
    ['the hour from 1 to 2 by its end twice, as clocks in UTC show it', ['01:00', '02:00', '02:00', '03:00']],
    ['the hour from 2 to 3 by its end twice', ['01:00', '02:00', '03:00', '03:00']],
  ])('ends over the 25 hours of October, %s', (_, first) => {
    const october = (hours: readonly string[]) => hours.map((hour) => `2026-10-25;${hour};1`);
    const later = Array.from({ length: 20 }, (__, at) => clock((at + 4) * 60));
    const rows = [...october([...first, ...later]), '2026-10-26;00:00;1'];
    expect(rows).toHaveLength(25);
    const before = byEnd(['2026-10-24'], () => false);
    const { coverage, days, reading } = read([HEADER, ...before, ...rows]);
    expect([coverage.hours, coverage.expectedHours, days, reading.hoursNamed]).toEqual([49, 49, 2, 'end']);
  });

  test('ends over the 23 hours of March', () => {
    const rows = byEnd(['2026-03-29'], () => false).filter((row) => !row.includes(';03:00;'));
    const { coverage, reading } = read([HEADER, ...byEnd(['2026-03-28'], () => false), ...rows]);
    expect([coverage.hours, coverage.expectedHours, reading.hoursNamed]).toEqual([47, 47, 'end']);
  });

  test('hours that may be either are read as beginnings, with a warning', () => {
    const rows = byBeginning(daysFrom('2026-02-02', 12)).slice(5, -5);
    const { notices, reading } = read([HEADER, ...rows]);
    expect(notices).toContain('horas_por_inicio');
    expect(reading.hoursNamed).toBe('beginning');
  });

  test('00:00 is refused where the day before has its 24:00 too', () => {
    const rows = [...byEnd(weekdays, () => true), '2026-02-05;00:00;1'];
    expect(refusalOf([HEADER, ...rows])).toBe(
      'row 122: 00:00 in a file that names hours by their end, and the day before has its 24:00',
    );
  });
});

describe('A-80: forms of a day and an hour', () => {
  const weekdays = daysFrom('2026-02-02', 5);
  const sums = WORKING_DAY.map((kwh) => kwh * 5);
  /** Rows of hours in one column or two, by the minutes at which each begins. */
  const rowsOf = (form: (day: string, start: number) => string) =>
    weekdays.flatMap((day) => Array.from({ length: 24 }, (_, hour) => `${form(day, hour * 60)};${hour + 1}`));
  const spanish = (day: string) => day.split('-').toReversed().join('/');
  const half = (start: number) => `${clock(((start + 660) % 720) + 60)} ${start < 720 ? 'AM' : 'PM'}`.replace(/^0/, '');
  const utc = (day: string, start: number) => new Date(Date.parse(`${day}T${clock(start)}+01:00`)).toISOString();
  const spanishUtc = (day: string, start: number, zone: string) => {
    const [date = '', time = ''] = utc(day, start).split('T');
    return `${spanish(date)} ${time.slice(0, 5)}${zone}`;
  };
  const until = (start: number) => clock((start + 60) % 1440);

  test.each<[string, string, (day: string, start: number) => string]>([
    ['2026-02-02T00:00', 'FECHA-HORA', (day, start) => `${day}T${clock(start)}`],
    ['2026-02-02 00:00 CET', 'FECHA-HORA', (day, start) => `${day} ${clock(start)} CET`],
    ['2026-02-02T00:00:00', 'FECHA-HORA', (day, start) => `${day}T${clock(start)}:00`],
    ['2026-02-02T00:00:00+01:00', 'FECHA-HORA', (day, start) => `${day}T${clock(start)}:00+01:00`],
    ['2026-02-02 00:00+01', 'FECHA-HORA', (day, start) => `${day} ${clock(start)}+01`],
    ['2026-02-01T23:00:00.000Z', 'FECHA-HORA', utc],
    [
      '2026-02-01T20:00-0300',
      'FECHA-HORA',
      (day, start) => {
        return `${new Date(Date.parse(`${day}T${clock(start)}+04:00`)).toISOString().slice(0, 16)}-0300`;
      },
    ],
    ['00:00-01:00', 'Fecha;Hora', (day, start) => `${day};${clock(start)}-${until(start)}`],
    ['00:00 - 01:00 behind a day', 'FECHA-HORA', (day, start) => `${day} ${clock(start)} - ${until(start)}`],
    ['00-01', 'Fecha;Hora', (day, start) => `${day};${clock(start).slice(0, 2)}-${clock(start + 60).slice(0, 2)}`],
    ['00:00 a 00:59', 'Fecha;Hora', (day, start) => `${day};${clock(start)} a ${clock(start + 59)}`],
    ['00:59 as an end', 'Fecha;Hora', (day, start) => `${day};${clock(start + 59)}`],
    ['23:59 as the last end', 'Fecha;Hora', (day, start) => `${day};${clock(start + (start === 1380 ? 59 : 60))}`],
    ['23:59:59 as the last end', 'Fecha;Hora', (day, start) => `${day};${start === 1380 ? '23:59:59' : until(start)}`],
    ['01/02/2026 23:00 UTC', 'FECHA-HORA', (day, start) => spanishUtc(day, start, ' UTC')],
    ['01/02/2026 23:00:00 GMT', 'FECHA-HORA', (day, start) => spanishUtc(day, start, ':00 GMT')],
    ['02/02/2026 00:00 UTC+1', 'FECHA-HORA', (day, start) => `${spanish(day)} ${clock(start)} UTC+1`],
    ['23:00 UTC beside its day', 'Fecha;Hora', (day, start) => spanishUtc(day, start, ' UTC').replace(' ', ';')],
    ['00:00 CET beside its day', 'Fecha;Hora', (day, start) => `${day};${clock(start)} CET`],
    [
      '02/02/2026 for its midnight',
      'FECHA-HORA',
      (day, start) => `${spanish(day)} ${clock(start)}`.replace(' 00:00', ''),
    ],
    ['02/02/2026 00:00 in Fecha', 'Fecha', (day, start) => `${spanish(day)} ${clock(start)}`],
    ['02/02/2026 0:00 beside its hour', 'Fecha;Hora', (day, start) => `${spanish(day)} 0:00;${start / 60 + 1}`],
    ['2026-02-02T00:00:00 beside its hour', 'Fecha;Hora', (day, start) => `${day}T00:00:00;${clock(start)}`],
    ['02/02/26', 'Fecha;Hora', (day, start) => `${spanish(day).replace('/20', '/')};${start / 60 + 1}`],
    ['12:00 AM', 'Fecha;Hora', (day, start) => `${day};${half(start)}`],
    [
      '12:00:00 a. m. behind a day',
      'FECHA-HORA',
      (day, start) =>
        `${spanish(day)} ${half(start).replace(' ', ':00 ').replace('AM', 'a. m.').replace('PM', 'p. m.')}`,
    ],
  ])('%s is read', (_, columns, form) => {
    const { consumptionKwh, days, notices } = read([`${columns};AE_kWh`, ...rowsOf(form)]);
    expect({ consumptionKwh, days, notices }).toEqual({ consumptionKwh: sums, days: 5, notices: ['menos_de_un_ano'] });
  });

  test.each<[string, CurveTerms['territory'], string, string, number]>([
    ['the 25 hours of October', 'peninsula', '2026-10-24T22:00Z', '2026-10-25T23:00Z', 25],
    ['the 25 hours of October in Canarias', 'canarias', '2026-10-24T23:00Z', '2026-10-26T00:00Z', 25],
    ['the 23 hours of March', 'peninsula', '2026-03-28T23:00Z', '2026-03-29T22:00Z', 23],
    ['the 23 hours of March in Canarias', 'canarias', '2026-03-29T00:00Z', '2026-03-29T23:00Z', 23],
  ])('an offset makes an hour exact: %s', (_, territory, from, to, hours) => {
    const rows: string[] = [];
    for (let at = Date.parse(from); at < Date.parse(to); at += 3_600_000) rows.push(`${new Date(at).toISOString()};1`);
    const { coverage, days, consumptionKwh } = read(['FECHA-HORA;AE_kWh', ...rows], { tariff: '2.0TD', territory });
    expect([coverage.hours, coverage.expectedHours, days, total(consumptionKwh)]).toEqual([hours, hours, 1, hours]);
  });

  test.each<[string, readonly string[], number]>([
    ['2026-10-25', ['02:00-02:00'], 25],
    ['2026-10-25', ['02:00-02:15', '02:15-02:30', '02:30-02:45', '02:45-02:00'], 25],
    ['2026-03-29', ['01:00-03:00'], 23],
    ['2026-03-29', ['01:00-01:15', '01:15-01:30', '01:30-01:45', '01:45-03:00'], 23],
  ])('ranges over the change of the clock on %s are hours: %j', (day, ranges, hours) => {
    const span = 60 / ranges.length;
    const plain = Array.from({ length: 1440 / span }, (_, at) => `${clock(at * span)}-${clock((at + 1) * span)}`);
    const isLeftOut = (range: string) =>
      hours === 23 && (/^02/.test(range) || (/^01/.test(range) && !ranges.includes(range)));
    const all =
      hours === 25 ? [...plain, ...ranges] : [...plain.filter((range) => !isLeftOut(range)), ...ranges.slice(-1)];
    const { coverage } = read(['Fecha;Hora;AE_kWh', ...all.map((range) => `${day};${range};1`)]);
    expect([coverage.hours, coverage.expectedHours]).toEqual([hours, hours]);
  });

  test.each<[string, string, string]>([
    ['FECHA-HORA', '2026-02-31T00:00', 'row 2, column 1 (fecha_hora): must be a day'],
    ['FECHA-HORA', '2026-02-31T00:00Z', 'row 2, column 1 (fecha_hora): must be a day'],
    ['FECHA-HORA', '2026-02-02T00:00+99:00', 'row 2, column 1 (fecha_hora): must be 1 to 24'],
    ['FECHA-HORA', '2026-02-02T00:00:30Z', 'row 2, column 1 (fecha_hora): must be 1 to 24'],
    ['FECHA-HORA', '02/02/2026 0 UTC', 'row 2, column 1 (fecha_hora): must be 1 to 24'],
    ['Fecha', '02/02/2026', '23 of its 24 hours are missing'],
    ['Fecha;Hora', '2026-02-02T05:00;1', 'row 2, column 1 (fecha): must be a day'],
    ['Fecha;Hora', '2026-02-02T05:00;00:00-01:00', 'row 2, column 1 (fecha): must be a day'],
    ['Fecha;Hora', ';00:00-01:00', 'row 2, column 1 (fecha): must be a day'],
    ['Fecha;Hora', '02/13/26;1', 'row 2, column 1 (fecha): must be a day'],
    ['Fecha;Hora', '2026-02-02;13:00 PM', 'row 2, column 2 (hora): must be 1 to 24'],
    ['Fecha;Hora', '2026-02-02;0:00 AM', 'row 2, column 2 (hora): must be 1 to 24'],
    ['Fecha;Hora', '2026-02-02;00:00-02:00', 'row 2, column 2 (hora): must be 1 to 24'],
    ['Fecha;Hora', '2026-02-02;00-01-02', 'row 2, column 2 (hora): must be 1 to 24'],
    ['Fecha;Hora', '2026-02-02;00:00:59', 'row 2, column 2 (hora): must be 1 to 24'],
    ['Fecha;Hora', '2026-02-02;24:00-25:00', 'row 2, column 2 (hora): must be 1 to 24'],
  ])('of %s, %s is refused by its row', (columns, cells, refusal) => {
    expect(refusalOf([`${columns};AE_kWh`, `${cells};1`])).toContain(refusal);
  });
});

describe('A-80: lines around the table', () => {
  const rows = byEnd(daysFrom('2026-02-02', 3), () => true);
  test.each<[string, readonly string[], readonly string[], number]>([
    ['a hint for Excel', ['sep=;'], [], 1],
    ['titles and an empty line', ['Consultas de consumo;;', 'Periodo;02/02/2026 - 04/02/2026;', ';;'], [], 2],
    ['a total', [], ['Total;;900'], 1],
    ['a total with a count of hours, and a note', [], ['TOTAL;72;900', 'Datos provisionales'], 2],
    ['titles and a sum', ['Distribuidora', 'Curva horaria;del contrato'], ['Suma;;900', 'Página 1 de 1'], 4],
  ])('%s are no part of it, and are counted', (_, above, below, linesOutside) => {
    const curve = read([...above, HEADER, ...rows, ...below]);
    expect(curve.consumptionKwh).toEqual(WORKING_DAY.map((kwh) => kwh * 3));
    expect(curve.reading).toMatchObject({ linesOutside });
  });

  test.each([
    ['a total of each day', ';Total;264'],
    ['a total of each day before it', 'Subtotal 02/02/2026;;264'],
    ['the header again', HEADER],
  ])('%s is no part of it', (_, line) => {
    const days = [0, 24, 48].flatMap((at) => [...rows.slice(at, at + 24), line.replace(/^;/, '2026-02-02;')]);
    const { consumptionKwh, reading } = read([HEADER, ...days]);
    expect([consumptionKwh, reading.linesOutside]).toEqual([WORKING_DAY.map((kwh) => kwh * 3), 3]);
  });

  test('a line with a unit below the header is no part of it', () => {
    expect(read([HEADER, '(día);(hora);(kWh)', ...rows]).reading.linesOutside).toBe(1);
  });

  test('hours with the word total in another column are hours', () => {
    const { consumptionKwh, reading } = read([`Tipo;${HEADER}`, ...rows.map((row) => `Total;${row}`)]);
    expect([consumptionKwh, reading.linesOutside]).toEqual([WORKING_DAY.map((kwh) => kwh * 3), 0]);
  });

  test('a total before the supply point is no other one', () => {
    const lines = ['CUPS;Fecha;Hora;AE_kWh', ...rows.map((row) => `ES1;${row}`), 'Total;;;900'];
    expect(read(lines).reading.linesOutside).toBe(1);
  });

  test.each<[string, readonly string[], string]>([
    ['hours below a note', [HEADER, ...rows.slice(0, 48), 'Nota;;', ...rows.slice(48)], 'row 51: stands below'],
    [
      'hours below another header',
      [HEADER, ...rows.slice(0, 48), 'Fecha;AE_kWh;Hora', ...rows.slice(48)],
      'row 51: stands below',
    ],
    ['a day without an hour', [HEADER, ...rows, '2026-02-05;;5'], 'row 74, column 2 (hora): must be'],
    ['an hour without a day', [HEADER, ...rows, ';3;5'], 'row 74, column 1 (fecha): must be a day'],
    ['a day that is none', [HEADER, ...rows, '31/02/2026;;5'], 'row 74, column 1 (fecha): must be a day'],
    ['a header that comes too late', [...Array.from({ length: 21 }, () => 'x'), HEADER, ...rows], 'row 1: no column'],
    [
      'the line that comes nearest to a header',
      ['Curva', 'Fecha;Hora;kWh', ...rows],
      'row 2: no column is called consumo',
    ],
  ])('%s are refused by their row', (_, lines, refusal) => {
    expect(refusalOf(lines)).toContain(refusal);
  });
});

describe('A-104: numbers of a curve are read by the whole file', () => {
  const days = daysFrom('2026-02-02', 2);
  const rows = (values: readonly string[], more = '') =>
    byEnd(days, () => true).map((row, at) => row.replace(/[^;]*$/, `${values[at % values.length]}${more}`));
  test.each<[string, string, readonly string[], number, ',' | '.' | null]>([
    ['thousands beside decimal commas', 'AE_kWh', ['1.019', '987,5'], 2006.5, ','],
    ['thousands beside decimal points', 'AE_kWh', ['1,019', '987.5'], 2006.5, '.'],
    ['thousands and decimals', 'AE_kWh', ['1.019,25', '0'], 1019.25, ','],
    ['decimals beside other decimals', 'AE_kWh', ['1,019', '0,5'], 1.519, ','],
    ['whole watt-hours', 'Consumo Wh', ['1.019', '987'], 2.006, null],
    ['commas alone', 'AE_kWh', ['1,019', '2,500'], 3.519, null],
    ['exponents', 'AE_kWh', ['1E-03', '2,5'], 2.501, ','],
  ])('%s', (_, name, values, kwh, decimalMark) => {
    const { consumptionKwh, reading } = read([`Fecha;Hora;${name}`, ...rows(values)], FACTORY);
    expect(total(consumptionKwh)).toBeCloseTo(kwh * 24, 6);
    expect(reading.decimalMark).toBe(decimalMark);
  });

  test('watt-hours are whole between commas too', () => {
    const reader = createCurveReader(FACTORY);
    const parts = plainCurveParts(['Fecha;Hora;Consumo Wh', ...rows(['1.019'])].join('\n'));
    for (const part of parts) reader.take({ ...part, hasCommas: true });
    expect(total(reader.finish().consumptionKwh)).toBeCloseTo(1.019 * 48, 6);
  });

  test('a column follows the others where it shows nothing', () => {
    const lines = ['Fecha;Hora;AE_kWh;AS_kWh', ...rows(['1.019'], ';0,5')];
    expect(total(read(lines, FACTORY).consumptionKwh)).toBe(1019 * 48);
  });

  test('numbers that stay open are refused with both readings, but not where nobody consumes the greater', () => {
    const lines = [HEADER, ...rows(['1.019', '12.500'])];
    expect(refusalOf(lines, FACTORY)).toBe(
      'row 2, column 3 (consumo): 1.019 is 1019 or 1.019: write it without a separator of thousands',
    );
    expect(total(read(lines).consumptionKwh)).toBeCloseTo((1.019 + 12.5) * 24, 6);
  });

  test('totals of a month are read so too', () => {
    const lines = ['Fecha;Punta;Llano;Valle', '2026/01;1.019;80,5;1.200'];
    expect(read(lines).consumptionKwh).toEqual([1019, 80.5, 1200]);
    expect(refusalOf(['Fecha;Punta;Llano;Valle', '2026/01;1.019;80;1.200'])).toContain(
      'row 2, column 2 (punta): 1.019 is',
    );
  });
});

describe('A-80: a consumption that is none of the tariff', () => {
  const rows = (kwh: number) =>
    byEnd(daysFrom('2026-02-02', 2), () => true).map((row) => row.replace(/[^;]*$/, `${kwh}`));
  const noticesOf = (name: string, kwh: number, terms = HOME) =>
    read([`Fecha;Hora;${name}`, ...rows(kwh)], terms).notices;
  const IMPROBABLE = ['consumo_improbable', 'menos_de_un_ano'];

  test('of 2.0TD is refused where it can only be Wh that no header names', () => {
    for (const wh of [16, 240, 412, 97.5, 2300]) {
      expect(refusalOf(['Fecha;Hora;Consumo', ...rows(wh)])).toBe(
        'its consumption is more than 2.0TD has: where it is Wh, name the column consumo_Wh',
      );
      expect(noticesOf('Consumo_kWh', wh)).toEqual(IMPROBABLE);
      expect(noticesOf('Consumo_Wh', wh)).toEqual(['menos_de_un_ano']);
    }
  });

  test.each([
    ['3.0TD', 4000, true],
    ['3.0TD', 900, false],
    ['6.1TD', 30_000, true],
    ['6.1TD', 12_000, false],
    ['2.0TD', 0.0004, true],
    ['2.0TD', 0.05, false],
    ['2.0TD', 0, false],
  ] as const)('of %s with %d kWh an hour is asked about: %s', (tariff, kwh, isAsked) => {
    const notices = noticesOf('Consumo', kwh, { ...HOME, tariff });
    expect(notices).toEqual(isAsked ? IMPROBABLE : ['menos_de_un_ano']);
  });
});

describe('A-80: an absent value is no zero', () => {
  const days = daysFrom('2026-06-01', 10);
  /** Hours with a surplus of 2 kWh from 12 to 15, and nothing consumed where `isAbsent`. */
  const lines = (isAbsent: (at: number) => boolean, surplus: (hour: number) => string) => [
    'Fecha;Hora;AE_kWh;AS_kWh',
    ...days.flatMap((day, index) =>
      Array.from(
        { length: 24 },
        (_, hour) => `${day};${hour + 1};${isAbsent(index * 24 + hour) ? '' : 1};${surplus(hour)}`,
      ),
    ),
  ];
  const sun = (hour: number) => (hour >= 12 && hour < 15 ? '2' : '0');

  test.each([
    [(at: number) => at === 12, 239],
    [(at: number) => at === 36 || at === 37, 238],
    [(at: number) => at % 24 === 13, 230],
  ])('surplus beside an absent consumption counts, and its hour is missing', (isAbsent, hours) => {
    const { exportedKwh, coverage, notices, consumptionKwh } = read(lines(isAbsent, sun));
    expect([exportedKwh, coverage.hours, total(consumptionKwh)]).toEqual([60, hours, hours]);
    expect(notices).toEqual(['horas_sin_datos', 'menos_de_un_ano']);
  });

  test('more than 5 % of such hours are refused by the first one, and so is a day of them', () => {
    const refusal = 'a surplus without a consumption: write 0 where nothing was consumed';
    expect(refusalOf(lines((at) => at % 24 === 12 || at % 24 === 13, sun))).toBe(`row 14: ${refusal}`);
    expect(refusalOf([...lines(() => false, sun), '2026-06-11;12;;1'])).toBe(`row 242: ${refusal}`);
  });

  test('an absent surplus beside others is told, and a column without any is not', () => {
    const some = read(
      lines(
        () => false,
        (hour) => (hour < 8 ? '' : sun(hour)),
      ),
    );
    expect([some.exportedKwh, some.notices]).toEqual([60, ['excedentes_sin_datos', 'menos_de_un_ano']]);
    expect(
      read(
        lines(
          () => false,
          () => '',
        ),
      ).notices,
    ).toEqual(['menos_de_un_ano']);
  });
});
