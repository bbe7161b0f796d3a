import type { Proposal, ProposalQuery, ProposalTerms, Reader, WriteContext } from '../src/service.ts';
import { byId, type MemoryState, nextId, ownedRecord, pageOf, required } from './memory-state.ts';

export function proposalReads({ proposals }: MemoryState): Pick<Reader, 'proposals' | 'proposal'> {
  const matching = ({ accountId, firmId, maskedOnly }: ProposalQuery) =>
    [...proposals.values()].filter(
      (one) =>
        one.accountId === accountId && (firmId === null || one.firmId === firmId) && (!maskedOnly || one.isMasked),
    );
  return {
    proposals: async (query, page) => {
      const heads = matching(query).map(({ id, createdAt, firmId, sha256 }) => ({ id, createdAt, firmId, sha256 }));
      return pageOf(byId(heads), page);
    },
    proposal: async (query, proposalId) => {
      const match = matching(query).find(({ id }) => id === proposalId);
      if (!match) return null;
      const { accountId: _owner, ...proposal } = match;
      return proposal;
    },
  };
}

export function insertProposal(
  { state, context }: { readonly state: MemoryState; readonly context: WriteContext },
  accountId: number,
  terms: ProposalTerms,
): Proposal {
  required(state.accounts.get(accountId), 'a proposal belongs to an account');
  if (terms.firmId !== null)
    required(ownedRecord(state.firms, accountId, terms.firmId), 'a firm of the account proposes');
  const proposal = { ...terms, id: nextId(state, 'proposal'), keyId: context.keyId, createdAt: context.at };
  state.proposals.set(proposal.id, { ...proposal, accountId });
  return proposal;
}
