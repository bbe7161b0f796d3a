import { createMemoryRateLimiter } from '@tarifario/runtime';
import { filledWorld, HOUSEHOLD, PROFILED } from '@tarifario/testkit/api/sample';
import { BLIND_SCOPES, buildVectorWorld, readVectors } from '@tarifario/testkit/api/vectors';
import { asRecord, createWorld, newClient, type World } from '@tarifario/testkit/api/world';
import { shareOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { arrayOf } from './array-of.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** What a ranking of one customer alone tells, as his entry of a portfolio tells it. */
function entryOf(ref: unknown, { status, body }: { readonly status: number; readonly body: unknown }) {
  const answer = asRecord(JSON.parse(JSON.stringify(body)));
  if (status !== 200) return { ref, error: answer.detail };
  const {
    excluded: _,
    mas_comision_id: __,
    escala: ___,
    umbrales: ____,
    conflicto: _____,
    results,
    avisos: warnings,
    ...errors
  } = answer;
  const avisos = arrayOf(warnings).map((warning) => asRecord(warning).codigo);
  const said = arrayOf(warnings).map((warning) => String(asRecord(warning).mensaje));
  const [named] = said.flatMap((mensaje) => /con tariff_type: (.*)/.exec(mensaje)?.[1] ?? []);
  const best = arrayOf(results).map((result) => {
    const { offer, indexada: _i, is_optimal: _o, en_frontera: _f, ...figures } = asRecord(result);
    const { id, offer_name, is_catalog, company } = asRecord(offer);
    return { offer_id: id, offer_name, company_name: asRecord(company).name, is_catalog, ...figures };
  });
  return { ref, ...errors, avisos, ...(named && { peajes_parecidos: named.split(', ') }), best };
}

interface Sent {
  readonly key: string;
  readonly top: number;
  readonly query?: Readonly<Record<string, string>>;
}

/** Asks for all customers at once and for each alone, and expects the same. */
async function expectSame(world: World, bodies: readonly object[], { key, top, query = {} }: Sent) {
  const customers = bodies.map((body, index) => ({ ref: `c${index}`, ...body }));
  const { status, body } = await world.call('rankPortfolio', { key, query, body: { customers, top } });
  expect(status).toBe(200);
  const alone = [];
  for (const [index, own] of bodies.entries()) {
    const answer = await world.call('rankOffers', { key, query, body: { ...own, limit: top } });
    alone.push(entryOf(`c${index}`, answer));
  }
  expect(JSON.parse(JSON.stringify(body))).toEqual({ total: bodies.length, top, results: alone });
  expect(world.bugs).toEqual([]);
  return alone;
}

describe('every customer gets the answer of a ranking of its own', () => {
  const vectors = shareOf(
    // A portfolio has no reasons.
    readVectors().filter(({ file, given }) => given.request.operation === 'rankOffers' && file !== 'reasons.json'),
    3,
  );

  it.each(vectors)('$file: $name', async ({ given }) => {
    const world = await createWorld();
    await buildVectorWorld({ store: world.store, ask: world.ask }, given.offers);
    const blind = await world.newKey(world.account.id, { scopes: BLIND_SCOPES });
    // A portfolio takes neither.
    const { limit: _limit, offset: _offset, ...body } = asRecord(given.request.body);
    for (const key of [world.fullKey, blind]) await expectSame(world, [body, HOUSEHOLD, body], { key, top: 10 });
  });

  it('A-54: for all questions and all kinds of keys, with refused customers among them', async () => {
    const { world, sample } = await filledWorld();
    const ids = [sample.clientId, sample.otherClientId, 999];
    const blind = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const bound = await world.newKey(world.account.id, { firmId: sample.clientId });
    const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
    const kwh = fc.integer({ min: 0, max: 9000 });
    const customer = fc
      .record({
        supply_type: fc.constantFrom('LUZ', 'GAS', 'LUZ', 'AGUA'),
        energia: perhaps(fc.record({ e1: kwh, e2: perhaps(kwh), e3: perhaps(kwh) })),
        potencia: perhaps(fc.record({ p1: fc.integer({ min: -1, max: 20 }) })),
        consumo_gas: perhaps(kwh),
        dias: perhaps(fc.integer({ min: 0, max: 400 })),
        perfil: fc.constantFrom(...Array(8).fill(undefined), PROFILED.perfil, [{ dias: 30, consumo_gas: 90 }]),
        w: perhaps(fc.constantFrom(0, 0.3, 0.5, 1, 2)),
        mes: perhaps(fc.constantFrom('2025-11', '2025-12', '2025-13')),
        fee_energia: perhaps(fc.constantFrom(1, 30)),
        company_name: perhaps(fc.constantFrom('uno', 'Dos', 'nadie')),
        company_id: perhaps(fc.constantFrom(sample.companyId, sample.catalogCompanyId)),
        client_id: perhaps(fc.constantFrom(...ids)),
      })
      .map((body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)));
    const seen = new Map<unknown, number>();
    const arbitraryCall = fc.record({
      bodies: fc.array(customer, { minLength: 1, maxLength: 30 }),
      key: fc.constantFrom(world.fullKey, blind, bound),
      top: fc.integer({ min: 1, max: 10 }),
      query: fc.constantFrom({}, {}, { client_id: String(sample.clientId) }),
    });
    await fc.assert(
      fc.asyncProperty(arbitraryCall, async ({ bodies, ...sent }) => {
        for (const entry of await expectSame(world, bodies, sent)) {
          const code = 'error' in entry ? asRecord(entry.error).code : 'ranked';
          seen.set(code, (seen.get(code) ?? 0) + 1);
        }
      }),
      { numRuns: 150, seed: 54 },
    );
    for (const code of ['ranked', 'invalid_request', 'foreign_firm', 'weight_needs_commissions', 'business_rule']) {
      expect(seen.get(code), code).toBeGreaterThan(10);
    }
  });
});

