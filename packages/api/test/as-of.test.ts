import { createOfferCache, type Store } from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { backUp, openStore } from '@tarifario/store';
import { filledWorld, fillSample, HOUSEHOLD, PROFILED, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile, sheet } from '@tarifario/testkit/api/workbooks';
import { asRecord, createWorld, type World } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { copyOf, newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { isFullLength, runsOf, shareOf } from '@tarifario/testkit/share';
import { temporaryDatabase } from '@tarifario/testkit/temporary-database';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dispatch } from '../src/index.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

const QUESTIONS = [
  HOUSEHOLD,
  { ...HOUSEHOLD, mes: '2025-12', w: 0.3 },
  PROFILED,
  { ...HOUSEHOLD, q: 'luz' },
  { supply_type: 'GAS', consumo_gas: 5000, territory: 'peninsula' },
];

interface Answered {
  readonly instant: string;
  readonly key: string;
  readonly body: object;
  readonly answer: string;
}

/** The bytes of an answer without the fields that only answers about the past have. */
function bytesOf(body: unknown): string {
  const { as_of: _instant, avisos, ...rest } = asRecord(body);
  if (!Array.isArray(avisos)) throw new Error('an answer without warnings');
  return JSON.stringify({ ...rest, avisos: avisos.filter(({ codigo }) => codigo !== 'alcance_actual') });
}

/** Asks with each key; of all that is asked at the steps of a history, a share that is another one at each `turn`. */
async function answersNow(world: World, keys: readonly string[], turn: number): Promise<Answered[]> {
  const pairs = keys.flatMap((key) => QUESTIONS.map((question) => ({ key, question })));
  const answers: Answered[] = [];
  for (const { key, question } of shareOf(pairs, 3, turn)) {
    const body = 'w' in question && key !== world.fullKey ? { ...question, w: 1 } : question;
    const answer = bytesOf(await world.ask('rankOffers', { key, body }));
    answers.push({ instant: world.instant(), key, body, answer });
  }
  return answers;
}

async function expectSameAnswer(world: World, answers: readonly Answered[], through: Dispatch = world.dispatch) {
  for (const { instant, key, body, answer } of answers) {
    const again = await world.call('rankOffers', { key, body: { ...body, as_of: instant } }, through);
    expect(again.body).toMatchObject({
      as_of: instant,
      avisos: expect.arrayContaining([
        { codigo: 'alcance_actual', mensaje: expect.any(String), total: 0, offer_ids: [] },
      ]),
    });
    expect(bytesOf(again.body)).toBe(answer);
  }
}

