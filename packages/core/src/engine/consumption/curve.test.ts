import { shareOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CURVE_DIALECTS,
  type CurveDialect,
  type CurveHour,
  type CurveStyle,
  curveText,
  madeUpHours,
  PLAIN_STYLE,
  plainCurveParts,
} from '../../../testing/curve-files.ts';
import { dayAfter } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { type Curve, type CurveTerms, createCurveReader } from './curve.ts';

const MAINLAND: CurveTerms = { tariff: '2.0TD', territory: 'peninsula' };

/** Days from one to another, both included. */
function daysFrom(first: string, last: string): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
  return days;
}

/** Of the years of these tests. */
const CHANGES: Readonly<Record<string, number>> = {
  '2023-03-26': 23,
  '2023-10-29': 25,
  '2024-03-31': 23,
  '2024-10-27': 25,
  '2025-03-30': 23,
  '2025-10-26': 25,
};
const hoursOf = (first: string, last: string) => madeUpHours(daysFrom(first, last), (day) => CHANGES[day] ?? 24);
const YEAR = hoursOf('2025-01-01', '2025-12-31');
const WEEK = hoursOf('2026-02-02', '2026-02-08');

function read(text: string, terms = MAINLAND): Curve {
  const reader = createCurveReader(terms);
  for (const part of plainCurveParts(text)) reader.take(part);
  return reader.finish();
}

/** What a file is refused with. */
function refusalOf(text: string, terms = MAINLAND): string {
  try {
    read(text, terms);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const issues = 'issues' in error.details ? (error.details.issues ?? []) : [];
    expect([error.code, issues[0]?.path]).toEqual(['business_rule', 'file']);
    return issues[0] ? inWords(issues[0].message) : '';
  }
  return '';
}

const HOLIDAYS = ['01-01', '01-06', '05-01', '08-15', '10-12', '11-01', '12-06', '12-08', '12-25'];

