import fc from 'fast-check';
import {
  type BulkRights,
  type MonthlyPrice,
  type Store,
  SUPPLY_TYPES,
  type SupplyType,
  type TemplateQuery,
  templateOf,
  withoutCommissions,
} from '../../src/service.ts';
import { arbitraryOfferTerms } from '../arbitrary-offers.ts';
import { type CaseOn, equal, holds, present, SEED } from './assertions.ts';
import { at, companyTerms, firmTerms, gasMonth, luzMonth, newAccount, newCatalogCompany } from './world.ts';

const MONTHS = ['2026-01-01', '2026-02-01', '2026-03-01'];

function monthOf(supplyType: SupplyType, month: string): MonthlyPrice {
  return supplyType === 'LUZ' ? luzMonth(month, 0.1) : gasMonth(month, 0.05);
}

/** Offers of two firms and of the catalog, all of them random, the indexed ones with months. */
async function filledOwners(store: Store) {
  const account = await newAccount(store);
  const catalog = await newCatalogCompany(store, 'Catálogo');
  return await store.write(at(1), async (writer) => {
    const firms = [
      await writer.insertFirm(account.id, firmTerms('Una')),
      await writer.insertFirm(account.id, firmTerms('Otra')),
    ];
    const companyIds: number[] = [];
    for (const { id } of firms) {
      companyIds.push((await writer.insertCompany(account.id, companyTerms(id, 'Comercializadora'))).id);
    }
    for (const [owner, ids] of [[account.id, companyIds] as const, ['catalog', [catalog.id]] as const]) {
      const terms = fc.sample(arbitraryOfferTerms({ companyId: fc.constantFrom(...ids) }), { seed: SEED, numRuns: 60 });
      for (const { id, isIndexed, supplyType } of await writer.insertOffers(owner, terms)) {
        if (!isIndexed) continue;
        const months = MONTHS.slice(0, 1 + (id % 3)).map((month) => ({
          offerId: id,
          price: monthOf(supplyType, month),
        }));
        await writer.putMonths(owner, months);
      }
    }
    return { account, firms };
  });
}

const QUERY: TemplateQuery = {
  firmId: null,
  supplyType: null,
  isIndexed: false,
  includeInactive: true,
  withCommissions: true,
};

/** What templates are made of. */
export const templateCases: readonly CaseOn<Store>[] = [
  {
    name: 'a template has the selected offers, and the counts match its rows',
    run: async (store) => {
      const { account, firms } = await filledOwners(store);
      const whole = {
        own: await store.read((reader) => reader.changesSince(account.id, 0)),
        catalog: await store.read((reader) => reader.changesSince('catalog', 0)),
      };
      let rowsSeen = 0;
      const query = fc.record({
        format: fc.constantFrom('own', 'catalog'),
        firmId: fc.constantFrom(null, ...firms.map(({ id }) => id), 999),
        supplyType: fc.constantFrom(null, ...SUPPLY_TYPES),
        isIndexed: fc.boolean(),
        includeInactive: fc.boolean(),
        withCommissions: fc.boolean(),
      });
      const property = fc.asyncProperty(query, async ({ format, ...asked }) => {
        const owner = format === 'own' ? account.id : 'catalog';
        const meant = { ...asked, firmId: format === 'own' ? asked.firmId : null };
        const { counts, state } = await store.read(async (reader) => ({
          counts: await reader.templateCounts(owner, meant, 1_000_000),
          state: await reader.templateState(owner, meant),
        }));
        const { isIndexed, withCommissions, supplyType, includeInactive, firmId } = meant;
        const rights: BulkRights = { format, seesCommissions: withCommissions, boundFirmId: firmId };
        const choice = { kind: isIndexed ? 'indexed' : 'fixed', supplyType, includeInactive } as const;
        // Made of all records it is the same.
        const rowsOf = (records: typeof state) => {
          const tables = templateOf(records, rights, choice).filter((sheet) => sheet.kind === 'table');
          return new Map(tables.map(({ name, rows }) => [name, [...rows]]));
        };
        const [made, expected] = [rowsOf(state), rowsOf(whole[format])];
        equal(made, expected, 'the rows');
        const counted = [counts.offers, counts.months, counts.consumptionTiers, counts.powerTiers];
        const names = ['ofertas', 'precios_indexados', 'tramos_consumo', 'tramos_potencia'];
        const lengths = names.map((name) => expected.get(name)?.length ?? 0);
        equal(counted, lengths, 'the counts');
        equal(state.offers.length, counts.offers, 'nothing else is read');
        const isMasked = (offer: (typeof state.offers)[number]['offer']) =>
          JSON.stringify(offer) === JSON.stringify(withoutCommissions(offer));
        if (!withCommissions)
          holds(
            state.offers.every(({ offer }) => isMasked(offer)),
            'commissions were read',
          );
        rowsSeen += lengths.reduce((sum, length) => sum + length, 0);
      });
      await fc.assert(property, { seed: SEED, numRuns: 60 });
      holds(rowsSeen > 1000, 'templates with rows');
    },
  },
  {
    name: 'counting the rows of a template stops at the limit, and gives 0 for an unknown owner',
    run: async (store) => {
      const { account } = await filledOwners(store);
      const count = (owner: number | 'catalog', enough: number) =>
        store.read((reader) => reader.templateCounts(owner, QUERY, enough));
      const all = await count(account.id, 1_000_000);
      const some = await count(account.id, 2);
      holds(some.offers > 2 && some.offers <= all.offers, 'more than enough');
      equal(
        await count(999, 10),
        { offers: 0, months: 0, consumptionTiers: 0, powerTiers: 0 },
        'of an account that is not there',
      );
      const nobody = await store.read((reader) => reader.templateState(999, QUERY));
      equal(nobody, { firms: [], companies: [], offers: [] }, 'what nobody has');
      const catalog = present(
        (await store.read((reader) => reader.templateState('catalog', QUERY))).offers[0],
        'offer',
      );
      holds(!catalog.offer.isIndexed && catalog.months.length === 0, 'an offer that is not indexed has no months');
    },
  },
];
