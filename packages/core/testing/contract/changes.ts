import type { RecordOwner } from '../../src/service/ports/lists.ts';
import { CHANGE_KINDS, type ChangeQuery, type RecordChange } from '../../src/service/ports/records.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { type CaseOn, equal } from './assertions.ts';
import {
  at,
  companyTerms,
  firmTerms,
  luz,
  luzMonth,
  newAccount,
  newCatalogCompany,
  newTenant,
  putMonth,
  writeOffers,
} from './world.ts';

const ALL: ChangeQuery = {
  kinds: CHANGE_KINDS,
  after: { revision: 0, kind: 0, id: 0 },
  firmId: null,
  seesCommissions: true,
  limit: 1000,
};

function changesOf(store: Store, owner: RecordOwner, query: Partial<ChangeQuery> = {}) {
  return store.read((reader) => reader.changes.after(owner, { ...ALL, ...query }));
}

const namesOf = (changes: readonly RecordChange[]) => changes.map(({ kind, id }) => `${CHANGE_KINDS[kind]} ${id}`);

/** What a list of changes is made of. */
export const changeCases: readonly CaseOn<Store>[] = [
  {
    name: 'changes of an owner are listed once each, in order of revision, kind and id, and page by page',
    run: async (store) => {
      const { account, firm, company, luzOffer, gasOffer } = await newTenant(store);
      const other = await newTenant(store);
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const first = [`client ${firm.id}`, `company ${company.id}`, `offer ${luzOffer.id}`, `offer ${gasOffer.id}`];
      equal(namesOf(await changesOf(store, account.id)), first, 'what was made at once');
      equal(namesOf(await changesOf(store, 'catalog')), [`company ${catalog.id}`], 'of the catalog');
      await store.write(at(2), (writer) => putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 0.1)));
      await store.write(at(3), async (writer) => {
        await writer.catalog.putSubscription(account.id, {
          firmId: firm.id,
          companyId: catalog.id,
          isSubscribed: false,
        });
        await writer.firms.update(account.id, firm.id, firmTerms('Firma', { isActive: false }));
      });
      const changes = await changesOf(store, account.id);
      const later = [`company ${company.id}`, `offer ${gasOffer.id}`, `offer ${luzOffer.id}`];
      equal(namesOf(changes), [...later, `client ${firm.id}`, `subscriptions ${firm.id}`], 'by their last change');
      equal(
        changes.map(({ isActive }) => isActive),
        [true, true, true, false, true],
        'active ones',
      );
      equal(await changesOf(store, account.id, { after: null, limit: 1 }), changes.slice(-1), 'the last one');
      for (const [index, after] of changes.entries()) {
        equal(await changesOf(store, account.id, { after }), changes.slice(index + 1), 'after each');
        equal(await changesOf(store, account.id, { after, limit: 1 }), changes.slice(index + 1, index + 2), 'a page');
      }
      equal(namesOf(await changesOf(store, account.id, { kinds: ['client'] })), [`client ${firm.id}`], 'of a kind');
      equal((await changesOf(store, other.account.id)).length, 4, 'of another account');
      equal(await changesOf(store, (await newAccount(store)).id), [], 'of an empty account');
    },
  },
  {
    name: 'a change of commissions alone is not in the changes for those who do not see commissions',
    run: async (store) => {
      const { account, company, luzOffer, gasOffer } = await newTenant(store);
      const masked = () => changesOf(store, account.id, { seesCommissions: false });
      const before = await masked();
      const pay = (n: number, changes: object = {}) =>
        store.write(at(n), (writer) =>
          writeOffers(writer, account.id, [
            { offerId: luzOffer.id, terms: { ...luz(company.id), commissionValue: n, ...changes } },
          ]),
        );
      await pay(2);
      await pay(3);
      equal(await masked(), before, 'masked');
      equal(namesOf(await changesOf(store, account.id)).at(-1), `offer ${luzOffer.id}`, 'whole');
      await pay(4, { offerName: 'Otra' });
      equal(
        namesOf(await masked()).slice(-2),
        [`offer ${gasOffer.id}`, `offer ${luzOffer.id}`],
        'masked, after a name',
      );
      const named = await masked();
      await pay(5, { offerName: 'Otra' });
      equal(await masked(), named, 'masked, after commissions again');
      await store.write(at(6), (writer) => putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 0.1)));
      equal(await masked(), await changesOf(store, account.id), 'after a month both are one');
    },
  },
  {
    name: 'a firm has the changes of its own records, and an offer that left it is listed once as gone',
    run: async (store) => {
      const { account, firm, company, luzOffer } = await newTenant(store);
      const [second, target] = await store.write(at(2), async (writer) => {
        const made = await writer.firms.insert(account.id, firmTerms('Segunda'));
        return [made, await writer.companies.insert(account.id, companyTerms(made.id, 'Otra'))] as const;
      });
      const ofFirm = (firmId: number, query: Partial<ChangeQuery> = {}) =>
        changesOf(store, account.id, { firmId, ...query });
      equal((await ofFirm(firm.id)).length, 4, 'of the first');
      equal(namesOf(await ofFirm(second.id)), [`client ${second.id}`, `company ${target.id}`], 'of the second');
      const after = (await ofFirm(firm.id)).at(-1) ?? null;
      const move = (n: number, companyId: number, offerName: string) =>
        store.write(at(n), (writer) =>
          writeOffers(writer, account.id, [{ offerId: luzOffer.id, terms: luz(companyId, { offerName }) }]),
        );
      await move(3, target.id, 'Movida');
      await move(4, target.id, 'Cambiada');
      const [first, ...none] = await ofFirm(firm.id, { after });
      equal([first?.id, first?.isGone, none], [luzOffer.id, true, []], 'gone');
      const come = (await ofFirm(second.id)).at(-1);
      equal((first?.revision ?? 0) < (come?.revision ?? 0), true, 'when it went, not when it was changed there');
      equal(come?.isGone, false, 'come');
      await move(5, target.id, 'Otra vez');
      equal(await ofFirm(firm.id, { after: first ?? null }), [], 'what happens there later');
      await move(6, company.id, 'De vuelta');
      equal(
        (await ofFirm(firm.id, { after: first ?? null })).map(({ isGone }) => isGone),
        [false],
        'back again',
      );
    },
  },
  {
    name: 'each revision has a mark, which stays, and a future revision has none',
    run: async (store) => {
      const { account } = await newTenant(store);
      const mark = (owner: RecordOwner, revision: number) =>
        store.read((reader) => reader.changes.mark(owner, revision));
      const first = await mark(account.id, 1);
      equal([typeof first, await mark(account.id, 2), await mark(account.id, 0)], ['number', null, null], 'the first');
      await store.write(at(2), (writer) => writer.firms.insert(account.id, firmTerms('Segunda')));
      equal([await mark(account.id, 1), typeof (await mark(account.id, 2))], [first, 'number'], 'the second');
      equal(await mark('catalog', 3), null, 'of another owner');
    },
  },
];