/** Sums of 2.0TD a second time, hour by hour. */
function plainSums(hours: readonly CurveHour[]): readonly number[] {
  const sums = [0, 0, 0];
  for (const { day, number, kwh } of hours) {
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    const isOff = weekday === 0 || weekday === 6 || HOLIDAYS.includes(day.slice(5));
    const begin = number - 1;
    const isPeak = (begin >= 10 && begin < 14) || (begin >= 18 && begin < 22);
    const period = isOff || begin < 8 ? 2 : isPeak ? 0 : 1;
    sums[period] = (sums[period] ?? 0) + kwh;
  }
  return sums;
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const STYLES: readonly [string, Partial<CurveStyle>][] = [
  ['numbers of hours', {}],
  ['decimal points and CRLF', { decimal: '.', eol: '\r\n' }],
  ['hours by their beginning', { clock: 'begin' }],
  ['hours by their end', { clock: 'end' }],
];

describe.each(CURVE_DIALECTS)('A-80: a year of %s is read', (dialect: CurveDialect) => {
  test.each(shareOf(STYLES, 2, CURVE_DIALECTS.indexOf(dialect)))('with %s', (_, style) => {
    const curve = read(curveText(YEAR, dialect, { ...PLAIN_STYLE, ...style }));
    const hasNumbers = style.clock === undefined && dialect !== 'quarters' && dialect !== 'ide';
    const hasEstimates = dialect !== 'ufd' && dialect !== 'ide';
    expect(curve.consumptionKwh).toEqual(plainSums(YEAR).map((kwh) => expect.closeTo(kwh, 6)));
    const hasSurplus = dialect !== 'datadis' && dialect !== 'edistribucion' && dialect !== 'plain';
    expect(curve.exportedKwh).toBeCloseTo(hasSurplus ? total(YEAR.map(({ exportedKwh }) => exportedKwh)) : 0, 6);
    expect(curve).toMatchObject({ tariff: '2.0TD', territory: 'peninsula', days: 365 });
    expect(curve.notices).toEqual(hasEstimates ? ['horas_estimadas'] : []);
    const hoursNamed = hasNumbers || style.clock === 'end' ? 'end' : 'beginning';
    const decimalMark = dialect === 'ide' ? null : (style.decimal ?? ',');
    expect(curve.reading).toEqual({ hoursNamed, decimalMark, linesOutside: 0 });
    const estimatedHours = hasEstimates ? YEAR.filter(({ isEstimated }) => isEstimated).length : 0;
    expect(curve.coverage).toEqual({ hours: 8760, expectedHours: 8760, estimatedHours });
    expect(curve.months.map(({ month, days }) => [month, days])).toEqual(
      [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((days, index) => [index + 1, days]),
    );
    expect(curve.maximaKw).toEqual(dialect === 'quarters' ? [1.52, 1.52] : null);
  });
});

test('A-80: sums of months are those of the file, and so are those of periods, to a millionth of a kWh', () => {
  const value = fc.nat({ max: 5_000_000 }).map((wh) => wh / 1_000_000);
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: WEEK.length, maxLength: WEEK.length }), (values) => {
      const hours = hoursOf('2026-01-29', '2026-02-04').map((hour, index) => {
        const [kwh = 0, exportedKwh = 0] = values[index] ?? [];
        return { ...hour, kwh, exportedKwh };
      });
      const curve = read(curveText(hours, 'datadis_surplus'));
      const inFile = (of: (hour: CurveHour) => number) => total(hours.map((hour) => Math.round(of(hour) * 1e6))) / 1e6;
      expect(Math.abs(total(curve.consumptionKwh) - inFile(({ kwh }) => kwh))).toBeLessThan(1e-6);
      expect(curve.exportedKwh).toBe(inFile(({ exportedKwh }) => exportedKwh));
      for (const [period, kwh] of curve.consumptionKwh.entries()) {
        expect(Math.abs(total(curve.months.map((month) => month.consumptionKwh[period] ?? 0)) - kwh)).toBeLessThan(
          1e-9,
        );
      }
      expect(total(curve.months.map(({ days }) => days))).toBe(curve.days);
    }),
    { seed: 80, numRuns: 50 },
  );
});

test('A-80: a curve with six periods of energy and of power is read on the mainland', () => {
  const curve = read(curveText(WEEK, 'datadis'), { tariff: '6.1TD', territory: 'peninsula' });
  expect(curve.consumptionKwh).toHaveLength(6);
  expect(total(curve.consumptionKwh)).toBeCloseTo(total(WEEK.map(({ kwh }) => kwh)), 6);
  expect(read(curveText(WEEK, 'quarters'), { tariff: '6.1TD', territory: 'peninsula' }).maximaKw).toHaveLength(6);
});

