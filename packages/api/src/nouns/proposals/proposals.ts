import {
  deleteProposal,
  EXTRA_LIMITS,
  getProposal,
  getProposalToPrint,
  listProposals,
  makeProposal,
  maySeeCommissions,
  updateProposal,
  verifyProposal,
} from '@tarifario/core/service';
import { z } from 'zod';
import { ID_PAGE_QUERY, listAnswer, pageOf, patchOf, searchField } from '../../fields.ts';
import { defineOperation, type Operation } from '../../operation.ts';
import { HOUSEHOLD, oneFirm, toQuestion } from '../ranking/question.ts';
import { summaryOf } from './figures.ts';
import { PAGE_HEADERS, proposalPage } from './page.ts';
import { PROPOSAL_FORMS, proposal, proposalBody, proposalHead, stateField, verification } from './proposal.ts';

const create = defineOperation({
  id: 'createProposal',
  method: 'POST',
  path: '/v1/proposals',
  summary: 'Make a proposal',
  description:
    'Ranks now and keeps what was asked, the offers that are proposed, a note and the whole answer, with their ' +
    'SHA-256 in the form of RFC 8785. Every offer proposed has to be among the results. Nothing in it identifies the ' +
    'customer: unknown fields are refused, and so is a CUPS in a text. ref is kept beside it, and nothing seals it. A proposal made without commissions:read has ' +
    `no commissions, whoever reads it. At most ${EXTRA_LIMITS.key_proposals.points} in an hour per key and ` +
    `${EXTRA_LIMITS.proposals.points} per account, besides the limits of all calls.`,
  scopes: ['proposals:write'],
  replayable: true,
  body: proposalBody,
  output: proposalHead,
  success: [201],
  refusals: ['weight_needs_commissions', 'not_found', 'storage_full', 'business_rule'],
  examples: [
    {
      summary: 'Two offers beside the present contract',
      body: {
        request: { ...HOUSEHOLD, tariff_type: '2.0TD', contrato_actual: { coste_total: 900 } },
        offer_ids: [1, 4],
        nota: 'Precio fijo durante un año.',
      },
      // The hash depends on the instant, so each call gives another one.
      isLong: true,
    },
  ],
  command: makeProposal,
  input: ({ firmId: inQuery, body: { request, offer_ids: offerIds, nota, ref } }) => {
    const firmId = oneFirm(inQuery, request.client_id);
    return {
      question: toQuestion(request, firmId),
      request: { ...request, client_id: firmId ?? undefined },
      offerIds,
      note: nota ?? null,
      ref: ref || null,
      toAnswer: PROPOSAL_FORMS.toAnswer,
      toSummary: summaryOf,
    };
  },
});

const list = defineOperation({
  id: 'listProposals',
  method: 'GET',
  path: '/v1/proposals',
  summary: 'List proposals',
  description:
    'The proposals of the account, by id. A key bound to an advisory firm has those of its firm; one without ' +
    'commissions:read those that were made without. q does not find those of earlier releases, which have no resumen.',
  scopes: ['offers:read'],
  query: {
    q: searchField(100)
      .describe('Words of ref, of the proposed offers or of their retailers, without regard to case and accents.')
      .optional(),
    estado: stateField.optional(),
    ...ID_PAGE_QUERY,
  },
  output: listAnswer(proposalHead),
  examples: [
    { summary: 'The first page', query: { limit: 10 }, isLong: true },
    { summary: 'Those that were sent', query: { estado: 'enviada', limit: 10 }, isLong: true },
  ],
  answer: ({ deps, caller }, { firmId, query }) => {
    const { q: search = null, estado: state = null } = query;
    return listProposals(deps, caller, { firmId, search, state, page: pageOf(query) });
  },
});

const read = defineOperation({
  id: 'getProposal',
  method: 'GET',
  path: '/v1/proposals/{id}',
  summary: 'Read a proposal',
  description:
    'All of a proposal as it was made. sha256 is that of request, offer_ids, nota, created_at, answer, pagina and sal as ' +
    'they stand here, in the form of RFC 8785.',
  scopes: ['offers:read'],
  output: proposal,
  examples: [{ summary: 'One proposal', params: { id: 1 }, isLong: true }],
  answer: ({ deps, caller }, { path: { id }, firmId }) => getProposal(deps, caller, { id, firmId }),
});

const page = defineOperation({
  id: 'getProposalPage',
  method: 'GET',
  path: '/v1/proposals/{id}.html',
  summary: 'Print a proposal',
  description:
    'A page of HTML in Spanish to be printed on A4, with all that it needs and no script. It has the name and the logo of the advisory ' +
    'firm and the proposed offers in the order of cost. comisiones=true, where the proposal has any, gives the version of the advisor: with commissions, ' +
    'and all offers in the order of the answer.',
  scopes: ['offers:read'],
  query: { comisiones: z.boolean().default(false) },
  output: z.string(),
  contentType: 'text/html',
  examples: [{ summary: 'For the customer', params: { id: 1 }, isLong: true }],
  perform: async ({ deps, caller }, { path: { id }, firmId, query }) => {
    const { proposal: stored, issuer } = await getProposalToPrint(deps, caller, { id, firmId });
    const shows = query.comisiones && maySeeCommissions(caller);
    return {
      status: 200,
      headers: PAGE_HEADERS,
      body: undefined,
      text: [proposalPage(proposal.toWire(stored), { issuer, asksCommissions: shows })],
    };
  },
});

const verify = defineOperation({
  id: 'verifyProposal',
  method: 'GET',
  path: '/v1/proposals/{id}/verify',
  summary: 'Verify a proposal',
  description:
    'Makes the answer of a proposal again, from the versions of its offers and the companies of that time. Later ' +
    'changes, deactivations and subscriptions do not count. One at a time of an account is answered (429).',
  scopes: ['offers:read'],
  output: verification,
  examples: [{ summary: 'One that can be made again', params: { id: 1 }, isLong: true }],
  answer: ({ deps, caller }, { path: { id }, firmId }) =>
    verifyProposal(deps, caller, { id, firmId, ...PROPOSAL_FORMS }),
});

const update = defineOperation({
  id: 'updateProposal',
  method: 'PATCH',
  path: '/v1/proposals/{id}',
  summary: 'Set the state of a proposal',
  description:
    'Any state may follow any other. Nothing else of a proposal changes, and its hash does not cover the state.',
  scopes: ['proposals:write'],
  body: patchOf({ estado: stateField.optional() }),
  output: proposalHead,
  examples: [{ summary: 'It was sent', params: { id: 1 }, body: { estado: 'enviada' }, isLong: true }],
  command: updateProposal,
  // It is there: a body without fields was refused.
  input: ({ path: { id }, firmId, body: { estado: state = 'borrador' } }) => ({ id, firmId, state }),
});

const remove = defineOperation({
  id: 'deleteProposal',
  method: 'DELETE',
  path: '/v1/proposals/{id}',
  summary: 'Delete a proposal',
  description:
    'With all that proves it: it can be neither read nor verified any more, and its place counts no longer. Its id is given to no other.',
  scopes: ['proposals:write'],
  output: null,
  success: [204],
  examples: [{ summary: 'One that is not needed any more', params: { id: 1 } }],
  command: deleteProposal,
  input: ({ path: { id }, firmId }) => ({ id, firmId }),
});

export const PROPOSALS: readonly Operation[] = [list, create, page, read, verify, update, remove];
