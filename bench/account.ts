import type { Writer } from '@tarifario/core/service';
import type { Service } from '@tarifario/runtime';
import { COMPANY_COUNT, marketTerms, monthsOfIndexed } from './market.ts';

const NO_LIMIT = 1_000_000_000;

/**
 * An account that owns a market of LUZ offers and is never refused for calling too often.
 *
 * @param name - No two accounts of one database have the same.
 */
export async function fillAccount(
  { store, clock, secrets }: Pick<Service, 'store' | 'clock' | 'secrets'>,
  offerCount: number,
  name = 'bench',
): Promise<{ readonly accountId: number; readonly key: string }> {
  const { key, prefix, secretHash } = secrets.newKey();
  const context = { keyId: null, at: clock.now() };
  const accountId = await store.write(context, async (writer) => {
    const account = await writer.accounts.insert({
      name: 'Bench',
      email: `${name}@tarifario.example`,
      // No account logs in, and a thousand password hashes would take minutes.
      passwordHash: '$argon2id$none',
      isCatalogEditor: false,
    });
    await writer.accounts.putSubscription(account.id, {
      plan: 'business',
      status: 'active',
      firmLimit: 200,
      trialEndsAt: null,
      currentPeriodEnd: '2099-01-01T00:00:00.000Z',
      callsPerMinute: NO_LIMIT,
      firmCallsPerMinute: NO_LIMIT,
      quotas: {},
    });
    const rights = { fullAccess: true, scopes: [] };
    await writer.keys.insert({ accountId: account.id, firmId: null, name: 'bench', prefix, secretHash, ...rights });
    await insertMarket(writer, account.id, offerCount);
    return account.id;
  });
  return { accountId, key };
}

async function insertMarket(writer: Writer, accountId: number, offerCount: number): Promise<void> {
  const firm = await writer.firms.insert(accountId, {
    name: 'Asesoría',
    imageUrl: null,
    catalogDefault: 'all',
    isActive: true,
  });
  const companyIds: number[] = [];
  for (let number = 1; number <= COMPANY_COUNT; number++) {
    const terms = {
      firmId: firm.id,
      name: `Energía ${number}`,
      logoUrl: `https://logo.example/${number}.png`,
      isActive: true,
    };
    companyIds.push((await writer.companies.insert(accountId, terms)).id);
  }
  const terms = marketTerms('LUZ', offerCount).map((offer) => ({
    ...offer,
    companyId: companyIds[offer.companyId - 1] ?? 0,
  }));
  const offers = await writer.offers.insert(accountId, terms);
  const months = offers.flatMap((offer) =>
    monthsOfIndexed(offer, offer.id).map((price) => ({ offerId: offer.id, before: null, price })),
  );
  await writer.months.put(accountId, months);
}
