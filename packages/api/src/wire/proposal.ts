import {
  cleanNote,
  contentOf,
  type JsonDifference,
  MAX_NOTE_LENGTH,
  MAX_PAGE_ROWS,
  type PageRow,
  type Proposal,
  type ProposalForms,
  type ProposalHead,
  type ProposedRanking,
  type Verification,
} from '@tarifario/core/service';
import { z } from 'zod';
import { idsField } from '../fields.ts';
import { readJson } from '../read-input.ts';
import { toWireSaving } from './advice.ts';
import { toWireCost } from './cost.ts';
import { companyOf, toWireRanking } from './ranking.ts';
import { proposalRequest, toQuestion } from './ranking-question.ts';
import { pageRowShape, rankingShape } from './shapes.ts';

const MAX_CHOSEN = 10;

/** The body of `POST /v1/proposals`. */
export const proposalBody = z.strictObject({
  request: proposalRequest,
  offer_ids: idsField(1, MAX_CHOSEN),
  nota: z.string().max(MAX_NOTE_LENGTH).overwrite(cleanNote).optional(),
});

/** How questions are read and rankings written, the same as when the proposal was made. */
export const PROPOSAL_FORMS: ProposalForms = {
  toQuestion: (request) => {
    const body = readJson(proposalRequest, request);
    return toQuestion(body, body.client_id ?? null);
  },
  toAnswer: (ranked) => ({ answer: toWireRanking(ranked), pagina: ranked.rows.map((row) => toWireRow(row, ranked)) }),
};

/** A row of the page without commissions. */
function toWireRow({ place, offer, cost, saving }: PageRow, { companies }: ProposedRanking) {
  return {
    puesto: place,
    offer_id: offer.id,
    offer_name: offer.offerName,
    company_name: companyOf(offer, companies).name,
    tariff_type: offer.tariffType,
    cost: toWireCost(cost),
    ahorro: toWireSaving(saving),
  };
}

const id = z.int().min(1);
const hash = z.string().length(64);
const HEAD = {
  id,
  created_at: z.iso.datetime({ precision: 3 }),
  client_id: id.nullable(),
  sha256: hash,
  url: z.string(),
};

export const proposalHeadShape = z.strictObject(HEAD);

export const proposalShape = z.strictObject({
  ...HEAD,
  request: z.record(z.string(), z.unknown()),
  offer_ids: z.array(id).min(1).max(MAX_CHOSEN),
  nota: z.string().nullable(),
  answer: rankingShape,
  pagina: z.array(pageRowShape).max(MAX_PAGE_ROWS + MAX_CHOSEN),
  sal: z.string().length(32),
});

export const verificationShape = z.strictObject({
  reproducible: z.boolean(),
  sha256_now: hash,
  // biome-ignore lint/suspicious/noThenProperty: the name is given, and nobody awaits a shape
  differences: z.array(z.strictObject({ path: z.string(), then: z.unknown(), now: z.unknown() })).max(100),
});

export function toWireProposalHead({ id, createdAt, firmId, sha256 }: ProposalHead) {
  return { id, created_at: createdAt, client_id: firmId, sha256, url: `/v1/proposals/${id}` };
}

/** @throws RangeError when the stored text is no proposal. */
export function toWireProposal(proposal: Proposal) {
  const content = contentOf(proposal.content);
  if (content === null) throw new RangeError(`proposal ${proposal.id} cannot be read`);
  const { request, offer_ids, nota, answer, pagina, sal } = content;
  return { ...toWireProposalHead(proposal), request, offer_ids, nota, answer, pagina, sal };
}

export function toWireVerification({ isReproducible, sha256Now, differences }: Verification) {
  return { reproducible: isReproducible, sha256_now: sha256Now, differences: differences.map(toWireDifference) };
}

function toWireDifference({ path, before, after }: JsonDifference) {
  // biome-ignore lint/suspicious/noThenProperty: the name is given, and nobody awaits a difference
  return { path, then: before, now: after };
}