describe('one bad customer', () => {
  it('A-54: gets an error with its ref if that is valid, and does not affect others', async () => {
    const { world } = await filledWorld();
    const good = { ref: 'good', ...HOUSEHOLD };
    const bad = [null, 7, 'x', [], {}, { ...HOUSEHOLD }, { ...good, ref: '' }, { ...good, ref: 'x'.repeat(101) }];
    const named = [
      { ...good, limit: 3 },
      { ...good, x: 1 },
      { ...good, w: 2 },
      { ref: 'good', ...HOUSEHOLD, consumo_gas: 3 },
    ];
    const { results } = await world.ask('rankPortfolio', { body: { customers: [good, ...bad, ...named, good] } });
    const entries = arrayOf(results).map(asRecord);
    expect(entries.map(({ ref }) => ref)).toEqual(['good', ...bad.map(() => null), ...named.map(() => 'good'), 'good']);
    const errors = entries.map(({ error }) => error && asRecord(error));
    expect(errors.at(0)).toBeUndefined();
    expect(errors.at(-1)).toBeUndefined();
    for (const error of errors.slice(1, 12)) expect(error).toMatchObject({ code: 'invalid_request' });
    expect(errors[12]).toMatchObject({ code: 'business_rule', errors: [{ path: 'consumo_gas' }] });
    expect(errors[9]).toMatchObject({ errors: [{ path: 'limit', error: 'unknown field' }] });
    expect(entries.at(-1)).toEqual(entries[0]);
  });

  it.each<[string, unknown, string]>([
    ['no customers', { customers: [] }, 'customers'],
    ['1 001 customers', { customers: Array.from({ length: 1001 }, () => null) }, 'customers'],
    ['top 0', { customers: [{}], top: 0 }, 'top'],
    ['top 11', { customers: [{}], top: 11 }, 'top'],
    ['top 1.5', { customers: [{}], top: 1.5 }, 'top'],
    ['a limit', { customers: [{}], limit: 5 }, 'limit'],
  ])('A-54: is no separate error where the whole is wrong: %s', async (_name, body, path) => {
    const world = await createWorld();
    const { status, body: answer } = await world.call('rankPortfolio', { body });
    expect([status, asRecord(asRecord(answer).detail).errors]).toEqual([400, [expect.objectContaining({ path })]]);
  });

  it('is no separate error where the firm of the query is of another account', async () => {
    const world = await createWorld();
    const body = { customers: [{ ref: 'a', ...HOUSEHOLD }] };
    expect((await world.call('rankPortfolio', { query: { client_id: '77' }, body })).status).toBe(403);
  });
});

it('A-54: gets three offers by default', async () => {
  const { world } = await filledWorld();
  const answer = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...HOUSEHOLD, w: 1 }] } });
  expect(answer.top).toBe(3);
  expect(arrayOf(asRecord(arrayOf(answer.results)[0]).best)).toHaveLength(3);
});