describe('A-80: when the clock is changed', () => {
  const october = hoursOf('2025-10-25', '2025-10-26');
  test('a day of October whose hours are numbered to 25, or one of which occurs twice by the clock, has the same sums', () => {
    const numbered = read(curveText(october, 'datadis'));
    for (const clock of ['begin', 'end'] as const) {
      const { notices: _, reading: __, ...figures } = read(curveText(october, 'datadis', { ...PLAIN_STYLE, clock }));
      expect(numbered).toMatchObject(figures);
    }
    expect(numbered.coverage).toMatchObject({ hours: 49, expectedHours: 49 });
  });

  test('hours written as 1:00 to 25:00 are those of the numbers 1 to 25, and 25:00 of another day is refused', () => {
    const byClock = (text: string) => text.replaceAll(/(?<=\/\d\d;)(\d{1,2})(?=;)/g, '$1:00');
    const numbered = curveText(october, 'datadis');
    expect(byClock(numbered)).toContain(';25:00;');
    expect(read(byClock(numbered))).toEqual(read(numbered));
    expect(refusalOf(byClock(numbered).replaceAll('10/26', '10/19'))).toContain('(hora): must be 1 to 24 (25 when');
  });

  test('a day of March has 23 hours, by number and by the clock', () => {
    const march = hoursOf('2025-03-30', '2025-03-31');
    for (const clock of ['number', 'begin', 'end'] as const) {
      const { coverage } = read(curveText(march, 'datadis', { ...PLAIN_STYLE, clock }));
      expect(coverage).toMatchObject({ hours: 47, expectedHours: 47 });
    }
  });

  test('the change is an hour earlier on the Canary Islands', () => {
    const row = (hour: string) => `2025/10/26;${hour};1`;
    const day = (repeated: string) =>
      [
        'Fecha;Hora;Consumo_kWh',
        ...Array.from({ length: 24 }, (_, hour) => row(`${String(hour).padStart(2, '0')}:00`)),
        row(repeated),
      ].join('\n');
    expect(read(day('01:00'), { tariff: '2.0TD', territory: 'canarias' }).coverage.hours).toBe(25);
    expect(refusalOf(day('02:00'), { tariff: '2.0TD', territory: 'canarias' })).toContain('already');
    expect(read(day('02:00')).coverage.hours).toBe(25);
    expect(refusalOf(day('01:00'))).toContain('already');
  });
});

test('A-80: 24:00 is the end of an hour in a file that has no consumption there', () => {
  const text = curveText(hoursOf('2026-02-04', '2026-02-04'), 'datadis', { ...PLAIN_STYLE, clock: 'end' });
  const [numbered, byClock] = [curveText(hoursOf('2026-02-04', '2026-02-04'), 'datadis'), text].map((file) =>
    read(file.replace(/(;24(?::00)?);[^;]*;/, '$1;;')),
  );
  expect(numbered?.coverage).toMatchObject({ hours: 23, expectedHours: 24 });
  expect(byClock).toEqual(numbered);
});

test('A-80: a file in watt-hours has the sums of the same one in kWh, to a millionth', () => {
  const rows = ['51;0', '62;1500', '0,5;0'].map((cells, hour) => `2026/02/02 0${hour}:00;${cells}`);
  const text = ['FECHA-HORA;CONSUMO Wh;GENERACION Wh', ...rows].join('\n');
  const whole = [text, ...Array.from({ length: 21 }, (_, hour) => `2026/02/02 ${hour + 3}:00;0;0`)].join('\n');
  expect(read(whole)).toMatchObject({ consumptionKwh: [0, 0, 0.1135], exportedKwh: 1.5, maximaKw: null });
  expect(refusalOf(whole.replace('51;', '200000001;'))).toBe(
    'row 2, column 2 (consumo): must be Wh from 0 to 200000000, such as 0,123',
  );
  expect(refusalOf(whole.replace('2026/02/02 00', '2026/02/30 00'))).toContain('row 2, column 1 (fecha_hora): must be');
  expect(read(whole.replace('2026/02/02 00:00', '2026/02/02'))).toEqual(read(whole));
  expect(refusalOf('FECHA-HORA;GENERACION Wh\n')).toBe(
    'row 1: no column is called consumo; it needs fecha_hora, consumo',
  );
});

