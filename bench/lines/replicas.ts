import pg from 'pg';
import { startChild } from '../child.ts';
import { line, type Row, VoidRow } from '../line.ts';
import type { TimedLoad, TimedQuestion } from '../load.ts';
import { customers } from '../market.ts';
import { medianOf } from '../measure.ts';
import { onPostgres } from '../postgres.ts';
import { postgresCpu } from '../postgres-cpu.ts';
import { toBody } from '../question-body.ts';
import { type MeasuredServer, startServerChild } from '../server.ts';
import { openPostgresService } from '../service-work.ts';
import { countStatements } from '../statements.ts';

const OFFERS = 5_000;
const REPLICAS = 3;
const ROUNDS = 3;
/** Calls at the same time: as many for one replica as for three. */
const CALLERS = 6;
const WARM_CALLS = 200;
const COUNTED_CALLS = 200;

interface MeasuredRequest {
  readonly name: string;
  readonly path: string;
  readonly bodies: readonly string[];
  /** Calls of one turn. */
  readonly calls: number;
}

const BODIES = customers(64).map((customer) => JSON.stringify(toBody(customer)));
const MEASURED_REQUESTS: readonly MeasuredRequest[] = [
  { name: 'list of 100', path: '/v1/offers?limit=100', bodies: [], calls: 200 },
  { name: 'ranking', path: '/v1/offers/efficient', bodies: BODIES, calls: 600 },
];

/** The measurements of one question with some replicas: medians, microseconds. */
interface Measured {
  readonly clock: number;
  readonly p99: number;
  readonly replicaCpu: number;
  /** NaN: not measurable here. */
  readonly databaseCpu: number;
}

type Turn = (request: MeasuredRequest, targets: readonly MeasuredServer[], calls?: number) => Promise<Measured>;

/** Every replica has to give the same bytes. */
async function expectSameAnswers(replicas: readonly MeasuredServer[]): Promise<void> {
  for (const { name, path, bodies } of MEASURED_REQUESTS) {
    const texts = new Set<string>();
    for (const { url, key } of replicas) {
      const body = bodies[0] ?? null;
      const headers = { 'x-api-key': key, ...(body === null ? {} : { 'content-type': 'application/json' }) };
      const answer = await fetch(url + path, { method: body === null ? 'GET' : 'POST', body, headers });
      if (answer.status !== 200) throw new VoidRow(`a replica answers ${answer.status} to the ${name}`);
      texts.add(await answer.text());
    }
    if (texts.size !== 1) throw new VoidRow(`the replicas give different answers to the ${name}`);
  }
}

/** The number of statements for a call of each question. */
async function queriesPerCall(databaseUrl: string, key: string, turnOn: Turn): Promise<readonly number[]> {
  const counter = await countStatements(databaseUrl);
  const replica = await startServerChild('replica', [counter.url, key]);
  try {
    const counts: number[] = [];
    for (const request of MEASURED_REQUESTS) {
      await turnOn(request, [replica], CALLERS);
      const before = counter.queries();
      await turnOn(request, [replica], COUNTED_CALLS);
      counts.push((counter.queries() - before) / COUNTED_CALLS);
    }
    return counts;
  } finally {
    await replica.end();
    await counter.close();
  }
}

/** Medians over all rounds, by question and by how many replicas there are. */
async function measure(replicas: readonly MeasuredServer[], turnOn: Turn): Promise<readonly (readonly Measured[])[]> {
  for (const request of MEASURED_REQUESTS) for (const replica of replicas) await turnOn(request, [replica], WARM_CALLS);
  const timings = MEASURED_REQUESTS.map(() => replicas.map((): Measured[] => []));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, request] of MEASURED_REQUESTS.entries()) {
      for (const [more, turns] of (timings[index] ?? []).entries()) {
        turns.push(await turnOn(request, replicas.slice(0, more + 1)));
      }
    }
  }
  const median = (turns: readonly Measured[], of: (turn: Measured) => number) => medianOf(turns.map(of));
  return timings.map((byCount) =>
    byCount.map((turns) => ({
      clock: median(turns, ({ clock }) => clock),
      p99: median(turns, ({ p99 }) => p99),
      replicaCpu: median(turns, ({ replicaCpu }) => replicaCpu),
      databaseCpu: median(turns, ({ databaseCpu }) => databaseCpu),
    })),
  );
}