describe('a large portfolio', () => {
  const full = Object.fromEntries([1, 2, 3, 4, 5, 6].map((period) => [period, 1234.567890123]));
  const prefixed = (prefix: string) =>
    Object.fromEntries(Object.entries(full).map(([period, value]) => [`${prefix}${period}`, value]));
  const largest = {
    ...{ supply_type: 'LUZ', energia: prefixed('e'), potencia: prefixed('p'), excedentes: 12.5, dias: 365, meses: 12 },
    ...{ mes: '2025-11', fee_energia: 1.5, fee_potencia: 1.5, w: 0.5, tariff_type: '2.0TD', territory: 'peninsula' },
    ...{ community: 'madrid', client_type: 'dni', company_name: 'uno', ssaa_included: true },
  };

  it('A-54: of 1 000 customers with every field is answered whole, in pieces', async () => {
    let turns = 0;
    const yieldToEventLoop = async () => {
      turns += 1;
    };
    const { world } = await filledWorld(undefined, undefined, { yieldToEventLoop });
    const customers = Array.from({ length: 1000 }, (_, i) => ({ ref: `c${i}`, ...largest }));
    const { results } = await world.ask('rankPortfolio', { body: { customers, top: 10 } });
    expect(arrayOf(results).map((entry) => asRecord(entry).ref)).toEqual(customers.map(({ ref }) => ref));
    expect(arrayOf(results).filter((entry) => 'error' in asRecord(entry))).toEqual([]);
    expect(turns).toBeGreaterThan(80);
  });
});

describe('the JSON of a portfolio', () => {
  const customers = Array.from({ length: 260 }, (_, i) => (i === 30 ? null : { ref: `c${i}`, ...HOUSEHOLD }));

  it.each([undefined, 'results.best.offer_id,results.ref,total', 'total', 'top,results'])(
    'A-54: is that of its value, written in pieces between which others run: fields=%s',
    async (fields) => {
      let pauses = 0;
      const yieldToEventLoop = async () => void pauses++;
      const { world } = await filledWorld(undefined, undefined, { yieldToEventLoop });
      const input = { body: { customers, top: 10 }, ...(fields !== undefined && { query: { fields } }) };
      const before = pauses;
      const value = await world.call('rankPortfolio', input);
      const valued = pauses - before;
      const { body, headers } = await world.call('rankPortfolio', { ...input, takesJson: true });
      const written = pauses - before - 2 * valued;
      if (fields === 'total') expect([body, written]).toEqual([JSON.stringify(value.body), 0]);
      else {
        expect(body).toBe(JSON.stringify(value.body));
        expect(headers['Content-Length']).toBe(String(Buffer.byteLength(String(body))));
        expect(headers['Content-Type']).toBe('application/json; charset=utf-8');
        expect(written).toBe(11);
      }
      expect(headers.RateLimit).toBe(value.headers.RateLimit);
    },
  );
});

it('A-54, A-95: errors of a long portfolio are in words, in the language of the caller', async () => {
  const { world } = await filledWorld();
  const customers = Array.from({ length: 60 }, (_, i) => ({ ref: `c${i}`, ...HOUSEHOLD, dias: i === 50 ? 0 : 30 }));
  for (const language of ['en', 'es'] as const) {
    const input = { body: { customers }, language };
    const value = await world.call('rankPortfolio', input);
    const { body, headers } = await world.call('rankPortfolio', { ...input, takesJson: true });
    expect(body).toBe(JSON.stringify(value.body));
    expect(body).toContain(language === 'es' ? 'tiene que ser como mínimo 1' : 'must be at least 1');
    expect(headers['Content-Language']).toBe(language === 'es' ? 'es' : undefined);
  }
});

