import { statSync } from 'node:fs';
import { operations } from '@tarifario/api';
import { compose, createLog } from '@tarifario/runtime';
import { fillAccount } from '../account.ts';
import { line, type Row } from '../line.ts';
import { timedLoad } from '../load.ts';
import { customers } from '../market.ts';
import { toBody } from '../question-body.ts';
import { startServerChild } from '../server.ts';
import { type BenchService, openService } from '../service-work.ts';

const OFFERS = 5_000;
const CALLERS = 8;
const CALLS = 1_000;
const ACCOUNTS = 200;
const RECORDED_CALLS = 20_000;

/**
 * What one process over SQLite carries: calls a second on this machine, of which the callers take a share, and the processor time
 * of each in the server, all threads, against a ranking; and what the file grows by, against an offer with three tiers.
 */
export const oneNodeLine = line({
  name: 'What one node carries',
  run: async () => [...(await calls()), ...(await bytes())],
});

async function calls(): Promise<readonly Row[]> {
  const server = await startServerChild('serve', [String(OFFERS)]);
  const bodies = customers(64).map((customer) => JSON.stringify(toBody(customer)));
  const asked = [
    { name: `ranking of ${OFFERS.toLocaleString('en')} offers`, path: '/v1/offers/efficient', bodies },
    { name: 'one offer', path: '/v1/offers/7', bodies: [] },
    { name: 'a write of one offer', path: '/v1/offers/7/toggle', bodies: ['{}'], method: 'PATCH' },
    { name: 'a list of 100', path: '/v1/offers?limit=100', bodies: [] },
  ];
  const rows: Row[] = [];
  try {
    for (const { name, ...question } of asked) {
      const load = { targets: [server], callers: CALLERS, calls: CALLS, ...question };
      await timedLoad(load);
      const before = await server.cpuMicros();
      const { microsPerCall, p99Micros } = await timedLoad(load);
      const oursMicros = ((await server.cpuMicros()) - before) / CALLS;
      const perSecond = Math.round(1_000_000 / microsPerCall).toLocaleString('en');
      const what = `${name}: ${perSecond} calls/s, p99 ${(p99Micros / 1000).toFixed(1)} ms`;
      const peerMicros = rows[0]?.oursMicros ?? oursMicros;
      rows.push({ what, oursMicros, peer: 'a ranking', peerMicros, ratio: 'ours/theirs', goal: null });
    }
  } finally {
    await server.end();
  }
  return rows;
}

/** A closed file has no `-wal`. */
async function grownBy({ file }: BenchService, work: (service: BenchService['service']) => Promise<unknown>) {
  const before = statSync(file).size;
  const service = await compose(`sqlite:${file}`, createLog('error'));
  await work(service);
  await service.close();
  return statSync(file).size - before;
}

async function bytes(): Promise<readonly Row[]> {
  const empty = await openService(0);
  await empty.service.close();
  const account = await grownBy(empty, async (service) => {
    for (let number = 0; number < ACCOUNTS; number++) await fillAccount(service, 0, `small-${number}`);
  });
  const offers = await grownBy(empty, (service) => fillAccount(service, OFFERS, 'large'));
  const own = operations.find(({ id }) => id === 'getAccount');
  if (!own) throw new RangeError('there is no operation getAccount');
  const recorded = await grownBy(empty, async (service) => {
    const call = {
      operation: own,
      apiKey: empty.key,
      address: '127.0.0.1',
      params: {},
      readBody: async () => undefined,
    };
    for (let turn = 0; turn < RECORDED_CALLS; turn++) {
      const { status } = await service.dispatch({ kind: 'operation', ...call, query: new URLSearchParams() });
      if (status !== 200) throw new RangeError(`the account was answered ${status}`);
    }
  });
  await empty.close();
  const each = (what: string, size: number, count: number): Row => {
    const sizes = { oursMicros: size / count, peerMicros: offers / OFFERS, inBytes: true } as const;
    return { what, ...sizes, peer: 'an offer', ratio: 'ours/theirs', goal: null };
  };
  return [
    each('an offer, three of ten with 24 months', offers, OFFERS),
    each('an account with a firm and its retailers', account, ACCOUNTS),
    each('a recorded call', recorded, RECORDED_CALLS),
  ];
}
