import { readContract } from '@tarifario/testkit/api/contract';
import { filledWorld, HOUSEHOLD, type Sample } from '@tarifario/testkit/api/sample';
import { callTool, contentOf, toArguments, toolsOf } from '@tarifario/testkit/api/tool-calls';
import type { CallInput, World } from '@tarifario/testkit/api/world';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument, operations } from '../src/index.ts';

let world: World;
let sample: Sample;
let calls: Readonly<Record<string, CallInput>>;
let blindKey: string;

beforeAll(async () => {
  ({ world, sample, calls } = await filledWorld());
  blindKey = await world.newKey(world.account.id, { scopes: ['offers:read'] });
});

const bytesOf = async (id: string, input: CallInput) => {
  const { status, body, json } = await world.call(id, input);
  expect([id, status]).toEqual([id, 200]);
  return json ? new TextDecoder().decode(json) : JSON.stringify(body);
};

/** Every path of a value, the names of lists without their places. */
function pathsOf(value: unknown): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(pathsOf))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...pathsOf(inner).map((path) => `${name}.${path}`)]);
}

/** The answer cut by hand: what no wanted path reaches or begins with is removed. */
function cut(value: unknown, wanted: readonly string[], at = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => cut(entry, wanted, at));
  if (typeof value !== 'object' || value === null) return value;
  const left = structuredClone(value) as Record<string, unknown>;
  for (const name of Object.keys(left)) {
    const path = `${at}${name}`;
    if (wanted.includes(path)) continue;
    if (wanted.some((one) => one.startsWith(`${path}.`))) left[name] = cut(left[name], wanted, `${path}.`);
    else delete left[name];
  }
  return left;
}

