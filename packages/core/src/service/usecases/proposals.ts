import { refuseIfAny } from '../../engine/errors.ts';
import { say } from '../../engine/messages/message.ts';
import type { RankedOffer } from '../../engine/rank/ranking.ts';
import { searchForm } from '../../engine/text.ts';
import { type Caller, maySeeCommissions } from '../access/caller.ts';
import { extraBucketOf } from '../access/limits.ts';
import { narrowToFirm } from '../access/permit.ts';
import type { Company, Letterhead } from '../firms/firm.ts';
import type { Page, PageOf } from '../ports/lists.ts';
import type {
  Proposal,
  ProposalHead,
  ProposalQuery,
  ProposalState,
  ProposalSummary,
  ProposalTerms,
} from '../ports/records.ts';
import type { Writer } from '../ports/stores.ts';
import { canonicalJson, differencesBetween, type JsonDifference } from '../proposals/canonical-json.ts';
import { noteIssues } from '../proposals/note.ts';
import { alone, type PastDeps, pastOffers } from './offers/past-offers.ts';
import { accountOffersFor, partsOf, visibleTo } from './offers/visible-offers.ts';
import {
  askedAt,
  billedRequest,
  placesByCost,
  type Ranked,
  type RankingAnswer,
  type RankingQuestion,
  rankVisible,
  requestFor,
  weightFor,
  withContract,
} from './ranking/ranking.ts';
import { takeOrRefuse } from './requests/admit.ts';
import type { Command } from './requests/command.ts';
import type { Deps } from './requests/deps.ts';
import { permitStoredNow } from './requests/quotas.ts';
import { type FirmChoice, notFound, type RecordChoice, readFor, resolveFirmId } from './requests/record-access.ts';

/** How many of the cheapest offers the page of a proposal shows, besides the proposed ones. */
export const MAX_PAGE_ROWS = 20;
/** How many differences an answer lists. */
const MAX_DIFFERENCES = 100;

type ProposalDeps = PastDeps & Pick<Deps, 'secrets' | 'rates' | 'regulatedPrices'>;

/** What only the wire format knows about a proposal: how questions and answers are written. */
export interface ProposalForms {
  /** The question of a request. @throws DomainError for one that cannot be read. */
  readonly toQuestion: (request: unknown) => RankingQuestion;
  /** The rates with which the bills of an answer were computed, those of an operator too, and whether prices were compared. */
  readonly tablesIn: (answer: unknown, question: RankingQuestion) => Pick<Deps, 'rates' | 'regulatedPrices'>;
  /** @param kept - What it has to equal: members that came later are left out of it. */
  readonly toAnswer: (answer: ProposedRanking, kept?: ProposalContent) => Shown;
}

/** A ranking with what the page without commissions shows of it. */
export interface ProposedRanking extends RankingAnswer {
  readonly rows: readonly PageRow[];
}

/** A row of the page without commissions. Nothing in it depends on a commission. */
export interface PageRow
  extends Pick<RankedOffer, 'offer' | 'cost' | 'byHours' | 'discounted' | 'saving' | 'billed' | 'isImpossibleTariff'> {
  /** From 1, among all ranked offers in the order of cost, then id. */
  readonly place: number;
}

type Shown = Pick<ProposalContent, 'answer' | 'pagina'>;

/** The content of a proposal. Its hash is over this and the instant. */
interface ProposalContent {
  readonly request: unknown;
  readonly offer_ids: readonly number[];
  readonly nota: string | null;
  readonly answer: unknown;
  readonly pagina: unknown;
  /** Random: without it a hash would confirm a guess of the commissions in the answer. */
  readonly sal: string;
}

interface NewProposal extends Pick<ProposalForms, 'toAnswer'> {
  /** What lists show of it, and the names by which it is found. */
  readonly toSummary: (shown: Shown, offerIds: readonly number[]) => Summarized;
  readonly question: RankingQuestion;
  /** The proposal as it is stored: cleaned, and with defaults. */
  readonly request: unknown;
  readonly offerIds: readonly number[];
  readonly note: string | null;
  readonly ref: string | null;
}

interface Summarized {
  readonly summary: ProposalSummary;
  readonly names: readonly string[];
}

/**
 * Ranks now, and stores question, answer, the revisions of the offers and the visible companies, with a hash.
 *
 * @throws DomainError `rate_limited`, those of `rankForCaller`, `business_rule` also for an offer that is not among the
 *   results and for a supply point in a text.
 * @see docs/assumptions.md, A-88 and A-89
 */
