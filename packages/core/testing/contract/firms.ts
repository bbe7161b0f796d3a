import fc from 'fast-check';
import { foldName } from '../../src/engine/text.ts';
import type { Letterhead } from '../../src/service/firms/firm.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { activeFirmCount } from '../../src/service/usecases/requests/stats.ts';
import { arbitraryFirmTerms } from '../arbitrary-firms.ts';
import { arbitraryName } from '../arbitrary-values.ts';
import { type CaseOn, equal, fails, refused, SEED } from './assertions.ts';
import {
  all,
  allOffers,
  at,
  companyTerms,
  EVERYTHING,
  firmTerms,
  moment,
  newAccount,
  newCatalogCompany,
  newTenant,
} from './world.ts';

/** Some of them are one name, some differ in an accent or a character. */
const CLOSE_NAMES = [
  ...['Energía', 'ENERGÍA', ' energía ', 'Energi\u0301a', 'energia', 'Ñandú', 'ñANDÚ', 'ano', 'año'],
  ...['100%', ' 100%', 'a_c', 'abc', 'a%', 'a  b', 'a b', 'straße', 'strasse', 'a', "a'", 'a\\'],
];

/** Advisory firms and companies. */
export const firmCases: readonly CaseOn<Store>[] = [
  {
    name: 'firms are read as they were written, whatever their names',
    run: async (store, runs) => {
      const manyTerms = fc.uniqueArray(arbitraryFirmTerms(), { selector: (terms) => foldName(terms.name) });
      const property = fc.asyncProperty(manyTerms, async (terms) => {
        const account = await newAccount(store);
        const written = await store.write(at(5), async (writer) => {
          const firms = [];
          for (const one of terms) firms.push(await writer.firms.insert(account.id, one));
          return firms;
        });
        const stamps = { createdAt: moment(5), updatedAt: moment(5) };
        const expected = terms.map((one, i) => ({ ...one, id: written[i]?.id, ...stamps }));
        equal(written, expected, 'the answers');
        equal(
          (await store.read((reader) => reader.firms.list(all(account.id), EVERYTHING))).results,
          expected,
          'the list',
        );
        for (const firm of written) {
          equal(await store.read((reader) => reader.firms.get(account.id, firm.id)), firm, 'one by id');
        }
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(15) });
    },
  },
  {
    name: 'changing a firm or a company stamps it',
    run: async (store) => {
      const { account, firm, company } = await newTenant(store);
      const changed = await store.write(at(60), async (writer) => [
        await writer.firms.update(account.id, firm.id, firmTerms('FIRMA', { catalogDefault: 'none' })),
        await writer.companies.update(account.id, company.id, companyTerms(firm.id, 'Otra', { isActive: false })),
      ]);
      const stamp = { updatedAt: moment(60) };
      equal(
        changed,
        [
          { ...firm, ...stamp, name: 'FIRMA', catalogDefault: 'none' },
          { ...company, ...stamp, name: 'Otra', isActive: false },
        ],
        'changed',
      );
      equal(await store.read((reader) => reader.firms.get(account.id, firm.id)), changed[0], 'the firm read');
      equal(await store.read((reader) => reader.companies.get(account.id, company.id)), changed[1], 'the company read');
    },
  },
  {
    name: 'A-144: the logo and the contact of a firm are in its detail, and in no other record',
    run: async (store) => {
      const [{ account, firm }, theirs] = [await newTenant(store), await newTenant(store)];
      const logo = `data:image/png;base64,${'QUJD'.repeat(20_000)}`;
      const detailOf = (accountId: number, id: number) => store.read((reader) => reader.firms.detail(accountId, id));
      const logoOf = async (accountId: number, id: number) => (await detailOf(accountId, id))?.logo;
      const update = (n: number, changes: { readonly name?: string } & Partial<Letterhead>) =>
        store.write(at(n), (writer) => writer.firms.update(account.id, firm.id, changes));
      equal(await detailOf(account.id, firm.id), { ...firm, logo: null, contact: null }, 'a firm without either');
      equal(await update(60, { logo }), { ...firm, updatedAt: moment(60) }, 'the record that got one');
      equal(await detailOf(account.id, firm.id), { ...firm, updatedAt: moment(60), logo, contact: null }, 'the logo');
      await update(60, { contact: 'QUJD 900 123 456' });
      await update(61, { name: 'Otra' });
      equal(await logoOf(account.id, firm.id), logo, 'after another change');
      for (const [accountId, id] of [
        [theirs.account.id, firm.id],
        [account.id, theirs.firm.id],
        [account.id, 999_999],
      ] as const) {
        equal(await detailOf(accountId, id), null, 'of another account');
      }
      const records = await store.read(async (reader) => [
        await reader.firms.get(account.id, firm.id),
        await reader.firms.list(all(account.id), EVERYTHING),
        await reader.changes.since(account.id, 0),
        await reader.offers.list(allOffers(account.id), EVERYTHING),
      ]);
      equal(JSON.stringify(records).includes('QUJD'), false, 'in the records');
      await update(62, { logo: null });
      const erased = await detailOf(account.id, firm.id);
      equal([erased?.logo, erased?.contact], [null, 'QUJD 900 123 456'], 'the logo erased alone');
      await update(62, { contact: null });
      equal((await detailOf(account.id, firm.id))?.contact, null, 'the contact erased');
      const made = await store.write(at(63), (writer) =>
        writer.firms.insert(account.id, { ...firmTerms('Con logotipo'), logo }),
      );
      equal(await logoOf(account.id, made.id), logo, 'of a firm that is made with one');
    },
  },
  {
    name: 'A-51: a name is taken within its account, its firm or the catalog only, also by inactive records',
    run: async (store) => {
      const [tenant, other] = [await newTenant(store), await newTenant(store)];
      const { account, firm } = tenant;
      const second = await store.write(at(2), (writer) => writer.firms.insert(account.id, firmTerms('Segunda')));
      await store.write(at(3), async (writer) => {
        await writer.firms.update(account.id, second.id, firmTerms('Segunda', { isActive: false }));
        await writer.companies.insert(account.id, companyTerms(firm.id, 'Una', { isActive: false }));
        await writer.companies.insert(account.id, companyTerms(second.id, 'Una'));
        await writer.companies.insert('catalog', companyTerms(null, 'Una'));
        await writer.companies.insert(other.account.id, companyTerms(other.firm.id, 'Una'));
        await writer.firms.insert(other.account.id, firmTerms('Segunda'));
      });
      for (const insert of insertions(store, { accountId: account.id, firmId: firm.id, name: 'UNA' }).slice(1)) {
        await refused('duplicate_name', insert(), 'a company name taken');
      }
      const again = store.write(at(4), (writer) => writer.firms.insert(account.id, firmTerms('SEGUNDA')));
      await refused('duplicate_name', again, 'the name of an inactive firm');
    },
  },
  {
    name: 'renaming to a taken name changes nothing',
    run: async (store) => {
      const { account, firm, company } = await newTenant(store);
      const [second, theirs] = await store.write(at(2), async (writer) => [
        await writer.firms.insert(account.id, firmTerms('Segunda')),
        await writer.companies.insert(account.id, companyTerms(firm.id, 'Dos')),
      ]);
      const before = await store.read((reader) => reader.changes.since(account.id, 0));
      const firmTaken = store.write(at(3), (writer) => writer.firms.update(account.id, second.id, firmTerms('fIRMA')));
      await refused('duplicate_name', firmTaken, 'a firm');
      const companyTaken = store.write(at(3), (writer) =>
        writer.companies.update(account.id, theirs.id, companyTerms(firm.id, company.name.toUpperCase())),
      );
      await refused('duplicate_name', companyTaken, 'a company');
      equal(await store.read((reader) => reader.changes.since(account.id, 0)), before, 'the records of the owner');
    },
  },
  {
    name: 'of twenty records created at once with one name, one exists',
    run: async (store) => {
      const { account, firm } = await newTenant(store);
      for (const kind of [0, 1, 2]) {
        const attempts = Array.from({ length: 20 }, (_, i) => {
          const name = i % 2 === 0 ? 'Carrera' : 'CARRERA';
          return insertions(store, { accountId: account.id, firmId: firm.id, name })[kind]?.();
        });
        const outcomes = await Promise.allSettled(attempts);
        equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, `successes of kind ${kind}`);
      }
    },
  },
  {
    name: 'A-29: lists are pages by ascending id with the total, of one account and firm',
    run: async (store) => {
      const { account, firm, company } = await newTenant(store);
      const other = await newTenant(store);
      const second = await store.write(at(2), async (writer) => {
        const made = await writer.firms.insert(account.id, firmTerms('Segunda'));
        for (let i = 0; i < 5; i += 1) {
          const belongsTo = i % 2 === 0 ? made.id : firm.id;
          await writer.companies.insert(account.id, companyTerms(belongsTo, `C${i}`, { isActive: i > 1 }));
        }
        await writer.firms.insert(account.id, firmTerms('Inactiva', { isActive: false }));
        return made;
      });
      const firms = (scope = {}, page = EVERYTHING) => store.read((r) => r.firms.list(all(account.id, scope), page));
      const everyFirm = await firms();
      equal(
        everyFirm.results.map(({ name }) => name),
        ['Firma', 'Segunda', 'Inactiva'],
        'firms',
      );
      equal((await firms({ includeInactive: false })).total, 2, 'active firms');
      equal((await firms({ firmId: second.id })).results, [second], 'one firm');
      equal(await firms({ firmId: other.firm.id }), { total: 0, results: [] }, 'a foreign firm');
      equal(await store.read((reader) => activeFirmCount(reader, account.id)), 2, 'active firms counted');
      const pages = [];
      for (const offset of [0, 1, 2, 3, 1_000_000]) pages.push(await firms({}, { limit: 2, offset }));
      equal(
        pages.map((page) => page.total),
        [3, 3, 3, 3, 3],
        'totals',
      );
      const slices = [0, 1, 2, 3, 4].map((offset) => everyFirm.results.slice(offset, offset + 2));
      equal(
        pages.map((page) => page.results),
        slices,
        'pages',
      );
      equal(
        await firms({}, { limit: 1, offset: 0, afterId: everyFirm.results[0]?.id ?? 0 }),
        { total: 3, results: everyFirm.results.slice(1, 2) },
        'after a firm',
      );
      equal(await firms({}, { ...EVERYTHING, afterId: 1e9 }), { total: 3, results: [] }, 'after the last one');
      const companies = (scope = {}, page = EVERYTHING) =>
        store.read((r) => r.companies.list(all(account.id, scope), page));
      const names = async (scope = {}) => (await companies(scope)).results.map(({ name }) => name);
      equal(await names(), [company.name, 'C0', 'C1', 'C2', 'C3', 'C4'], 'companies');
      equal(await names({ firmId: second.id }), ['C0', 'C2', 'C4'], 'companies of a firm');
      equal(await names({ firmId: second.id, includeInactive: false }), ['C2', 'C4'], 'active ones of a firm');
      equal(await names({ firmId: other.firm.id }), [], 'companies of a foreign firm');
      equal(
        (await companies({}, { limit: 1, offset: 5 })).results.map(({ name }) => name),
        ['C4'],
        'the last page',
      );
    },
  },
  {
    name: 'a firm or company of another account is as missing as one that does not exist',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const before = await store.read((reader) => reader.changes.since(theirs.account.id, 0));
      for (const id of [theirs.firm.id, 999]) {
        equal(await store.read((reader) => reader.firms.get(mine.account.id, id)), null, 'read');
        const update = store.write(at(9), (writer) => writer.firms.update(mine.account.id, id, firmTerms('x')));
        await fails(update, 'updated');
      }
      for (const id of [theirs.company.id, catalog.id, 999]) {
        equal(await store.read((reader) => reader.companies.get(mine.account.id, id)), null, 'read');
        const terms = companyTerms(mine.firm.id, 'x');
        await fails(
          store.write(at(9), (w) => w.companies.update(mine.account.id, id, terms)),
          'updated',
        );
      }
      equal(
        await store.read((reader) => reader.companies.get('catalog', mine.company.id)),
        null,
        'an own one in the catalog',
      );
      equal(await store.read((reader) => reader.companies.get('catalog', catalog.id)), catalog, 'one of the catalog');
      equal(await store.read((reader) => reader.changes.since(theirs.account.id, 0)), before, 'the other account');
    },
  },
  {
    name: 'own companies have a firm of their account, and those of the catalog none',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const insert = (owner: number | 'catalog', firmId: number | null) =>
        store.write(at(2), (writer) => writer.companies.insert(owner, companyTerms(firmId, 'Nueva')));
      await fails(insert(mine.account.id, theirs.firm.id), 'a foreign firm');
      await fails(insert(mine.account.id, 999), 'no such firm');
      await fails(insert(mine.account.id, null), 'an own company without firm');
      await fails(insert('catalog', mine.firm.id), 'a catalog company with a firm');
      await fails(
        store.write(at(2), (writer) => writer.firms.insert(999, firmTerms('Nueva'))),
        'a firm of no account',
      );
      const moved = store.write(at(2), (writer) =>
        writer.companies.update(mine.account.id, mine.company.id, companyTerms(theirs.firm.id, 'x')),
      );
      await fails(moved, 'moved to a foreign firm');
    },
  },
  {
    name: 'A-22: decisions about catalog companies are stored per firm, and the last one counts',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const [one, two] = [await newCatalogCompany(store, 'Uno'), await newCatalogCompany(store, 'Dos')];
      const decide = (firmId: number, companyId: number, isSubscribed: boolean) =>
        store.write(at(3), (w) => w.catalog.putSubscription(mine.account.id, { firmId, companyId, isSubscribed }));
      const read = (accountId: number) => store.read((reader) => reader.catalog.subscriptions(accountId));
      await decide(mine.firm.id, two.id, false);
      await decide(mine.firm.id, one.id, true);
      await decide(mine.firm.id, two.id, true);
      const expected = [one, two].map(({ id }) => ({ firmId: mine.firm.id, companyId: id, isSubscribed: true }));
      equal(await read(mine.account.id), expected, 'decisions');
      equal(await read(theirs.account.id), [], 'of the other account');
      const foreign = { firmId: theirs.firm.id, companyId: one.id, isSubscribed: false };
      await store.write(at(3), (writer) => writer.catalog.putSubscription(theirs.account.id, foreign));
      await fails(decide(theirs.firm.id, one.id, true), 'a foreign firm that has decided');
      await fails(decide(theirs.firm.id, two.id, true), 'a foreign firm');
      equal(await read(theirs.account.id), [foreign], 'what the foreign firm decided');
      await fails(decide(mine.firm.id, mine.company.id, true), 'a company that is not of the catalog');
      await fails(decide(mine.firm.id, 999, true), 'no such company');
      equal(await read(mine.account.id), expected, 'decisions afterwards');
    },
  },
  {
    name: 'A-51: two names of firms, companies or the catalog are the same name exactly where foldName says so',
    run: async (store, runs) => {
      const names = fc.array(fc.oneof(arbitraryName(2), fc.constantFrom(...CLOSE_NAMES)), { maxLength: 12 });
      const inCatalog = new Set<string>();
      const property = fc.asyncProperty(names, async (drawn) => {
        const { account, firm } = await newTenant(store);
        const taken = [new Set([foldName(firm.name)]), new Set([foldName('Comercializadora')]), inCatalog];
        for (const name of drawn) {
          const attempts = insertions(store, { accountId: account.id, firmId: firm.id, name });
          for (const [kind, attempt] of attempts.entries()) {
            if (taken[kind]?.has(foldName(name))) await refused('duplicate_name', attempt(), name);
            else await attempt();
            taken[kind]?.add(foldName(name));
          }
        }
        const firms = await store.read((reader) => reader.firms.list(all(account.id), EVERYTHING));
        equal(firms.total, taken[0]?.size, 'firms');
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(20) });
    },
  },
];

interface Place {
  readonly accountId: number;
  readonly firmId: number;
  readonly name: string;
}

/** The ways to take a name: a firm, an own company, a company of the catalog. */
function insertions(store: Store, { accountId, firmId, name }: Place): readonly (() => Promise<unknown>)[] {
  return [
    () => store.write(at(9), (writer) => writer.firms.insert(accountId, firmTerms(name))),
    () => store.write(at(9), (writer) => writer.companies.insert(accountId, companyTerms(firmId, name))),
    () => store.write(at(9), (writer) => writer.companies.insert('catalog', companyTerms(null, name))),
  ];
}