test('A-80: totals by month are the periods of 2.0TD, with surplus', () => {
  const rows = ['2025/01;30;20,5;10;1', '2025/02;3;2;1;0'];
  const text = ['CUPS;Fecha;Valle;Llano;Punta;Energia_vertida_kWh', ...rows.map((row) => `ES1;${row}`)].join('\n');
  const curve = read(text);
  expect(curve).toMatchObject({ days: 59, consumptionKwh: [11, 22.5, 33], exportedKwh: 1, maximaKw: null });
  expect(curve.months).toEqual([
    { month: 1, year: 2025, days: 31, consumptionKwh: [10, 20.5, 30], exportedKwh: 1 },
    { month: 2, year: 2025, days: 28, consumptionKwh: [1, 2, 3], exportedKwh: 0 },
  ]);
  expect(curve.coverage).toEqual({ hours: null, expectedHours: 1416, estimatedHours: 0 });
  expect(curve.notices).toEqual(['menos_de_un_ano', 'totales_mensuales']);
  expect(refusalOf(text, { tariff: '3.0TD', territory: 'peninsula' })).toBe(
    'row 1: totals by month are those of 2.0TD alone',
  );
  expect(refusalOf(`${text}\nES1;2025/02;1;1;1;0`)).toBe('row 4: a month that the file has already');
  expect(refusalOf(`${text}\nES1;2025/4;1;1;1;0`)).toContain('row 4, column 2 (fecha)');
  expect(refusalOf(`${text}\nES1;2025/04;1;1;1;0`)).toContain('are missing');
  expect(refusalOf(`${text}\nES1;2025/03;1;;1;0`)).toContain('row 4, column 4 (llano): must be kWh');
});

const lines = (text: string) => text.split('\n');
const WEEK_TEXT = lines(curveText(WEEK, 'datadis'));
/** A week in which one line was changed. */
const withLine = (place: number, line: string) => WEEK_TEXT.with(place, line).join('\n');
const CUPS = PLAIN_STYLE.cups;

describe('A-80: a file is refused by row and column', () => {
  test.each<[string, string, string]>([
    ['a day that is none', withLine(4, `${CUPS};2026/02/30;4;0,1;Real`), 'row 5, column 2 (fecha): must be a day'],
    [
      'a day of another century',
      withLine(4, `${CUPS};1926/02/03;4;0,1;Real`),
      'row 5, column 2 (fecha): must be a day',
    ],
    ['a day and month alone', withLine(4, `${CUPS};03/02;4;0,1;Real`), 'row 5, column 2 (fecha): must be a day'],
    ['no hour', withLine(4, `${CUPS};2026/02/02;;0,1;Real`), 'row 5, column 3 (hora): must be 1 to 24'],
    ['hour 0', withLine(4, `${CUPS};2026/02/02;0;0,1;Real`), 'row 5: hour 0 in a file that numbers them from 1'],
    [
      'hour 25 on a day of 24',
      withLine(4, `${CUPS};2026/02/02;25;0,1;Real`),
      'row 5, column 3 (hora): must be 1 to 24',
    ],
    [
      'a minute between quarters',
      withLine(4, `${CUPS};2026/02/02;04:20;0,1;Real`),
      'row 5, column 3 (hora): must be 1 to 24',
    ],
    ['24:15', withLine(4, `${CUPS};2026/02/02;24:15;0,1;Real`), 'row 5, column 3 (hora): must be 1 to 24'],
    ['a negative consumption', withLine(4, `${CUPS};2026/02/02;4;-0,1;Real`), 'row 5, column 4 (consumo): must be kWh'],
    [
      'a consumption of another unit',
      withLine(4, `${CUPS};2026/02/02;4;100 W;Real`),
      'row 5, column 4 (consumo): must be kWh',
    ],
    [
      'a consumption beyond a meter',
      withLine(4, `${CUPS};2026/02/02;4;200000,1;Real`),
      'row 5, column 4 (consumo): must be kWh',
    ],
    [
      'another supply point',
      withLine(4, 'ES0021000000000002CD;2026/02/02;4;0,1;Real'),
      'row 5, column 1 (cups): names another supply point',
    ],
    ['an hour twice', withLine(4, WEEK_TEXT[3] ?? ''), 'row 5: an hour that the file has already'],
    [
      'a number among quarter-hours',
      `${curveText(WEEK, 'quarters', { ...PLAIN_STYLE, clock: 'end' })}${CUPS};2026/02/09;1;1;Real;0`,
      'an hour among quarter-hours',
    ],
    [
      '00:00 beside 24:00',
      `${curveText(WEEK, 'datadis', { ...PLAIN_STYLE, clock: 'end' })}${CUPS};2026/02/09;00:00;1;Real`,
      'names hours by their end',
    ],
    ['no header', WEEK_TEXT.slice(1).join('\n'), 'row 1: no column is called fecha; it needs fecha, hora, consumo'],
    ['no consumption', 'Fecha;Hora;kWh\n', 'row 1: no column is called consumo'],
    ['two columns of one name', 'Fecha;Hora;Consumo_kWh;AE_kWh\n', 'row 1: two columns are called consumo'],
    ['nothing', '', 'it has no hour with a consumption'],
    ['a header alone', 'Fecha;Hora;Consumo_kWh\n', 'it has no hour with a consumption'],
    [
      '40 001 rows',
      `Fecha;Hora;Consumo_kWh${'\n2026/02/02;1;'.repeat(40_001)}`,
      'row 40002: a file has at most 40000 rows',
    ],
    [
      '37 months',
      [
        'Fecha;Punta;Llano;Valle',
        ...Array.from(
          { length: 37 },
          (_, month) => `${2020 + Math.floor(month / 12)}/${String((month % 12) + 1).padStart(2, '0')};1;1;1`,
        ),
      ].join('\n'),
      'row 38: a file covers at most 36 months',
    ],
    ['a day of 2000 and one of 2099', 'Fecha;Hora;Consumo_kWh\n01/01/2000;1;1\n31/12/2099;1;1', 'hours are missing'],
  ])('%s', (_, text, expected) => {
    const refusal = refusalOf(text);
    expect(refusal).toContain(expected);
    expect(refusal).not.toContain('ES0021');
  });
});

