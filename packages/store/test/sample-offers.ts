import {
  type Account,
  type Company,
  type ElectricityTerms,
  initialTerms,
  type Offer,
  type OfferTerms,
  type Store,
} from '@tarifario/core/service';

export function luzTerms(companyId: number, changes: Partial<ElectricityTerms> = {}): OfferTerms {
  return {
    ...initialTerms('LUZ'),
    companyId,
    offerName: 'Tarifa',
    tariffType: '3.0TD',
    servicesEurPerMonth: 2.5,
    commissionValue: 30,
    consumptionTiers: [0, 5, 10, 50].map((from) => ({ from, to: from + 5, value: from * 1.1, type: 'per_mwh' })),
    accepts: { dni: true, cif: true, cdad: false },
    territories: { peninsula: true, canarias: false, baleares: false, ceuta_melilla: false },
    energyEurPerKwh: [0.151, 0.122, 0.093, 0.101, 0.11, 0.09],
    powerEurPerKwDay: [0.081, 0.008, 0.007, 0.006, 0.005, 0.004],
    ssaaIncluded: true,
    powerTiers: [{ from: 0, to: null, value: 3, type: 'per_kw' }],
    ...changes,
  };
}

export const NOW = { keyId: null, at: '2026-01-01T00:00:00.000Z' };

/** An account with a firm and a company, to put offers in. */
export interface Tenant {
  readonly account: Account;
  readonly company: Company;
}

export async function sampleTenant(store: Store): Promise<Tenant> {
  return await store.write(NOW, async (writer) => {
    const account = await writer.accounts.insert({
      name: 'Asesores',
      email: 'asesores@example.es',
      passwordHash: 'x',
      isCatalogEditor: false,
    });
    const firm = await writer.firms.insert(account.id, {
      name: 'Firma',
      imageUrl: null,
      catalogDefault: 'all',
      isActive: true,
    });
    const terms = { firmId: firm.id, name: 'Comercializadora', logoUrl: null, isActive: true };
    return { account, company: await writer.companies.insert(account.id, terms) };
  });
}

export function manyOffers(companyId: number, count: number): readonly OfferTerms[] {
  return Array.from({ length: count }, (_, i) => luzTerms(companyId, { offerName: `Tarifa ${i}` }));
}

export async function countOffers(store: Store, { account }: Tenant): Promise<number> {
  return store.read(async (reader) => {
    return (await reader.counts.records({ owner: account.id, firmId: null })).offers.LUZ.total;
  });
}

/** Adds offers, in a unit of work about the account alone. */
export async function insert(store: Store, { account, company }: Tenant, count: number): Promise<readonly Offer[]> {
  const context = { ...NOW, concerns: [account.id] };
  return await store.write(context, (writer) => writer.offers.insert(account.id, manyOffers(company.id, count)));
}
