import { filledWorld, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput, idOf, type World } from '@tarifario/testkit/api/world';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { endOf } from './named-calls.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

const LISTS = operations.filter(({ input }) => Object.hasOwn(input.query.shape, 'after_id')).map(({ id }) => id);

async function pageOf(world: World, id: string, input: CallInput, query: Readonly<Record<string, string>>) {
  const { total, offset, results } = await world.ask(id, { ...input, query: { ...Object(input.query), ...query } });
  return { total, offset, ids: Array.isArray(results) ? results.map((result) => idIn(asRecord(result))) : [] };
}

/** A subscription is named by its retailer. */
function idIn(record: Record<string, unknown>): number {
  return Number(record.id ?? asRecord(record.company).id);
}

describe('the parameter after_id', () => {
  it('A-99: is a parameter of the lists in order of id', () => {
    expect(LISTS).toEqual([
      'listOffers',
      'listProposals',
      'listClients',
      'listCompanies',
      'listCatalogSubscriptions',
      'listCatalogCompanies',
      'listCatalogOffers',
      'listKeys',
      'listUploads',
      'listWebhooks',
    ]);
  });

  it.each(ALL_STORES)('A-99: gives the records after an id, and the total of all: %s', async (_name, make) => {
    const { world, calls } = await filledWorld(await make());
    for (const id of LISTS) {
      const { limit: _limit, offset: _offset, ...query } = Object(calls[id]?.query);
      const input = { ...calls[id], query };
      const whole = await pageOf(world, id, input, {});
      expect(whole.ids).toEqual(whole.ids.toSorted((a, b) => a - b));
      // The last one is larger than any id, and rounded by JavaScript.
      for (const after of [...whole.ids, (whole.ids.at(-1) ?? 0) + 1, 2 ** 53]) {
        const ids = whole.ids.filter((other) => other > after);
        const choice = { after_id: String(after) };
        expect([id, await pageOf(world, id, input, choice)]).toEqual([id, { ...whole, ids }]);
        expect([id, (await pageOf(world, id, input, { ...choice, limit: '1' })).ids]).toEqual([id, ids.slice(0, 1)]);
      }
    }
  });

  it.each(LISTS)('A-99: beside offset is 400 in %s, also with an offset of 0', async (id) => {
    const { world, calls } = await filledWorld();
    for (const offset of ['0', '1']) {
      const answer = await world.call(id, { ...calls[id], query: { after_id: '1', offset } });
      expect(endOf(answer)).toBe('400 invalid_request');
      expect(JSON.stringify(answer.body)).toContain('"path":"after_id"');
    }
  });

  it.each(ALL_STORES)(
    'A-99: gives pages that neither repeat nor skip a record while offers are added: %s',
    async (name, make) => {
      const { world, sample } = await filledWorld(await make());
      const create = async () => {
        const company_id = sample.companyId;
        return idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id } }));
      };
      const added = [...Array(6)].map(() => create);
      for (const add of added) await add();
      const step = fc.constantFrom('create', 'toggle');
      const plan = fc.array(
        fc.record({ limit: fc.integer({ min: 1, max: 4 }), steps: fc.array(step, { maxLength: 2 }) }),
        {
          minLength: 12,
          maxLength: 12,
        },
      );
      const property = fc.asyncProperty(plan, async (pages) => {
        const before = (await pageOf(world, 'listOffers', {}, { limit: '200' })).ids;
        const stays = new Set(before);
        const seen: number[] = [];
        for (const { limit, steps } of [...pages, { limit: 200, steps: [] }]) {
          const after = seen.at(-1);
          const { ids } = await pageOf(
            world,
            'listOffers',
            {},
            {
              limit: String(limit),
              ...(after === undefined ? {} : { after_id: String(after) }),
            },
          );
          seen.push(...ids);
          for (const what of steps) {
            if (what === 'create') await create();
            else {
              const id = before[Math.floor(before.length / 2)] ?? 0;
              stays.delete(id);
              await world.ask('toggleOffer', { params: { id: String(id) } });
            }
          }
        }
        expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
        expect([...stays].filter((id) => !seen.includes(id))).toEqual([]);
      });
      await fc.assert(property, { seed: 19, numRuns: name === 'SQLite' ? 15 : 3 });
    },
  );
});
