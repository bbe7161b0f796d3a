import { byMonth } from '../src/engine/calendar.ts';
import { assert, DomainError } from '../src/engine/errors.ts';
import { isMaskedChange } from '../src/engine/offers/difference.ts';
import type { Offer } from '../src/engine/offers/offer.ts';
import { foldName } from '../src/engine/text.ts';
import type { Company, Firm } from '../src/service/firms/firm.ts';
import { scopedWriter } from '../src/service/ports/concerns.ts';
import type { RecordOwner } from '../src/service/ports/lists.ts';
import type { OfferVersion } from '../src/service/ports/records.ts';
import type { Writer, Writes } from '../src/service/ports/stores.ts';
import { createMemoryReader } from './memory-reader.ts';
import {
  hasFiniteNumbers,
  type MemoryState,
  type MemoryUnit,
  nextId,
  ownedBy,
  ownedRecord,
  recordsOf,
  required,
} from './memory-state.ts';
import { queueWrites, uploadWrites } from './memory-uploads.ts';
import { usageWrites } from './memory-usage.ts';
import { webhookWrites } from './memory-webhooks.ts';

/** Reads and writes of a unit of work, which fails with the first write that does. */
export function createMemoryWriter(unit: MemoryUnit): Writer {
  const writes: Writes = {
    accounts: accountWrites(unit),
    keys: keyWrites(unit),
    firms: firmWrites(unit),
    companies: companyWrites(unit),
    offers: offerWrites(unit),
    months: monthWrites(unit),
    catalog: catalogWrites(unit),
    proposals: proposalWrites(unit),
    uploads: uploadWrites(unit),
    queue: queueWrites(unit),
    webhooks: webhookWrites(unit),
    usage: usageWrites(unit),
    answers: answerWrites(unit),
  };
  return scopedWriter(createMemoryReader(unit.state), writes, unit.context, async (change) => {
    try {
      assert(unit.isOpen, 'a unit of work that has ended changes nothing');
      return await change();
    } catch (error) {
      unit.failure ??= { error };
      throw error;
    }
  });
}

function accountWrites({ state, context }: MemoryUnit): Writes['accounts'] {
  return {
    insert: async ({ passwordHash, ...terms }) => {
      refuseEmailOfAnother(state, terms.email, null);
      const account = { ...terms, id: nextId(state, 'account'), isActive: true, createdAt: context.at };
      state.accounts.set(account.id, { account, passwordHash });
      return account;
    },
    update: async (accountId, changes) => {
      const stored = state.accounts.get(accountId);
      if (!stored) return null;
      const { passwordHash = stored.passwordHash, ...terms } = changes;
      const account = { ...stored.account, ...terms };
      refuseEmailOfAnother(state, account.email, accountId);
      state.accounts.set(accountId, { account, passwordHash });
      return account;
    },
    putSubscription: async (accountId, terms) => {
      required(state.accounts.get(accountId), 'a subscription belongs to an account');
      const { id, createdAt } = state.subscriptions.get(accountId) ?? {
        id: nextId(state, 'subscription'),
        createdAt: context.at,
      };
      const subscription = { ...terms, id, createdAt };
      state.subscriptions.set(accountId, subscription);
      return subscription;
    },
  };
}

function keyWrites({ state, context }: MemoryUnit): Writes['keys'] {
  return {
    insert: async ({ secretHash, ...terms }) => {
      required(state.accounts.get(terms.accountId), 'a key belongs to an account');
      if (terms.firmId !== null) {
        required(ownedRecord(state.firms, terms.accountId, terms.firmId), 'a key is bound to a firm of its account');
      }
      const isTaken = [...state.keys.values()].some((stored) => stored.secretHash === secretHash);
      assert(!isTaken, 'no two keys have the same secret');
      const { expiresAt = null } = terms;
      const unused = { isActive: true, lastUsedAt: null, createdAt: context.at };
      const key = { ...terms, id: nextId(state, 'key'), expiresAt, ...unused };
      state.keys.set(key.id, { key, secretHash });
      return key;
    },
    revoke: async (keyId) => {
      const stored = state.keys.get(keyId);
      if (!stored) return null;
      const key = { ...stored.key, isActive: false };
      state.keys.set(keyId, { ...stored, key });
      return key;
    },
    markUsed: async (keyIds, before) => {
      for (const [id, stored] of state.keys) {
        const { lastUsedAt } = stored.key;
        if (!keyIds.includes(id) || (lastUsedAt !== null && lastUsedAt >= before)) continue;
        state.keys.set(id, { ...stored, key: { ...stored.key, lastUsedAt: context.at } });
      }
    },
  };
}

function refuseEmailOfAnother(state: MemoryState, email: string, accountId: number | null): void {
  for (const { account } of state.accounts.values()) {
    if (account.id !== accountId && foldName(account.email) === foldName(email)) {
      throw new DomainError('duplicate_email', { message: 'another account has that e-mail address' });
    }
  }
}