export const makeProposal: Command<NewProposal, ProposalHead, void, ProposalTerms> = {
  before: termsOf,
  find: async () => {},
  async run(writer, caller, terms) {
    const { accountId: owner } = caller;
    const proposal = await writer.proposals.insert(owner, terms);
    await permitStoredNow(writer, { caller, owner }, 'proposalsBytes');
    return proposal;
  },
};

async function termsOf(
  deps: ProposalDeps & Pick<Deps, 'limiter'>,
  caller: Caller,
  { question, request, offerIds, note, ref, toAnswer, toSummary }: NewProposal,
  at: string,
): Promise<ProposalTerms> {
  const seesCommissions = maySeeCommissions(caller);
  const unbilledRequest = requestFor(caller, question, at);
  const offers = await accountOffersFor(deps, caller);
  const visible = visibleTo(offers, caller, question.firmId);
  const found = withContract(visible, question, unbilledRequest);
  refuseIfAny([...question.issues, ...noteIssues({ nota: note, ref, request })]);
  const visibleRequest = billedRequest(deps, question, found);
  await takeOrRefuse(deps, [extraBucketOf(caller, 'key_proposals'), extraBucketOf(caller, 'proposals')]);
  const ranked = await rankTwice(deps, caller, { visible, request: visibleRequest, offerIds });
  const shown = new Set(ranked.ranking.results.map(({ offer }) => offer.id));
  const { limit } = visibleRequest;
  const message = say('is not among the results: it is not ranked, or limit ({limit}) leaves it out', { limit });
  refuseIfAny(offerIds.flatMap((id, i) => (shown.has(id) ? [] : [{ path: `offer_ids.${i}`, message }])));
  const sal = deps.secrets.newSalt();
  const answer = asJson(toAnswer(ranked));
  const content: ProposalContent = { request, offer_ids: offerIds, nota: note, ...answer, sal };
  const { summary, names } = toSummary(answer, offerIds);
  const inSupply = partsOf(visible, visibleRequest.customer.supplyType, visibleRequest.company).flatMap(
    ({ universe }) => universe.tables,
  );
  const ids = new Set(inSupply.flatMap(({ companyIds }) => companyIds));
  const terms = {
    firmId: narrowToFirm(caller, question.firmId),
    isMasked: !seesCommissions,
    ownRevision: offers.own.revision,
    catalogRevision: offers.catalog.revision,
    companies: JSON.stringify([...visible.companies.values()].filter(({ id }) => ids.has(id)).map(companyToStore)),
    content: JSON.stringify(content),
    ...{ note, ref, summary, words: searchForm([ref ?? '', ...names].join(' ')) },
    sha256: hashOf(deps, content, at),
  };
  return { ...terms, seal: sealOf(deps, { ...terms, keyId: caller.keyId, createdAt: at }) };
}

/** The ranking as it was asked, and by cost as a key without `commissions:read` gets it. */
async function rankTwice(
  deps: ProposalDeps,
  caller: Caller,
  { visible, request, offerIds }: Ranked & { readonly offerIds: readonly number[] },
): Promise<ProposedRanking> {
  const ranking = await rankVisible(deps, caller, { visible, request });
  const limit = Math.min(request.limit, MAX_PAGE_ROWS);
  const masked = { ...request, weight: 1, seesCommissions: false, limit };
  const { results } = await rankVisible(deps, caller, { visible, request: masked });
  const cheapest: readonly PageRow[] = results.map((result, index) => ({ ...result, place: index + 1 }));
  const others = new Set(offerIds.filter((id) => !cheapest.some(({ offer }) => offer.id === id)));
  const places = others.size === 0 ? null : await placesByCost(deps, caller, { visible, request: masked, ids: others });
  const proposed = ranking.results.flatMap((result): readonly PageRow[] => {
    const place = places?.get(result.offer.id);
    return place === undefined ? [] : [{ ...result, place }];
  });
  const rows = [...cheapest, ...proposed.sort((a, b) => a.place - b.place)];
  return { ranking, companies: visible.companies, seesCommissions: request.seesCommissions, rows };
}

