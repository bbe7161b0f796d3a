import fc from 'fast-check';
import { withoutCommissions } from '../../src/engine/offers/field-parts.ts';
import type { Offer, OfferTerms } from '../../src/engine/offers/offer.ts';
import type { Moment, OfferPast, OfferVersion } from '../../src/service/ports/records.ts';
import type { Store, Writer } from '../../src/service/ports/stores.ts';
import { arbitraryMonthlyPrice } from '../arbitrary-offers.ts';
import { type CaseOn, equal, present, SEED } from './assertions.ts';
import {
  at,
  deleteMonth,
  gas,
  gasMonth,
  luz,
  luzMonth,
  moment,
  newCatalogCompany,
  newTenant,
  putMonth,
  writeOffers,
} from './world.ts';

/** What `offers.past` returns for one offer, from all its versions. */
function pastIn(versions: readonly OfferVersion[], moment: Moment): readonly OfferPast[] {
  const isAfter = ({ changedAt, revision }: OfferVersion) =>
    'instant' in moment ? changedAt > moment.instant : revision > moment.revision;
  const start = versions.findIndex(isAfter);
  const [first, ...later] = start < 0 ? [] : versions.slice(start);
  if (!first) return [];
  const after = [first, ...later];
  const months = Map.groupBy(after, ({ before }) => (before.kind === 'month' ? before.month : ''));
  const terms = months.get('')?.[0] ?? null;
  months.delete('');
  const inOrder = [...months].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, [change]]) => change ?? []);
  const last = first.before.kind === 'month' ? (versions[start - 1] ?? null) : null;
  return [{ offerId: first.offerId, terms, months: inOrder, last }];
}

