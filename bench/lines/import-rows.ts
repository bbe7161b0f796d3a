import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { largeOffersWorkbook, sendFile } from '@tarifario/testkit/http/bulk-files';
import { startChild } from '../child.ts';
import { line, type Row, VoidRow } from '../line.ts';
import { medianOf, wallMicros } from '../measure.ts';
import { type MeasuredServer, startServerChild } from '../server.ts';

const ROUNDS = 3;
const OFFERS = 19_000;
const IDLE_MS = 6_000;
/** Between an answer to others and their next question. */
const PAUSE_MS = 10;

interface Waits {
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
    await sleep(PAUSE_MS);
  }
  await over;
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** A server of its own for each round, so that all begin with the same few offers. */
async function withServer<T>(work: (server: MeasuredServer) => Promise<T>): Promise<T> {
  const server = await startServerChild('serve', ['50']);
  try {
    const headers = { 'X-API-Key': server.key, 'Content-Type': 'application/json' };
    await fetch(`${server.url}/v1/clients`, { method: 'POST', headers, body: JSON.stringify({ name: 'Norte' }) });
    return await work(server);
  } finally {
    await server.end();
  }
}

async function importFile(server: MeasuredServer, bytes: Uint8Array): Promise<void> {
  const { text } = await sendFile(server, server.key, { path: '/v1/offers/bulk-update', bytes });
  const { created }: { readonly created?: number } = JSON.parse(text);
  if (created !== OFFERS) throw new VoidRow(`the file was answered ${text.slice(0, 200)}`);
}

function waitsOfOthers(bytes: Uint8Array): Promise<Waits> {
  return withServer(async (server) => {
    // What others find while the server is still warming up is not what they wait for.
    await p99While(server, sleep(IDLE_MS));
    const idleP99Micros = await p99While(server, sleep(IDLE_MS));
    return { idleP99Micros, busyP99Micros: await p99While(server, importFile(server, bytes)) };
  });
}

/**
 * Four sheets, 76,000 rows, 19,000 new offers with a month and two tiers each: sent as a form to the service on
 * SQLite, read, checked, compared, committed, answered; against exceljs that only loads the same file. Then how long
 * others wait meanwhile: the 99th percentile of `GET /v1/offers`, asked ten milliseconds after the last answer, beside
 * what it is when nothing is imported; a round of its own. Wall clock.
 */
export const importRowsLine = line({
  name: 'A workbook of 10 MB to committed rows',
  run: async () => {
    const bytes = await largeOffersWorkbook();
    const folder = mkdtempSync(join(tmpdir(), 'tarifario-workbook-'));
    const file = join(folder, 'large.xlsx');
    writeFileSync(file, bytes);
    const exceljs = startChild('exceljs-load');
    const imported: number[] = [];
    const loaded: number[] = [];
    const served: number[] = [];
    const loadedCpu: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        await withServer(async (server) => {
          const before = await server.cpuMicros();
          imported.push(await wallMicros(() => importFile(server, bytes)));
          served.push((await server.cpuMicros()) - before);
        });
        const { micros, cpuMicros } = await exceljs.ask<Record<'micros' | 'cpuMicros', number>>('load', file);
        loaded.push(micros);
        loadedCpu.push(cpuMicros);
      }
    } finally {
      await exceljs.end();
      rmSync(folder, { recursive: true, force: true });
    }
    const waits = await waitsOfOthers(bytes);
    const rows: readonly Row[] = [
      {
        what: `${OFFERS.toLocaleString('en')} new offers`,
        oursMicros: medianOf(imported),
        peer: 'exceljs load',
        peerMicros: medianOf(loaded),
        ratio: 'ours/theirs',
        goal: { atMost: 1 },
      },
      {
        what: 'the same, processor time of the server without the process that reads',
        oursMicros: medianOf(served),
        peer: 'exceljs load',
        peerMicros: medianOf(loadedCpu),
        ratio: 'ours/theirs',
        goal: null,
      },
      {
        what: 'p99 of GET /v1/offers while importing',
        oursMicros: waits.busyP99Micros,
        peer: 'the same, idle',
        peerMicros: waits.idleP99Micros,
        ratio: 'ours/theirs',
        goal: null,
      },
    ];
    return rows;
  },
});
