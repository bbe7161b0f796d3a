import {
  type Account,
  activeFirmCount,
  createIdempotencyGuard,
  type Deps,
  DomainError,
  type IdempotencyGuard,
  type IdempotencyRequest,
  runImport,
  type Store,
  type Writer,
} from '@tarifario/core/service';
import { createMemoryStore } from '@tarifario/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../test/import-world.ts';
import { NEW, NO_COUNTS, newRow } from '../../test/simple-bulk.ts';
import { firmTerms } from '../../testing/contract/world.ts';

const AT = '2026-03-10T12:00:00.000Z';
const context = { keyId: null, at: AT };

let store: Store;
let account: Account;
let idempotencyRequest: IdempotencyRequest;
let otherKeyId: number;
let guard: IdempotencyGuard;

beforeEach(async () => {
  store = createMemoryStore();
  guard = createIdempotencyGuard();
  await store.write(context, async (writer) => {
    const terms = { name: 'a', email: 'a@example.com', passwordHash: '', isCatalogEditor: true };
    account = await writer.insertAccount(terms);
    const rights = { accountId: account.id, firmId: null, name: null, fullAccess: true, scopes: [] };
    const { id } = await writer.insertKey({ ...rights, prefix: '', secretHash: 's' });
    otherKeyId = (await writer.insertKey({ ...rights, prefix: '', secretHash: 't' })).id;
    idempotencyRequest = { keyId: id, idempotencyKey: 'alta', fingerprint: 'f', rights: 'r' };
  });
});

/** The parts that a task uses. */
function depsOver(over: Store): Deps {
  const unasked = new Proxy({}, { get: () => undefined });
  return Object.assign(Object.create(unasked), { store: over, clock: { now: () => AT, monotonicMs: () => 0 } });
}

function addFirm(writer: Writer, name = 'Firma') {
  return writer.insertFirm(account.id, firmTerms(name));
}

let performed = 0;
beforeEach(() => {
  performed = 0;
});

/** A task that adds one firm and answers its id. */
async function addOne(deps: Deps): Promise<string> {
  performed += 1;
  const firm = await deps.store.write(context, (writer) => addFirm(writer, `Firma ${performed}`));
  return `firm ${firm.id}`;
}

function firms(): Promise<number> {
  return store.read((reader) => activeFirmCount(reader, account.id));
}

function stored() {
  return store.read((reader) => reader.storedAnswer(idempotencyRequest.keyId, idempotencyRequest.idempotencyKey));
}

describe('a task', () => {
  it('A-53: that fails after its write changes nothing, and may be tried again', async () => {
    const perform = async (deps: Deps) => {
      await addOne(deps);
      throw new Error('no answer');
    };
    await expect(guard(depsOver(store), { idempotencyRequest, perform })).rejects.toThrow('no answer');
    expect([await firms(), await stored()]).toEqual([0, null]);
    expect(await guard(depsOver(store), { idempotencyRequest, perform: addOne })).toMatchObject({ isReplay: false });
    expect(await firms()).toBe(1);
  });

  it('that changes nothing is not stored either', async () => {
    const perform = async (deps: Deps) => {
      performed += 1;
      return `${await deps.store.read((reader) => activeFirmCount(reader, account.id))} firms`;
    };
    for (let i = 0; i < 2; i += 1) {
      expect(await guard(depsOver(store), { idempotencyRequest, perform })).toEqual({
        answer: '0 firms',
        isReplay: false,
      });
    }
    expect([performed, await stored()]).toEqual([2, null]);
  });

  it('A-53: reads outside the transaction before its write, and reads its own changes after it', async () => {
    const perform = async (deps: Deps) => {
      const count = () => deps.store.read((reader) => activeFirmCount(reader, account.id));
      const before = await count();
      // Another writer does not wait.
      await store.write(context, (writer) => addFirm(writer, 'Otra'));
      const between = await count();
      await deps.store.write(context, (writer) => addFirm(writer, 'Una'));
      const seen = await count();
      await deps.store.write(context, (writer) => addFirm(writer, 'Dos'));
      expect(await firms()).toBe(1);
      return [before, between, seen, await count()].join();
    };
    expect((await guard(depsOver(store), { idempotencyRequest, perform })).answer).toBe('0,1,2,3');
    expect(await firms()).toBe(3);
  });

  it('whose answer is too long is a bug, and changes nothing', async () => {
    const perform = async (deps: Deps) => (await addOne(deps)).padEnd(262_145);
    await expect(guard(depsOver(store), { idempotencyRequest, perform })).rejects.toThrow(RangeError);
    expect([await firms(), await stored()]).toEqual([0, null]);
    const longest = async (deps: Deps) => (await addOne(deps)).padEnd(262_144);
    expect((await guard(depsOver(store), { idempotencyRequest, perform: longest })).answer).toHaveLength(262_144);
  });
});

