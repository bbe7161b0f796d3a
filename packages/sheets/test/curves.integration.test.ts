import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CurveTerms, DomainError, FILE_CAPS, inWords, readCurve, type Workbooks } from '@tarifario/core/service';
import { type CurveHour, curveText, madeUpHours, PLAIN_STYLE } from '@tarifario/core/testing';
import { workbookFile } from '@tarifario/testkit/files/workbook-file';
import { RETRY_ON_NOISE, watched } from '@tarifario/testkit/loop-watch';
import { expectWithin } from '@tarifario/testkit/share';
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ReadJob } from '../src/file-reading.ts';
import { startReadingProcess } from '../src/reading-process.ts';
import { createWorkbookReader } from '../src/workbook-reader.ts';
import { readHere } from './whole-files.ts';

/** Reads in the process that reads files. */
const reader = createWorkbookReader();
afterAll(() => reader.close());
/** Reads in this process: for what has nothing to do with processes. */
const here: Pick<Workbooks, 'read'> = { read: (bytes, form) => readHere(Buffer.from(bytes), { form }) };
const MAINLAND: CurveTerms = { tariff: '2.0TD', territory: 'peninsula' };
const read = (file: Uint8Array | string, workbooks = here) => readCurve({ workbooks }, file, MAINLAND);

const day = (index: number) => new Date(Date.UTC(2026, 1, 2 + index)).toISOString().slice(0, 10);
const WEEK = madeUpHours([0, 1, 2, 3, 4, 5, 6].map(day), () => 24);
const TEXT = curveText(WEEK, 'datadis_surplus');

/** What a file is refused with. */
async function refusalOf(file: Uint8Array | string, workbooks = here): Promise<string> {
  try {
    await read(file, workbooks);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const issues = 'issues' in error.details ? (error.details.issues ?? []) : [];
    return `${error.code}: ${issues.map(({ message }) => inWords(message)).join() || error.message}`;
  }
  return 'read';
}

