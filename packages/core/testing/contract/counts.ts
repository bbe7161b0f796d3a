import { type Offer, SUPPLY_TYPES } from '../../src/engine/offers/offer.ts';
import { LEAST_VERSION_BYTES } from '../../src/service/access/limits.ts';
import type { RecordCounts, RecordOwner } from '../../src/service/ports/lists.ts';
import type { ProposalTerms } from '../../src/service/ports/records.ts';
import type { Reader, Store, Writer } from '../../src/service/ports/stores.ts';
import { UPLOAD_STATUSES, type UploadStatus } from '../../src/service/uploads/upload.ts';
import { type CaseOn, equal, fails, present } from './assertions.ts';
import {
  all,
  allOffers,
  at,
  companyTerms,
  deleteMonth,
  EVERYTHING,
  firmTerms,
  gas,
  gasMonth,
  luz,
  luzMonth,
  moment,
  newAccount,
  newCatalogCompany,
  newTenant,
  putMonth,
  putMonths,
  writeOffers,
} from './world.ts';

const NOTHING: RecordCounts = {
  offers: { LUZ: { total: 0, active: 0, indexed: 0 }, GAS: { total: 0, active: 0, indexed: 0 } },
  firms: { total: 0, active: 0 },
  companies: { total: 0, active: 0 },
  uploads: { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 },
};

/** An account where every count is another number: two firms, one of them inactive. */
async function newBusyAccount(store: Store) {
  const account = await newAccount(store);
  return await store.write(at(1), async (writer) => {
    const firm = await writer.firms.insert(account.id, firmTerms('Uno'));
    const idle = await writer.firms.insert(account.id, firmTerms('Dos', { isActive: false }));
    const first = await writer.companies.insert(account.id, companyTerms(firm.id, 'A'));
    const closed = await writer.companies.insert(account.id, companyTerms(firm.id, 'B', { isActive: false }));
    const last = await writer.companies.insert(account.id, companyTerms(idle.id, 'C'));
    await writer.offers.insert(account.id, [
      ...[true, true, false, false].map((isIndexed) => luz(first.id, { isIndexed })),
      luz(closed.id, { isIndexed: true }),
      luz(closed.id, { isIndexed: true, isActive: false }),
      luz(last.id, { isIndexed: true }),
      gas(last.id),
      gas(first.id, { isActive: false }),
      gas(first.id, { isIndexed: true }),
    ]);
    for (const [index, to] of UPLOAD_STATUSES.entries()) {
      for (let i = 0; i <= index; i += 1) {
        const terms = { firmId: i === 0 ? null : firm.id, kind: 'file', fileName: 'a', sizeBytes: null } as const;
        const { id } = await writer.uploads.insert(account.id, { ...terms, status: 'processing' });
        const finishedAt = index < 2 ? null : moment(1);
        present(await writer.uploads.update(account.id, id, { from: 'processing', to, finishedAt }), 'an upload');
      }
    }
    return { account, firm, idle };
  });
}

async function recount(reader: Reader, accountId: number, firmId: number | null): Promise<RecordCounts> {
  const count = (records: readonly { readonly isActive: boolean }[]) => ({
    total: records.length,
    active: records.filter((record) => record.isActive).length,
  });
  const offerCounts = [];
  for (const supplyType of SUPPLY_TYPES) {
    const { results } = await reader.offers.list(allOffers(accountId, supplyType, { firmId }), EVERYTHING);
    const offers = results.map(({ offer }) => offer);
    offerCounts.push({
      ...count(offers),
      indexed: offers.filter((offer) => offer.isActive && offer.isIndexed).length,
    });
  }
  const uploads = new Map<UploadStatus, number>();
  for (const status of UPLOAD_STATUSES) {
    uploads.set(status, (await reader.uploads.list({ accountId, firmId, status }, EVERYTHING)).total);
  }
  const uploadCount = (status: UploadStatus) => present(uploads.get(status), status);
  const [luzCount, gasCount] = offerCounts;
  return {
    offers: { LUZ: present(luzCount, 'LUZ'), GAS: present(gasCount, 'GAS') },
    firms: count((await reader.firms.list(all(accountId, { firmId }), EVERYTHING)).results),
    companies: count((await reader.companies.list(all(accountId, { firmId }), EVERYTHING)).results),
    uploads: {
      pending: uploadCount('pending'),
      processing: uploadCount('processing'),
      completed: uploadCount('completed'),
      failed: uploadCount('failed'),
      cancelled: uploadCount('cancelled'),
    },
  };
}