/** Writes of every kind, through the API. */
const KINDS = [
  ...(['update', 'commission', 'toggle', 'delete', 'create', 'month', 'unmonth', 'patch', 'file'] as const),
  ...(['catalog', 'catalog_month'] as const),
];
const step = fc.record({ kind: fc.constantFrom(...KINDS), which: fc.nat(2), price: fc.integer({ min: 1, max: 5 }) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function write(world: World, sample: Sample, { kind, which, price }: Step): Promise<void> {
  const id = [sample.luzId, sample.gasId, sample.indexedId][which] ?? 0;
  const params = { id: String(id) };
  const prices = id === sample.gasId ? { gas_energy: price / 100 } : { e1: price / 20 };
  const indexed = { id: String(sample.indexedId) };
  const month = `2025-${10 + which}-01`;
  const e = { e1: price / 10, e2: 0.1, e3: 0.1 };
  const calls = {
    update: () => world.call('updateOffer', { params, body: { ...prices, offer_name: `Oferta ${price}` } }),
    commission: () => world.call('updateOffer', { params, body: { commission: price, commission_tiers: [] } }),
    toggle: () => world.call('toggleOffer', { params }),
    delete: () => world.call('deleteOffer', { params }),
    create: () => world.call('createOffer', { body: { ...LUZ, company_id: sample.companyId, e1: price / 10 } }),
    month: () => world.call('upsertIndexedPrice', { params: indexed, body: { reference_month: month, ...e } }),
    unmonth: () => world.call('deleteIndexedPrice', { params: { ...indexed, month } }),
    patch: () =>
      world.call('bulkPatchOffers', {
        body: { offer_ids: [sample.luzId, sample.gasId], updates: { services_cost: price } },
      }),
    file: () => world.call('bulkUpdateOffers', { form: { bytes: fileOf(sample, price, month) } }),
    catalog: () =>
      world.call('updateCatalogOffer', {
        params: { id: String(sample.catalogId) },
        body: { e1: price / 20, commission: price },
      }),
    catalog_month: () =>
      world.call('upsertCatalogIndexedPrice', {
        params: { id: String(sample.catalogIndexedId) },
        body: { reference_month: month, ...e },
      }),
  };
  const { status } = await calls[kind]();
  if (status >= 400 && kind !== 'unmonth') throw new Error(`${kind}: ${status}`);
}

const LUZ = {
  offer_name: 'Nueva',
  supply_type: 'LUZ',
  tariff_type: '2.0TD',
  territory_peninsula: true,
  acepta_dni: true,
  e2: 0.1,
  e3: 0.1,
  p1: 0.08,
  p2: 0.01,
  commission: 9,
};

function fileOf({ luzId, gasId, indexedId }: Sample, price: number, month: string) {
  return fakeFile({
    ofertas: sheet(['offer_id', 'e1', 'commission'], [luzId, price / 20, price]),
    tramos_consumo: sheet(['offer_id', 'consumption_from', 'consumption_to', 'commission'], [luzId, 0, price, 33]),
    precios_indexados: sheet(
      ['offer_id', 'reference_month', 'e1', 'e2', 'e3'],
      [indexedId, month, price / 10, 0.1, 0.1],
    ),
    ...(price === 5 ? { borrar: [['offer_id'], [gasId]] } : {}),
  });
}

/** A world with a history, and answers at each of its steps. */
async function lived(store: Store, steps: readonly Step[]) {
  const { world, sample } = await filledWorld(store);
  const keys = [world.fullKey, await world.newKey(world.account.id, { scopes: ['offers:read'] })];
  const answers = await answersNow(world, keys, 0);
  for (const [index, one] of steps.entries()) {
    await write(world, sample, one);
    answers.push(...(await answersNow(world, keys, index + 1)));
  }
  return { world, answers };
}

const SEED = 86;
/** Each kind more than once, and of the indexed offer what moves its stamps before and after its months. */
const ALL_KINDS: readonly Step[] = (
  'month0 commission2 month1 unmonth0 month0 toggle2 toggle2 update0 commission0 file1 patch0 catalog0 catalog_month1 ' +
  'create0 delete1 toggle1 update2 commission2 commission2 month2 unmonth2 file2 file0 catalog0 delete0 toggle0 ' +
  'commission2 unmonth1 month1 create1'
)
  .split(' ')
  .map((text, index) => ({
    kind: text.slice(0, -1) as Step['kind'],
    which: Number(text.at(-1)),
    price: 1 + ((index * 3) % 5),
  }));

/** A database with the history of all kinds, which the tests of a store share. */
interface Place {
  readonly url: string;
  /** The address of a copy, made while nobody uses the database. */
  copy(): Promise<string>;
  remove(): Promise<void>;
}

async function sqlitePlace(): Promise<Place> {
  const { path, url, remove } = await temporaryDatabase();
  const copy = async () => {
    await backUp(url, `${path}.backup`);
    return `${url}.backup`;
  };
  return { url, copy, remove: async () => remove() };
}

async function postgresPlace(): Promise<Place> {
  const databases = [await newDatabase()];
  const copy = async () => {
    const made = await copyOf(databases[0] as TestDatabase);
    databases.push(made);
    return made.url;
  };
  const remove = async () => void (await Promise.all(databases.map((database) => database.drop())));
  return { url: (databases[0] as TestDatabase).url, copy, remove };
}

const PLACES = [
  { name: 'SQLite', place: sqlitePlace, histories: 8 },
  ...(postgresUrl === null || !isFullLength ? [] : [{ name: 'PostgreSQL', place: postgresPlace, histories: 4 }]),
];

describe.each(PLACES)('a ranking as of an instant, over $name with a history', ({ name, place, histories }) => {
  const makeStore = new Map(ALL_STORES).get(name) as () => Promise<Store>;
  let kept: Place;
  let store: Store;
  let history: Awaited<ReturnType<typeof lived>>;
  beforeAll(async () => {
    kept = await place();
    store = await openStore(kept.url);
    history = await lived(store, ALL_KINDS);
  });
  afterAll(async () => {
    await store.close();
    await kept.remove();
  });

  it('A-86: has the bytes of the answer at that instant, whatever was written since', async () => {
    const { world, answers } = history;
    await expectSameAnswer(world, answers);
    await expectSameAnswer(world, shareOf(answers, 3), world.newDispatch(world.store));
    expect(world.bugs).toEqual([]);
  });

  it('A-86: is possible for a whole portfolio', async () => {
    const { world, answers } = history;
    const [{ instant, answer }] = answers as [Answered];
    const customers = [
      { ref: 'a', ...HOUSEHOLD },
      { ref: 'b', supply_type: 'GAS' },
    ];
    const batch = await world.ask('rankPortfolio', { body: { customers, as_of: instant } });
    const [first] = batch.results as { best: { offer_id: number; cost: object }[]; avisos: string[] }[];
    const { results } = JSON.parse(answer) as { results: { offer: { id: number }; cost: object }[] };
    expect(batch.as_of).toBe(instant);
    expect(first?.avisos).toContain('alcance_actual');
    expect(first?.best.map(({ offer_id, cost }) => [offer_id, cost])).toEqual(
      results.slice(0, 3).map(({ offer, cost }) => [offer.id, cost]),
    );
  });

  it('A-86: is the same after a restart and from a backup', async () => {
    const { world, answers } = history;
    await store.close();
    for (const [turn, url] of [kept.url, await kept.copy()].entries()) {
      const again = await openStore(url);
      await expectSameAnswer(world, shareOf(answers, 3, turn + 1), world.newDispatch(again));
      await again.close();
    }
  });

  it('A-86: has the bytes of the earlier answer over random histories', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { world, answers } = await lived(await makeStore(), steps);
      await expectSameAnswer(world, answers);
    });
    await fc.assert(property, { seed: SEED, numRuns: runsOf(histories, 40) });
  });
});

