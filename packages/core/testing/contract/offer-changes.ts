import fc from 'fast-check';
import { FIELD_LIST, fieldsOfSupply } from '../../src/engine/offers/field-parts.ts';
import type { Offer, OfferTerms } from '../../src/engine/offers/offer.ts';
import { type OfferRow, offerOfRow } from '../../src/engine/offers/offer-row.ts';
import type { Store, Writer } from '../../src/service/ports/stores.ts';
import { arbitraryElectricityTerms, arbitraryGasTerms, arbitraryOfferTerms } from '../arbitrary-offers.ts';
import { type CaseOn, equal, fails, present, SEED } from './assertions.ts';
import { marketplace } from './offers.ts';
import {
  at,
  deleteMonth,
  gas,
  luz,
  luzMonth,
  moment,
  newCatalogCompany,
  newTenant,
  putMonth,
  writeOffers,
} from './world.ts';

/** An offer as it is, the revision of its owner, and how many versions it has. */
async function stateOf(store: Store, accountId: number, offerId: number) {
  return await store.read(async (reader) => {
    const [record] = await reader.offers.byId(accountId, [offerId]);
    const offer: Offer = present(record, 'offer').offer;
    const { own: revision } = await reader.changes.revisions(accountId);
    return { offer, revision, versions: (await reader.offers.versions(accountId, offerId)).length };
  });
}

