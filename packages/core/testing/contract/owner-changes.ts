import fc from 'fast-check';
import type { Offer, OfferHead, OfferTerms, OfferWithHistory } from '../../src/engine/offers/offer.ts';
import { offerOfRow } from '../../src/engine/offers/offer-row.ts';
import type { RecordOwner } from '../../src/service/ports/lists.ts';
import type { OwnerChanges } from '../../src/service/ports/records.ts';
import type { Store, Writer } from '../../src/service/ports/stores.ts';
import { arbitraryMonthlyPrice, arbitraryOfferTerms } from '../arbitrary-offers.ts';
import { type CaseOn, equal, holds, present, SEED } from './assertions.ts';
import {
  at,
  companyTerms,
  deleteMonth,
  firmTerms,
  luz,
  luzMonth,
  moment,
  newAccount,
  newCatalogCompany,
  newTenant,
  putMonth,
  writeOffers,
} from './world.ts';

const NO_CHANGES: OwnerChanges = { firms: [], companies: [], subscriptions: [], offers: [] };

/** The records of a client that has applied changes to those that it had, in the order in which a store gives them. */
function applied(records: OwnerChanges, changes: OwnerChanges): OwnerChanges {
  const byId = <T>(before: readonly T[], after: readonly T[], idOf: (record: T) => number) =>
    [...new Map([...before, ...after].map((record) => [idOf(record), record])).values()].sort(
      (a, b) => idOf(a) - idOf(b),
    );
  return {
    firms: byId(records.firms, changes.firms, ({ id }) => id),
    companies: byId(records.companies, changes.companies, ({ id }) => id),
    // No deed decides about the catalog.
    subscriptions: [...records.subscriptions, ...changes.subscriptions],
    offers: byId(records.offers, changes.offers, ({ offer }) => offer.id),
  };
}

/** The changes after a revision, which both ways of reading return alike: at once, and piece by piece. */
function changesOf(store: Store, owner: RecordOwner, since: number): Promise<OwnerChanges> {
  return store.read(async (reader) => {
    const changes = await reader.changes.since(owner, since);
    const { offers, ...records } = changes;
    equal(await reader.changes.recordsSince(owner, since), records, 'the changes without offers');
    const entries: OfferWithHistory[] = [];
    for await (const rows of reader.offers.rowsSince(owner, since)) {
      for (const row of rows) entries.push(offerOfRow(row));
    }
    equal(entries, offers, 'the offers as rows');
    const heads: OfferHead[] = [];
    const isWanted = (head: OfferHead) => heads.push(head) % 2 === 0;
    const some = await reader.changes.since(owner, since, isWanted);
    equal(some, { ...records, offers: offers.filter((_, index) => index % 2 === 1) }, 'the changes with some offers');
    const headOf = ({ offer: { id, companyId, offerName, isActive } }: OfferWithHistory): OfferHead => {
      return { id, companyId, offerName, isActive };
    };
    equal(heads, offers.map(headOf), 'what names each offer');
    return changes;
  });
}

