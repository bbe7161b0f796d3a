import type { Page, ProposalQuery, Reader, Writer } from '@tarifario/core/service';
import type { Session } from './dialects.ts';
import { totalOf } from './pages.ts';
import { PROPOSAL, PROPOSAL_HEAD } from './rows.ts';
import { changing, type UnitOfWork } from './unit-of-work.ts';
import { flag } from './values.ts';

export function proposalReads(session: Session): Pick<Reader, 'proposals' | 'proposal'> {
  return {
    proposals: (query, page) => listProposals(session, query, page),
    proposal: async (query, proposalId) => {
      const row = await matching(session, query).selectAll().where('id', '=', proposalId).executeTakeFirst();
      return row ? PROPOSAL.read(row) : null;
    },
  };
}

function matching({ db }: Session, { accountId, firmId, maskedOnly }: ProposalQuery) {
  return db
    .selectFrom('proposals')
    .where('account_id', '=', accountId)
    .$if(firmId !== null, (query) => query.where('firm_id', '=', firmId))
    .$if(maskedOnly, (query) => query.where('is_masked', '=', 1));
}

async function listProposals(session: Session, query: ProposalQuery, page: Page) {
  const found = matching(session, query);
  const counted = found.select(({ fn }) => fn.countAll<number>().as('count'));
  const heads = found.select(['id', 'created_at', 'firm_id', 'sha256']).select(counted.as('total')).orderBy('id');
  const { limit, offset, afterId = null } = page;
  const rest = heads.$if(afterId !== null, (proposals) => proposals.where('id', '>', afterId ?? 0));
  const rows = await rest.limit(limit).offset(offset).execute();
  return { total: await totalOf(rows, page, counted), results: rows.map(PROPOSAL_HEAD.read) };
}

export function proposalWrites(unit: UnitOfWork): Pick<Writer, 'insertProposal'> {
  return {
    insertProposal: changing(unit, async (accountId, terms) => {
      const { at, keyId } = unit.context;
      const { firmId, isMasked, ownRevision, catalogRevision, ...texts } = terms;
      const row = {
        ...{ account_id: accountId, firm_id: firmId, key_id: keyId, is_masked: flag(isMasked), created_at: at },
        ...{ own_revision: ownRevision, catalog_revision: catalogRevision, ...texts },
      };
      const { id } = await unit.db.insertInto('proposals').values(row).returning('id').executeTakeFirstOrThrow();
      return { ...terms, id, keyId, createdAt: at };
    }),
  };
}