/** As it is read again, without what JSON does not have. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

const companyToStore = ({ id, firmId, name, logoUrl }: Company) => ({ id, firmId, name, logoUrl });

/** SHA-256, hexadecimal, of what the detail shows, in the form of RFC 8785. */
function hashOf({ secrets }: Pick<Deps, 'secrets'>, content: object, created_at: string): string {
  const { request, offer_ids, nota, answer, pagina, sal } = content as ProposalContent;
  return secrets.sha256(canonicalJson({ request, offer_ids, nota, created_at, answer, pagina, sal }));
}

/** What can be told another way, or changes, and proves nothing. */
type Unsealed = 'note' | 'ref' | 'summary' | 'words' | 'state' | 'seal';

/** A hash of every other stored byte, which also notices a change of what the other hash does not cover. */
function sealOf({ secrets }: Pick<Deps, 'secrets'>, sealed: Omit<Proposal, 'id' | Unsealed>): string {
  const { firmId, keyId, isMasked, ownRevision, catalogRevision, companies, content, sha256, createdAt } = sealed;
  const fields = { firmId, keyId, isMasked, ownRevision, catalogRevision, companies, content, sha256, createdAt };
  return secrets.sha256(canonicalJson(fields));
}

function queryOf(caller: Caller, firmId: number | null): ProposalQuery {
  return { accountId: caller.accountId, firmId, seesCommissions: maySeeCommissions(caller) };
}

interface ProposalSearch extends FirmChoice {
  /** Words of `ref`, offers and retailers, without regard to case and accents; `null`: all proposals. */
  readonly search: string | null;
  readonly state: ProposalState | null;
  readonly page: Page;
}

/** The proposals that a caller may see and looks for, by id. @throws DomainError `foreign_firm`. */
export async function listProposals(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { firmId: requestedFirmId, search, state, page }: ProposalSearch,
): Promise<PageOf<ProposalHead>> {
  const words = searchForm(search ?? '')
    .split(' ')
    .filter(Boolean);
  return readFor(deps, { caller, firmId: requestedFirmId }, (reader, firmId) =>
    reader.proposals.list({ ...queryOf(caller, firmId), words, state }, page),
  );
}

/**
 * One proposal. @throws DomainError `foreign_firm`, `not_found` also for a proposal with commissions where the caller
 * does not see them.
 */
export async function getProposal(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { id, firmId: requestedFirmId }: RecordChoice,
): Promise<Proposal> {
  return readFor(deps, { caller, firmId: requestedFirmId }, async (reader, firmId) => {
    const proposal = await reader.proposals.get(queryOf(caller, firmId), id);
    if (proposal === null) throw notFound('no such proposal');
    return proposal;
  });
}

async function findReadable(writer: Writer, caller: Caller, { id, firmId }: RecordChoice): Promise<void> {
  const query = queryOf(caller, await resolveFirmId(writer, caller, firmId));
  if ((await writer.proposals.get(query, id)) === null) throw notFound('no such proposal');
}

/** Sets the state of a proposal that the caller may read. @throws DomainError as `getProposal`. */
export const updateProposal: Command<RecordChoice & { readonly state: ProposalState }, ProposalHead, void> = {
  find: findReadable,
  run: (writer, { accountId }, { id, state }) => writer.proposals.update(accountId, id, { state }),
};

/**
 * Deletes a proposal that the caller may read.
 *
 * @throws DomainError as `getProposal`.
 * @see docs/assumptions.md, A-88
 */
export const deleteProposal: Command<RecordChoice, void, void> = {
  find: findReadable,
  run: (writer, { accountId }, { id }) => writer.proposals.delete(accountId, id),
};

/** Who hands a proposal over. */
export interface Issuer extends Letterhead {
  readonly name: string;
}

/**
 * A proposal with who hands it over: its firm with picture and contact, or else the account, as they are today.
 *
 * @throws DomainError as `getProposal`.
 */
export function getProposalToPrint(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { id, firmId: requestedFirmId }: RecordChoice,
): Promise<{ readonly proposal: Proposal; readonly issuer: Issuer }> {
  return readFor(deps, { caller, firmId: requestedFirmId }, async (reader, firmId) => {
    const proposal = await reader.proposals.get(queryOf(caller, firmId), id);
    if (proposal === null) throw notFound('no such proposal');
    const { accountId } = caller;
    const firm = proposal.firmId === null ? null : await reader.firms.detail(accountId, proposal.firmId);
    const { name = '' } = firm ?? (await reader.accounts.get(accountId)) ?? {};
    return { proposal, issuer: { name, logo: firm?.logo ?? null, contact: firm?.contact ?? null } };
  });
}

