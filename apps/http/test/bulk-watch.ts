import type { HostileFile } from '@tarifario/testkit/files/hostile-files';
import { newOffersWorkbook, sendFile } from '@tarifario/testkit/http/bulk-files';
import { ask, askFor, type RunningServer, type ServerProcess } from '@tarifario/testkit/http/running-server';
import { expectWithin } from '@tarifario/testkit/share';
import { expect } from 'vitest';

/** An account of its own, which has sent no file yet, with the firm Norte. */
export interface Sender {
  readonly key: string;
  readonly keyId: number;
  readonly accountId: number;
  readonly clientId: number;
}

let senders = 0;

export async function newSender(server: RunningServer): Promise<Sender> {
  senders += 1;
  const accountId = await server.addAccount(`sender-${senders}`);
  const key = await server.addKey(accountId, {});
  const { id } = await askFor<{ id: number }>(server, key, { path: '/v1/clients', body: { name: 'Norte' } });
  const [first] = await server.service.store.read((reader) => reader.keys.list(accountId));
  if (!first) throw new Error('a key was made');
  return { key, keyId: first.id, accountId, clientId: id };
}

export interface Watched<T> {
  readonly value: T;
  readonly wallMs: number;
  /** For how long the thread that answers worked at most at a stretch, in time of a processor. */
  readonly workedMs: number;
  /** How much more that thread held at its highest: its heap but for what was just made, and what is outside of it. */
  readonly grownMb: number;
  /** How much more the process held, its other threads included. */
  readonly processGrownMb: number;
  /** Calls of others that were answered meanwhile, and how long 99 in 100 of them took at most. */
  readonly answers: number;
  readonly p99Ms: number;
}

interface MemoryUse {
  readonly threadBytes: number;
  readonly processBytes: number;
}

/** What the server holds, as its metrics tell. */
async function memoryOf(server: ServerProcess): Promise<MemoryUse> {
  const page = await (await fetch(`${server.metricsUrl}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN);
  // The engine sizes the space for what was just made as it likes, within bounds, and any lively traffic fills it.
  const newSpace = read('nodejs_heap_space_size_used_bytes{space="new"}');
  return {
    threadBytes: read('nodejs_heap_size_used_bytes') - newSpace + read('nodejs_external_memory_bytes'),
    processBytes: read('process_resident_memory_bytes'),
  };
}

/** Looks at a server, and asks it for offers again and again, while something runs. */
export async function watchedServer<T>(
  server: ServerProcess,
  { key }: Pick<Sender, 'key'>,
  run: () => Promise<T>,
): Promise<Watched<T>> {
  const before = await memoryOf(server);
  await server.longestStretchMs();
  const highest = { ...before };
  const times: number[] = [];
  const began = performance.now();
  const running = { isOver: false };
  const result = run().finally(() => {
    running.isOver = true;
  });
  const look = async () => {
    while (!running.isOver) {
      const startedAt = performance.now();
      await ask(server, key, { path: '/v1/offers?limit=50' });
      times.push(performance.now() - startedAt);
      const { threadBytes, processBytes } = await memoryOf(server);
      highest.threadBytes = Math.max(highest.threadBytes, threadBytes);
      highest.processBytes = Math.max(highest.processBytes, processBytes);
    }
  };
  const [value] = await Promise.all([result, look()]);
  times.sort((a, b) => a - b);
  const inMb = (bytes: number) => bytes / 2 ** 20;
  return {
    value,
    wallMs: performance.now() - began,
    workedMs: await server.longestStretchMs(),
    grownMb: inMb(highest.threadBytes - before.threadBytes),
    processGrownMb: inMb(highest.processBytes - before.processBytes),
    answers: times.length,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  };
}

let goodFile: Promise<Uint8Array> | null = null;

/**
 * Expects that a file is refused soon, that nobody else notices, and that the next file is applied. One that can be read,
 * and in which no value stands, may be taken for the nothing that it is.
 */
export async function expectHarmless(server: ServerProcess, { bytes, outcome }: HostileFile): Promise<void> {
  const sender = await newSender(server);
  const file = bytes();
  const path = '/v1/offers/bulk-update';
  const { value, wallMs, workedMs, grownMb } = await watchedServer(server, sender, () =>
    sendFile(server, sender.key, { path, bytes: file }),
  );
  if (outcome === 'read' && value.status === 200)
    expect(value.text).toContain('"created":0,"replaced":0,"deactivated":0');
  else expect([400, 413, 422]).toContain(value.status);
  expect(value.text).not.toMatch(/yauzl|saxes|Error:|node_modules/);
  expect(wallMs).toBeLessThan(35_000);
  expectWithin(workedMs, 100);
  expect(grownMb).toBeLessThan(50);
  goodFile ??= newOffersWorkbook({ offers: 2, indexed: 1 });
  expect((await sendFile(server, sender.key, { path, bytes: await goodFile })).status).toBe(200);
}
