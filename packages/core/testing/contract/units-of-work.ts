import type { Concern, Store, Writer } from '../../src/service/ports/stores.ts';
import { activeFirmCount } from '../../src/service/usecases/requests/stats.ts';
import { type CaseOn, equal, fails, failureOf, holds, present, refused } from './assertions.ts';
import {
  all,
  allOffers,
  at,
  companyTerms,
  EVERYTHING,
  firmTerms,
  gas,
  luz,
  luzMonth,
  moment,
  newAccount,
  newTenant,
  putMonth,
  storeSnapshot,
  type Tenant,
  writeOffers,
} from './world.ts';

type Step = (writer: Writer) => Promise<unknown>;

/** One of every kind of change, so that a unit of work can fail after each of them. */
function everyChange({ account, firm, company, luzOffer }: Tenant): readonly Step[] {
  return [
    (w) => w.accounts.update(account.id, { name: 'changed', passwordHash: 'changed' }),
    (w) => w.accounts.insert({ name: 'New', email: 'new@example.es', passwordHash: 'x', isCatalogEditor: false }),
    (w) =>
      w.accounts.putSubscription(account.id, {
        plan: 'pro',
        status: 'active',
        firmLimit: 9,
        trialEndsAt: null,
        currentPeriodEnd: moment(200),
        callsPerMinute: null,
        firmCallsPerMinute: null,
        quotas: {},
      }),
    (w) =>
      w.keys.insert({
        accountId: account.id,
        firmId: null,
        name: null,
        prefix: 'p',
        secretHash: 'step',
        fullAccess: true,
        scopes: [],
      }),
    (w) => w.firms.insert(account.id, firmTerms('New')),
    (w) => w.firms.update(account.id, firm.id, firmTerms('changed')),
    (w) => w.companies.insert(account.id, companyTerms(firm.id, 'New')),
    (w) => w.companies.update(account.id, company.id, companyTerms(firm.id, 'changed')),
    async (w) => {
      const shared = await w.companies.insert('catalog', companyTerms(null, 'New'));
      await w.offers.insert('catalog', [gas(shared.id), luz(shared.id)]);
      await w.catalog.putSubscription(account.id, { firmId: firm.id, companyId: shared.id, isSubscribed: false });
    },
    async (w) => {
      const none = { companies: { total: 0, active: 0 }, offers: { total: 0, active: 0 }, months: 0 };
      const facts = { operation: 'create_company', recordId: 1, before: none, after: none, fileHash: null } as const;
      await w.catalog.recordWrite({ accountId: account.id, ...facts });
    },
    (w) => w.offers.insert(account.id, [luz(company.id), gas(company.id)]),
    (w) => writeOffers(w, account.id, [{ offerId: luzOffer.id, terms: luz(company.id, { isActive: false }) }]),
    (w) => putMonth(w, account.id, luzOffer.id, luzMonth('2026-03-01', 0.3)),
    (w) => w.months.delete(account.id, luzOffer.id, luzMonth('2026-01-01', 0.1)),
  ];
}

/** Changes of one account and of records without an owner, for a unit of work about another account. */
function changesOutside({ account, firm, company, luzOffer }: Tenant): readonly Step[] {
  const concerned = everyChange({ account, firm, company, luzOffer, gasOffer: luzOffer });
  const call = { firmId: null, endpoint: '/', method: 'GET', statusCode: 200, responseTimeMs: 1, createdAt: moment(1) };
  const file = { firmId: null, kind: 'file', fileName: 'a', sizeBytes: null, status: 'pending' } as const;
  return [
    ...concerned,
    (w) => w.catalog.putSubscription(account.id, { firmId: firm.id, companyId: company.id, isSubscribed: true }),
    (w) => w.uploads.insert(account.id, file),
    (w) => w.uploads.update(account.id, 1, { from: 'pending', to: 'processing', finishedAt: null }),
    (w) => w.usage.insert([{ accountId: account.id, ...call }]),
    (w) => w.usage.deleteBefore(moment(1), 1),
  ];
}

async function tenantWithMonth(store: Store): Promise<Tenant> {
  const tenant = await newTenant(store);
  const { account, luzOffer } = tenant;
  await store.write(at(2), (writer) => putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 0.1)));
  return tenant;
}