/** Whether a proposal is reproducible. */
export interface Verification {
  readonly isReproducible: boolean;
  /** The hash of what is stored, with the answer computed today. */
  readonly sha256Now: string;
  /** The first differences. */
  readonly differences: readonly JsonDifference[];
}

/**
 * Computes the answer of a proposal again, from versions of offers and the stored companies.
 *
 * @throws DomainError as `getProposal`; `rate_limited` while another call of the account reads the past.
 * @see docs/assumptions.md, A-90
 */
export async function verifyProposal(
  deps: ProposalDeps,
  caller: Caller,
  { toQuestion, toAnswer, tablesIn, ...choice }: RecordChoice & ProposalForms,
): Promise<Verification> {
  const proposal = await getProposal(deps, caller, choice);
  const { content: text, createdAt, note, sha256, seal } = proposal;
  const content = contentOf(text);
  const differences: JsonDifference[] = [];
  const compare = (path: string, before: unknown, after: unknown) =>
    differences.push(...differencesBetween(before, after, path));
  compare('seal', seal, sealOf(deps, proposal));
  if (content === null) {
    return { isReproducible: false, sha256Now: deps.secrets.sha256(text), differences: [...differences, UNREADABLE] };
  }
  compare('seal', note ?? content.nota, content.nota);
  compare('sha256', sha256, hashOf(deps, content, createdAt));
  const again = await reproduceAnswer(deps, caller, { proposal, content, toQuestion, toAnswer, tablesIn });
  compare('answer', content.answer, again.answer);
  compare('pagina', content.pagina, again.pagina);
  const sha256Now = hashOf(deps, { ...content, ...again }, createdAt);
  const isReproducible = differences.length === 0 && sha256Now === sha256;
  return { isReproducible, sha256Now, differences: differences.slice(0, MAX_DIFFERENCES) };
}

const UNREADABLE: JsonDifference = { path: 'content', before: null, after: null };

/** `null`: what is stored cannot be read. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** `null`: the stored text is no content of a proposal. */
export function contentOf(text: string): ProposalContent | null {
  const content: unknown = orNull(() => JSON.parse(text));
  return typeof content === 'object' && content !== null && 'answer' in content ? (content as ProposalContent) : null;
}

/** What is shown as it is computed today; `null`: the stored question is no longer valid. */
async function reproduceAnswer(
  deps: ProposalDeps,
  caller: Caller,
  {
    proposal,
    content,
    toQuestion,
    toAnswer,
    tablesIn,
  }: ProposalForms & { readonly proposal: Proposal; readonly content: ProposalContent },
): Promise<Shown> {
  const { isMasked, ownRevision, catalogRevision } = proposal;
  const companies = orNull(() => companiesIn(proposal.companies));
  const question = orNull(() => toQuestion(content.request));
  if (question === null || question.issues.length > 0 || companies === null) return { answer: null, pagina: null };
  const seesCommissions = !isMasked;
  const moments = { own: { revision: ownRevision }, catalog: { revision: catalogRevision }, seesCommissions };
  const offers = await alone(deps, caller.accountId, () =>
    deps.store.read((reader) => pastOffers({ ...deps, reader }, caller, moments)),
  );
  const weight = seesCommissions ? weightFor(question.request, seesCommissions) : 1;
  const unbilledRequest = { ...question.request, ...askedAt(proposal.createdAt), weight, seesCommissions };
  const visible = { offers, companies };
  const visibleRequest = orNull(() =>
    billedRequest(
      { ...deps, ...tablesIn(content.answer, question) },
      question,
      withContract(visible, question, unbilledRequest),
    ),
  );
  if (visibleRequest === null) return { answer: null, pagina: null };
  const offerIds = [content.offer_ids].flat();
  return asJson(toAnswer(await rankTwice(deps, caller, { visible, request: visibleRequest, offerIds }), content));
}

/** A visible company was active, and no other field of it is needed. */
function companiesIn(text: string): ReadonlyMap<number, Company> {
  const stored: readonly ReturnType<typeof companyToStore>[] = JSON.parse(text);
  const rest = { isActive: true, createdAt: '', updatedAt: '' };
  return new Map(stored.map((company) => [company.id, { ...company, ...rest }]));
}
