import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { largeBook, sendFile } from '../../apps/http/test/bulk-files.ts';
import { startChild } from '../child.ts';
import { line, type Row, VoidRow } from '../line.ts';
import { medianOf, wallMicros } from '../measure.ts';
import { type MeasuredServer, startServerChild } from '../server.ts';

const ROUNDS = 3;
const OFFERS = 19_000;
const IDLE_MS = 4_000;

interface Imported {
  readonly micros: number;
  /** 99 in 100 answers to `GET /v1/offers` took at most so long: before, and while the file was applied. */
  readonly idleP99Micros: number;
  readonly busyP99Micros: number;
}

async function p99While(server: MeasuredServer, work: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  const state = { isOver: false };
  const over = work.finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) {
    const headers = { 'X-API-Key': server.key };
    times.push(
      await wallMicros(async () => (await fetch(`${server.url}/v1/offers?limit=50`, { headers })).arrayBuffer()),
    );
  }
  await over;
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** Sends a file to a server of its own, so that every round begins with the same few offers. */
async function importOnce(bytes: Uint8Array): Promise<Imported> {
  const server = await startServerChild('serve', ['50']);
  try {
    const headers = { 'X-API-Key': server.key, 'Content-Type': 'application/json' };
    await fetch(`${server.url}/v1/clients`, { method: 'POST', headers, body: JSON.stringify({ name: 'Norte' }) });
    const idleP99Micros = await p99While(server, sleep(IDLE_MS));
    let answer = '';
    let micros = 0;
    const sending = wallMicros(async () => {
      answer = (await sendFile(server, server.key, { path: '/v1/offers/bulk-update', bytes })).text;
    }).then((taken) => {
      micros = taken;
    });
    const busyP99Micros = await p99While(server, sending);
    const { created }: { readonly created?: number } = JSON.parse(answer);
    if (created !== OFFERS) throw new VoidRow(`the file was answered ${answer.slice(0, 200)}`);
    return { micros, idleP99Micros, busyP99Micros };
  } finally {
    await server.end();
  }
}

export const importRowsLine = line({
  name: 'A workbook of 10 MB to committed rows',
  about:
    'Four sheets, 76,000 rows, 19,000 new offers with a month and two tiers each: sent as a form to the service on ' +
    'SQLite, read, checked, compared, committed, answered; against exceljs that only loads the same file. Then how long ' +
    'others wait meanwhile: the 99th percentile of `GET /v1/offers`, asked one after the other, beside what it is when ' +
    'nothing is imported. Wall clock.',
  run: async () => {
    const bytes = await largeBook();
    const folder = mkdtempSync(join(tmpdir(), 'tarifario-workbook-'));
    const file = join(folder, 'large.xlsx');
    writeFileSync(file, bytes);
    const exceljs = startChild('exceljs-load');
    const imported: Imported[] = [];
    const loaded: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        imported.push(await importOnce(bytes));
        loaded.push((await exceljs.ask<{ readonly micros: number }>('load', file)).micros);
      }
    } finally {
      await exceljs.end();
      rmSync(folder, { recursive: true, force: true });
    }
    const rows: readonly Row[] = [
      {
        what: `${(bytes.length / 1e6).toFixed(1)} MB to ${OFFERS.toLocaleString('en')} offers`,
        oursMicros: medianOf(imported.map(({ micros }) => micros)),
        peer: 'exceljs load',
        peerMicros: medianOf(loaded),
        ratio: 'ours/theirs',
        goal: { atMost: 0.8 },
      },
      {
        what: 'p99 of GET /v1/offers while importing',
        oursMicros: medianOf(imported.map(({ busyP99Micros }) => busyP99Micros)),
        peer: 'the same, idle',
        peerMicros: medianOf(imported.map(({ idleP99Micros }) => idleP99Micros)),
        ratio: 'ours/theirs',
        goal: null,
      },
    ];
    return rows;
  },
});