/** How many records there are. */
export const countCases: readonly CaseOn<Store>[] = [
  {
    name: 'counts of records equal the lengths of the lists, for the account and for each firm',
    run: async (store) => {
      const { account, firm, idle } = await newBusyAccount(store);
      const counts = (firmId: number | null) =>
        store.read((reader) => reader.counts.records({ owner: account.id, firmId }));
      for (const firmId of [null, firm.id, idle.id]) {
        const expected = await store.read((reader) => recount(reader, account.id, firmId));
        equal(await counts(firmId), expected, `counts of firm ${firmId}`);
      }
      const ofAccount = {
        offers: { LUZ: { total: 7, active: 6, indexed: 4 }, GAS: { total: 3, active: 2, indexed: 1 } },
        firms: { total: 2, active: 1 },
        companies: { total: 3, active: 2 },
        uploads: { pending: 1, processing: 2, completed: 3, failed: 4, cancelled: 5 },
      };
      equal(await counts(null), ofAccount, 'counts of the account');
      equal(await store.read((reader) => reader.counts.activeOffers(account.id)), 8, 'active offers of the account');
    },
  },
  {
    name: 'counts leave out other accounts, firms of others and the catalog',
    run: async (store) => {
      const { account, firm } = await newBusyAccount(store);
      const [empty, stranger] = [await newAccount(store), await newTenant(store)];
      const company = await newCatalogCompany(store, 'Catálogo');
      const shared = [luz(company.id), luz(company.id, { isActive: false }), gas(company.id)];
      await store.write(at(2), (writer) => writer.offers.insert('catalog', shared));
      const before = await store.read((reader) => recount(reader, account.id, null));
      const counts = (owner: RecordOwner, firmId: number | null) =>
        store.read((reader) => reader.counts.records({ owner, firmId }));
      equal(await counts(account.id, null), before, 'of the account');
      equal(await counts(account.id, stranger.firm.id), NOTHING, 'of a firm of another account');
      equal(await counts(stranger.account.id, firm.id), NOTHING, 'of a firm that is not theirs');
      for (const accountId of [empty.id, 0, -1, 999]) equal(await counts(accountId, null), NOTHING, 'of nothing');
      const ofCatalog = { LUZ: { total: 2, active: 1, indexed: 0 }, GAS: { total: 1, active: 1, indexed: 0 } };
      const expected = { ...NOTHING, offers: ofCatalog, companies: { total: 1, active: 1 } };
      equal(await counts('catalog', null), expected, 'of the catalog');
      const active = (owner: RecordOwner) => store.read((reader) => reader.counts.activeOffers(owner));
      equal(await active('catalog'), 2, 'active offers of the catalog');
      for (const accountId of [empty.id, -1, 999]) equal(await active(accountId), 0, 'active offers of nobody');
    },
  },
  {
    name: 'A-63: the number of records of an owner is right after each change, and unchanged after a failed one',
    run: async (store) => {
      const { account, company, luzOffer, gasOffer } = await newTenant(store);
      const shared = await newCatalogCompany(store, 'Catálogo');
      const totals = (owner: RecordOwner) => store.read((reader) => reader.counts.totals(owner));
      equal(await totals(account.id), { companies: 1, offers: 2, months: 0 }, 'a new tenant');
      equal(await totals('catalog'), { companies: 1, offers: 0, months: 0 }, 'a company of the catalog');
      equal(await totals(999), { companies: 0, offers: 0, months: 0 }, 'of nothing');
      const months = ['2026-01-01', '2026-02-01', '2026-03-01'].map((month) => luzMonth(month, 0.1));
      const seen = await store.write(at(2), async (writer) => {
        await writer.offers.insert(account.id, [luz(company.id, { isActive: false })]);
        await putMonths(
          writer,
          account.id,
          months.map((price) => ({ offerId: luzOffer.id, price })),
        );
        await putMonth(writer, account.id, gasOffer.id, gasMonth('2026-01-01', 0.1));
        return writer.counts.totals(account.id);
      });
      equal(seen, { companies: 1, offers: 3, months: 4 }, 'in the unit of work itself');
      equal(await totals(account.id), seen, 'afterwards');
      await store.write(at(3), async (writer) => {
        await putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 0.2));
        await putMonth(writer, account.id, luzOffer.id, luzMonth('2026-02-01', 0.1));
        await writer.companies.update(
          account.id,
          company.id,
          companyTerms(company.firmId, 'Otra', { isActive: false }),
        );
        await writeOffers(writer, account.id, [{ offerId: luzOffer.id, terms: luz(company.id, { isActive: false }) }]);
      });
      equal(await totals(account.id), seen, 'what is replaced or deactivated counts once');
      await store.write(at(4), async (writer) => {
        await deleteMonth(writer, account.id, luzOffer.id, '2026-03-01');
        await writer.offers.insert('catalog', [gas(shared.id)]);
      });
      equal(await totals(account.id), { companies: 1, offers: 3, months: 3 }, 'without a month');
      equal(await totals('catalog'), { companies: 1, offers: 1, months: 0 }, 'of the catalog');
      const undone = store.write(at(5), async (writer) => {
        await writer.offers.insert(account.id, [luz(company.id)]);
        throw new Error('thought better of it');
      });
      await fails(undone, 'a unit of work that fails');
      equal(await totals(account.id), { companies: 1, offers: 3, months: 3 }, 'where nothing was kept');
    },
  },
  {
    name: 'A-162: bytes of versions and proposals are counted as they are stored, and not where they are not kept',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const { account, company, luzOffer, gasOffer } = mine;
      const storedBy = (owner: RecordOwner) => store.read((reader) => reader.counts.stored(owner));
      /** By how much each number has grown. */
      const growth = async (work: (writer: Writer) => Promise<unknown>) => {
        const before = await storedBy(account.id);
        await store.write(at(9), work);
        const after = await storedBy(account.id);
        return [after.historyBytes - before.historyBytes, after.proposalsBytes - before.proposalsBytes] as const;
      };
      const others = () => Promise.all([storedBy(theirs.account.id), storedBy('catalog'), storedBy(999)]);
      const elsewhere = await others();
      equal(elsewhere.at(-1), { historyBytes: 0, proposalsBytes: 0 }, 'of nobody');
      const begun = await storedBy(account.id);
      equal([begun.historyBytes > 0, begun.proposalsBytes], [true, 0], 'of a new account');

      const tiers = Array.from({ length: 40 }, (_, i) => ({ from: i, to: i + 1, value: 7.25, type: 'fixed' as const }));
      const one = luz(company.id, { consumptionTiers: tiers });
      const offers: Offer[] = [luzOffer];
      const [grown] = await growth(async (writer) => {
        await writeOffers(writer, account.id, [{ offerId: luzOffer.id, terms: one }]);
        offers.push(...(await writer.offers.insert(account.id, [one, one, one])));
      });
      equal([grown >= 4 * LEAST_VERSION_BYTES, grown < 4 * LEAST_VERSION_BYTES + 2000], [true, true], 'versions');
      const change = (commissionValue: number, consumptionTiers: Offer['consumptionTiers']) => (writer: Writer) =>
        writeOffers(
          writer,
          account.id,
          offers.map(({ id }) => ({ offerId: id, terms: luz(company.id, { commissionValue, consumptionTiers }) })),
        );
      const list = JSON.stringify(tiers).length;
      const [alone] = await growth(change(2, tiers));
      equal(alone < 4 * LEAST_VERSION_BYTES + list, true, 'a commission beside tiers that stay');
      const [shared] = await growth(change(1, []));
      equal(
        [shared >= 4 * LEAST_VERSION_BYTES + list, shared < 4 * LEAST_VERSION_BYTES + 2 * list],
        [true, true],
        'tiers of four offers',
      );
      const [month] = await growth((writer) => putMonth(writer, account.id, gasOffer.id, gasMonth('2026-01-01', 0.1)));
      equal(month >= LEAST_VERSION_BYTES, true, 'a month');

      const terms: ProposalTerms = {
        ...{ firmId: null, isMasked: false, ownRevision: 1, catalogRevision: 0 },
        ...{ companies: '[]', content: `"${'a'.repeat(998)}"`, note: null, sha256: '', seal: '' },
        ...{ ref: null, summary: null, words: null },
      };
      let id = 0;
      const made = await growth(async (writer) => {
        ({ id } = await writer.proposals.insert(account.id, terms));
        await writer.proposals.insert(account.id, terms);
      });
      equal(made, [0, 2004], 'proposals');
      equal(await growth((writer) => writer.proposals.delete(account.id, id)), [0, -1002], 'a deleted one');

      const before = await storedBy(account.id);
      const undone = store.write(at(10), async (writer) => {
        await change(2, tiers)(writer);
        await writer.proposals.insert(account.id, terms);
        throw new Error('thought better of it');
      });
      await fails(undone, 'a unit of work that fails');
      equal([await storedBy(account.id), await others()], [before, elsewhere], 'where nothing was kept, and of others');
      const fullest = await store.read((reader) => reader.counts.fullest());
      const { historyBytes } = before;
      equal(
        fullest.some(({ stored }) => stored.historyBytes >= historyBytes),
        true,
        'the fullest',
      );
    },
  },
];