function rowsOf({ name }: MeasuredRequest, queries: number, byCount: readonly Measured[]): readonly Row[] {
  const [one, ...more] = byCount;
  if (!one) return [];
  const perSecond = (micros: number) => Math.round(1_000_000 / micros).toLocaleString('en');
  return more.flatMap((some, index): readonly Row[] => {
    const count = index + 2;
    const peer = 'one replica';
    const compared = (what: string, oursMicros: number, peerMicros: number): Row => {
      return { what: `${name}, ${what}`, oursMicros, peer, peerMicros, ratio: 'ours/theirs', goal: null };
    };
    const clock: Row = {
      ...compared(
        `${queries.toFixed(2)} queries a call, ${count} replicas: ${perSecond(some.clock)} calls/s`,
        some.clock,
        one.clock,
      ),
      peer: `one replica: ${perSecond(one.clock)} calls/s`,
      ratio: 'theirs/ours',
    };
    const rows = [
      clock,
      compared(`${count} replicas: p99`, some.p99, one.p99),
      compared(`${count} replicas: processor time of the replicas`, some.replicaCpu, one.replicaCpu),
    ];
    if (Number.isNaN(one.databaseCpu)) return rows;
    return [...rows, compared(`${count} replicas: processor time of PostgreSQL`, some.databaseCpu, one.databaseCpu)];
  });
}

/** PostgreSQL does this by itself about a minute after many writes. */
async function gatherStatistics(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}

async function rowsOn(databaseUrl: string): Promise<readonly Row[]> {
  const { key, close } = await openPostgresService(databaseUrl, OFFERS);
  await close();
  await gatherStatistics(databaseUrl);
  const callers = startChild('callers');
  const databaseCpu = await postgresCpu(databaseUrl);
  const turnOn: Turn = async ({ path, bodies, calls: usual }, targets, calls = usual) => {
    const cpuOfAll = async () => {
      const all = await Promise.all(targets.map((target) => target.cpuMicros()));
      return all.reduce((sum, micros) => sum + micros, 0);
    };
    const before = [await cpuOfAll(), databaseCpu?.() ?? Number.NaN] as const;
    const places = targets.map(({ url, key: ownKey }) => ({ url, key: ownKey }));
    const question: TimedQuestion = { targets: places, path, bodies, calls, callers: CALLERS };
    const { microsPerCall, p99Micros } = await callers.ask<TimedLoad>('run', question);
    const after = [await cpuOfAll(), databaseCpu?.() ?? Number.NaN] as const;
    return {
      clock: microsPerCall,
      p99: p99Micros,
      replicaCpu: (after[0] - before[0]) / calls,
      databaseCpu: (after[1] - before[1]) / calls,
    };
  };
  const replicas: MeasuredServer[] = [];
  try {
    const queries = await queriesPerCall(databaseUrl, key, turnOn);
    for (let count = 0; count < REPLICAS; count++) replicas.push(await startServerChild('replica', [databaseUrl, key]));
    await expectSameAnswers(replicas);
    const timings = await measure(replicas, turnOn);
    return MEASURED_REQUESTS.flatMap((request, index) =>
      rowsOf(request, queries[index] ?? Number.NaN, timings[index] ?? []),
    );
  } finally {
    await callers.end();
    for (const replica of replicas) await replica.end();
  }
}

/**
 * The list of 100 offers (`GET /v1/offers`) and the ranking of 5,000 (`POST /v1/offers/efficient`), asked of 1, 2 and
 * 3 replicas over one PostgreSQL that waits for the disk; six callers in a process of their own, whatever the number
 * of replicas, each with the next call when the last was answered. Three replicas, the database and the callers share
 * the processors of one machine: with two of them this cannot show how the service scales out. It shows whether
 * replicas disturb each other: throughput that is lost, processor time that a call costs more, in the replicas (all
 * their threads) and in PostgreSQL (all its processes). Queries are counted on the way to the database, without those
 * that begin and end a transaction and without the records of use, which are written twice a second; an authenticated
 * read may ask three. Clock: one by the time that a call takes of the whole, the reciprocal of calls/s.
 */
export const replicasLine = line({
  name: 'Several replicas',
  run: () => onPostgres(rowsOn),
});