/** All or nothing, one state per read, one writer at a time. */
export const unitCases: readonly CaseOn<Store>[] = [
  {
    name: 'A-52: a unit of work that fails after any of its steps changes nothing',
    run: async (store) => {
      const tenant = await tenantWithMonth(store);
      const look = () => store.read((reader) => storeSnapshot(reader, tenant.account.id));
      const before = await look();
      const steps = everyChange(tenant);
      for (let failing = 0; failing <= steps.length; failing += 1) {
        const stop = new Error(`stop after ${failing}`);
        const attempt = store.write(at(30), async (writer) => {
          for (const step of steps.slice(0, failing)) await step(writer);
          throw stop;
        });
        equal(await failureOf(attempt, 'the unit of work'), stop, 'what was thrown is thrown on');
        equal(await look(), before, `after ${failing} steps`);
        equal(await store.read((reader) => reader.keys.byHash('step')), null, 'the key');
      }
      await store.write(at(30), async (writer) => {
        for (const step of steps) await step(writer);
      });
      holds(
        (await store.read((reader) => reader.keys.byHash('step'))) !== null,
        'all steps without a failure are kept',
      );
    },
  },
  {
    name: 'after a failed change its unit of work is rolled back, even when the error was caught',
    run: async (store) => {
      const { account, firm, company, luzOffer } = await newTenant(store);
      const before = await store.read((reader) => storeSnapshot(reader, account.id));
      const failing: readonly Step[] = [
        (w) => w.firms.insert(account.id, firmTerms('FIRMA')),
        (w) => w.companies.insert(account.id, companyTerms(firm.id, company.name)),
        (w) => w.offers.insert(account.id, [luz(999)]),
        (w) =>
          w.offers.update(account.id, [{ before: { ...luzOffer, id: 999 }, terms: luzOffer, sections: ['prices'] }]),
        (w) => putMonth(w, account.id, 999, luzMonth('2026-01-01', 1)),
      ];
      for (const [index, step] of failing.entries()) {
        let caught: unknown;
        const attempt = store.write(at(3), async (writer) => {
          await writer.offers.insert(account.id, [luz(company.id)]);
          await step(writer).catch((error: unknown) => {
            caught = error;
          });
          await putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 1)).catch(() => undefined);
          return 'done';
        });
        const thrown = await failureOf(attempt, `failing change ${index}`);
        holds(caught !== undefined, `failing change ${index} failed`);
        equal(String(thrown), String(caught), 'the unit of work fails with it');
        equal(await store.read((reader) => storeSnapshot(reader, account.id)), before, `after failing change ${index}`);
      }
    },
  },
  {
    name: 'writers wait for each other: no change is lost',
    run: async (store) => {
      const { account, company, luzOffer } = await newTenant(store);
      const increments = Array.from({ length: 25 }, (_, i) =>
        store.write(at(i), async (writer) => {
          const [record] = await writer.offers.byId(account.id, [luzOffer.id]);
          const commissionValue = present(record, 'offer').offer.commissionValue + 1;
          await Promise.resolve();
          const terms = luz(company.id, { commissionValue });
          await writeOffers(writer, account.id, [{ offerId: luzOffer.id, terms }]);
        }),
      );
      await Promise.all(increments);
      const [record] = await store.read((reader) => reader.offers.byId(account.id, [luzOffer.id]));
      equal(record?.offer.commissionValue, 30 + 25, 'the sum');
      equal(await store.read((reader) => reader.changes.revisions(account.id)), { own: 26, catalog: 0 }, 'revisions');
      equal((await store.read((reader) => reader.offers.versions(account.id, luzOffer.id))).length, 26, 'versions');
    },
  },
  {
    name: 'a limit that is checked in the unit of work holds under races',
    run: async (store) => {
      const account = await newAccount(store);
      const create = (i: number) =>
        store.write(at(i), async (writer) => {
          if ((await activeFirmCount(writer, account.id)) >= 3) throw new Error('limit');
          await writer.firms.insert(account.id, firmTerms(`Firma ${i}`));
        });
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => create(i)));
      equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3, 'firms created');
      equal(await store.read((reader) => activeFirmCount(reader, account.id)), 3, 'active firms');
    },
  },
  {
    name: 'a unit of work can only change what is in its concerns',
    run: async (store) => {
      const { account, company, luzOffer } = await newTenant(store);
      const other = await newTenant(store);
      const outside = changesOutside(other);
      const storeSnapshots = () =>
        store.read(async (reader) => [
          await storeSnapshot(reader, account.id),
          await storeSnapshot(reader, other.account.id),
          await reader.uploads.list({ accountId: other.account.id, firmId: null, status: null }, EVERYTHING),
        ]);
      const before = await storeSnapshots();
      for (const [index, step] of outside.entries()) {
        const attempt = store.write({ ...at(3), concerns: [account.id] }, async (writer) => {
          await writer.offers.insert(account.id, [luz(company.id)]);
          await step(writer).catch(() => undefined);
        });
        await fails(attempt, `change ${index} of something else`);
        equal(await storeSnapshots(), before, `after change ${index} of something else`);
      }
      const mine = { ...at(4), concerns: [account.id, 'catalog'] } as const;
      await store.write(mine, async (writer) => {
        await writer.companies.insert('catalog', companyTerms(null, 'Catálogo'));
        await writeOffers(writer, account.id, [{ offerId: luzOffer.id, terms: luz(company.id, { isActive: false }) }]);
      });
      equal(
        await store.read((reader) => reader.changes.revisions(account.id)),
        { own: 2, catalog: 1 },
        'both are changed',
      );
      await store.write({ ...at(5), concerns: ['usage'] }, (writer) => writer.usage.deleteBefore(moment(0), 1));
    },
  },
  {
    name: 'units of work that have a concern in common wait for each other, in whatever order they name them',
    run: async (store) => {
      const [first, second] = [await newTenant(store), await newTenant(store)];
      const [a, b] = [first.account.id, second.account.id];
      const kinds: readonly (readonly Concern[] | null)[] = [
        [a],
        [a, b],
        [b, a],
        [b],
        ['catalog', a],
        [a, 'catalog'],
        null,
      ];
      const raises = Array.from({ length: 42 }, (_, i) => {
        const concerns = kinds[i % kinds.length] ?? null;
        const owners = [first, second].filter(({ account }) => concerns === null || concerns.includes(account.id));
        return store.write({ ...at(i), ...(concerns === null ? {} : { concerns }) }, async (writer) => {
          for (const { account, company, luzOffer } of owners) {
            const [record] = await writer.offers.byId(account.id, [luzOffer.id]);
            const commissionValue = present(record, 'offer').offer.commissionValue + 1;
            await Promise.resolve();
            const terms = luz(company.id, { commissionValue });
            await writeOffers(writer, account.id, [{ offerId: luzOffer.id, terms }]);
          }
        });
      });
      await Promise.all(raises);
      const commissionOf = async ({ account, luzOffer }: Tenant) => {
        const [record] = await store.read((reader) => reader.offers.byId(account.id, [luzOffer.id]));
        return record?.offer.commissionValue;
      };
      equal([await commissionOf(first), await commissionOf(second)], [30 + 36, 30 + 24], 'the sums');
    },
  },
  {
    name: 'a failed write blocks no other',
    run: async (store) => {
      const account = await newAccount(store);
      const insert = (name: string) => store.write(at(1), (writer) => writer.firms.insert(account.id, firmTerms(name)));
      const [first, second, third] = [insert('Una'), insert('UNA'), insert('Dos')];
      await refused('duplicate_name', second, 'the second');
      equal([(await first).name, (await third).name], ['Una', 'Dos'], 'the others');
    },
  },
  {
    name: 'a writer that is used after its end changes nothing',
    run: async (store) => {
      const { account } = await newTenant(store);
      const keep = () => store.write(at(1), async (writer) => ({ writer }));
      const [first, second] = [await keep(), await keep()];
      await fails(first.writer.firms.insert(account.id, firmTerms('Tarde')), 'a late change');
      await store.write(at(2), async (writer) => {
        await writer.firms.insert(account.id, firmTerms('Otra'));
        await fails(second.writer.firms.insert(account.id, firmTerms('Tarde')), 'a change in the work of another');
      });
      const { results } = await store.read((reader) => reader.firms.list(all(account.id), EVERYTHING));
      equal(
        results.map((firm) => firm.name),
        ['Firma', 'Otra'],
        'firms',
      );
    },
  },
  {
    name: 'changes that nobody awaited are stored with their unit of work',
    run: async (store) => {
      const { account, company } = await newTenant(store);
      const terms = Array.from({ length: 1500 }, () => luz(company.id));
      const begun: Promise<unknown>[] = [];
      await store.write(at(2), async (writer) => {
        begun.push(writer.offers.insert(account.id, terms));
      });
      await Promise.all(begun);
      const { total } = await store.read((reader) => reader.offers.list(allOffers(account.id, 'LUZ'), EVERYTHING));
      equal(total, 1501, 'offers');
    },
  },
  {
    name: 'a closed store refuses all work',
    run: async (store) => {
      await store.close();
      await fails(
        store.read((reader) => reader.accounts.list()),
        'a read',
      );
      await fails(
        store.write(at(1), (writer) => writer.accounts.list()),
        'a write',
      );
      await store.close();
    },
  },
];