/** Revisions, and the changes after one. */
export const ownerCases: readonly CaseOn<Store>[] = [
  {
    name: 'an owner begins at revision 0 without records, and other writes do not change it',
    run: async (store) => {
      const account = await newAccount(store);
      await newTenant(store);
      await store.write(at(1), async (writer) => {
        await writer.accounts.update(account.id, { name: 'Otro' });
        await writer.offers.insert(account.id, []);
        await writeOffers(writer, account.id, []);
      });
      equal(await store.read((reader) => reader.changes.revisions(account.id)), { own: 0, catalog: 0 }, 'revisions');
      equal(await changesOf(store, account.id, 0), NO_CHANGES, 'own');
      equal(await changesOf(store, 'catalog', 0), NO_CHANGES, 'catalog');
    },
  },
  {
    name: 'an offer is written as the change says, equal or not, and no other offer',
    run: async (store) => {
      const { account, luzOffer, gasOffer } = await newTenant(store);
      const { own } = await store.read((reader) => reader.changes.revisions(account.id));
      const changes = [{ before: luzOffer, terms: luzOffer, sections: [] }];
      const counted = { ...luzOffer, updatedAt: moment(9), maskedUpdatedAt: luzOffer.updatedAt };
      const answer = await store.write(at(9), (writer) => writer.offers.update(account.id, changes));
      equal(answer, [counted], 'the answer');
      equal((await changesOf(store, account.id, own)).offers, [{ offer: counted, months: [] }], 'the changes');
      const versions = await store.read((reader) => reader.offers.versions(account.id, luzOffer.id));
      equal(versions.at(-1)?.before, { kind: 'terms', offer: luzOffer }, 'its version');
      equal(
        (await store.read((reader) => reader.offers.versions(account.id, gasOffer.id))).length,
        1,
        'versions of the other',
      );
    },
  },
  {
    name: 'a unit of work raises the revision of each owner whose records it changes by one',
    run: async (store) => {
      const { account, firm, company, luzOffer } = await newTenant(store);
      const other = await newTenant(store);
      const revisions = () => store.read((reader) => reader.changes.revisions(account.id));
      equal(await revisions(), { own: 1, catalog: 0 }, 'after the first unit of work');
      const seen = await store.write(at(2), async (writer) => {
        const steps = [await writer.changes.revisions(account.id)];
        await writer.offers.insert(account.id, [luz(company.id), luz(company.id)]);
        steps.push(await writer.changes.revisions(account.id));
        await putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 0.1));
        await writer.firms.update(account.id, firm.id, firmTerms('Otra'));
        const made = await writer.companies.insert('catalog', companyTerms(null, 'C'));
        await writer.offers.insert('catalog', [luz(made.id)]);
        return [...steps, await writer.changes.revisions(account.id)];
      });
      const [before, first, last] = [
        { own: 1, catalog: 0 },
        { own: 2, catalog: 0 },
        { own: 2, catalog: 1 },
      ];
      equal(seen, [before, first, last], 'inside the unit of work');
      equal(await revisions(), last, 'afterwards');
      equal(
        await store.read((reader) => reader.changes.revisions(other.account.id)),
        { own: 1, catalog: 1 },
        'of the other',
      );
    },
  },
  {
    name: 'the changes after a revision are exactly the changed records, whole',
    run: async (store) => {
      const { account, firm, company, luzOffer, gasOffer } = await newTenant(store);
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const step = async (work: (writer: Writer) => Promise<unknown>): Promise<OwnerChanges> => {
        const { own } = await store.read((reader) => reader.changes.revisions(account.id));
        await store.write(at(10 + own), work);
        equal((await store.read((reader) => reader.changes.revisions(account.id))).own, own + 1, 'the revision');
        equal(await changesOf(store, account.id, own + 1), NO_CHANGES, 'after the newest revision');
        return await changesOf(store, account.id, own);
      };
      const kinds = (changes: OwnerChanges) => [
        changes.firms.map(({ id }) => id),
        changes.companies.map(({ id }) => id),
        changes.subscriptions.map(({ companyId, isSubscribed }) => [companyId, isSubscribed]),
        changes.offers.map(({ offer, months }) => [offer.id, months.length]),
      ];
      const { id } = luzOffer;
      const price = luzMonth('2026-01-01', 0.1);
      const tiers = [{ from: 0, to: null, value: 1, type: 'fixed' }] as const;
      const update = (terms: OfferTerms) => (w: Writer) => writeOffers(w, account.id, [{ offerId: id, terms }]);
      const put = await step((w) => putMonth(w, account.id, id, price));
      equal(kinds(put), [[], [], [], [[id, 1]]], 'a month');
      equal(put.offers[0]?.months, [price], 'the months of the offer');
      equal(kinds(await step(update(luz(company.id, { consumptionTiers: tiers })))), [[], [], [], [[id, 1]]], 'tiers');
      const inactive = await step(update(luz(company.id, { isActive: false })));
      equal(kinds(inactive), [[], [], [], [[id, 1]]], 'a soft delete');
      equal(inactive.offers[0]?.offer.isActive, false, 'the deleted offer');
      const removed = await step((w) => deleteMonth(w, account.id, id, price.month));
      equal(kinds(removed), [[], [], [], [[id, 0]]], 'a deleted month');
      const off = await step((w) => w.firms.update(account.id, firm.id, firmTerms('Firma', { isActive: false })));
      equal(kinds(off), [[firm.id], [], [], []], 'a firm');
      const renamed = await step((w) => w.companies.update(account.id, company.id, companyTerms(firm.id, 'Nueva')));
      equal(kinds(renamed), [[], [company.id], [], []], 'a company');
      const decision = { firmId: firm.id, companyId: catalog.id, isSubscribed: false };
      const decided = await step((w) => w.catalog.putSubscription(account.id, decision));
      equal(kinds(decided), [[], [], [[catalog.id, false]], []], 'a decision about the catalog');
      const everything = [
        [firm.id],
        [company.id],
        [[catalog.id, false]],
        [
          [id, 0],
          [gasOffer.id, 0],
        ],
      ];
      equal(kinds(await changesOf(store, account.id, 0)), everything, 'all records of the owner');
      equal(kinds(await changesOf(store, 'catalog', 0)), [[], [catalog.id], [], []], 'the catalog');
    },
  },
  {
    name: 'a client that applies all changes in turn has the same records as one that reads everything from revision 0',
    run: async (store, runs) => {
      const property = fc.asyncProperty(fc.array(arbitraryDeed(), { minLength: 1, maxLength: 14 }), async (deeds) => {
        const { account, company } = await newTenant(store);
        catalogCount += 1;
        const shared = await newCatalogCompany(store, `Catálogo ${catalogCount}`);
        const companies = new Map<RecordOwner, number>([
          [account.id, company.id],
          ['catalog', shared.id],
        ]);
        const replicas = new Map<RecordOwner, { readonly records: OwnerChanges; readonly revision: number }>();
        for (const [i, deed] of deeds.entries()) {
          const owner = deed.isOwn ? account.id : 'catalog';
          const companyId = present(companies.get(owner), 'company');
          await store.write(at(i), (writer) => perform(writer, { owner, companyId, deed }));
          if (!deed.isFollowed) continue;
          for (const each of companies.keys()) {
            const replica = replicas.get(each) ?? { records: NO_CHANGES, revision: 0 };
            const [changes, revisions] = await store.read(async (reader) => [
              await reader.changes.since(each, replica.revision),
              await reader.changes.revisions(account.id),
            ]);
            const records = applied(replica.records, changes);
            replicas.set(each, { records, revision: each === 'catalog' ? revisions.catalog : revisions.own });
            equal(records, await changesOf(store, each, 0), `the records of ${each} after ${i + 1} deeds`);
          }
        }
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(20) });
    },
  },
  {
    name: 'writes of one account never appear in another',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const before = await changesOf(store, theirs.account.id, 0);
      await store.write(at(5), async (writer) => {
        const terms = luz(mine.company.id, { isActive: false });
        await writeOffers(writer, mine.account.id, [{ offerId: mine.luzOffer.id, terms }]);
        await writer.firms.insert(mine.account.id, firmTerms('Nueva'));
      });
      equal(await changesOf(store, theirs.account.id, 0), before, 'the records of the other');
      equal((await store.read((reader) => reader.changes.revisions(theirs.account.id))).own, 1, 'its revision');
      const own = await changesOf(store, mine.account.id, 0);
      holds(
        own.offers.every(({ offer }) => offer.companyId === mine.company.id),
        'own offers only',
      );
    },
  },
];