describe('the same task at the same time', () => {
  it('is refused while this process performs it, also with another request under the same key, and other keys are not', async () => {
    const waiting = Promise.withResolvers<void>();
    const perform = async (deps: Deps) => {
      await waiting.promise;
      return addOne(deps);
    };
    const first = guard(depsOver(store), { idempotencyRequest, perform });
    for (const second of [idempotencyRequest, { ...idempotencyRequest, fingerprint: 'g' }]) {
      await expect(guard(depsOver(store), { idempotencyRequest: second, perform })).rejects.toThrow(
        'idempotency_in_flight',
      );
    }
    for (const other of [
      { ...idempotencyRequest, idempotencyKey: 'otra' },
      { ...idempotencyRequest, keyId: otherKeyId },
    ]) {
      expect(await guard(depsOver(store), { idempotencyRequest: other, perform: addOne })).toMatchObject({
        isReplay: false,
      });
    }
    waiting.resolve();
    expect(await first).toMatchObject({ isReplay: false });
    expect(await guard(depsOver(store), { idempotencyRequest, perform })).toMatchObject({ isReplay: true });
  });

  it('gets its answer even if it fails because another process was faster', async () => {
    // It looks before its write, as a change of password does.
    const perform = async (deps: Deps) => {
      await createIdempotencyGuard()(depsOver(store), { idempotencyRequest, perform: addOne });
      if ((await deps.store.read((reader) => activeFirmCount(reader, account.id))) > 0) {
        throw new DomainError('duplicate_name');
      }
      return 'never';
    };
    expect(await guard(depsOver(store), { idempotencyRequest, perform })).toEqual({ answer: 'firm 1', isReplay: true });
  });

  it('is refused when another process was faster with a different request', async () => {
    const perform = async (deps: Deps) => {
      await createIdempotencyGuard()(depsOver(store), {
        idempotencyRequest: { ...idempotencyRequest, fingerprint: 'g' },
        perform: addOne,
      });
      return addOne(deps);
    };
    await expect(guard(depsOver(store), { idempotencyRequest, perform })).rejects.toThrow('idempotency_mismatch');
    expect(await firms()).toBe(1);
  });
});

describe('over a store that repeats a unit of work when it fails in a conflict', () => {
  class Conflict extends Error {}

  /** Repeats units of work; `fail` decides after each whether there was a conflict. */
  function repeating(fail: () => boolean): Store {
    return {
      ...store,
      write: async (writeContext, work) => {
        for (;;) {
          try {
            return await store.write(writeContext, async (writer) => {
              const answer = await work(writer);
              if (fail()) throw new Conflict();
              return answer;
            });
          } catch (error) {
            if (!(error instanceof Conflict)) throw error;
          }
        }
      },
    };
  }

  it('a task is repeated from its beginning, and its effect is stored once', async () => {
    let conflicts = 0;
    const over = repeating(() => {
      conflicts += 1;
      return conflicts === 1;
    });
    expect(await guard(depsOver(over), { idempotencyRequest, perform: addOne })).toEqual({
      answer: 'firm 1',
      isReplay: false,
    });
    expect([performed, await firms(), (await stored())?.answer]).toEqual([2, 1, 'firm 1']);
  });

  it('a task whose write caused the conflict is not repeated', async () => {
    let attempts = 0;
    const perform = async (deps: Deps) => {
      performed += 1;
      return deps.store.write(context, async (writer) => {
        attempts += 1;
        if (attempts === 1) throw new Conflict();
        return `firm ${(await addFirm(writer)).id}`;
      });
    };
    const over = repeating(() => false);
    expect(await guard(depsOver(over), { idempotencyRequest, perform })).toEqual({ answer: 'firm 1', isReplay: false });
    expect([performed, attempts, await firms()]).toEqual([1, 2, 1]);
  });

  it('a task is abandoned after several conflicts', async () => {
    await expect(guard(depsOver(repeating(() => true)), { idempotencyRequest, perform: addOne })).rejects.toMatchObject(
      {
        code: 'unavailable',
        details: { retryAfterSeconds: 1 },
      },
    );
    expect([performed, await firms(), await stored()]).toEqual([3, 0, null]);
  });
});

