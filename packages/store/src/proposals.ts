import type { ProposalQuery, Reader, Writes } from '@tarifario/core/service';
import type { Session } from './dialects.ts';
import { pageById } from './pages.ts';
import { PROPOSAL, PROPOSAL_HEAD } from './rows.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export function proposalReads(session: Session): Reader['proposals'] {
  return {
    list: (query, page) => pageById(matching(session, query).select(PROPOSAL_HEAD.columns), page, PROPOSAL_HEAD.read),
    get: async (query, proposalId) => {
      const row = await matching(session, query).selectAll().where('id', '=', proposalId).executeTakeFirst();
      return row ? PROPOSAL.read(row) : null;
    },
  };
}

function matching({ db }: Session, { accountId, firmId, seesCommissions }: ProposalQuery) {
  return db
    .selectFrom('proposals')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .$if(!seesCommissions, (query) => query.where('is_masked', '=', 1));
}

export function proposalWrites(unit: UnitOfWork): Writes['proposals'] {
  return {
    insert: async (accountId, terms) => {
      const { at: createdAt, keyId } = unit.context;
      const row = { account_id: accountId, ...PROPOSAL.write({ ...terms, keyId, createdAt }) };
      const { id } = await unit.db.insertInto('proposals').values(row).returning('id').executeTakeFirstOrThrow();
      return { ...terms, id, keyId, createdAt };
    },
    delete: async (accountId, proposalId) => {
      const deleted = unit.db.deleteFrom('proposals').where('account_id', '=', accountId).where('id', '=', proposalId);
      await deleted.returning('id').executeTakeFirstOrThrow();
    },
  };
}