function firmWrites(unit: MemoryUnit): Writes['firms'] {
  const { state, context } = unit;
  const put = (accountId: number, firm: Firm, logo: string | null): Firm => {
    const others = ownedBy(state.firms, accountId).map(({ record }) => record);
    refuseNameOf(others, firm);
    state.firms.set(firm.id, { owner: accountId, revision: stamp(unit, accountId).revision, record: firm, logo });
    return firm;
  };
  return {
    insert: async (accountId, { logo = null, ...terms }) => {
      required(state.accounts.get(accountId), 'a firm belongs to an account');
      return put(accountId, { ...terms, ...newStamps(unit, 'firm') }, logo);
    },
    update: async (accountId, firmId, { logo = state.firms.get(firmId)?.logo ?? null, ...terms }) => {
      const firm = required(ownedRecord(state.firms, accountId, firmId), 'a firm of the account is changed');
      return put(accountId, { ...firm, ...terms, updatedAt: context.at }, logo);
    },
  };
}

function companyWrites(unit: MemoryUnit): Writes['companies'] {
  const { state, context } = unit;
  const put = (owner: RecordOwner, company: Company): Company => {
    const { firmId } = company;
    assert((owner === 'catalog') === (firmId === null), 'own companies have a firm, those of the catalog none');
    if (firmId !== null) required(ownedRecord(state.firms, owner, firmId), 'a company has a firm of its account');
    const others = ownedBy(state.companies, owner).map(({ record }) => record);
    refuseNameOf(
      others.filter((other) => other.firmId === firmId),
      company,
    );
    state.companies.set(company.id, { owner, revision: stamp(unit, owner).revision, record: company });
    return company;
  };
  return {
    insert: async (owner, terms) => put(owner, { ...terms, ...newStamps(unit, 'company') }),
    update: async (owner, companyId, terms) => {
      const company = required(ownedRecord(state.companies, owner, companyId), 'a company of the owner is changed');
      return put(owner, { ...company, ...terms, updatedAt: context.at });
    },
  };
}

function refuseNameOf(others: readonly (Firm | Company)[], { id, name }: Firm | Company): void {
  if (others.some((other) => other.id !== id && foldName(other.name) === foldName(name))) {
    throw new DomainError('duplicate_name', { message: 'that name is taken, and inactive records keep theirs' });
  }
}

function newStamps(
  { state, context }: MemoryUnit,
  sequence: 'firm' | 'company' | 'offer',
  { at }: { readonly at: string } = context,
) {
  return { id: nextId(state, sequence), createdAt: at, updatedAt: at };
}

/**
 * What this unit of work stamps on changed records of an owner: the first change raises the revision by one. The instant
 * is that of changes of offers, which is never before the last one.
 */
function stamp({ state, stamps, context }: MemoryUnit, owner: RecordOwner) {
  const known = stamps.get(owner);
  if (known) return known;
  const revision = (state.revisions.get(owner) ?? 0) + 1;
  const instants = recordsOf(state.offers, owner).map(({ updatedAt }) => updatedAt);
  const at = instants.reduce((last, instant) => (instant > last ? instant : last), context.at);
  state.revisions.set(owner, revision);
  stamps.set(owner, { revision, at });
  return { revision, at };
}

function offerWrites(unit: MemoryUnit): Writes['offers'] {
  const { state } = unit;
  return {
    insert: async (owner, terms) =>
      terms.map((one) => {
        const offer = putOffer(unit, owner, withoutStamps({ ...one, ...newStamps(unit, 'offer', stamp(unit, owner)) }));
        addVersion(unit, owner, offer.id, { kind: 'created' });
        return offer;
      }),
    update: async (owner, changes) => {
      assert(new Set(changes.map(({ before }) => before.id)).size === changes.length, 'an offer is changed once');
      return changes.map(({ before: { id }, terms, sections, isBlind = false }) => {
        const before = required(ownedRecord(state.offers, owner, id), 'an offer of the owner is changed');
        assert(before.supplyType === terms.supplyType, 'an offer keeps its supply type');
        addVersion(unit, owner, id, { kind: 'terms', offer: withoutBlind(before) });
        const { createdAt, updatedAt, maskedUpdatedAt = updatedAt, blindRevision: lastBlind } = before;
        const { at, revision: now } = stamp(unit, owner);
        const blindRevision = isBlind ? now : lastBlind;
        const changed = withoutStamps({ ...terms, id, createdAt, updatedAt: at });
        const after = blindRevision === undefined ? changed : { ...changed, blindRevision };
        if (!isMaskedChange({ sections })) return putOffer(unit, owner, after);
        const { revision, maskedRevision = revision } = required(state.offers.get(id), 'a stored offer');
        return putOffer(unit, owner, { ...after, maskedUpdatedAt }, { maskedRevision });
      });
    },
  };
}

/** Terms may have been an offer, with the stamps of another moment. */
function withoutStamps(offer: Offer): Offer {
  return withoutStamp(withoutBlind(offer));
}

function withoutBlind({ blindRevision: _revision, ...offer }: Offer): Offer {
  return offer;
}

function withoutStamp({ maskedUpdatedAt: _stamp, ...offer }: Offer): Offer {
  return offer;
}