// Several runs of a property share a store, and so the names of its catalog.
let catalogCount = 0;

interface Deed {
  readonly isOwn: boolean;
  /** Whether the clients ask for changes after it. */
  readonly isFollowed: boolean;
  readonly kind: 'insert' | 'update' | 'repeat' | 'month' | 'deleteMonth' | 'company';
  /** Which of the offers there are. */
  readonly pick: number;
  readonly terms: OfferTerms;
}

function arbitraryDeed() {
  return fc.record({
    isOwn: fc.boolean(),
    isFollowed: fc.boolean(),
    kind: fc.constantFrom('insert', 'update', 'repeat', 'month', 'deleteMonth', 'company'),
    pick: fc.nat({ max: 20 }),
    terms: arbitraryOfferTerms(),
  }) satisfies fc.Arbitrary<Deed>;
}

interface Task {
  readonly owner: RecordOwner;
  readonly companyId: number;
  readonly deed: Deed;
}

async function perform(writer: Writer, { owner, companyId, deed }: Task): Promise<void> {
  const { kind, pick, terms } = deed;
  const offers = (await writer.changes.since(owner, 0)).offers
    .map(({ offer }) => offer)
    .filter((offer) => offer.companyId === companyId);
  const offer: Offer | undefined = offers[pick % Math.max(1, offers.length)];
  const month = `2026-0${(pick % 3) + 1}-01`;
  if (kind === 'company') {
    const company = present(await writer.companies.get(owner, companyId), 'company');
    await writer.companies.update(owner, companyId, {
      ...companyTerms(company.firmId, company.name),
      isActive: pick % 2 === 0,
    });
  } else if (kind === 'insert' || offer === undefined) {
    await writer.offers.insert(owner, [{ ...terms, companyId }]);
  } else if (kind === 'update' && terms.supplyType === offer.supplyType) {
    await writeOffers(writer, owner, [{ offerId: offer.id, terms: { ...terms, companyId } }]);
  } else if (kind === 'month') {
    const [price] = fc.sample(arbitraryMonthlyPrice(offer.supplyType, fc.constant(month)), { numRuns: 1, seed: pick });
    await putMonth(writer, owner, offer.id, present(price, 'month'));
  } else if (kind === 'deleteMonth') {
    await deleteMonth(writer, owner, offer.id, month);
  }
}
