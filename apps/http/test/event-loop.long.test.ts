import { draftOffer, type OfferTerms } from '@tarifario/core/service';
import { ask, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { slowness } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Nothing that a caller can ask for keeps all others waiting for more than 50 ms. The server runs in a process of its
// own and tells through its metrics for how long its event loop stood still at most. A busy machine only ever adds to
// that, so the best of some attempts is what the server itself does.

const MAX_DELAY_MS = 50;
/** The most that waiting for a processor adds on a machine that has far too much to do. */
const BUSY_MACHINE_MS = 300;
const ATTEMPTS = 6;
const OFFERS = 5000;

const HOME = {
  supply_type: 'LUZ',
  energia: { e1: 1200, e2: 900, e3: 1400 },
  potencia: { p1: 4.6, p2: 4.6 },
  limit: 200,
};

let server: ServerProcess;
/** Accounts with 5 000 offers each, that nobody has ranked yet. */
let accounts: Account[];
let larges = 0;

interface Account {
  readonly key: string;
  readonly offerIds: readonly number[];
}

beforeAll(async () => {
  server = await startServerProcess({ metricsPort: 0 });
  accounts = [];
  for (let count = 0; count < 4; count++) accounts.push(await newAccount(`account-${count}`));
});

afterAll(() => server.close());

async function newAccount(name: string, offerCount = OFFERS): Promise<Account> {
  const { store, clock } = server.service;
  const accountId = await server.addAccount(name);
  const context = { keyId: null, at: clock.now() };
  const offerIds = await store.write(context, async (writer) => {
    const firmTerms = { name: 'Asesoría', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
    const firm = await writer.firms.insert(accountId, firmTerms);
    const companyTerms = { firmId: firm.id, name: 'Comercializadora', logoUrl: null, isActive: true };
    const company = await writer.companies.insert(accountId, companyTerms);
    const terms = Array.from({ length: offerCount }, (_, index) => newTerms(company.id, index));
    const offers = await writer.offers.insert(accountId, terms);
    for (const offer of offers.filter(({ isIndexed }) => isIndexed)) {
      for (const month of ['2025-10-01', '2025-11-01', '2025-12-01'] as const) {
        const power = [null, null, null, null, null, null] as const;
        const energy = [0.1, 0.11, 0.12, null, null, null] as const;
        const prices = { energyEurPerKwh: energy, powerEurPerKwDay: power };
        const price = { supplyType: 'LUZ', month, ...prices } as const;
        await writer.months.put(accountId, [{ offerId: offer.id, before: null, price }]);
      }
    }
    const call = { accountId, firmId: null, method: 'GET', statusCode: 200, createdAt: context.at };
    const usage = Array.from({ length: 5000 }, (_, index) => ({
      ...call,
      endpoint: '/v1/offers',
      responseTimeMs: index / 10,
    }));
    await writer.usage.insert(usage);
    return offers.map(({ id }) => id);
  });
  return { key: await server.addKey(accountId, {}), offerIds };
}

function newTerms(companyId: number, index: number): OfferTerms {
  const tariff = { supplyType: 'LUZ', tariffType: '2.0TD' } as const;
  const { terms } = draftOffer(
    { companyId, offerName: `Oferta ${index}`, ...tariff },
    {
      territories: { peninsula: true },
      accepts: { dni: true },
      isIndexed: index % 10 === 0,
      energyEurPerKwh: [0.1 + (index % 97) / 1000, 0.13, 0.09],
      powerEurPerKwDay: [0.08, 0.01],
      ...(index % 3 === 0 && { hasSolarPanels: true, surplusEurPerKwh: 0.05 }),
      commissionValue: index % 89,
      consumptionTiers: [
        { from: 0, to: 3, value: index % 83, type: 'fixed' },
        { from: 3, to: null, value: 12, type: 'per_mwh' },
      ],
      powerTiers: [{ from: 0, to: null, value: 3, type: 'per_kw' }],
    },
  );
  return terms;
}

interface Delay {
  /** For how long the event loop stood still at most: never less than it did, up to 10 ms more. */
  readonly stoodMs: number;
  /** For how long the thread worked at most before it looked at anything else. */
  readonly workedMs: number;
}

/** The delays since the last look. */
async function readDelay(of: ServerProcess): Promise<Delay> {
  const workedMs = await of.longestStretchMs();
  const page = await (await fetch(`${of.metricsUrl}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(page)?.[1];
  if (seconds === undefined) throw new Error('the metrics tell the delay of the event loop');
  return { stoodMs: Number(seconds) * 1000, workedMs };
}

/** The delays of some attempts, up to the first that is short. */
async function delaysOf(
  work: (attempt: number) => Promise<unknown>,
  { of = server, attempts = ATTEMPTS }: { readonly of?: ServerProcess; readonly attempts?: number } = {},
): Promise<Delay[]> {
  const delays: Delay[] = [];
  while (delays.length < attempts) {
    await readDelay(of);
    await work(delays.length);
    const delay = await readDelay(of);
    delays.push(delay);
    if (delay.stoodMs <= MAX_DELAY_MS) break;
  }
  return delays;
}

/**
 * The best attempt is short. Where the machine was too busy for any, the server has worked shortly in the best, and has
 * not stood still for other reasons either, such as waiting for a file.
 */
function expectShort(delays: readonly Delay[]): void {
  const stoodMs = Math.min(...delays.map((delay) => delay.stoodMs));
  const workedMs = Math.min(...delays.map((delay) => delay.workedMs));
  const times = slowness();
  const hasWorkedShortly = workedMs > 0 && workedMs <= MAX_DELAY_MS * times;
  const isShort = stoodMs <= MAX_DELAY_MS || (stoodMs <= BUSY_MACHINE_MS * times && hasWorkedShortly);
  expect(isShort, JSON.stringify(delays)).toBe(true);
}

const accountAt = (index: number): Account => accounts[index % accounts.length] ?? { key: '', offerIds: [] };

async function succeed({ key }: Account, path: string, body?: unknown): Promise<void> {
  const { status, text } = await ask(server, key, { path, ...(body === undefined ? {} : { body }) });
  if (status >= 300) throw new Error(`${path} was answered ${status}: ${text.slice(0, 200)}`);
}

const patchOf = (account: Account, attempt: number) => {
  const offer_ids = account.offerIds.filter((_id, index) => index % 10 === 3).slice(0, 500);
  return { offer_ids, updates: { services_cost: attempt + 1 } };
};

/** The home in as many parts as there can be. */
const BY_MONTHS = {
  supply_type: 'LUZ',
  perfil: Array.from({ length: 36 }, (_, i) => {
    const energia = { e1: 10 + i, e2: 80, e3: 110.123456 };
    return { mes: (i % 12) + 1, dias: 30, energia, excedentes: 10 * i };
  }),
};

const MIX: readonly [string, (account: Account, attempt: number) => Promise<unknown>][] = [
  ['a page of 200 offers', (account) => succeed(account, '/v1/offers?limit=200&offset=3000')],
  ['a search for a name that nobody has', (account) => succeed(account, '/v1/offers?company_name=zzz')],
  ['a ranking of 5 000 offers', (account) => succeed(account, '/v1/offers/efficient', HOME)],
  ['a ranking in a month', (account) => succeed(account, '/v1/offers/efficient', { ...HOME, mes: '2025-11' })],
  ['a ranking by months', (account) => succeed(account, '/v1/offers/efficient', BY_MONTHS)],
  ['recommendations', (account) => succeed(account, '/v1/offers/recommend?consumption_mwh=3.5&limit=200')],
  ['500 offers patched at once', (account, n) => succeed(account, '/v1/offers/bulk-patch', patchOf(account, n))],
  ['the ranking after a patch', (account) => succeed(account, '/v1/offers/efficient', HOME)],
  ['an export of 2 000 rows', (account) => succeed(account, '/v1/offers/export?include_inactive=true')],
  ['statistics', (account) => succeed(account, '/v1/offers/stats')],
  ['a summary of calls', (account) => succeed(account, '/v1/usage/summary')],
  ['a page of calls', (account) => succeed(account, '/v1/usage?limit=200')],
];

const customerOf = (index: number) => ({
  ...{ ref: `ES-${index}`, supply_type: 'LUZ', dias: 365, meses: 12, w: (index % 11) / 10 },
  energia: { e1: 100 + 37 * index, e2: 900, e3: 1400.123456, e4: 1, e5: 2, e6: 3 },
  potencia: { p1: 1 + (index % 60), p2: 4.6, p3: 4.6, p4: 4.6, p5: 4.6, p6: 15.5 },
  ...(index % 3 === 0 ? { tariff_type: '2.0TD', territory: 'peninsula', company_name: 'Comercializadora' } : {}),
});

describe('the event loop is not blocked for more than 50 ms', () => {
  it('for the first ranking of 5 000 offers, which compiles them', async () => {
    const rank = (attempt: number) => succeed(accountAt(attempt), '/v1/offers/efficient', HOME);
    expectShort(await delaysOf(rank, { attempts: accounts.length }));
  });

  // Only the first call of a question is cold, so a second attempt has new offers.
  it('for the first ranking of 100 000 offers in an interval of consumption, and in a month', {
    retry: 2,
  }, async () => {
    larges += 1;
    const account = await newAccount(`large-${larges}`, 100_000);
    await succeed(account, '/v1/offers/efficient', HOME);
    // Below the first bound, at it, at nothing, and then months, of which no ranking has read the numbers.
    const kwh = [2000, 3000, 0].map((e1) => ({ ...HOME, energia: { e1 } }));
    const months = ['2025-10', '2025-11', '2025-12'].map((mes) => ({ ...HOME, mes }));
    const worked: number[] = [];
    for (const question of [...kwh, ...months, BY_MONTHS]) {
      const [delay] = await delaysOf(() => succeed(account, '/v1/offers/efficient', question), { attempts: 1 });
      worked.push(delay?.workedMs ?? Number.NaN);
    }
    // Processor time, which other work on the machine does not lengthen, so each of them has to be short.
    expect(Math.max(...worked), JSON.stringify(worked)).toBeLessThanOrEqual(MAX_DELAY_MS * slowness());
  });

  it.each(MIX)('for %s', async (_name, work) => {
    expectShort(await delaysOf((attempt) => work(accountAt(attempt), attempt)));
  });

  it('for all of these at once', async () => {
    const all = (attempt: number) =>
      Promise.all(MIX.map(([_name, work], index) => work(accountAt(index), 20 + attempt)));
    expectShort(await delaysOf(all));
  });

  it('A-54: for a portfolio of 1 000 customers over 5 000 offers, with commissions of all sizes', async () => {
    const customers = Array.from({ length: 1000 }, (_, index) => customerOf(index));
    const rank = () => succeed(accountAt(0), '/v1/offers/efficient/batch', { customers, top: 10 });
    expectShort(await delaysOf(rank));
    const broken = Array.from({ length: 1000 }, (_, index) => ({ ...customerOf(index), w: 'x', x: 1, y: [index] }));
    const refuse = () => succeed(accountAt(0), '/v1/offers/efficient/batch', { customers: broken });
    expectShort(await delaysOf(refuse));
  });

  it('A-81: for a portfolio of customers with profiles, over 5 000 offers', async () => {
    const customers = Array.from({ length: 20 }, (_, index) => ({ ref: `ES-${index}`, ...BY_MONTHS }));
    expectShort(
      await delaysOf(() => succeed(accountAt(0), '/v1/offers/efficient/batch', { customers, top: 10 }), {
        attempts: 2,
      }),
    );
  });

  it('for sixty rankings at once, which run in turns', async () => {
    const rank = (w: number) => succeed(accountAt(0), '/v1/offers/efficient', { ...HOME, w });
    const all = () => Promise.all(Array.from({ length: 60 }, (_, index) => rank(index / 60)));
    // Connections that are open already bring them at the same moment.
    await all();
    expectShort(await delaysOf(all));
  });

  it.each<[string, unknown]>([
    ['330 000 tiers', { commission_tiers: Array.from({ length: 330_000 }, () => ({})) }],
    ['500 000 communities', { communities: Array.from({ length: 500_000 }, () => 1) }],
    ['80 000 unknown fields', Object.fromEntries(Array.from({ length: 80_000 }, (_, index) => [`f${index}`, 1]))],
    // As many as are read at all.
    ['4 999 tiers', { commission_tiers: Array.from({ length: 4999 }, () => ({})) }],
    ['4 999 communities', { communities: Array.from({ length: 4999 }, () => 1) }],
  ])('for a body of %s', async (_name, value) => {
    const { key, offerIds } = accountAt(0);
    const body = JSON.stringify(value);
    const request = { method: 'PATCH', path: `/v1/offers/${offerIds[0]}`, body };
    const refuse = async () => expect((await ask(server, key, request)).status).toBe(400);
    expect(body.length).toBeLessThan(1024 * 1024);
    expectShort(await delaysOf(refuse));
  });

  it('for a body of 1 MB, and for one that is nested 50 000 deep', async () => {
    const { key } = accountAt(0);
    const bodies: [string, number][] = [
      [`{"name":"${'x'.repeat(1_000_000)}"}`, 422],
      ['['.repeat(50_000) + ']'.repeat(50_000), 400],
      [`{"name":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, 400],
    ];
    for (const [body, status] of bodies) {
      const refuse = async () => expect((await ask(server, key, { path: '/v1/clients', body })).status).toBe(status);
      expectShort(await delaysOf(refuse));
    }
  });
});

it('a server that blocks for 120 ms is detected', { retry: 2 }, async () => {
  const blocked = await startServerProcess({ metricsPort: 0 }, { blockMs: 120 });
  // It does so twice a second; on a busy machine 120 ms of work take a second, and the last ones may not be reported yet.
  const wait = () => new Promise((resolve) => setTimeout(resolve, 3000));
  try {
    const delays = await delaysOf(wait, { of: blocked, attempts: 1 });
    expect(delays).toHaveLength(1);
    expect(() => expectShort(delays)).toThrow();
  } finally {
    await blocked.close();
  }
});
