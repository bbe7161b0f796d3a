import type { KeyTerms } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { type CaseOn, equal, fails, holds, present, refused } from './assertions.ts';
import { at, firmTerms, moment, newAccount, newTenant } from './world.ts';

const PASSWORD = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA';
const TERMS = { name: 'Asesores Ñ', email: 'Ana@Example.es', passwordHash: PASSWORD, isCatalogEditor: true };

const TRIAL = {
  plan: 'trial',
  status: 'active',
  firmLimit: 3,
  trialEndsAt: moment(99),
  currentPeriodEnd: moment(200),
  callsPerMinute: null,
  firmCallsPerMinute: 40,
  quotas: { offers: 7, months: 0 },
} as const;

function keyTerms(accountId: number, secretHash: string, changes: Partial<KeyTerms> = {}): KeyTerms {
  return {
    accountId,
    firmId: null,
    name: null,
    prefix: 'tar_abc',
    secretHash,
    fullAccess: false,
    scopes: [],
    ...changes,
  };
}

/** Accounts, subscriptions and keys. */
export const accountCases: readonly CaseOn<Store>[] = [
  {
    name: 'an account is found as it was created, without its password',
    run: async (store) => {
      const account = await store.write(at(1), (writer) => writer.accounts.insert(TERMS));
      const expected = {
        id: account.id,
        name: 'Asesores Ñ',
        email: 'Ana@Example.es',
        isActive: true,
        isCatalogEditor: true,
        createdAt: moment(1),
      };
      equal(account, expected, 'the answer');
      equal(await store.read((reader) => reader.accounts.get(account.id)), expected, 'the account read');
      equal(await store.read((reader) => reader.accounts.get(account.id + 1)), null, 'an unknown account');
      equal(
        await store.read((reader) => reader.accounts.passwordHash(account.id)),
        PASSWORD,
        'its password, asked for',
      );
      equal(
        await store.read((reader) => reader.accounts.passwordHash(account.id + 1)),
        null,
        'the password of no account',
      );
      const second = await newAccount(store);
      equal(await store.read((reader) => reader.accounts.list()), [expected, second], 'accounts in order of id');
    },
  },
  {
    name: 'an account changes in the given fields only',
    run: async (store) => {
      const account = await store.write(at(1), (writer) => writer.accounts.insert(TERMS));
      const changed = await store.write(at(2), (writer) => writer.accounts.update(account.id, { isActive: false }));
      equal(changed, { ...account, isActive: false }, 'deactivated');
      equal(await store.read((reader) => reader.accounts.passwordHash(account.id)), PASSWORD, 'the password it had');
      const renamed = await store.write(at(3), (writer) =>
        writer.accounts.update(account.id, { name: 'Otra', email: 'otra@example.es', passwordHash: 'new' }),
      );
      equal(renamed, { ...account, isActive: false, name: 'Otra', email: 'otra@example.es' }, 'renamed');
      equal(await store.read((reader) => reader.accounts.get(account.id)), renamed, 'the account read');
      equal(await store.read((reader) => reader.accounts.passwordHash(account.id)), 'new', 'its password');
      equal(
        await store.write(at(4), (writer) => writer.accounts.update(999, { name: 'x' })),
        null,
        'an unknown account',
      );
    },
  },
  {
    name: 'an e-mail address belongs to one account, whatever its case, also when that account is inactive',
    run: async (store) => {
      const first = await store.write(at(1), (writer) => writer.accounts.insert(TERMS));
      await store.write(at(1), (writer) => writer.accounts.update(first.id, { isActive: false }));
      for (const email of ['Ana@Example.es', 'ANA@EXAMPLE.ES', ' ana@example.es ']) {
        const attempt = store.write(at(2), (writer) => writer.accounts.insert({ ...TERMS, email }));
        await refused('duplicate_email', attempt, email);
      }
      const second = await newAccount(store);
      const taking = store.write(at(3), (writer) => writer.accounts.update(second.id, { email: 'ana@EXAMPLE.es' }));
      await refused('duplicate_email', taking, 'taken by an update');
      equal(await store.read((reader) => reader.accounts.list()).then((list) => list.length), 2, 'accounts');
      equal(await store.read((reader) => reader.accounts.get(second.id)), second, 'the account that wanted it');
      await store.write(at(4), (writer) => writer.accounts.update(first.id, { email: 'ANA@example.es' }));
    },
  },
  {
    name: 'of twenty accounts created at once with one e-mail address, one exists',
    run: async (store) => {
      const attempts = Array.from({ length: 20 }, (_, i) =>
        store.write(at(i), (writer) => writer.accounts.insert({ ...TERMS, email: i % 2 ? 'a@b.es' : 'A@b.es' })),
      );
      const outcomes = await Promise.allSettled(attempts);
      equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, 'successes');
      equal((await store.read((reader) => reader.accounts.list())).length, 1, 'accounts');
    },
  },
  {
    name: 'an account has one subscription, active or not, which is edited in place',
    run: async (store) => {
      const [account, other] = [await newAccount(store), await newAccount(store)];
      const read = () => store.read((reader) => reader.accounts.subscription(account.id));
      equal(await read(), null, 'before');
      const trial = await store.write(at(1), (writer) => writer.accounts.putSubscription(account.id, TRIAL));
      equal(trial, { ...TRIAL, id: trial.id, createdAt: moment(1) }, 'the answer');
      equal(await read(), trial, 'the first');
      equal(await store.read((reader) => reader.accounts.subscription(other.id)), null, 'of another account');
      const ofOther = await store.write(at(2), (writer) => writer.accounts.putSubscription(other.id, TRIAL));
      const terms = {
        plan: 'pro',
        status: 'cancelled',
        firmLimit: 25,
        trialEndsAt: null,
        currentPeriodEnd: moment(300),
        callsPerMinute: 900,
        firmCallsPerMinute: null,
        quotas: {},
      } as const;
      const pro = await store.write(at(3), (writer) => writer.accounts.putSubscription(account.id, terms));
      equal(pro, { ...terms, id: trial.id, createdAt: moment(1) }, 'the answer of the change');
      equal(await read(), pro, 'after the change');
      equal(await store.read((reader) => reader.accounts.subscription(other.id)), ofOther, 'of another account, later');
      await fails(
        store.write(at(4), (writer) => writer.accounts.putSubscription(999, TRIAL)),
        'of no account',
      );
    },
  },
  {
    name: 'a key is found by its hash with everything that admission needs',
    run: async (store) => {
      const account = await newAccount(store);
      const terms = keyTerms(account.id, 'aa11', { name: 'Bot', scopes: ['offers:read', 'catalog:read'] });
      const key = await store.write(at(1), (writer) => writer.keys.insert(terms));
      const { secretHash: _, ...visible } = terms;
      const unused = { isActive: true, expiresAt: null, lastUsedAt: null, createdAt: moment(1) };
      equal(key, { ...visible, id: key.id, ...unused }, 'the answer');
      const find = (hash: string) => store.read((reader) => reader.keys.byHash(hash));
      equal(await find('aa11'), { key, account, subscription: null, firmIsActive: true }, 'the record');
      for (const hash of ['', 'AA11', 'aa1', 'aa11 ', '%']) equal(await find(hash), null, `hash ${hash}`);
      const subscription = await store.write(at(2), (writer) => writer.accounts.putSubscription(account.id, TRIAL));
      const inactive = await store.write(at(3), (writer) => writer.accounts.update(account.id, { isActive: false }));
      equal(await find('aa11'), { key, account: inactive, subscription, firmIsActive: true }, 'later');
      const byId = (id: number) => store.read((reader) => reader.keys.record(id));
      equal(await byId(key.id), await find('aa11'), 'by id');
      equal(await byId(key.id + 1), null, 'an unknown id');
    },
  },
  {
    name: 'a revoked key is still found, as inactive',
    run: async (store) => {
      const account = await newAccount(store);
      const key = await store.write(at(1), (writer) => writer.keys.insert(keyTerms(account.id, 'bb22')));
      const revoked = { ...key, isActive: false };
      for (const time of ['first', 'second']) {
        equal(await store.write(at(2), (writer) => writer.keys.revoke(key.id)), revoked, `revoked the ${time} time`);
      }
      equal(await store.write(at(2), (writer) => writer.keys.revoke(key.id + 1)), null, 'an unknown key');
      equal((await store.read((reader) => reader.keys.byHash('bb22')))?.key, revoked, 'by hash');
      equal((await store.read((reader) => reader.keys.record(key.id)))?.key, revoked, 'with its account');
      equal(await store.read((reader) => reader.keys.record(key.id + 1)), null, 'an unknown id');
    },
  },
  {
    name: 'A-135: a key has the end that it was given, and its last use where the one before is old enough',
    run: async (store) => {
      const account = await newAccount(store);
      const newKey = (hash: string, changes: Partial<KeyTerms> = {}) =>
        store.write(at(1), (writer) => writer.keys.insert(keyTerms(account.id, hash, changes)));
      const keys = [await newKey('e1', { expiresAt: moment(9) }), await newKey('e2'), await newKey('e3')];
      equal(
        keys.map(({ expiresAt }) => expiresAt),
        [moment(9), null, null],
        'ends',
      );
      const [first = 0, second = 0] = keys.map(({ id }) => id);
      const use = (minute: number, ids: readonly number[], before: number) =>
        store.write({ ...at(minute), concerns: [] }, (writer) => writer.keys.markUsed(ids, moment(before)));
      const uses = async () =>
        (await store.read((reader) => reader.keys.list(account.id))).map(({ lastUsedAt }) => lastUsedAt);
      await use(3, [first, second, 999], 3);
      equal(await uses(), [moment(3), moment(3), null], 'the first use');
      await use(5, [second], 3);
      equal(await uses(), [moment(3), moment(3), null], 'a use not long after');
      await use(6, [second, first, second], 4);
      equal(await uses(), [moment(6), moment(6), null], 'a use later');
      await use(7, [], 7);
      equal(await uses(), [moment(6), moment(6), null], 'a use of no key');
      const found = present(await store.read((reader) => reader.keys.byHash('e1')), 'the record of the key');
      equal(found.key, { ...keys[0], lastUsedAt: moment(6) }, 'the key of the record');
    },
  },
  {
    name: "an account's keys are its own, and no two have the same secret",
    run: async (store) => {
      const [account, other] = [await newAccount(store), await newAccount(store)];
      const insert = (accountId: number, hash: string) =>
        store.write(at(1), (writer) => writer.keys.insert(keyTerms(accountId, hash)));
      const keys = [await insert(account.id, 'k1'), await insert(account.id, 'k2')];
      const foreign = await insert(other.id, 'k3');
      await fails(insert(other.id, 'k1'), 'the secret of another key');
      await fails(insert(999, 'k4'), 'a key of no account');
      equal(await store.read((reader) => reader.keys.list(account.id)), keys, 'keys');
      equal(await store.read((reader) => reader.keys.list(other.id)), [foreign], 'keys of the other');
    },
  },
  {
    name: 'A-25: full access is what was stored, and never follows from scopes',
    run: async (store) => {
      const account = await newAccount(store);
      for (const [index, fullAccess] of [true, false].entries()) {
        for (const scopes of [[], ['offers:read'] as const]) {
          const hash = `full-${index}-${scopes.length}`;
          const terms = keyTerms(account.id, hash, { fullAccess, scopes });
          await store.write(at(1), (writer) => writer.keys.insert(terms));
          const key = present(await store.read((reader) => reader.keys.byHash(hash)), hash);
          equal([key.key.fullAccess, key.key.scopes], [fullAccess, scopes], hash);
        }
      }
    },
  },
  {
    name: 'a bound key shows whether its firm is active',
    run: async (store) => {
      const { account, firm } = await newTenant(store);
      const other = await newTenant(store);
      const bind = (firmId: number, hash: string) =>
        store.write(at(2), (writer) => writer.keys.insert(keyTerms(account.id, hash, { firmId })));
      const key = await bind(firm.id, 'cc33');
      equal(key.firmId, firm.id, 'the firm of the key');
      const isActive = async () => (await store.read((reader) => reader.keys.byHash('cc33')))?.firmIsActive;
      equal(await isActive(), true, 'an active firm');
      const change = (active: boolean) =>
        store.write(at(3), (writer) =>
          writer.firms.update(account.id, firm.id, firmTerms('Firma', { isActive: active })),
        );
      await change(false);
      equal(await isActive(), false, 'a deactivated firm');
      equal(
        (await store.read((reader) => reader.keys.record(key.id)))?.firmIsActive,
        false,
        'found by the id of the key',
      );
      await change(true);
      equal(await isActive(), true, 'an active firm again');
      await fails(bind(other.firm.id, 'dd44'), 'bound to a firm of another account');
      await fails(bind(999, 'dd44'), 'bound to no firm');
      holds((await store.read((reader) => reader.keys.byHash('dd44'))) === null, 'no key was left');
    },
  },
];
