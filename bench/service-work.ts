import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '@tarifario/api';
import { compileUniverse, rankUniverses } from '@tarifario/core/service';
import { compose, createLog, migrate, type Service } from '@tarifario/runtime';
import { fillAccount } from './account.ts';
import { customers, market, questionFor } from './market.ts';
import { toBody } from './question-body.ts';

/** A service on a file of its own that is deleted with it, and an account in it. */
export interface BenchService {
  readonly service: Service;
  readonly accountId: number;
  readonly key: string;
  /** The database file. */
  readonly file: string;
  close(): Promise<void>;
}

/** The same on a PostgreSQL database without tables. */
export async function openPostgresService(
  url: string,
  offerCount: number,
): Promise<Pick<BenchService, 'service' | 'accountId' | 'key' | 'close'>> {
  await migrate(url);
  const service = await compose(url, createLog('error'));
  const { accountId, key } = await fillAccount(service, offerCount);
  return { service, accountId, key, close: () => service.close() };
}

export async function openService(offerCount: number): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-bench-'));
  const file = join(folder, 'bench.db');
  const log = createLog('error');
  await migrate(`sqlite:${file}`);
  const service = await compose(`sqlite:${file}`, log);
  const { accountId, key } = await fillAccount(service, offerCount);
  const close = async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { service, accountId, key, file, close };
}

/**
 * The work of a service before the measurement: rankings of both supplies, of months, with and without
 * commissions, and requests through the whole of it. Code that only ever saw one kind of input runs faster than it
 * will in service.
 */
export async function workAsAService(): Promise<void> {
  const { service, key, close } = await openService(300);
  const rank = operations.find(({ id }) => id === 'rankOffers');
  if (!rank) throw new RangeError('there is no operation rankOffers');
  const people = customers(40);
  for (const [turn, customer] of people.entries()) {
    for (const takesJson of [true, false]) {
      const body = { ...toBody(customer), ...(turn % 3 === 0 ? { mes: '2026-03' } : {}) };
      const call = { operation: rank, apiKey: key, address: '127.0.0.1', params: {}, takesJson };
      const { status } = await service.dispatch({
        kind: 'operation',
        ...call,
        query: new URLSearchParams(),
        readBody: async () => body,
      });
      if (status !== 200) throw new RangeError(`a ranking was answered ${status}`);
    }
  }
  await close();
  for (const supplyType of ['LUZ', 'GAS'] as const) {
    const universe = compileUniverse(supplyType, market(supplyType, 2500, 5));
    for (const [turn, customer] of people.entries()) {
      const ranked = supplyType === 'LUZ' ? customer : { supplyType, consumptionKwh: 1000 + turn };
      const month = turn % 4 === 0 ? '2026-05-01' : null;
      const request = { ...questionFor(ranked, turn / people.length), month, seesCommissions: turn % 2 === 0 };
      rankUniverses([{ universe, admits: (id) => id !== turn }], request);
    }
  }
}