describe.each(ALL_STORES.map(([name, makeStore]) => ({ name, makeStore })))(
  'a ranking as of an instant, over $name',
  ({ makeStore }) => {
    it('A-86: counts a change in the very millisecond, and not a millisecond earlier', async () => {
      const {
        world,
        sample: { luzId },
      } = await filledWorld(await makeStore());
      const { updated_at } = await world.ask('updateOffer', { params: { id: String(luzId) }, body: { e1: 0.5 } });
      const e1At = async (as_of: string) => {
        const { results } = await world.ask('rankOffers', { body: { ...HOUSEHOLD, as_of } });
        return (results as { offer: { id: number; e1: number } }[]).find(({ offer }) => offer.id === luzId)?.offer.e1;
      };
      expect(await e1At(String(updated_at))).toBe(0.5);
      expect(await e1At(new Date(Date.parse(String(updated_at)) - 1).toISOString())).toBe(0.18);
    });

    it('A-86: shows every change at its own instant, also after the clock went back', async () => {
      const { world, sample } = await filledWorld(await makeStore());
      const params = { id: String(sample.luzId) };
      const instantOf = async (e1: number) => (await world.ask('updateOffer', { params, body: { e1 } })).updated_at;
      const e1At = async (as_of: unknown) => {
        const { results } = await world.ask('rankOffers', { body: { ...HOUSEHOLD, as_of } });
        return (results as { offer: { id: number; e1: number } }[]).find(({ offer }) => offer.id === sample.luzId)
          ?.offer.e1;
      };
      const first = await instantOf(0.5);
      world.passTime(-10);
      const second = await instantOf(0.4);
      expect([second, await e1At(second)]).toEqual([first, 0.4]);
      const later = new Date(Date.parse(String(first)) + 1).toISOString();
      expect((await world.call('rankOffers', { body: { ...HOUSEHOLD, as_of: later } })).status).toBe(422);
      world.passTime(20);
      expect([await e1At(second), await e1At(await instantOf(0.3)), await e1At(first)]).toEqual([0.4, 0.3, 0.4]);
    });
  },
);

