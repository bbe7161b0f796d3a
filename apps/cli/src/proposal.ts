import { PROPOSAL_FORMS, verification } from '@tarifario/api';
import { createOfferCache, type Reader, verifyProposal } from '@tarifario/core/service';
import { CommandError, idFrom, type Run } from './command.ts';
import { operatorOf, withDatabase } from './database.ts';

/** Computes a proposal again; exit status 1 where it is not reproducible. */
export const verify: Run = (args) => {
  const id = idFrom(args.required('ID'), 'ID');
  return withDatabase(async ({ store, clock, secrets }) => {
    const accountId = await store.read((reader) => accountOf(reader, id));
    const deps = { store, clock, secrets, offerCache: createOfferCache() };
    const verified = await verifyProposal(deps, await operatorOf(store, accountId), {
      id,
      firmId: null,
      ...PROPOSAL_FORMS,
    });
    return { json: verification.toWire(verified), status: verified.isReproducible ? 0 : 1 };
  });
};

/** An operator does not name the account of a proposal. */
async function accountOf(reader: Reader, proposalId: number): Promise<number> {
  for (const { id: accountId } of await reader.accounts.list()) {
    const query = { accountId, firmId: null, seesCommissions: true };
    if ((await reader.proposals.get(query, proposalId)) !== null) return accountId;
  }
  throw new CommandError(`there is no proposal ${proposalId}`);
}