describe('A-80: a curve is read the same', () => {
  test.each<[string, Uint8Array | string]>([
    ['as bytes', Buffer.from(TEXT)],
    ['with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['with quotes around each cell', curveText(WEEK, 'datadis_surplus', { ...PLAIN_STYLE, quotes: true })],
    ['with CRLF', curveText(WEEK, 'datadis_surplus', { ...PLAIN_STYLE, eol: '\r\n' })],
    [
      'with commas between cells and in numbers',
      curveText(WEEK, 'datadis_surplus', { ...PLAIN_STYLE, separator: ',' }),
    ],
    ['with tabs', curveText(WEEK, 'datadis_surplus', { ...PLAIN_STYLE, separator: '\t' })],
    ['in Latin-1', Buffer.from(TEXT.replace('metodoObtencion', 'm\u00e9todoObtenci\u00f3n'), 'latin1')],
    ['in UTF-16', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['in UTF-16 without its mark', Buffer.from(TEXT, 'utf16le')],
    ['in UTF-16, the greater byte first', Buffer.from(`\uFEFF${TEXT}`, 'utf16le').swap16()],
    ['in UTF-8 with accents', Buffer.from(TEXT.replace('metodoObtencion', 'm\u00e9todoObtenci\u00f3n'))],
    ['with empty lines and no end of the last', `\n${TEXT.trimEnd()}`],
  ])('%s', async (_, file) => {
    expect(await read(file)).toEqual(await read(TEXT));
  });

  test.each<[string, string, number]>([
    ['a hint for Excel', `sep=;\n${TEXT}`, 0],
    ['a title without separators', `Curva de carga, del contrato\n\n${TEXT}`, 1],
    ['a title in brackets', `[Curva]\n${TEXT}`, 1],
    ['a title, with tabs', `Curva\n${curveText(WEEK, 'datadis_surplus', { ...PLAIN_STYLE, separator: '\t' })}`, 1],
    ['titles and a total', `Curva;;\nPeriodo;2026;\n;;\n${TEXT}Total;;;1.234,5\n`, 3],
  ])('with %s around the table', async (_, file, linesOutside) => {
    const { reading, ...curve } = await read(file);
    const { reading: plain, ...same } = await read(TEXT);
    expect([curve, reading]).toEqual([same, { ...plain, linesOutside }]);
  });
});

/** The same as Datadis gives it in JSON: ends of hours, and numbers. */
const LIST = WEEK.map(({ day: date, number, kwh, exportedKwh, isEstimated }) => ({
  cups: PLAIN_STYLE.cups,
  date: date.replaceAll('-', '/'),
  time: `${String(number).padStart(2, '0')}:00`,
  consumptionKWh: kwh,
  obtainMethod: isEstimated ? 'Estimada' : 'Real',
  surplusEnergyKWh: exportedKwh,
}));

test.each([
  ['as it is', JSON.stringify(LIST)],
  ['in lines, with a byte order mark', `\uFEFF ${JSON.stringify(LIST, null, 2)}`],
  ['in another order of members', JSON.stringify(LIST.map((one) => Object.fromEntries(Object.entries(one).reverse())))],
])('A-80: a list of Datadis in JSON is read as its CSV: %s', async (_, file) => {
  const style = { ...PLAIN_STYLE, clock: 'end', decimal: '.' } as const;
  expect(await read(Buffer.from(file))).toEqual(await read(curveText(WEEK, 'datadis_surplus', style)));
});

test('A-80: a member that the first hour of a list lacks is read in the others', async () => {
  const list = LIST.map((one) => ({ ...one, surplusEnergyKWh: one.surplusEnergyKWh || undefined }));
  const { exportedKwh, notices } = await read(Buffer.from(JSON.stringify(list)));
  expect([exportedKwh, notices.includes('excedentes_sin_datos')]).toEqual([(await read(TEXT)).exportedKwh, true]);
});

test.each<[string, unknown, string]>([
  ['text that is no JSON', '[{"cups":', 'invalid_request: the file cannot be read: it is damaged'],
  ['numbers', '[1, 2, 3]', 'invalid_request: the file cannot be read: it is damaged'],
  [
    'an hour without its consumption',
    [{ ...LIST[0], consumptionKWh: 'x' }],
    'business_rule: row 2, column 4 (consumo): must be kWh',
  ],
  ['nothing', [], 'business_rule: it has no hour with a consumption'],
  [
    'too many columns',
    [Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`c${at}`, 1]))],
    'a sheet has more than',
  ],
  ['too many rows', `[${'{},'.repeat(1_200_000)}{}]`, 'a sheet has more than'],
  ['a deep list', '['.repeat(1_000_000), 'it is damaged'],
])('A-80: a list in JSON with %s is refused', async (_, sent, message) => {
  expect(await refusalOf(Buffer.from(typeof sent === 'string' ? sent : JSON.stringify(sent)))).toContain(message);
});

describe('A-80: a file is refused by its line', () => {
  test.each<[string, Uint8Array | string, string]>([
    [
      'a workbook under another name',
      workbookFile({ sheets: {} }),
      'invalid_request: the file cannot be read: it is no CSV in UTF-8 or Latin-1 (row 1)',
    ],
    [
      'a NUL in the fourth line',
      TEXT.replace(/(?<=(?:.*\n){3})/, '\0'),
      'invalid_request: the file cannot be read: it is no CSV in UTF-8 or Latin-1 (row 4)',
    ],
    [
      'a quote that is not closed',
      TEXT.replace(/(?<=(?:.*\n){3})/, '"'),
      'invalid_request: the file cannot be read: it is damaged (row 4)',
    ],
    [
      'a wrong cell',
      TEXT.replace(/(?<=(?:.*\n){3}.*;3;)[\d,]+/, 'x'),
      'business_rule: row 4, column 4 (consumo): must be kWh from 0 to 200000, such as 0,123',
    ],
    ['nothing', '', 'business_rule: it has no hour with a consumption'],
  ])('%s', async (_, file, expected) => {
    expect(await refusalOf(file)).toBe(expected);
  });
});

test('A-80: a file of more than 10 MB is refused', async () => {
  const large = new Uint8Array(10 * 1024 * 1024 + 1);
  expect(await refusalOf(large, reader)).toBe('too_large: the file cannot be read: it is larger than 10 MiB');
});