describe('the parameter fields', () => {
  it('A-131: is taken by each GET that answers JSON and by rankings', () => {
    const others = operations.filter(({ method, takesFields }) => method !== 'GET' && takesFields).map(({ id }) => id);
    expect(others.sort()).toEqual(['negotiateOffer', 'rankOffers', 'rankPortfolio'].sort());
    for (const { method, contentType, takesFields } of operations) {
      if (method === 'GET') expect(takesFields).toBe(contentType === 'application/json');
    }
  });

  // The usage counts the calls of this test.
  it.each(operations.flatMap(({ id, takesFields }) => (takesFields && !id.includes('Usage') ? [id] : [])))(
    'A-131: with any paths of the answer gives the whole cut by hand: %s',
    async (id) => {
      for (const takesJson of [false, true]) {
        const input = { ...calls[id], takesJson };
        const whole: unknown = JSON.parse(await bytesOf(id, input));
        // What is inside of a stored value has no described names.
        const paths = pathsOf(whole).filter((path) => !/\b(before|after|then|now|request)\./.test(path));
        await fc.assert(
          fc.asyncProperty(
            fc.subarray(paths, { minLength: 1, maxLength: Math.min(12, paths.length) }),
            async (wanted) => {
              const query = { ...Object(input.query), fields: wanted.join(',') };
              expect(await bytesOf(id, { ...input, query })).toBe(JSON.stringify(cut(whole, wanted)));
            },
          ),
          { seed: 131, numRuns: runsOf(6, 12) },
        );
      }
    },
  );

  it.each([
    ['', 0, ['w', 'dias', 'total']],
    ['total,resuts.offer.id', 1, ['results']],
    ['results.offer.offer_nam', 0, ['results.offer.offer_name']],
    ['results.cost.totl', 0, ['results.cost.total']],
    ['total.x', 0, ['total']],
    ['__proto__', 0, []],
    ['total,', 1, []],
    ['offer.id', 0, ['results.offer.id']],
    ['cost', 0, ['results.cost']],
    ['offer.idd', 0, []],
  ])('A-131: with the unknown field in %j is 400 with the nearest names', async (fields, place, near) => {
    const { status, body } = await world.call('rankOffers', { body: HOUSEHOLD, query: { fields } });
    expect(status).toBe(400);
    const { code, errors } = Object(body).detail;
    expect([code, errors.length, errors[0].path]).toEqual(['invalid_request', 1, `fields.${place}`]);
    expect(errors[0].error).toMatch(/^is not a field of the answer; the nearest are: \w/);
    if (near.length === 1) expect(errors[0].error.split(': ')[1].split(', ')[0]).toBe(near[0]);
  });

  it('A-131: with several unknown fields names each, and what is near the first one only', async () => {
    const query = { fields: 'totl,total,resuts,avsos,totl' };
    const { status, body } = await world.call('rankOffers', { body: HOUSEHOLD, query });
    expect(status).toBe(400);
    expect(Object(body).detail.errors).toEqual([
      { path: 'fields.0', error: expect.stringMatching(/^is not a field of the answer; the nearest are: total, /) },
      { path: 'fields.2', error: 'is not a field of the answer' },
      { path: 'fields.3', error: 'is not a field of the answer' },
    ]);
  });

  it('A-131: takes 100 different names, repeated or not, and refuses 101 without a look at any', async () => {
    const ask = (names: readonly string[]) =>
      world.call('rankOffers', { body: HOUSEHOLD, query: { fields: names.join(',') } });
    const unknown = Array.from({ length: 101 }, (_, i) => `x${i}`);
    const atLimit = await ask(unknown.slice(1));
    expect(Object(atLimit.body).detail.errors).toHaveLength(100);
    expect((await ask(Array.from({ length: 200 }, () => 'total'))).status).toBe(200);
    const beyond = await ask(unknown);
    expect(beyond.status).toBe(400);
    expect(Object(beyond.body).detail.errors).toEqual([{ path: 'fields', error: 'must have at most 100 entries' }]);
  });

  it('A-131: may have spaces around its names, on REST and in a tool', async () => {
    const query = { fields: 'total, results.offer.id ,results.cost.total' };
    const whole = JSON.parse(await bytesOf('rankOffers', { body: HOUSEHOLD }));
    const some = cut(whole, ['total', 'results.offer.id', 'results.cost.total']);
    expect(JSON.parse(await bytesOf('rankOffers', { body: HOUSEHOLD, query }))).toEqual(some);
    const prices = { ...HOUSEHOLD, fields: 'results.offer.id, results.offer.e1' };
    const { result } = await callTool(world, 'rank_offers', prices);
    expect(Object.keys(Object(contentOf(result)).results[0].offer)).toEqual(['id', 'e1']);
  });

  it('A-131: is refused where the answer is a file, and in a write', async () => {
    expect((await world.call('exportOffers', { query: { fields: 'total' } })).status).toBe(400);
    expect((await world.call('createOffer', { ...calls.createOffer, query: { fields: 'id' } })).status).toBe(400);
  });

  it('A-131: shows a masked key what the whole shows it: null', async () => {
    const query = { fields: 'results.commission.total,results.commission' };
    const body = await world.ask('rankOffers', { key: blindKey, body: HOUSEHOLD, query });
    expect(body.results).not.toHaveLength(0);
    for (const result of Object(body.results)) expect(result).toEqual({ commission: null });
    const inner = { fields: 'results.commission.total' };
    expect(await world.ask('rankOffers', { key: blindKey, body: HOUSEHOLD, query: inner })).toEqual(body);
  });

  it('A-131: leaves the tag of the whole, which If-Match and If-None-Match take', async () => {
    const params = { id: String(sample.luzId) };
    const whole = await world.call('getOffer', { params });
    const some = await world.call('getOffer', { params, query: { fields: 'id' } });
    expect(some).toMatchObject({ status: 200, body: { id: sample.luzId }, headers: { ETag: whole.headers.ETag } });
    const ifNoneMatch = whole.headers.ETag ?? '';
    expect(await world.call('getOffer', { params, query: { fields: 'id' }, ifNoneMatch })).toMatchObject({
      status: 304,
      body: undefined,
    });
    const changed = await world.call('updateOffer', { params, body: { offer_name: 'Otra' }, ifMatch: ifNoneMatch });
    expect(changed.status).toBe(200);
  });
});

it('A-131: an answer with fields fits its schema where nothing is required, as the document says', async () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  expect(document.components.parameters.Fields.description).toContain(
    'no member of its schema, at any depth, is required',
  );
  // What it does not say, it does not tell shapes apart by.
  const text = JSON.stringify(document).replaceAll('"oneOf":', '"anyOf":');
  const loose = JSON.parse(text, (name, part) => (name === 'required' && Array.isArray(part) ? [] : part));
  const contract = readContract(loose);
  for (const { id, takesFields } of operations) {
    if (!takesFields || id.includes('Usage')) continue;
    const row = contract.rows.find(({ operation }) => operation.operationId === id) ?? expect.fail(id);
    const whole: unknown = JSON.parse(await bytesOf(id, calls[id] ?? {}));
    const paths = pathsOf(whole).filter((path) => !/\b(before|after|then|now|request)\./.test(path));
    for (const fields of [paths[0] ?? '', paths.at(-1) ?? '', paths.slice(0, 5).join(',')]) {
      const answer = await bytesOf(id, { ...calls[id], query: { ...Object(calls[id]?.query), fields } });
      const header = (name: string) => (name === 'Content-Type' ? 'application/json' : 'x');
      expect(contract.problemsOf(row, { status: 200, text: answer, header }), `${id} ${fields}`).toEqual([]);
    }
  }
});

