import { createBoundedCache } from '../../../engine/bounded-cache.ts';
import { NEVER } from '../../../engine/calendar.ts';
import { DomainError } from '../../../engine/errors.ts';
import type { OfferWithHistory } from '../../../engine/offers/offer.ts';
import { compileUniverse } from '../../../engine/rank/universe.ts';
import type { Caller } from '../../access/caller.ts';
import type { Company, Firm } from '../../firms/firm.ts';
import type { Store } from '../../ports/stores.ts';
import type { OfferCache, OwnedOffers } from '../memory/offer-cache.ts';
import type { Deps } from '../requests/deps.ts';

/** The offers of a file, for programs without a database. */
export interface FileOffers {
  /** With their monthly prices, oldest first; each id once. */
  readonly offers: readonly OfferWithHistory[];
  /** By id: the company of every offer. */
  readonly companies: ReadonlyMap<number, Company>;
  /** `false`: an offer has null for a commission, as in the answers to a key that may not see them. */
  readonly seesCommissions: boolean;
}

/** What rankings need of the dependencies, and who asks. */
export interface OffersAsked {
  readonly deps: Pick<Deps, 'store' | 'clock' | 'offerCache' | 'revisions' | 'rates' | 'regulatedPrices'>;
  readonly caller: Caller;
}

const REVISIONS = { own: 1, catalog: 0 };

/**
 * The offers of a file in the place of those that an account has in memory, so that every ranking is made by the use cases
 * of accounts. They have no past: a question `asOf` an instant is refused. The month of a question is that of no day.
 */
export function offersOfFile({ offers, companies, seesCommissions }: FileOffers): OffersAsked {
  const inFile = { own: owned({ offers, companies }), catalog: owned({ offers: [], companies: new Map() }) };
  const offerCache: OfferCache = {
    ready: () => inFile,
    current: async () => inFile,
    share: async () => inFile,
    isWorthKeeping: () => true,
    counts: () => ({ offers: offers.length, bytes: 0, ready: 0, patched: 0, rebuilt: 0 }),
  };
  const deps = { store: NO_STORE, clock: { now: () => NEVER, monotonicMs: () => 0 }, offerCache, revisions: REVISIONS };
  return { deps, caller: callerWhoSees(0, seesCommissions) };
}

/** The caller of a program that has all the offers itself. */
export function callerWhoSees(accountId: number, seesCommissions: boolean): Caller {
  const quotas = { companies: 0, offers: 0, months: 0, historyBytes: 0, proposalsBytes: 0 };
  const ceilings = { firmLimit: 0, callsPerMinute: 0, firmCallsPerMinute: 0, plan: 'free', quotas } as const;
  const rights = { firmId: null, fullAccess: seesCommissions, scopes: new Set<never>(), isCatalogEditor: false };
  return { accountId, keyId: 0, lastUsedAt: null, isByToken: false, traceparent: null, ...rights, ...ceilings };
}

function owned({ offers, companies }: Pick<FileOffers, 'offers' | 'companies'>): OwnedOffers {
  const firmIds = new Set([...companies.values()].map(({ firmId }) => firmId ?? NO_FIRM));
  const of = (supplyType: 'LUZ' | 'GAS') =>
    compileUniverse(
      supplyType,
      offers.filter(({ offer }) => offer.supplyType === supplyType),
    );
  return {
    revision: REVISIONS.own,
    firms: Object.assign(new Map([...firmIds].map((id) => [id, firmWith(id)])), ANY_FIRM),
    companies,
    subscriptions: new Map(),
    universes: { LUZ: of('LUZ'), GAS: of('GAS') },
    visibleCompanies: createBoundedCache(16),
    offerCount: offers.length,
    heldBytes: () => 0,
  };
}

/** The firm of companies that have none: nobody can name it. */
const NO_FIRM = 0;

/** A client without own offers, of which a file says nothing, has those of the catalog. */
const ANY_FIRM = { has: () => true, get: firmWith };

function firmWith(id: number): Firm {
  const stamps = { createdAt: NEVER, updatedAt: NEVER };
  return { id, name: '', imageUrl: null, catalogDefault: 'all', isActive: true, ...stamps };
}

const refuse = async (): Promise<never> => {
  throw new DomainError('business_rule', { issues: [{ path: 'as_of', message: 'a file of offers has no past' }] });
};

const NO_STORE: Store = {
  latest: { keys: { byHash: refuse }, changes: { revisions: refuse } },
  read: refuse,
  write: refuse,
  close: async () => {},
};
