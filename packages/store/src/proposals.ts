import type { ProposalFilter, ProposalQuery, Reader, Writes } from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';
import { pageById } from './pages.ts';
import { PROPOSAL, PROPOSAL_HEAD } from './rows.ts';
import { addToBytes, type UnitOfWork } from './unit-of-work.ts';

export function proposalReads(session: Session): Reader['proposals'] {
  return {
    list: (filter, page) => pageById(found(session, filter).select(PROPOSAL_HEAD.columns), page, PROPOSAL_HEAD.read),
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

function found(session: Session, { words, state, ...query }: ProposalFilter) {
  const all = matching(session, query).$if(state !== null, (some) => some.where('state', '=', state ?? 'borrador'));
  return words.reduce((some, word) => {
    const part = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`;
    return some.where(sql<boolean>`words LIKE ${part} ESCAPE '\\'`);
  }, all);
}

export function proposalWrites(unit: UnitOfWork): Writes['proposals'] {
  return {
    insert: async (accountId, terms) => {
      const { at: createdAt, keyId } = unit.context;
      const row = { account_id: accountId, ...PROPOSAL.write({ ...terms, state: 'borrador', keyId, createdAt }) };
      const { id } = await unit.db.insertInto('proposals').values(row).returning('id').executeTakeFirstOrThrow();
      await addToBytes(
        unit,
        accountId,
        'proposals',
        Buffer.byteLength(terms.companies) + Buffer.byteLength(terms.content),
      );
      return { ...terms, id, state: 'borrador', keyId, createdAt };
    },
    update: async (accountId, proposalId, changes) => {
      const update = unit.db.updateTable('proposals').set(changes);
      const ofAccount = update.where('account_id', '=', accountId).where('id', '=', proposalId);
      return PROPOSAL_HEAD.read(await ofAccount.returning(PROPOSAL_HEAD.columns).executeTakeFirstOrThrow());
    },
    delete: async (accountId, proposalId) => {
      const deleted = unit.db.deleteFrom('proposals').where('account_id', '=', accountId).where('id', '=', proposalId);
      const bytes = sql<number>`octet_length(companies) + octet_length(content)`.as('bytes');
      const row = await deleted.returning(bytes).executeTakeFirstOrThrow();
      await addToBytes(unit, accountId, 'proposals', -row.bytes);
    },
  };
}
