import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DomainError, UnreadableFile } from '@tarifario/core/service';
import { BOMBS, xmlAttacks } from '@tarifario/testkit/files/hostile-files';
import { sheetXml, workbookFile } from '@tarifario/testkit/files/workbook-file';
import { RETRY_ON_NOISE, runningChildren, watched } from '@tarifario/testkit/loop-watch';
import { expectWithin, isFullLength } from '@tarifario/testkit/share';
import { afterEach, describe, expect, test } from 'vitest';
import { startReadingProcess } from '../src/reading-process.ts';
import { createWorkbookReader, type WorkbookReader, type WorkbookReaderSettings } from '../src/workbook-reader.ts';
import { expectHarmless } from './harmless.ts';
import { outcomeOf, wholeOf } from './whole-files.ts';

const readers: WorkbookReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close();
});

function reading(settings: WorkbookReaderSettings = {}): WorkbookReader {
  const reader = createWorkbookReader(settings);
  readers.push(reader);
  return reader;
}

const tall = (rows: number) =>
  workbookFile({ sheets: { ofertas: sheetXml('<row><c><v>0.125</v></c><c t="b"><v>1</v></c></row>'.repeat(rows)) } });
const SMALL = tall(1);
const TALL = tall(30_000);

describe('a file is read in its own process', () => {
  test('completely, in either format', async () => {
    const reader = reading();
    const sheets = await wholeOf(reader.read(TALL, 'xlsx'));
    expect(sheets.map(({ name, rows }) => [name, rows.length, rows.at(-1)?.row])).toEqual([
      ['ofertas', 30_000, 30_000],
    ]);
    expect(await wholeOf(reader.read(Buffer.from('offer_id;e1\n1;0,1\n'), 'csv'))).toEqual([
      {
        name: '',
        rows: [
          { row: 1, cells: [text(0, 'offer_id'), text(1, 'e1')] },
          { row: 2, cells: [text(0, '1'), text(1, '0,1')] },
        ],
      },
    ]);
  });

  test('ends it as soon as the reader stops early', async () => {
    const reader = reading();
    for await (const { rows } of reader.read(TALL, 'xlsx')) if (rows.length > 0) break;
    expect(await runningChildren()).toBe(0);
    expect(await outcomeOf(reader.read(SMALL, 'xlsx'))).toBe('read');
  });

  test('A-160: ends it once the connection of the caller closes, though it waits for its output', async () => {
    const closing = new AbortController();
    const parts = reading().read(TALL, 'xlsx', closing.signal)[Symbol.asyncIterator]();
    await parts.next();
    expect(await runningChildren()).toBe(1);
    closing.abort();
    // What it sent before is still there.
    const read = async () => {
      while (!(await parts.next()).done);
    };
    await expect(read()).rejects.toThrow(UnreadableFile);
    expect(await runningChildren()).toBe(0);
  });

  // Where a process can be looked at from outside.
  test.runIf(process.platform === 'linux')(
    'which has no settings of ours, and may neither write nor start anything',
    async () => {
      process.env.TARIFARIO_TEST_SECRET = 'secret';
      for await (const _ of reading().read(TALL, 'xlsx')) {
        // The last one that was started: the one before may still be ending.
        const child = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').at(-1);
        expect(readFileSync(`/proc/${child}/environ`, 'utf8')).toBe('');
        const program = readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0');
        const flags = program.filter((flag) => flag.startsWith('--'));
        expect(flags).toEqual(expect.arrayContaining(['--permission', '--max-old-space-size=256']));
        expect(flags.filter((flag) => flag.startsWith('--allow-') && !/^--allow-fs-read=\/.+\/$/.test(flag))).toEqual(
          [],
        );
        const attempts = `
          const fs = require('node:fs');
          const attempts = {
            ours: () => fs.readFileSync('packages/sheets/package.json') && 'done',
            passwords: () => fs.readFileSync('/etc/passwd'),
            settings: () => fs.readFileSync('package.json'),
            others: () => fs.readFileSync('packages/store/package.json'),
            written: () => fs.writeFileSync('packages/sheets/x', ''),
            started: () => require('node:child_process').spawnSync('true'),
            threads: () => new (require('node:worker_threads').Worker)('1', { eval: true }),
            native: () => process.dlopen({ exports: {} }, '/x.node'),
          };
          const outcome = (attempt) => { try { return attempt(); } catch (error) { return error.code; } };
          console.log(Object.entries(attempts).map(([name, attempt]) => name + ' ' + outcome(attempt)).join());`;
        const root = join(import.meta.dirname, '../../..');
        const output = execFileSync(process.execPath, [...flags, '-e', attempts], {
          cwd: root,
          env: {},
          encoding: 'utf8',
        });
        const denied = ['passwords', 'settings', 'others', 'written', 'started', 'threads'];
        const all = ['ours done', ...denied.map((name) => `${name} ERR_ACCESS_DENIED`), 'native ERR_DLOPEN_DISABLED'];
        expect(output).toBe(`${all.join()}\n`);
        break;
      }
      expect.assertions(4);
    },
  );

  if (isFullLength) {
    test('without blocking the calling process for more than 50 ms', RETRY_ON_NOISE, async () => {
      const { blockedMs } = await watched(() => wholeOf(reading().read(TALL, 'xlsx')));
      expectWithin(blockedMs, 50);
    });
  }

  test('which is not started for a file above the size limit', async () => {
    const reader = reading();
    const parts = reader.read(new Uint8Array(10 * 1024 * 1024 + 1), 'xlsx');
    await expect(parts[Symbol.asyncIterator]().next()).rejects.toEqual(new UnreadableFile('too_large'));
    expect(await runningChildren()).toBe(0);
    expect(await outcomeOf(reader.read(new Uint8Array(10 * 1024 * 1024), 'xlsx'))).toBe('not_a_workbook');
  });
});