function putOffer(
  unit: MemoryUnit,
  owner: RecordOwner,
  offer: Offer,
  masked: { readonly maskedRevision?: number } = {},
): Offer {
  required(ownedRecord(unit.state.companies, owner, offer.companyId), 'an offer has a company of its owner');
  assert(hasFiniteNumbers(offer), 'every number of an offer is finite');
  unit.state.offers.set(offer.id, { owner, revision: stamp(unit, owner).revision, ...masked, record: offer });
  return offer;
}

function addVersion(unit: MemoryUnit, owner: RecordOwner, offerId: number, before: OfferVersion['before']): void {
  const { revision, at } = stamp(unit, owner);
  unit.state.versions.push({ offerId, revision, changedAt: at, keyId: unit.context.keyId, before });
}

function monthWrites(unit: MemoryUnit): Writes['months'] {
  const { months } = unit.state;
  /** A changed month changes its offer: a reader that has the offer's revision learns of it. */
  const recordMonth = (owner: RecordOwner, offer: Offer, before: OfferVersion['before']) => {
    putOffer(unit, owner, withoutStamp({ ...offer, updatedAt: stamp(unit, owner).at }));
    addVersion(unit, owner, offer.id, before);
  };
  const others = (offerId: number, month: string) =>
    (months.get(offerId) ?? []).filter((price) => price.month !== month);
  return {
    put: async (owner, list) => {
      const places = new Set(list.map(({ offerId, price }) => `${offerId} ${price.month}`));
      assert(places.size === list.length, 'a month of an offer is put once');
      for (const { offerId, before, price } of list) {
        const { month } = price;
        const offer = required(ownedRecord(unit.state.offers, owner, offerId), 'a month has an offer of the owner');
        assert(offer.supplyType === price.supplyType, 'a month has the supply type of its offer');
        assert(hasFiniteNumbers(price), 'every number of a month is finite');
        months.set(offerId, [...others(offerId, month), price].sort(byMonth));
        recordMonth(owner, offer, { kind: 'month', month, price: before });
      }
    },
    delete: async (owner, offerId, before) => {
      const { month } = before;
      const offer = required(ownedRecord(unit.state.offers, owner, offerId), 'a month has an offer of the owner');
      const isThere = months.get(offerId)?.some((price) => price.month === month) === true;
      assert(isThere, 'a month that is deleted is there');
      months.set(offerId, others(offerId, month));
      recordMonth(owner, offer, { kind: 'month', month, price: before });
    },
  };
}

function catalogWrites(unit: MemoryUnit): Writes['catalog'] {
  const { state, context } = unit;
  return {
    putSubscription: async (accountId, record) => {
      required(ownedRecord(state.firms, accountId, record.firmId), 'a firm of the account subscribes');
      required(ownedRecord(state.companies, 'catalog', record.companyId), 'a company of the catalog is subscribed to');
      const place = `${record.firmId} ${record.companyId}`;
      state.catalogSubscriptions.set(place, { owner: accountId, revision: stamp(unit, accountId).revision, record });
    },
    recordWrite: async (terms) => {
      required(state.accounts.get(terms.accountId), 'an account writes the catalog');
      const { keyId, at } = context;
      state.catalogWrites.push({ ...terms, keyId, at, id: state.catalogWrites.length + 1 });
    },
  };
}

function proposalWrites({ state, context: { at, keyId } }: MemoryUnit): Writes['proposals'] {
  return {
    insert: async (accountId, terms) => {
      required(state.accounts.get(accountId), 'a proposal belongs to an account');
      const { firmId } = terms;
      if (firmId !== null) required(ownedRecord(state.firms, accountId, firmId), 'a firm of the account proposes');
      const proposal = { ...terms, id: nextId(state, 'proposal'), keyId, createdAt: at };
      state.proposals.set(proposal.id, { ...proposal, accountId });
      return proposal;
    },
    delete: async (accountId, proposalId) => {
      const isThere = state.proposals.get(proposalId)?.accountId === accountId;
      required(isThere || null, 'an account deletes a proposal that it has');
      state.proposals.delete(proposalId);
    },
  };
}

function answerWrites({ state, context: { at } }: MemoryUnit): Writes['answers'] {
  return {
    store: async (answer, { replacesOlderThan }) => {
      required(state.keys.get(answer.keyId), 'an answer is stored for a key');
      const name = `${answer.keyId} ${answer.idempotencyKey}`;
      const earlier = state.answers.get(name);
      if (earlier && earlier.storedAt >= replacesOlderThan) throw new DomainError('idempotency_in_flight');
      state.answers.delete(name);
      state.answers.set(name, { ...answer, storedAt: at });
    },
    deleteBefore: async (instant, limit) => {
      const old = [...state.answers]
        .filter(([, { storedAt }]) => storedAt < instant)
        .sort(([, a], [, b]) => (a.storedAt < b.storedAt ? -1 : 1))
        .slice(0, limit);
      for (const [name] of old) state.answers.delete(name);
      return old.length;
    },
  };
}