describe('the argument fields of a tool', () => {
  const TOOLS = operations.flatMap(({ id, mcp, takesFields }) => (mcp === null ? [] : [{ id, mcp, takesFields }]));

  /** A tool, and a call of it that is answered. */
  async function callOf(id: string, name: string, key = world.fullKey) {
    const tool = (await toolsOf(world)).find((one) => one.name === name) ?? expect.fail(`no tool ${name}`);
    const { include_inactive: _inactive, ...query } = Object(calls[id]?.query);
    const args = toArguments(tool, { ...calls[id], query });
    const call = async (more: object) => {
      const { answer, result } = await callTool(world, name, { ...args, ...more }, key);
      return { answer, content: contentOf(result) };
    };
    return { tool, call };
  }

  it.each(TOOLS)('A-131: is there where the endpoint takes it: $mcp', async ({ id, mcp, takesFields }) => {
    const { tool } = await callOf(id, mcp);
    expect(Object(tool.inputSchema.properties).fields).toEqual(takesFields ? { type: 'string' } : undefined);
  });

  it.each(TOOLS.filter(({ takesFields }) => takesFields))(
    'A-131: with any paths of the answer gives the whole cut by hand, with its avisos and total: $mcp',
    async ({ id, mcp }) => {
      const { call } = await callOf(id, mcp);
      const { next_offset, ...whole } = (await call({})).content;
      const kept = ['avisos', 'total'].filter((name) => Object.hasOwn(whole, name));
      const paths = pathsOf(whole);
      expect(paths).not.toHaveLength(0);
      await fc.assert(
        fc.asyncProperty(fc.subarray(paths, { minLength: 1, maxLength: Math.min(8, paths.length) }), async (wanted) => {
          const { content } = await call({ fields: wanted.join(',') });
          const some = cut(whole, [...wanted, ...kept]);
          const hasResults = Object.hasOwn(Object(some), 'results');
          const expected = hasResults && next_offset !== undefined ? { ...Object(some), next_offset } : some;
          expect(JSON.stringify(content)).toBe(JSON.stringify(expected));
        }),
        { seed: 131, numRuns: runsOf(6, 12) },
      );
    },
  );

  it('A-92: keeps the offset of the next page, though neither total nor offset are asked for', async () => {
    const { call } = await callOf('listOffers', 'list_offers');
    const { content } = await call({ fields: 'results.id', limit: 1 });
    expect(content).toEqual({ total: expect.any(Number), results: [{ id: expect.any(Number) }], next_offset: 1 });
  });

  it('A-92: gives what tools leave out, where it is asked for by name', async () => {
    const { call } = await callOf('rankOffers', 'rank_offers');
    const offersOf = async (fields: string) =>
      Object((await call({ fields })).content).results.map(({ offer }: { offer: object }) => Object.keys(offer));
    expect((await offersOf('results.offer.e1,results.offer.id'))[0]).toEqual(['id', 'e1']);
    expect((await offersOf('results.offer'))[0]).not.toContain('e1');
    const { call: get } = await callOf('getOffer', 'get_offer');
    expect((await get({ fields: 'updated_at' })).content).toEqual({ updated_at: expect.stringMatching(/Z$/) });
  });

  it.each(['', 'total,resuts.offer.id', 'results.cost.totl', 'total.x', '__proto__', 'total,', 'x'.repeat(2001)])(
    'A-131: is refused as the endpoint refuses it: %j',
    async (fields) => {
      const rest = await world.call('rankOffers', { body: HOUSEHOLD, query: { fields } });
      const { call } = await callOf('rankOffers', 'rank_offers');
      const { answer } = await call({ fields });
      expect(answer).toMatchObject({ status: 400, body: rest.body });
    },
  );

  it('A-131: is one text', async () => {
    const { call } = await callOf('rankOffers', 'rank_offers');
    for (const fields of [1, ['total'], { total: true }]) {
      expect((await call({ fields })).answer).toMatchObject({
        status: 400,
        body: { detail: { errors: [{ path: 'fields' }] } },
      });
    }
  });

  it('A-48: knows no commission for a key that may not see any, and names none', async () => {
    const { call: full } = await callOf('rankOffers', 'rank_offers');
    const { call: blind } = await callOf('rankOffers', 'rank_offers', blindKey);
    const [shown, hidden] = [pathsOf((await full({})).content), pathsOf((await blind({ w: 1 })).content)];
    const masked = shown.filter((path) => !hidden.includes(path) && path !== 'w');
    expect(masked).toEqual(expect.arrayContaining(['results.commission', 'umbrales', 'conflicto', 'mas_comision_id']));
    for (const fields of [...masked, 'results.offer.commission', 'comision', 'results.commissio']) {
      const { answer } = await blind({ w: 1, fields });
      expect([fields, answer.status]).toEqual([fields, 400]);
      expect(JSON.stringify(answer.body)).not.toMatch(/commission|comisi/i);
      if (masked.includes(fields)) expect((await full({ fields })).answer.status).toBe(200);
    }
  });
});