describe('a process started before its file', () => {
  test('reads it, and the next file has another one', async () => {
    const reader = reading();
    reader.expect();
    reader.expect();
    expect(await runningChildren()).toBe(1);
    // None is started besides it; it may have ended already.
    for await (const _ of reader.read(SMALL, 'xlsx')) expect(await runningChildren()).toBeLessThan(2);
    expect(await runningChildren()).toBe(0);
    expect(await outcomeOf(reader.read(SMALL, 'xlsx'))).toBe('read');
  });

  test('is replaced if it has ended by then', async () => {
    const ready = startReadingProcess();
    ready.kill();
    await ready.ended;
    expect(await outcomeOf(reading({ ready }).read(SMALL, 'xlsx'))).toBe('read');
  });

  test('without a file ends with the reader, or when its parent is gone', async () => {
    const ready = startReadingProcess();
    createWorkbookReader({ ready }).close();
    await ready.ended;
    expect(ready.end()).toEqual({ signal: 'SIGKILL', code: null });
    const program = fileURLToPath(new URL('../src/read-child.ts', import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, ['--conditions=tarifario-source', program], { input: '' });
    expect([status, String(stdout)]).toEqual([0, '']);
  });
});

describe('a process that takes too much is ended', () => {
  test('when its file takes too long', async () => {
    expect(await outcomeOf(reading({ wallMs: 1 }).read(SMALL, 'xlsx'))).toBe('too_costly');
    expect(await runningChildren()).toBe(0);
  });

  if (isFullLength) {
    test('but not because the consumer was slow', async () => {
      const alone = await watched(() => outcomeOf(reading().read(TALL, 'xlsx')));
      // What it needs itself, on a machine that has become busier meanwhile.
      const wallMs = 4 * alone.wallMs + 1500;
      let partCount = 0;
      for await (const _ of reading({ wallMs }).read(TALL, 'xlsx')) {
        partCount += 1;
        if (partCount === 2) await new Promise((resolve) => setTimeout(resolve, wallMs + 100));
      }
      expect(partCount).toBeGreaterThan(10);
    });
  }

  test('when it uses too much CPU time', async () => {
    expect(await outcomeOf(reading({ cpuMs: 1 }).read(SMALL, 'xlsx'))).toBe('too_costly');
  });

  test('A-56: when it uses too much memory', async () => {
    const sharedStrings = `<sst>${'<si><t>abcdefghijklmnop</t></si>'.repeat(500_000)}</sst>`;
    const file = workbookFile({ sheets: { ofertas: sheetXml('') }, sharedStrings });
    const settings = { cpuMs: 1_000_000, wallMs: 100_000 };
    expect(await outcomeOf(reading(settings).read(file, 'xlsx'))).toBe('read');
    expect(await outcomeOf(reading({ ...settings, heapMb: 16 }).read(file, 'xlsx'))).toBe('too_much_memory');
  });
});

test('no file is read after closing, and no process runs on', async () => {
  const reader = reading();
  const running = outcomeOf(reader.read(TALL, 'xlsx'));
  reader.close();
  expect(await running).toBe('too_costly');
  const refused = reader.read(SMALL, 'xlsx')[Symbol.asyncIterator]().next();
  await expect(refused).rejects.toEqual(new DomainError('unavailable', { retryAfterSeconds: 10 }));
  expect(await runningChildren()).toBe(0);
});

describe('a hostile file harms only the process that reads it', RETRY_ON_NOISE, () => {
  // One of each kind; all of them are in `hostile.long.test.ts`.
  const some = [/300 MB that says so/, /nested tags/, /4 KB in a million/];
  const chosen = BOMBS.filter(({ name }) => some.some((pattern) => pattern.test(name)));
  const [, attack] = xmlAttacks('http://127.0.0.1:9');

  test.each([...chosen, ...(attack ? [attack] : [])])('$name: $outcome', (file) => expectHarmless(reading(), file));
});

function text(column: number, value: string) {
  return { column, value: { kind: 'text', text: value } };
}