/** Changes of offers. */
export const offerChangeCases: readonly CaseOn<Store>[] = [
  {
    name: 'changed offers are answered in the given order, and equal ones are not changed',
    run: async (store) => {
      const { account, luzOffer, gasOffer, company } = await newTenant(store);
      const { revision } = await stateOf(store, account.id, luzOffer.id);
      const terms = luz(company.id, { isActive: false, communities: ['galicia', 'madrid'] });
      const answer = await store.write(at(9), (writer) =>
        writeOffers(writer, account.id, [
          { offerId: gasOffer.id, terms: gas(company.id) },
          { offerId: luzOffer.id, terms },
        ]),
      );
      const changed = { ...luzOffer, ...terms, updatedAt: moment(9) };
      equal(answer, [gasOffer, changed], 'the answer');
      equal(
        await stateOf(store, account.id, luzOffer.id),
        { offer: changed, revision: revision + 1, versions: 2 },
        'one',
      );
      const expected = { offer: gasOffer, revision: revision + 1, versions: 1 };
      equal(await stateOf(store, account.id, gasOffer.id), expected, 'the unchanged one');
      const again = [{ offerId: luzOffer.id, terms }];
      equal(await store.write(at(10), (writer) => writeOffers(writer, account.id, again)), [changed], 'again');
      const after = { offer: changed, revision: revision + 1, versions: 2 };
      equal(await stateOf(store, account.id, luzOffer.id), after, 'changed to what it was');
    },
  },
  {
    name: 'A-26: an offer has the revision of the last blind write of its commissions, whatever changes afterwards',
    run: async (store) => {
      const { account, company, luzOffer, gasOffer } = await newTenant(store);
      const look = async (offer: Offer) => {
        const [one] = await store.read((reader) => reader.offers.byId(account.id, [offer.id]));
        const { offers } = await store.read((reader) => reader.changes.since(account.id, 0));
        const rows: OfferRow[] = [];
        await store.read(async (reader) => {
          for await (const some of reader.offers.rowsSince(account.id, 0)) rows.push(...some);
        });
        const other = offers.find((each) => each.offer.id === offer.id);
        equal(other?.offer, one?.offer, 'read in both ways');
        const ofRow = rows.map(offerOfRow).find((each) => each.offer.id === offer.id);
        equal(ofRow?.offer.blindRevision, one?.offer.blindRevision, 'read as a row');
        return one?.offer.blindRevision ?? null;
      };
      const revisionNow = async () => (await store.read((reader) => reader.changes.revisions(account.id))).own;
      equal(await look(luzOffer), null, 'never');
      const blind = { offerId: luzOffer.id, terms: luzOffer, isBlind: true };
      const [written] = await store.write(at(9), (writer) => writeOffers(writer, account.id, [blind]));
      const first = await revisionNow();
      equal([await look(luzOffer), written?.blindRevision], [first, first], 'equal commissions');
      equal(await look(gasOffer), null, 'of another offer');
      const renamed = { ...present(written, 'an offer'), offerName: 'Otra' };
      const changes = [
        { offerId: luzOffer.id, terms: renamed },
        { offerId: gasOffer.id, terms: { ...gasOffer, commissionValue: 8 }, isBlind: true },
      ];
      const answers = await store.write(at(10), (writer) => writeOffers(writer, account.id, changes));
      equal(
        answers.map(({ blindRevision }) => blindRevision),
        [first, first + 1],
        'beside a change of another',
      );
      equal(await look(luzOffer), first, 'another change');
      equal(await look(gasOffer), first + 1, 'other commissions');
      await store.write(at(11), (writer) => putMonth(writer, account.id, luzOffer.id, luzMonth('2026-01-01', 0.1)));
      equal(await look(luzOffer), first, 'a month');
      await store.write(at(12), (writer) => writeOffers(writer, account.id, [blind]));
      equal(await look(luzOffer), first + 3, 'once more');
      const [copy] = await store.write(at(13), (writer) =>
        writer.offers.insert(account.id, [{ ...renamed, companyId: company.id }]),
      );
      equal(await look(present(copy, 'an offer')), null, 'a new offer');
    },
  },
  {
    name: 'A-26: a change of commissions alone does not move the stamp of everything else, and any other change does',
    run: async (store) => {
      const { account, luzOffer, gasOffer } = await newTenant(store);
      const tier = { from: 0, to: null, value: 7, type: 'fixed' } as const;
      const { month } = luzMonth('2026-01-01', 0.1);
      let time = 10;
      const become = async (offer: Offer, masked: string | null) => {
        time += 1;
        const changes = [{ offerId: offer.id, terms: offer }];
        const [answer] = await store.write(at(time), (writer) => writeOffers(writer, account.id, changes));
        const { maskedUpdatedAt: _before, ...terms } = offer;
        const stamps = masked === null ? {} : { maskedUpdatedAt: masked };
        const expected = { ...terms, updatedAt: moment(time), ...stamps };
        equal(answer, expected, `answered at ${time}`);
        equal((await stateOf(store, account.id, offer.id)).offer, expected, `stored at ${time}`);
        for (const seesCommissions of [true, false]) {
          const [record] = await store.read((r) => r.offers.byId(account.id, [offer.id], { seesCommissions }));
          equal(record?.offer.maskedUpdatedAt ?? null, masked, `read at ${time}`);
        }
        return expected;
      };
      for (const first of [luzOffer, gasOffer]) {
        const made = first.updatedAt;
        let offer: Offer = await become({ ...first, commissionValue: first.commissionValue + 1 }, made);
        offer = await become(
          { ...offer, commissionType: offer.commissionType === 'fixed' ? 'per_mwh' : 'fixed' },
          made,
        );
        offer = await become({ ...offer, consumptionTiers: [tier] }, made);
        if (offer.supplyType === 'LUZ') offer = await become({ ...offer, powerTiers: [tier] }, made);
        offer = await become({ ...offer, commissionValue: 99, offerName: 'Otra' }, null);
        const renamed = offer.updatedAt;
        offer = await become({ ...offer, commissionValue: 98 }, renamed);
        const versions = await store.read((reader) => reader.offers.versions(account.id, first.id));
        const { maskedUpdatedAt: _masked, ...before } = { ...offer, commissionValue: 99, updatedAt: renamed };
        equal(versions.at(-1)?.before, { kind: 'terms', offer: before }, 'what it was');
        const earlier = { ...before, offerName: first.offerName, commissionValue: first.commissionValue + 1 };
        const stamps = { maskedUpdatedAt: made };
        equal(
          versions.at(-2)?.before,
          { kind: 'terms', offer: { ...earlier, updatedAt: versions.at(-3)?.changedAt, ...stamps } },
          'before that',
        );
        equal(
          await store.write(at(time + 1), (w) => writeOffers(w, account.id, [{ offerId: offer.id, terms: offer }])),
          [offer],
          'no change',
        );
        offer = await become({ ...offer, isActive: !offer.isActive }, null);
      }
      const masked = await become({ ...luzOffer, isActive: true, isIndexed: true, commissionValue: 1 }, null);
      await become({ ...masked, commissionValue: 2 }, masked.updatedAt);
      await store.write(at(90), (writer) => putMonth(writer, account.id, luzOffer.id, luzMonth(month, 0.1)));
      const put = (await stateOf(store, account.id, luzOffer.id)).offer;
      equal([put?.updatedAt, put?.maskedUpdatedAt], [moment(90), undefined], 'a month is put');
      const both = async (writer: Writer) => {
        await writeOffers(writer, account.id, [{ offerId: luzOffer.id, terms: { ...masked, commissionValue: 3 } }]);
        await deleteMonth(writer, account.id, luzOffer.id, month);
      };
      await store.write(at(91), both);
      const deleted = (await stateOf(store, account.id, luzOffer.id)).offer;
      equal([deleted?.updatedAt, deleted?.maskedUpdatedAt], [moment(91), undefined], 'in one unit of work');
    },
  },
  {
    name: 'any offer can become any other of its supply',
    run: async (store, runs) => {
      const { account, company, luzOffer, gasOffer } = await newTenant(store);
      let time = 10;
      const terms = arbitraryOfferTerms({ companyId: fc.constant(company.id) });
      const property = fc.asyncProperty(terms, async (next) => {
        const { id } = next.supplyType === 'LUZ' ? luzOffer : gasOffer;
        const { offer: before, versions } = await stateOf(store, account.id, id);
        time += 1;
        const change = () => store.write(at(time), (w) => writeOffers(w, account.id, [{ offerId: id, terms: next }]));
        await change();
        const expected = { ...next, id, createdAt: luzOffer.createdAt, updatedAt: moment(time) };
        const after = await stateOf(store, account.id, id);
        if (after.versions > versions) equal(after.offer, expected, 'changed');
        else equal(after.offer, { ...expected, updatedAt: before.updatedAt }, 'the same terms');
        await change();
        equal(await stateOf(store, account.id, id), after, 'changed to the same');
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(60) });
    },
  },
  {
    name: 'A-52: offers whose different sections change together are then as asked, and their versions as they were',
    run: async (store, runs) => {
      const { account, company } = await newTenant(store);
      let time = 10;
      const shape = { companyId: fc.constant(company.id) };
      const sections = fc.subarray([...new Set(FIELD_LIST.map(({ section }) => section))]);
      const pair = fc.oneof(
        fc.tuple(arbitraryElectricityTerms(shape), arbitraryElectricityTerms(shape), sections),
        fc.tuple(arbitraryGasTerms(shape), arbitraryGasTerms(shape), sections),
      );
      const property = fc.asyncProperty(fc.array(pair, { minLength: 2, maxLength: 5 }), async (pairs) => {
        time += 2;
        const made = await store.write(at(time), (writer) =>
          writer.offers.insert(
            account.id,
            pairs.map(([first]) => first),
          ),
        );
        const wanted = made.map((offer, index) => {
          const [, other, changed] = present(pairs[index], 'terms');
          const fields = fieldsOfSupply(offer.supplyType).filter(({ section }) => changed.includes(section));
          const values = Object.fromEntries(fields.map(({ name }) => [name, Reflect.get(other, name)]));
          return { offerId: offer.id, terms: { ...offer, ...values } as OfferTerms };
        });
        const answer = await store.write(at(time + 1), (writer) => writeOffers(writer, account.id, wanted));
        for (const [index, { offerId, terms }] of wanted.entries()) {
          const { offer, versions } = await store.read(async (reader) => ({
            offer: (await reader.offers.byId(account.id, [offerId]))[0]?.offer,
            versions: (await reader.offers.versions(account.id, offerId)).slice(1).map(({ before }) => before),
          }));
          const { updatedAt, maskedUpdatedAt: _masked, ...read } = present(offer, 'offer');
          const { updatedAt: _made, ...expected } = terms as Offer;
          equal(read, expected, 'the offer');
          equal(answer[index], offer, 'the answer');
          equal(versions, updatedAt === moment(time + 1) ? [{ kind: 'terms', offer: made[index] }] : [], 'its version');
        }
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(40) });
    },
  },
  {
    name: 'A-30: an offer may move to another company of its owner',
    run: async (store) => {
      const { account, firms, companies } = await marketplace(store);
      const [from, to] = [present(companies[0], 'company'), present(companies[1], 'company')];
      const [offer] = await store.write(at(2), (writer) => writer.offers.insert(account.id, [luz(from.id)]));
      const { id } = present(offer, 'offer');
      await store.write(at(3), (w) => writeOffers(w, account.id, [{ offerId: id, terms: luz(to.id) }]));
      const [record] = await store.read((reader) => reader.offers.byId(account.id, [id]));
      equal([record?.company, record?.firm], [to, firms[1]], 'its company and firm');
    },
  },
  {
    name: 'A-30: an offer cannot get a company of another owner or another supply type',
    run: async (store) => {
      const [mine, theirs] = [await newTenant(store), await newTenant(store)];
      const catalog = await newCatalogCompany(store, 'Catálogo');
      const before = await store.read((reader) => reader.changes.since(mine.account.id, 0));
      const insert = (owner: number | 'catalog', companyId: number) =>
        store.write(at(2), (writer) => writer.offers.insert(owner, [luz(companyId)]));
      await fails(insert(mine.account.id, theirs.company.id), 'a foreign company');
      await fails(insert(mine.account.id, catalog.id), 'a company of the catalog');
      await fails(insert('catalog', mine.company.id), 'an own company in the catalog');
      await fails(insert(mine.account.id, 999), 'no such company');
      const update = (stored: Offer, terms: OfferTerms) =>
        store.write(at(2), (writer) =>
          writer.offers.update(mine.account.id, [
            { before: mine.gasOffer, terms: gas(mine.company.id, { offerName: 'changed' }), sections: ['identity'] },
            { before: stored, terms, sections: ['owner'] },
          ]),
        );
      await fails(update(mine.luzOffer, luz(theirs.company.id)), 'moved to a foreign company');
      await fails(update(mine.luzOffer, gas(mine.company.id)), 'another supply type');
      await fails(update(theirs.luzOffer, luz(mine.company.id)), 'a foreign offer');
      await fails(update({ ...mine.luzOffer, id: 999 }, luz(mine.company.id)), 'no such offer');
      await fails(update(mine.gasOffer, gas(mine.company.id)), 'an offer twice');
      equal(await store.read((reader) => reader.changes.since(mine.account.id, 0)), before, 'the records of the owner');
    },
  },
];