test('A-80: 5 % of the hours may be missing and are not filled in; more are refused', () => {
  const hundredDays = hoursOf('2025-04-01', '2025-07-09');
  expect(hundredDays).toHaveLength(2400);
  // Not those of the first and last day, which say how long the file is.
  const without = (count: number) => hundredDays.filter((_, index) => index < 24 || index >= 24 + count);
  const curve = read(curveText(without(120), 'datadis'));
  expect(curve.coverage).toMatchObject({ hours: 2280, expectedHours: 2400 });
  expect(curve.days).toBe(95);
  expect(curve.notices).toContain('horas_sin_datos');
  expect(total(curve.consumptionKwh)).toBeCloseTo(total(without(120).map(({ kwh }) => kwh)), 6);
  expect(refusalOf(curveText(without(121), 'datadis'))).toBe(
    '121 of its 2400 hours are missing, which is more than 5 %',
  );
});

test('A-80: hours of more than 36 months are refused', () => {
  expect(refusalOf(curveText(hoursOf('2023-01-31', '2026-01-01'), 'datadis'))).toBe('it covers more than 36 months');
});

test('A-80: an hour without a consumption is missing', () => {
  const { coverage } = read(withLine(4, `${CUPS};2026/02/02;4;;Real`));
  expect(coverage).toMatchObject({ hours: 167, expectedHours: 168 });
});

test('A-80: more energy in a period than a question may have is refused', () => {
  const days = daysFrom('2026-04-01', '2027-09-30');
  const rows = days.flatMap((day) =>
    Array.from({ length: 24 }, (_, hour) => `${day.replaceAll('-', '/')};${hour + 1};200000`),
  );
  const text = (count: number) => ['Fecha;Hora;Consumo_kWh', ...rows.slice(0, count * 24)].join('\n');
  expect(refusalOf(text(200))).toBe('');
  expect(refusalOf(text(500))).toBe('it has more than 1000000000 kWh');
});

test('A-80: the reading of a curve has no text of its file', () => {
  const curve = read(curveText(WEEK, 'datadis_surplus', { ...PLAIN_STYLE, cups: CUPS }));
  expect(JSON.stringify(curve)).not.toContain('ES0021');
});
