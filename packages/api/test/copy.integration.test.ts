import { DatabaseSync } from 'node:sqlite';
import { copyDatabase, digestsOf, migrate, openStore } from '@tarifario/store';
import { questions } from '@tarifario/testkit/api/questions';
import { fillSample, goodCalls, type Sample } from '@tarifario/testkit/api/sample';
import { createWorld, type Progress } from '@tarifario/testkit/api/world';
import { emptyDatabase, onServer, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { temporaryPlace } from '@tarifario/testkit/temporary-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { REPLAYED } from './named-calls.ts';

/** A database without tables, and what is done to it past the store. */
interface Place {
  readonly url: string;
  execute(text: string): unknown;
  /** A file in the words of the database. */
  bytes(hex: string): string;
  remove(): unknown;
}

async function onSqlite(): Promise<Place> {
  const { path, url, remove } = temporaryPlace();
  const execute = (text: string) => {
    const handle = new DatabaseSync(path);
    handle.exec(text);
    handle.close();
  };
  return { url, remove, execute, bytes: (hex) => `x'${hex}'` };
}

async function onPostgres(): Promise<Place> {
  const { url, drop } = await emptyDatabase();
  const execute = (text: string) => onServer(url, (client) => client.query(text));
  return { url, remove: drop, execute, bytes: (hex) => `'\\x${hex}'::bytea` };
}

const ENGINES: Readonly<Record<string, () => Promise<Place>>> = {
  SQLite: onSqlite,
  ...(postgresUrl !== null && { PostgreSQL: onPostgres }),
};
const NAMES = Object.keys(ENGINES);
const WAYS = NAMES.flatMap((from) => NAMES.map((to) => ({ from, to })));

const EVERY_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0')).join('');

/** What calls of the sample leave in no table, values that only just survive, and ids that were given and taken back. */
const unusual = ({ bytes }: Place) => `
  insert into tier_lists (owner_id, digest, tiers) select min(id), ${bytes('00ff')}, '[]' from accounts;
  insert into usage_batches values ('log \\ "one"', 3, '2026-01-01T00:00:00.000Z');
  insert into webhook_events (webhook_id, type, data, created_at, due_at, attempts)
    select min(id), 'usage.limit_near', '{"a":"\\u0000 ñ 😀"}', '2026', '2026', 0 from webhooks;
  insert into webhook_attempts (webhook_id, place, number, event_id, type, data, created_at, sent_at, duration_ms, status)
    select min(id), 3, 23, 1, 'usage.limit_near', '{"a":"\\u0000 ñ 😀"}', '2026', '2026', 0, 500 from webhooks;
  update firms set name = 'a "b" \\ ñ
 😀	{1,2}' where id = (select min(id) from firms);
  update offers set energy_1 = 1e300, energy_2 = 5e-324, energy_3 = -0.1, energy_4 = 1e20, energy_5 = -0.0,
    energy_6 = 0.30000000000000004, requirements = '' where supply_type = 'LUZ';
  update upload_files set bytes = ${bytes('')};
  insert into upload_kept_files (upload_id, account_id, effect, is_forced, bytes)
    select id, account_id, 'e', 0, ${bytes(EVERY_BYTE)} from uploads where status = 'failed';
  insert into accounts (id, name, email, email_folded, password_hash, is_active, is_catalog_editor, created_at)
    values (70, 'gone', 'gone', 'gone', '', 1, 0, '2026');
  ${NEXT_ID[bytes('').startsWith('x') ? 'SQLite' : 'PostgreSQL']}
  delete from accounts where id = 70;`;

const NEXT_ID = { SQLite: '', PostgreSQL: "select setval('accounts_id_seq', 70);" };

interface Filled {
  readonly place: Place;
  readonly sample: Sample;
  readonly progress: Progress;
}

/** A service that has been used: each operation was called. */
async function fill(place: Place): Promise<Filled> {
  await migrate(place.url);
  const store = await openStore(place.url);
  const world = await createWorld(store);
  const sample = await fillSample(world);
  const named = operations.filter(({ replayable }) => replayable).map(({ id }) => id);
  for (const [id, input] of Object.entries(goodCalls(sample))) {
    await world.call(id, { ...input, ...(named.includes(id) && { idempotencyKey: id }) });
  }
  await world.work();
  await world.usageLog.flush();
  // What was called is stored already.
  const progress = { ...world.progress(), calls: [] };
  await store.close();
  await place.execute(unusual(place));
  return { place, sample, progress };
}

/** What a service over a database answers to all that can be asked, and to a request that it has answered before. */
async function answersOf(url: string, { sample, progress }: Filled): Promise<unknown> {
  const store = await openStore(url);
  const world = await createWorld(store, undefined, { progress });
  const calls = goodCalls(sample);
  const reads = operations.filter(({ method }) => method === 'GET').map(({ id }) => [id, calls[id]] as const);
  const answers: unknown[] = [];
  for (const [id, input] of [...reads, ...questions(sample)]) answers.push([id, await world.call(id, input)]);
  const repeated = await world.call('createOffer', { ...calls.createOffer, idempotencyKey: 'createOffer' });
  expect(repeated.headers).toMatchObject(REPLAYED);
  expect(world.bugs).toEqual([]);
  await store.close();
  return [answers, repeated];
}

/** The ids of all that can be created. */
async function newIdsOf(url: string, { sample, progress }: Filled): Promise<unknown> {
  const store = await openStore(url);
  const world = await createWorld(store, undefined, { progress });
  const ids: unknown[] = [['account', (await world.newAccount()).id]];
  for (const [id, input] of Object.entries(goodCalls(sample)).filter(([id]) => id.startsWith('create'))) {
    const { status, body } = await world.call(id, input);
    ids.push([id, status, Object(body).id]);
  }
  expect(world.bugs).toEqual([]);
  await store.close();
  return ids;
}

describe('a copy', () => {
  const filled: Record<string, Filled> = {};
  const places: Place[] = [];

  async function newPlace(engine: string): Promise<Place> {
    const place = await ENGINES[engine]?.();
    if (!place) throw new Error(`no engine ${engine}`);
    places.push(place);
    return place;
  }
  beforeAll(async () => {
    for (const name of NAMES) filled[name] = await fill(await newPlace(name));
  });
  afterAll(async () => {
    for (const { remove } of places) await remove();
  });

  it.each(NAMES)('is tried with a row in each table of %s, so that no table is forgotten', async (name) => {
    const counted = await digestsOf(filled[name]?.place.url ?? '');
    expect(counted.filter(({ rows }) => rows === 0)).toEqual([]);
  });

  it.each(WAYS)(
    'from $from to $to has the same content, answers the same and gives ids that follow',
    async ({ from, to }) => {
      const source = filled[from];
      if (!source) throw new Error('was filled');
      const before = await digestsOf(source.place.url);
      const target = await newPlace(to);
      const report = await copyDatabase(source.place.url, target.url);
      expect(report).toEqual({ isCopied: true, rows: before.reduce((sum, { rows }) => sum + rows, 0), tables: before });
      expect(await digestsOf(target.url)).toEqual(before);
      expect(await digestsOf(source.place.url)).toEqual(before);
      const back = await newPlace(from);
      await copyDatabase(target.url, back.url);
      expect(await digestsOf(back.url)).toEqual(before);

      const answers = await answersOf(source.place.url, source);
      expect(await answersOf(target.url, source)).toEqual(answers);
      expect(await answersOf(back.url, source)).toEqual(answers);
      const ids = await newIdsOf(target.url, source);
      expect(ids).toContainEqual(['account', 71]);
      expect(await newIdsOf(back.url, source)).toEqual(ids);
    },
  );
});