it('a commit that succeeded but was reported as failed is answered as successful', async () => {
  const lossy: Store = {
    ...store,
    write: async (writeContext, work) => {
      await store.write(writeContext, work);
      throw new Error('connection lost');
    },
  };
  expect(await guard(depsOver(lossy), { idempotencyRequest, perform: addOne })).toEqual({
    answer: 'firm 1',
    isReplay: true,
  });
  expect([performed, await firms()]).toEqual([1, 1]);
});

describe('a task that passes on a file', () => {
  const WORKBOOK = { ofertas: [NEW, newRow('Norte', 'Nueva', 'Una')] };

  let world: ImportWorld;
  beforeEach(async () => {
    world = await createImportWorld();
    idempotencyRequest = { ...idempotencyRequest, keyId: world.fullCaller.keyId };
  });

  const bulkDeps = (imports = world.deps.imports): Deps =>
    Object.assign(depsOver(world.store), { imports, clock: world.deps.clock });
  const apply = async ({ imports }: Deps, changes: Parameters<ImportWorld['jobOf']>[1] = {}) => {
    performed += 1;
    const { uploadId, counts } = await imports.run(world.jobOf(WORKBOOK, changes));
    return `upload ${uploadId}: ${counts.created} created`;
  };
  const effects = async () => {
    const { offers } = await world.store.read((reader) => reader.changesSince(world.fullCaller.accountId, 0));
    return [offers.length - world.offers.length, (await world.uploads()).length];
  };

  const renameNorte = ({ store: bound }: Deps) =>
    bound.write(context, (writer) => {
      const [norte] = world.firms;
      return writer.updateFirm(world.fullCaller.accountId, norte.id, { ...norte, name: 'Centro' });
    });

  it('is performed once; a replay makes the same answer from the stored report', async () => {
    expect(await guard(bulkDeps(), { idempotencyRequest, perform: apply })).toEqual({
      answer: 'upload 1: 1 created',
      isReplay: false,
    });
    const unable = { ...world.deps.imports, run: () => Promise.reject(new Error('was handed over')) };
    const again = await guard(bulkDeps(unable), { idempotencyRequest, perform: apply });
    expect(again).toEqual({ answer: 'upload 1: 1 created', isReplay: true });
    expect(await effects()).toEqual([1, 1]);
    const other = { ...idempotencyRequest, fingerprint: 'g' };
    await expect(guard(bulkDeps(), { idempotencyRequest: other, perform: apply })).rejects.toThrow(
      'idempotency_mismatch',
    );
  });

  it('A-53: is answered as successful when the file was applied and only the confirmation was lost', async () => {
    const lossy = {
      ...world.deps.imports,
      run: async (job: Parameters<typeof world.deps.imports.run>[0]) => {
        await runImport(world.parts, job);
        throw new Error('the thread has ended');
      },
    };
    expect(await guard(bulkDeps(lossy), { idempotencyRequest, perform: apply })).toEqual({
      answer: 'upload 1: 1 created',
      isReplay: true,
    });
    expect(await effects()).toEqual([1, 1]);
  });

  it.each<[string, (deps: Deps) => Promise<unknown>]>([
    [
      'writes before',
      async (deps) => {
        await renameNorte(deps);
        await apply(deps);
      },
    ],
    [
      'writes after',
      async (deps) => {
        await apply(deps);
        await renameNorte(deps);
      },
    ],
    [
      'hands over two',
      async (deps) => {
        await apply(deps);
        await apply(deps);
      },
    ],
  ])('is a bug when it %s, because its effect and its answer would not be stored together', async (_what, work) => {
    const unbound = {
      ...world.deps.imports,
      run: async () => ({ uploadId: 1, counts: NO_COUNTS, diff: null, warnings: [] }),
    };
    const perform = async (deps: Deps) => {
      await work(deps);
      return 'done';
    };
    await expect(guard(bulkDeps(unbound), { idempotencyRequest, perform })).rejects.toThrow(RangeError);
    const [norte] = world.firms;
    expect(await world.store.read((reader) => reader.firm(world.fullCaller.accountId, norte.id))).toEqual(norte);
  });

  it('an answer that looks like a report is a bug', async () => {
    const perform = async (deps: Deps) => `report ${await addOne(deps)}`;
    await expect(
      guard(depsOver(store), { idempotencyRequest: { ...idempotencyRequest, keyId: otherKeyId }, perform }),
    ).rejects.toThrow(RangeError);
    expect(await firms()).toBe(0);
  });
});