describe('A-54: the points of a portfolio', () => {
  /** Customers who ask for so many months, in turn. */
  const customersOf = (count: number, months = 0) =>
    Array.from({ length: count }, (_, i) => {
      const month = `${1990 + Math.floor((i % months) / 12)}-${String(1 + ((i % months) % 12)).padStart(2, '0')}`;
      return { ref: `c${i}`, ...HOUSEHOLD, ...(months > 0 && { mes: month }) };
    });

  async function limited() {
    // A store takes turns of the event loop.
    vi.useFakeTimers({ toNotFake: ['setImmediate'] });
    const world = await createWorld(undefined, createMemoryRateLimiter());
    const { id } = await world.newAccount({ plan: 'free' });
    const key = await world.newKey(id);
    const send = (count: number, months = 0) =>
      world.send('rankPortfolio', { key, body: { customers: customersOf(count, months) } });
    return { world, key, send };
  }

  it.each([
    [1, 1],
    [100, 1],
    [101, 2],
    [1000, 10],
  ])('A-54: %d customers cost %d', async (count, cost) => {
    const { send } = await limited();
    const { status, headers } = await send(count);
    expect([status, headers.RateLimit]).toEqual([200, `"account";r=${60 - cost};t=60`]);
    expect(headers['RateLimit-Policy']).toBe('"account";q=60;w=60');
    expect((await send(1)).headers.RateLimit).toBe(`"account";r=${60 - cost - 1};t=60`);
  });

  it.each([
    [100, 1, 1],
    [2, 2, 2],
    [1000, 10, 10],
    [1000, 11, 11],
    [36, 36, 36],
  ])('A-54: of %d customers with %d months are %d', async (count, months, cost) => {
    const { send } = await limited();
    const { status, headers } = await send(count, months);
    expect([status, headers.RateLimit]).toEqual([200, `"account";r=${60 - cost};t=60`]);
  });

  it('A-81: of 11 customers with a profile are 2, of 11 beside ten months 12', async () => {
    const { world, key } = await limited();
    const profiled = (count: number) => Array.from({ length: count }, (_, i) => ({ ref: `p${i}`, ...PROFILED }));
    const remaining = async (customers: readonly object[]) => {
      const { status, headers } = await world.send('rankPortfolio', { key, body: { customers } });
      return [status, headers.RateLimit];
    };
    expect(await remaining(profiled(11))).toEqual([200, '"account";r=58;t=60']);
    expect(await remaining([...profiled(11), ...customersOf(10, 10)])).toEqual([200, '"account";r=46;t=60']);
  });

  it.each([
    [25, 1],
    [26, 2],
    [1000, 40],
  ])('A-54: of %d customers with bills are %d', async (count, cost) => {
    const { world, key } = await limited();
    const billed = { ...HOUSEHOLD, tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' };
    const customers = Array.from({ length: count }, (_, i) => ({
      ...{ ref: `c${i}`, ...billed, impuestos: { fecha: '2026-10-15', alquiler: 'monofasico' } },
    }));
    const { status, headers, body } = await world.send('rankPortfolio', { key, body: { customers } });
    expect([status, headers.RateLimit]).toEqual([200, `"account";r=${60 - cost};t=60`]);
    expect(JSON.stringify(body)).not.toContain('"error"');
  });

  it('A-54: a 37th month is refused with the limit, and costs the one point of the call', async () => {
    const { send } = await limited();
    const { status, headers, body } = await send(1000, 37);
    expect([status, headers.RateLimit]).toEqual([400, '"account";r=59;t=60']);
    const error = 'ask for 37 different months (mes): one call takes 36';
    expect(asRecord(asRecord(body).detail).errors).toEqual([{ path: 'customers', error }]);
    expect((await send(1000, 36)).status).toBe(200);
  });

  it('A-54: are taken all or none: the rest is enough for fewer customers', async () => {
    const { send } = await limited();
    for (let i = 0; i < 5; i += 1) await send(1000);
    await send(1);
    const refused = await send(1000);
    expect(refused.status).toBe(429);
    expect(refused.headers).toEqual({
      'RateLimit-Policy': '"account";q=60;w=60',
      RateLimit: '"account";r=8;t=60',
      'Retry-After': '60',
    });
    expect(asRecord(asRecord(refused.body).detail).code).toBe('rate_limited');
    expect((await send(800)).status).toBe(200);
    expect((await send(1)).status).toBe(429);
  });

  it.each([
    ['an account', {}, '"account";r=59;t=60', 'costs 61 points, and account never has more than 60 in 60 seconds'],
    [
      'a firm',
      { isBound: true },
      '"client";r=29;t=60',
      'costs 61 points, and client never has more than 30 in 60 seconds',
    ],
  ])(
    'A-54: are refused where they never fit the limits of %s, for the point of the call',
    async (_name, kind, left, message) => {
      const { world } = await limited();
      const { id } = await world.newAccount({ plan: 'free' });
      const bound =
        'isBound' in kind ? { firmId: await newClient(world, 'Norte', { key: await world.newKey(id) }) } : {};
      const key = await world.newKey(id, bound);
      const customers = Array.from({ length: 601 }, (_, i) => ({ ref: `p${i}`, ...PROFILED }));
      const { status, headers, body } = await world.send('rankPortfolio', { key, body: { customers } });
      expect([status, headers.RateLimit, headers['Retry-After']]).toEqual([400, left, undefined]);
      expect(body).toMatchObject({ detail: { code: 'invalid_request', message } });
    },
  );

  it('A-54, A-86: are taken together with those of an instant, or none of them', async () => {
    const { world, key, send } = await limited();
    for (let i = 0; i < 5; i += 1) await send(1000);
    const body = { customers: customersOf(700), as_of: '2026-01-01' };
    const { status, headers } = await world.send('rankPortfolio', { key, body });
    expect([status, headers.RateLimit]).toEqual([429, '"account";r=9;t=60']);
  });

  it('A-54: are one where the body is malformed, and the call is one in the statistics', async () => {
    const { world, key } = await limited();
    const { headers } = await world.send('rankPortfolio', { key, body: { customers: customersOf(1001) } });
    expect(headers.RateLimit).toBe('"account";r=59;t=60');
    const { total } = asRecord(await (await world.send('listUsage', { key })).body);
    expect(total).toBe(1);
  });
});
