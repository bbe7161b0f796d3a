import { createMemoryWorkbooks, type MemoryWorkbooks } from '@tarifario/core/testing';
import { newStore } from '@tarifario/testkit/new-store';
import type { BucketState } from '../src/engine/errors.ts';
import type { Offer } from '../src/engine/offers/offer.ts';
import type { Caller, Scope } from '../src/service/access/caller.ts';
import type { Company, Firm } from '../src/service/firms/firm.ts';
import type { ImportJob, Imports } from '../src/service/ports/imports.ts';
import type { Clock, RateLimiter } from '../src/service/ports/machine.ts';
import type { Store } from '../src/service/ports/stores.ts';
import type { Upload } from '../src/service/uploads/upload.ts';
import { createOfferCache, type OfferCache } from '../src/service/usecases/memory/offer-cache.ts';
import { callerOf } from '../src/service/usecases/requests/admit.ts';
import { type ImportParts, runImport } from '../src/service/usecases/uploads/run-import.ts';
import { companyTerms, firmTerms, luz } from '../testing/contract/world.ts';
import { partsOf, type TestWorkbook } from './simple-bulk.ts';

const PAGE = { limit: 100, offset: 0 } as const;

/**
 * An account with the firms Norte and Sur, each with the company Iber and its offer Estable; the catalog has the company
 * Iber with the offer Común. Every look at the clock is a second later.
 */
export interface ImportWorld {
  readonly store: Store;
  readonly workbooks: MemoryWorkbooks;
  readonly parts: ImportParts;
  /** What use cases are given; files are applied as they come. */
  readonly deps: {
    readonly store: Store;
    readonly clock: Clock;
    readonly workbooks: MemoryWorkbooks;
    readonly imports: Imports;
    readonly limiter: RateLimiter;
    readonly offerCache: OfferCache;
  };
  /** Names of the buckets from which points were taken, and how often the background worker was woken. */
  readonly taken: string[];
  readonly woken: { count: number };
  readonly firms: readonly [Firm, Firm];
  readonly companies: readonly [Company, Company];
  readonly offers: readonly [Offer, Offer];
  readonly catalogOffer: Offer;
  readonly fullCaller: Caller;
  newCaller(options: { readonly firmId?: number; readonly scopes?: readonly Scope[] }): Promise<Caller>;
  fileOf(workbook: TestWorkbook): Uint8Array;
  jobOf(workbook: TestWorkbook, changes?: Partial<ImportJob>): ImportJob;
  uploads(): Promise<readonly Upload[]>;
  offer(id: number): Promise<Offer | undefined>;
  /** A moment that has not come yet: `seconds` after the next look at the clock. */
  pass(seconds: number): void;
}

export async function createImportWorld(): Promise<ImportWorld> {
  const store = await newStore();
  const workbooks = createMemoryWorkbooks();
  let now = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => {
      now += 1000;
      return new Date(now).toISOString();
    },
    monotonicMs: () => now,
  };
  const parts = { store, clock, workbooks, sha256: () => 'abc123' };
  const context = { keyId: null, at: clock.now() };
  const base = await store.write(context, async (writer) => {
    const terms = { name: 'Asesores', email: 'a@example.es', passwordHash: '$', isCatalogEditor: true };
    const account = await writer.accounts.insert(terms);
    const firm = (name: string) => writer.firms.insert(account.id, firmTerms(name));
    const firms = [await firm('Norte'), await firm('Sur')] as const;
    const company = (firmId: number | null) =>
      writer.companies.insert(firmId === null ? 'catalog' : account.id, companyTerms(firmId, 'Iber'));
    const companies = [await company(firms[0].id), await company(firms[1].id)] as const;
    const shared = await company(null);
    const offer = (companyId: number) =>
      luz(companyId, { offerName: 'Estable', energyEurPerKwh: [0.1, null, null, null, null, null] });
    const [one, other] = await writer.offers.insert(
      account.id,
      companies.map(({ id }) => offer(id)),
    );
    const [common] = await writer.offers.insert('catalog', [{ ...offer(shared.id), offerName: 'Común' }]);
    if (!one || !other || !common) throw new Error('three offers were expected');
    return { account, firms, companies, offers: [one, other] as const, catalogOffer: common };
  });
  const { account } = base;
  let keys = 0;
  const newCaller: ImportWorld['newCaller'] = async ({ firmId, scopes }) => {
    keys += 1;
    const terms = {
      accountId: account.id,
      firmId: firmId ?? null,
      name: null,
      prefix: 'k',
      secretHash: `hash ${keys}`,
    };
    const access = { fullAccess: scopes === undefined, scopes: scopes ?? [] };
    const key = await store.write(context, (writer) => writer.keys.insert({ ...terms, ...access }));
    return callerOf(await store.read((reader) => reader.keys.record(key.id)), clock);
  };
  const fullCaller = await newCaller({});
  const taken: string[] = [];
  const woken = { count: 0 };
  const limiter = createLimiter(taken);
  const imports: Imports = {
    run: (job) => runImport(parts, job),
    expectFile: () => {},
    wake: () => {
      woken.count += 1;
    },
  };
  const fileOf = (workbook: TestWorkbook) => workbooks.fileOf(partsOf(workbook));
  return {
    ...base,
    store,
    workbooks,
    parts,
    deps: { store, clock, workbooks, imports, limiter, offerCache: createOfferCache() },
    taken,
    woken,
    fullCaller,
    newCaller,
    fileOf,
    jobOf: (workbook, changes = {}) => ({
      caller: fullCaller,
      format: 'own',
      firmId: null,
      fileName: 'ofertas.xlsx',
      bytes: fileOf(workbook),
      dryRun: false,
      uploadId: null,
      idempotencyRequest: null,
      ...changes,
    }),
    uploads: async () => {
      const query = { accountId: account.id, firmId: null, status: null };
      return (await store.read((reader) => reader.uploads.list(query, PAGE))).results;
    },
    offer: async (id) => (await store.read((reader) => reader.offers.byId(account.id, [id])))[0]?.offer,
    pass: (seconds) => {
      now += seconds * 1000;
    },
  };
}

/** Reads files as the world does, with something that happens before and after. */
export function readingOf(
  { workbooks }: ImportWorld,
  {
    before = async () => {},
    after = async () => {},
  }: { before?: () => Promise<unknown>; after?: () => Promise<unknown> },
): ImportParts['workbooks'] {
  return {
    async *read(bytes, form) {
      await before();
      yield* workbooks.read(bytes, form);
      await after();
    },
  };
}

/** Ten points a bucket, whatever it is. */
function createLimiter(taken: string[]): RateLimiter {
  return {
    take: async (buckets) => {
      const states = buckets.map(({ name, points, windowSeconds, key }): BucketState => {
        const remaining = points - taken.filter((other) => other === key).length;
        return { name, points, windowSeconds, remaining, resetSeconds: windowSeconds };
      });
      const accepted = states.every(({ remaining }) => remaining > 0);
      if (accepted) taken.push(...buckets.map(({ key }) => key));
      return { accepted, states };
    },
    giveBack: async () => undefined,
  };
}