/** The versions that every change of an offer leaves, and the past that they tell. */
export const versionCases: readonly CaseOn<Store>[] = [
  {
    name: 'A-52: every change of an offer stores the former state, who changed it, when and in which revision',
    run: async (store) => {
      const { account, company, luzOffer } = await newTenant(store);
      const { id } = luzOffer;
      const created = await store.read((reader) => reader.offers.versions(account.id, id));
      const first = { offerId: id, revision: 1, changedAt: moment(1), keyId: null, before: { kind: 'created' } };
      equal(created, [first], 'of a new offer');
      const month = '2026-01-01';
      const changed: Offer = {
        ...luzOffer,
        consumptionTiers: [{ from: 0, to: null, value: 0.1 + 0.2, type: 'per_mwh' }],
        updatedAt: moment(20),
      };
      const { consumptionTiers } = changed;
      await store.write(at(20, 7), (w) =>
        writeOffers(w, account.id, [{ offerId: id, terms: luz(company.id, { consumptionTiers }) }]),
      );
      await store.write(at(21, 8), async (writer) => {
        await putMonth(writer, account.id, id, luzMonth(month, 0.1));
        await putMonth(writer, account.id, id, luzMonth(month, 0.2));
      });
      await store.write(at(22), (writer) => deleteMonth(writer, account.id, id, month));
      await store.write(at(23, 9), (w) => writeOffers(w, account.id, [{ offerId: id, terms: luz(company.id) }]));
      const byKey = (n: number, keyId: number | null, revision: number) => ({
        offerId: id,
        revision,
        changedAt: moment(n),
        keyId,
      });
      const expected = [
        first,
        { ...byKey(20, 7, 2), before: { kind: 'terms', offer: luzOffer } },
        { ...byKey(21, 8, 3), before: { kind: 'month', month, price: null } },
        { ...byKey(21, 8, 3), before: { kind: 'month', month, price: luzMonth(month, 0.1) } },
        { ...byKey(22, null, 4), before: { kind: 'month', month, price: luzMonth(month, 0.2) } },
        { ...byKey(23, 9, 5), before: { kind: 'terms', offer: { ...changed, updatedAt: moment(22) } } },
      ];
      equal(await store.read((reader) => reader.offers.versions(account.id, id)), expected, 'versions');
      equal(await store.read((reader) => reader.offers.versions(account.id, 999)), [], 'of no offer');
      equal(await store.read((reader) => reader.offers.versions('catalog', id)), [], 'of another owner');
    },
  },
  {
    name: 'A-52: versions of offers whose tiers change back and forth each have the tiers of their time',
    run: async (store, runs) => {
      const tenants = [await newTenant(store), await newTenant(store)];
      const someTiers = fc.constantFrom<OfferTerms['consumptionTiers']>(
        [],
        [{ from: 0, to: null, value: 1.5, type: 'fixed' }],
        [
          { from: 0, to: 10, value: 2, type: 'per_mwh' },
          { from: 10, to: null, value: 3, type: 'fixed' },
        ],
      );
      const step = fc.record({
        ...{ who: fc.nat(1), isGas: fc.boolean(), price: fc.nat(2) },
        ...{ tiers: someTiers, tiersOfPower: someTiers },
      });
      const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const { who, isGas, tiers: consumptionTiers, tiersOfPower, price } of steps) {
          const { account, company, luzOffer, gasOffer } = present(tenants[who], 'a tenant');
          const offerId = (isGas ? gasOffer : luzOffer).id;
          const powerTiers = tiersOfPower.map((tier) => ({ ...tier, type: 'per_kw' as const }));
          const changes = { consumptionTiers, commissionValue: price };
          const terms = isGas ? gas(company.id, changes) : luz(company.id, { ...changes, powerTiers });
          const read = () =>
            store.read(async (reader) => ({
              offer: (await reader.offers.byId(account.id, [offerId]))[0]?.offer,
              versions: (await reader.offers.versions(account.id, offerId)).map(({ before }) => before),
            }));
          const before = await read();
          await store.write(at(9), (writer) => writeOffers(writer, account.id, [{ offerId, terms, isBlind: true }]));
          const { blindRevision: _ofNoVersion, ...former } = present(before.offer, 'an offer');
          const expected = [...before.versions, { kind: 'terms', offer: former }];
          equal((await read()).versions, expected, 'versions');
        }
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(10) });
    },
  },
  {
    name: 'A-52: versions of offers that had equal tiers each have those of their own time',
    run: async (store) => {
      const tenants = [await newTenant(store), await newTenant(store)];
      const tiersOf = (value: number) =>
        Array.from({ length: 9 }, (_, i) => ({ from: i, to: i + 1, value, type: 'fixed' as const }));
      for (const { account, company } of tenants) {
        const made = await store.write(at(5), (writer) =>
          writer.offers.insert(
            account.id,
            [0, 1, 1, 1, 2, 3, 3].map((n) => luz(company.id, { consumptionTiers: tiersOf(n) })),
          ),
        );
        let offers: readonly Offer[] = made;
        const expected = made.map((): Offer[] => []);
        // The third round leaves the tiers of some alone, and the fourth gives back what all had before.
        for (const [round, next] of [
          [1, 1, 1, 1, 1, 1, 1],
          [4, 4, 1, 1, 5, 5, 5],
          [1, 4, 4, 1, 1, 5, 1],
          [1, 1, 1, 1, 1, 1, 1],
        ].entries()) {
          for (const [place, offer] of offers.entries()) expected[place]?.push(offer);
          const changes = offers.map(({ id }, place) => {
            const value = next[place] ?? 0;
            const powerTiers = tiersOf(value).map((tier) => ({ ...tier, type: 'per_kw' as const }));
            const terms = luz(company.id, { commissionValue: round, consumptionTiers: tiersOf(value), powerTiers });
            return { offerId: id, terms };
          });
          offers = await store.write(at(6 + round), (writer) => writeOffers(writer, account.id, changes));
        }
        for (const [place, { id }] of offers.entries()) {
          const versions = await store.read((reader) => reader.offers.versions(account.id, id));
          const befores = versions.flatMap(({ before }) => (before.kind === 'terms' ? [before.offer] : []));
          equal(befores, expected[place], `the versions of offer ${place}`);
        }
      }
    },
  },
  {
    name: 'A-86: the past of an owner has the first change of each offer and month after an instant or a revision',
    run: async (store) => {
      const { account, company, luzOffer, gasOffer } = await newTenant(store);
      const owner = account.id;
      const toGas = (price: number) => [{ offerId: gasOffer.id, terms: gas(company.id, { commissionValue: price }) }];
      for (let n = 0; n < 12; n++) {
        await store.write(at(10 + n, n), async (writer) => {
          if (n % 3 === 0) await writeOffers(writer, owner, toGas(n));
          await putMonth(writer, owner, luzOffer.id, luzMonth(`2026-0${1 + (n % 4)}-01`, n / 10));
          if (n % 5 === 4) await deleteMonth(writer, owner, luzOffer.id, '2026-01-01');
          if (n === 6) await writer.offers.insert(owner, [luz(company.id)]);
        });
      }
      const { own } = await store.read((reader) => reader.changes.revisions(owner));
      const moments: readonly Moment[] = [
        ...Array.from({ length: own + 1 }, (_, revision) => ({ revision })),
        ...Array.from({ length: 14 }, (_, n) => ({ instant: moment(9 + n) })),
      ];
      for (const one of moments) {
        for (const depth of [{ seesCommissions: true }, { seesCommissions: false }]) {
          const [past, expected] = await store.read(async (reader) => {
            const { offers } = await reader.changes.since(owner, 0);
            const pasts = [];
            for await (const piece of reader.offers.past(owner, one, depth)) pasts.push(...piece);
            const versions = await Promise.all(
              offers.map(({ offer }) => reader.offers.versions(owner, offer.id, depth)),
            );
            return [pasts, versions.flatMap((all) => pastIn(all, one))];
          });
          equal(past, expected, JSON.stringify([one, depth]));
        }
      }
      const [seen, hidden] = await store.read(async (reader) => [
        await reader.offers.versions(account.id, gasOffer.id),
        await reader.offers.versions(account.id, gasOffer.id, { seesCommissions: false }),
      ]);
      const masked = ({ before, ...version }: OfferVersion) => ({
        ...version,
        before: before.kind === 'terms' ? { ...before, offer: withoutCommissions(before.offer) } : before,
      });
      equal(hidden, seen.map(masked), 'A-62: without commissions');
      const others = await store.read(async (reader) => {
        for await (const piece of reader.offers.past('catalog', { revision: 0 })) if (piece.length > 0) return piece;
        return [];
      });
      equal(others, [], 'of another owner');
    },
  },
  {
    name: 'A-86: changes after the clock went back have the instant of the last change of their owner',
    run: async (store) => {
      const { account, company, gasOffer } = await newTenant(store);
      const ofCatalog = await newCatalogCompany(store, 'Reloj');
      const [catalogOffer] = await store.write(at(1), (w) => w.offers.insert('catalog', [gas(ofCatalog.id)]));
      const owners = [
        { owner: account.id, companyId: company.id, id: gasOffer.id },
        { owner: 'catalog', companyId: ofCatalog.id, id: present(catalogOffer, 'offer').id },
      ] as const;
      for (const { owner, companyId, id } of owners) {
        const updateTo = (commissionValue: number) => (writer: Writer) =>
          writeOffers(writer, owner, [{ offerId: id, terms: gas(companyId, { commissionValue }) }]);
        const month = '2026-01-01';
        await store.write(at(20), updateTo(1));
        const [updated] = await store.write(at(10), updateTo(2));
        const [created] = await store.write(at(11), (writer) => writer.offers.insert(owner, [gas(companyId)]));
        await store.write(at(12), (writer) => putMonth(writer, owner, id, gasMonth(month, 0.04)));
        const [later] = await store.write(at(30), updateTo(3));
        await store.write(at(13), (writer) => deleteMonth(writer, owner, id, month));
        const both = present(created, 'offer');
        const read = await store.read(async (reader) => {
          const records = await reader.offers.byId(owner, [id, both.id]);
          const versions = [
            ...(await reader.offers.versions(owner, id)).slice(-5),
            ...(await reader.offers.versions(owner, both.id)),
          ];
          const pasts = [];
          for await (const piece of reader.offers.past(owner, { instant: moment(30) })) pasts.push(...piece);
          return { stamps: records.map(({ offer }) => offer.updatedAt), versions, pasts };
        });
        const instants = [20, 20, 20, 30, 30, 20].map(moment);
        equal(
          read.versions.map(({ changedAt }) => changedAt),
          instants,
          'of the versions',
        );
        equal(read.stamps, [moment(30), moment(20)], 'of the offers as they are read');
        const answered = [updated?.updatedAt, both.createdAt, both.updatedAt, later?.updatedAt];
        equal(answered, [20, 20, 20, 30].map(moment), 'as writes answer them');
        equal(read.pasts, [], 'changes after the last instant');
      }
    },
  },
  {
    name: 'A-52: a version has every bit of the former prices',
    run: async (store, runs) => {
      const { account, gasOffer } = await newTenant(store);
      const month = fc.constant('2026-01-01');
      const property = fc.asyncProperty(arbitraryMonthlyPrice('GAS', month), async (price) => {
        await store.write(at(2), async (writer) => {
          await deleteMonth(writer, account.id, gasOffer.id, '2026-01-01');
          await putMonth(writer, account.id, gasOffer.id, price);
          await deleteMonth(writer, account.id, gasOffer.id, '2026-01-01');
        });
        const last = (await store.read((reader) => reader.offers.versions(account.id, gasOffer.id))).at(-1);
        equal(last?.before, { kind: 'month', month: '2026-01-01', price }, 'the last version');
      });
      await fc.assert(property, { seed: SEED, numRuns: runs(25) });
    },
  },
];