/** As long a file as is read: 40 000 rows, filled up to 10 MB with a column that is passed over. */
function longFile(): string {
  const days = Array.from({ length: 415 }, (_, index) => day(index + 60));
  const quarters = madeUpHours(
    days.filter((text) => text < '2026-10-25' || text > '2026-10-25'),
    (text) => (text === '2027-03-28' ? 23 : 24),
  );
  const [header = '', ...rows] = curveText(quarters as readonly CurveHour[], 'quarters', {
    ...PLAIN_STYLE,
    clock: 'begin',
  })
    .trimEnd()
    .split('\n');
  const filling = 'x'.repeat(200);
  return [`${header};notes`, ...rows.map((row) => `${row};${filling}`)].join('\n');
}

test(
  'A-80: 10 MB take less than a second of the processor, and hold the event loop for less than 50 ms',
  RETRY_ON_NOISE,
  async () => {
    const file = Buffer.from(longFile());
    expect(file.length).toBeGreaterThan(9 * 1024 * 1024);
    expect(file.length).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(await read(TEXT, reader)).toEqual(await read(TEXT));
    const before = process.resourceUsage();
    const { value, blockedMs } = await watched(() => read(file, reader));
    const after = process.resourceUsage();
    expect(value.days).toBe(414);
    expectWithin(blockedMs, 50);
    expectWithin((after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1000, 1000);
  },
);

test('A-80: a million rows are refused at the first row beyond the limit', RETRY_ON_NOISE, async () => {
  const rows = `Fecha;Hora;Consumo_kWh\n${'1/1/2026;1;\n'.repeat(870_000)}`;
  const { value, blockedMs } = await watched(() => refusalOf(rows.slice(0, 10 * 1024 * 1024), reader));
  expect(value).toBe('business_rule: row 40002: a file has at most 40000 rows');
  expectWithin(blockedMs, 50);
});

const HOSTILE: readonly (readonly [string, string, string])[] = [
  ['wrong quotes', '"a"b', 'it is damaged (row 1)'],
  ['line ends', '\n', 'a sheet has more than 50 000 rows (row 100001)'],
  ['line ends of old Macs', '\r', 'a sheet has more than 50 000 rows (row 100001)'],
  ['separators', ';', 'a sheet has more than 100 columns (row 1)'],
];

test.each(HOSTILE)('A-80: 9.6 MB of %s are refused at the first line beyond the limits', async (_, piece, reason) => {
  const file = Buffer.from(piece.repeat(9_600_000 / piece.length));
  expect(await refusalOf(file, reader)).toBe(`invalid_request: the file cannot be read: ${reason}`);
});

test('A-80: a curve that has taken 3 s of the processor is refused, and one that has taken less is read', async () => {
  const spent = vi.spyOn(process, 'cpuUsage');
  onTestFinished(() => spent.mockRestore());
  spent.mockReturnValue({ user: 2_000_000, system: 1_000_000 });
  expect(await refusalOf(TEXT)).toBe('read');
  spent.mockReturnValue({ user: 2_000_000, system: 1_000_001 });
  expect(await refusalOf(TEXT)).toBe(
    'invalid_request: the file cannot be read: reading it takes too much time or memory (row 1)',
  );
});

describe('A-85: a process that dies while it reads a curve leaves nothing of it behind', () => {
  let folder: string;
  let written: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tarifario-crash-'));
    // What an operator may have set to look into failures of the service.
    const reports = ['--report-on-fatalerror', '--report-uncaught-exception', `--report-directory=${folder}`];
    vi.stubEnv('NODE_OPTIONS', [...reports, `--diagnostic-dir=${folder}`].join(' '));
    written = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
      written += String(chunk);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  test.each<[string, ReadJob | undefined, RegExp]>([
    ['out of memory', { form: 'curve', caps: FILE_CAPS, cpuMs: 20_000 }, /^too_much_memory/],
    // It parses invalid JSON, and nothing catches the error.
    ['with an error', undefined, /^ended with code [1-9]/],
  ])('%s', async (_, job, error) => {
    const file = `${TEXT}\n${`${PLAIN_STYLE.cups};`.repeat(50_000)}`.repeat(8);
    const child = startReadingProcess(job ? 8 : 256);
    let output = '';
    child.output.on('data', (chunk) => {
      output += String(chunk);
    });
    child.send(job as ReadJob, file);
    await child.ended;
    const { signal, code } = child.end();
    expect(signal === null ? `ended with code ${code}` : `too_much_memory ${signal}`).toMatch(error);
    expect(readdirSync(folder)).toEqual([]);
    expect(written).toBe('');
    if (!job) expect(output).toBe('');
  });
});
