import pg from 'pg';
import { line, type Row } from '../line.ts';
import { marketTerms } from '../market.ts';
import { medianOf, wallMicros } from '../measure.ts';
import { openPlainPostgres } from '../plain-tables.ts';
import { onPostgres } from '../postgres.ts';
import { postgresCpu } from '../postgres-cpu.ts';
import { openPostgresService } from '../service-work.ts';
import { offersOf, replacements } from './bulk-write.ts';

const OFFERS = 10_000;
/** One by one takes so long that a part of the offers tells how long all would take. */
const ONE_BY_ONE = 1_000;
const ROUNDS = 3;
const CHECKS = 1_000;

async function timesOf(work: () => Promise<unknown>, count: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) times.push(await wallMicros(work));
  return medianOf(times);
}

async function rowsOn(url: string): Promise<readonly Row[]> {
  const { service, accountId, close } = await openPostgresService(url, OFFERS);
  const plain = await openPlainPostgres(url, marketTerms('LUZ', ONE_BY_ONE));
  const client = new pg.Client(url);
  await client.connect();
  const { store, clock } = service;
  const checks: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  const writes: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
  const inDatabase: Record<'ours' | 'theirs', number[]> = { ours: [], theirs: [] };
  const usedMicros = await postgresCpu(url);
  const replacing = async (side: 'ours' | 'theirs', share: number, work: () => Promise<unknown>) => {
    const before = usedMicros?.() ?? Number.NaN;
    writes[side].push((await wallMicros(work)) * share);
    inDatabase[side].push(((usedMicros?.() ?? Number.NaN) - before) * share);
  };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      checks.ours.push(await timesOf(() => store.latest.changes.revisions(accountId), CHECKS));
      checks.bare.push(await timesOf(() => client.query({ name: 'one', text: 'select 1' }), CHECKS));
    }
    const offers = await offersOf(store, accountId);
    for (let round = 1; round <= ROUNDS; round++) {
      const changes = replacements(offers, 10 * round);
      const work = () =>
        store.write({ keyId: null, at: clock.now() }, (writer) => writer.offers.update(accountId, changes));
      await replacing('ours', 1, work);
      const part = changes.slice(0, ONE_BY_ONE).map(({ terms }) => terms);
      await replacing('theirs', OFFERS / ONE_BY_ONE, () => plain.replace(part));
    }
  } finally {
    await client.end();
    await plain.close();
    await close();
  }
  return [
    {
      what: 'freshness check',
      oursMicros: medianOf(checks.ours),
      peer: 'a bare round trip',
      peerMicros: medianOf(checks.bare),
      ratio: 'ours/theirs',
      goal: { atMost: 1.2 },
    },
    {
      what: '10,000 offers with tiers replaced',
      oursMicros: medianOf(writes.ours),
      peer: 'kysely, one by one',
      peerMicros: medianOf(writes.theirs),
      ratio: 'theirs/ours',
      goal: { atLeast: 25 },
    },
    {
      what: 'the same, processor time of the database',
      oursMicros: medianOf(inDatabase.ours),
      peer: 'kysely, one by one',
      peerMicros: medianOf(inDatabase.theirs),
      ratio: 'theirs/ours',
      goal: null,
    },
  ];
}

/**
 * What every ranking asks first, through the port of the store, against `select 1` as a named statement on a
 * connection that is open; and a bulk replace with versions against kysely that updates offer by offer and row by row
 * of its tiers, in one transaction and without versions (timed for 1,000 of the 10,000). A server of its own on this
 * machine that waits for the disk. Wall clock.
 */
export const postgresStoreLine = line({
  name: 'Store on PostgreSQL',
  run: () => onPostgres(rowsOn),
});
