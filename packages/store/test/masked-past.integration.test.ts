import {
  ANY_COMPANY,
  anyOffer,
  type Caller,
  calculationPeriod,
  changeOf,
  createOfferCache,
  NO_FEES,
  offerHistory,
  type RankingQuestion,
  rankForCaller,
  type Store,
} from '@tarifario/core/service';
import { callerOf } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import { postgresUrl } from '@tarifario/testkit/postgres/databases';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { luzTerms, NOW, type Tenant } from './sample-offers.ts';
import { tenantOnPostgres } from './tenant-on-postgres.ts';
import { tenantOnSqlite } from './tenant-on-sqlite.ts';

/** Every statement that is sent to a database from now on. */
function recordStatements(): readonly string[] {
  const sent: string[] = [];
  const { prepare } = Database.prototype;
  vi.spyOn(Database.prototype, 'prepare').mockImplementation(function (this: Database.Database, sql: string) {
    sent.push(sql);
    return prepare.call(this, sql);
  });
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    sent.push(typeof first === 'string' ? first : String(Object(first).text));
    return Reflect.apply(query, this, args);
  });
  return sent;
}

const HOUSEHOLD: RankingQuestion = {
  firmId: null,
  request: {
    customer: { supplyType: 'LUZ', consumptionKwh: [1, 1, 1, 1, 1, 1], powerKw: [1, 1, 1, 1, 1, 1], exportedKwh: 0 },
    ...{ period: calculationPeriod({}), fees: NO_FEES, weight: null, month: null, limit: 3 },
    ...{ filter: anyOffer('LUZ'), company: ANY_COMPANY },
  },
  issues: [],
};

afterEach(() => {
  vi.restoreAllMocks();
});

interface OnServer extends Tenant {
  readonly store: Store;
  readonly database: { readonly url: string };
}

function itReadsNoTiers(world: OnServer) {
  test('A-62: the history and a ranking as of an instant read no commissions for a caller who may not see them', async () => {
    const { store, account } = world;
    const [offer] = await store.write(NOW, (writer) => writer.offers.insert(account.id, [luzTerms(world.company.id)]));
    if (!offer) throw new Error('an offer was inserted');
    const at = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;
    const changes = [{ offerName: 'Otra' }, { commissionValue: 7, consumptionTiers: [] }, { offerName: 'Tercera' }];
    let before = offer;
    for (const [index, more] of changes.entries()) {
      const change = changeOf(before, { ...before, ...more });
      if (!change) throw new Error('something changes');
      const [after] = await store.write({ keyId: null, at: at(index + 1) }, (writer) =>
        writer.offers.update(account.id, [change]),
      );
      before = after ?? before;
    }
    const offerCache = createOfferCache();
    const page = { limit: 10, offset: 0 };
    const question = { ...HOUSEHOLD, asOf: at(1) };
    const statementsFor = async (caller: Caller) => {
      const deps = {
        store: await openStore(world.database.url),
        clock: { now: () => at(9), monotonicMs: () => 0 },
        offerCache,
      };
      const sent = recordStatements();
      const history = await offerHistory(deps, caller, { id: offer.id, firmId: null, page });
      const { ranking } = await rankForCaller({ ...deps, yieldToEventLoop: async () => {} }, caller, question);
      vi.restoreAllMocks();
      await deps.store.close();
      // Constants stand in place of the columns that are not read.
      const paid = sent.filter((sql) => /commission|tiers/.test(sql.replaceAll(/(?:\d+|'[^']*') as "\w+"/g, '')));
      return { paid, changes: history.total, ranked: ranking.results.map((result) => result.offer.offerName) };
    };
    const full = callerOf({ accountId: account.id });
    expect(await statementsFor(full)).toMatchObject({ changes: 4, ranked: ['Otra'] });
    expect((await statementsFor(full)).paid).not.toEqual([]);
    const masked = callerOf({ accountId: account.id, fullAccess: false, scopes: new Set(['offers:read']) });
    expect(await statementsFor(masked)).toEqual({ paid: [], changes: 3, ranked: ['Otra'] });
  });
}

describe('on SQLite', () => {
  itReadsNoTiers(tenantOnSqlite().world);
});

describe.skipIf(postgresUrl === null)('on PostgreSQL', () => {
  itReadsNoTiers(tenantOnPostgres().world);
});