describe('a question about the past', () => {
  const askedAsOf = (as_of: unknown) => ({ body: { ...HOUSEHOLD, as_of } });
  const refusalOf = ({ status, body }: { status: number; body: unknown }) => {
    const { code, errors } = asRecord(asRecord(body).detail);
    return { status, code, errors };
  };
  const rule = (error: unknown) => ({ status: 422, code: 'business_rule', errors: [{ path: 'as_of', error }] });

  it('A-86: is refused for an instant in the future, for the present day, and for an instant before the account', async () => {
    const { world } = await filledWorld();
    for (const future of ['2026-01-02T00:00:00Z', '2026-01-01']) {
      expect(refusalOf(await world.call('rankOffers', askedAsOf(future)))).toEqual(
        rule(expect.stringContaining('future')),
      );
    }
    const before = rule('history begins at 2026-01-01T00:00:00.000Z');
    expect(refusalOf(await world.call('rankOffers', askedAsOf('2025-12-30')))).toEqual(before);
    const batch = { customers: [{ ref: 'a', ...HOUSEHOLD }], as_of: '2025-12-30' };
    expect(refusalOf(await world.call('rankPortfolio', { body: batch }))).toEqual(before);
    expect((await world.call('rankOffers', askedAsOf('2026-01-01T00:00:00Z'))).status).toBe(200);
    world.passTime(86_400);
    const { body } = await world.call('rankOffers', askedAsOf('2026-01-01'));
    expect(asRecord(body).as_of).toBe('2026-01-01T23:59:59.999Z');
  });

  it('A-86: names an instant in UTC or a day, and nothing else', async () => {
    const world = await createWorld();
    for (const wrong of [
      '2026-02-30',
      '2026-01',
      '2026-01-01T00:00Z',
      '2026-01-01T00:00:00+01:00',
      '2026-01-01T24:00:00Z',
      5,
    ]) {
      expect(refusalOf(await world.call('rankOffers', askedAsOf(wrong))), String(wrong)).toMatchObject({ status: 400 });
    }
    const inCustomer = { customers: [{ ref: 'a', ...HOUSEHOLD, as_of: '2026-01-01' }] };
    const { results } = await world.ask('rankPortfolio', { body: inCustomer });
    expect(results).toMatchObject([{ error: { code: 'invalid_request' } }]);
  });

  it('A-86: is refused where the firm is of another account, whatever the instant', async () => {
    const world = await createWorld();
    const { body } = askedAsOf('2999-01-01');
    expect(refusalOf(await world.call('rankOffers', { body: { ...body, client_id: 99 } }))).toMatchObject({
      status: 403,
    });
  });

  it('A-86: costs five points, and more for many customers', async () => {
    const world = await createWorld(undefined, createMemoryRateLimiter());
    await world.subscribe(world.account.id, { plan: 'free' });
    const remaining = async (operation: string, body: object) =>
      (await world.send(operation, { body })).headers.RateLimit;
    const as_of = '2026-01-01T00:00:00Z';
    expect(await remaining('rankOffers', { ...HOUSEHOLD, as_of })).toBe('"account";r=55;t=60');
    const customers = Array.from({ length: 101 }, () => ({ ref: 'a', ...HOUSEHOLD }));
    expect(await remaining('rankPortfolio', { customers, as_of })).toBe('"account";r=49;t=60');
  });

  it('A-86: runs one at a time for an account, and the next is accepted once it is over', async () => {
    const [began, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const store = await newStore();
    const world = await createWorld({
      ...store,
      read: (work) =>
        store.read((reader) =>
          work({
            ...reader,
            offers: {
              ...reader.offers,
              past: async function* (...args) {
                began.resolve();
                await opened.promise;
                yield* reader.offers.past(...args);
              },
            },
          }),
        ),
    });
    await fillSample(world);
    const as_of = world.instant();
    const other = await world.newKey((await world.newAccount()).id);
    const first = world.call('rankOffers', askedAsOf(as_of));
    await began.promise;
    const second = await world.call('rankOffers', askedAsOf(as_of));
    expect(refusalOf(second)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(second.headers['Retry-After']).toBe('1');
    const theirs = world.call('rankOffers', { key: other, ...askedAsOf(as_of) });
    expect((await world.call('rankOffers', { body: HOUSEHOLD })).status).toBe(200);
    opened.resolve();
    expect([(await first).status, (await theirs).status]).toEqual([200, 200]);
    expect((await world.call('rankOffers', askedAsOf(as_of))).status).toBe(200);
  });

  it('A-86: stores nothing of the past in the cache of the present', async () => {
    const offerCache = createOfferCache();
    const {
      world,
      sample: { luzId },
    } = await filledWorld(undefined, undefined, { offerCache });
    const as_of = world.instant();
    await world.ask('updateOffer', { params: { id: String(luzId) }, body: { e1: 0.5 } });
    const before = await world.ask('rankOffers', { body: HOUSEHOLD });
    const { offers, rebuilt } = offerCache.counts();
    await world.ask('rankOffers', askedAsOf(as_of));
    expect(offerCache.counts()).toMatchObject({ offers, rebuilt });
    expect(await world.ask('rankOffers', { body: HOUSEHOLD })).toEqual(before);
  });
});
