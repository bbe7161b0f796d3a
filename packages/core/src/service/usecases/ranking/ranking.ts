import { DomainError, type Issue, refuseIfAny } from '../../../engine/errors.ts';
import { type Message, say } from '../../../engine/messages/message.ts';
import { leastPowerPrices } from '../../../engine/power/regulated-prices.ts';
import type { PresentContract } from '../../../engine/rank/present-contract.ts';
import { placesInTurns, rankInTurns } from '../../../engine/rank/rank.ts';
import {
  DEFAULT_WEIGHT,
  type Ranking,
  type RankingRequest,
  type RankingWarning,
  WARNING_CODES,
} from '../../../engine/rank/ranking.ts';
import {
  type ExpectedCommission,
  type RecommendationRequest,
  recommendInTurns,
} from '../../../engine/rank/recommend.ts';
import { nameSearch } from '../../../engine/rank/select.ts';
import { type BillDefinition, billTerms } from '../../../engine/taxes/bill-terms.ts';
import { type Caller, maySeeCommissions } from '../../access/caller.ts';
import type { Company } from '../../firms/firm.ts';
import { inTurns } from '../../in-turns.ts';
import type { PageOf } from '../../ports/lists.ts';
import type { OfferRecord } from '../../ports/records.ts';
import { offersAsOf, type PastDeps } from '../offers/past-offers.ts';
import {
  accountOffersFor,
  entryIn,
  otherSupplyIn,
  partsOf,
  type Visible,
  visibleTo,
} from '../offers/visible-offers.ts';
import type { Deps } from '../requests/deps.ts';

/** An offer as the present contract, by its id. */
export interface NamedContract extends Pick<PresentContract, 'hasSocialBonus' | 'isLastResort'> {
  readonly offerId: number;
  /** As `ContractOffer` has it. */
  readonly servicesEurPerMonth: number | null;
}

/** A caller's request for a ranking. */
export interface RankingQuestion {
  /** `weight: null`: not sent. */
  readonly request: Omit<RankingRequest, 'seesCommissions' | 'weight' | 'bill' | 'search'> & {
    readonly weight: number | null;
  };
  /** The requested advisory firm; `null`: not sent. */
  readonly firmId: number | null;
  /** Issues that break a rule. They are refused after the access of the caller was checked. */
  readonly issues: readonly Issue[];
  /** The offer that is the present contract, in place of that of the request; left out or `null`: none. */
  readonly contract?: NamedContract | null;
  /** Words of the names of the results; left out or `null`: any. */
  readonly search?: string | null;
  /** What the bills depend on; left out: none are asked for. */
  readonly bill?: BillDefinition | null;
  /** The instant as of which offers are ranked; left out or `null`: now. */
  readonly asOf?: string | null;
}

/** A ranking with the companies of its offers. */
export interface RankingAnswer {
  readonly ranking: Ranking;
  /** The company behind every offer of the ranking; without a firm it is one of the shared catalog. */
  readonly companies: ReadonlyMap<number, Company>;
  /** The right of the caller. */
  readonly seesCommissions: boolean;
}

/**
 * Ranks the caller's offers and those of the catalog that it subscribes to.
 *
 * @throws DomainError `weight_needs_commissions` as `weightFor` does, `foreign_firm`, `business_rule`; those of
 *   `offersAsOf` where the question is about the past.
 * @see docs/assumptions.md, A-17, A-21 and A-86
 */
export async function rankForCaller(
  deps: PastDeps & Pick<Deps, 'rates' | 'regulatedPrices' | 'revisions'>,
  caller: Caller,
  question: RankingQuestion,
): Promise<RankingAnswer> {
  const { asOf = null } = question;
  const unbilledRequest = requestFor(caller, question, asOf ?? deps.clock.now());
  const { seesCommissions } = unbilledRequest;
  const present = visibleTo(await accountOffersFor(deps, caller), caller, question.firmId);
  const request = asOf === null ? withContract(present, question, unbilledRequest) : unbilledRequest;
  refuseIfAny(question.issues);
  const visibleRequest = billedRequest(deps, question, request);
  if (asOf === null) {
    const ranking = await rankVisible(deps, caller, searchedIn(present, question, visibleRequest));
    return { ranking, companies: present.companies, seesCommissions };
  }
  const past = visibleTo(await offersAsOf(deps, caller, asOf), caller, question.firmId);
  const pastRequest = withContract(past, question, visibleRequest);
  const ranking = ofThePast(await rankVisible(deps, caller, searchedIn(past, question, pastRequest)));
  return { ranking, companies: past.companies, seesCommissions };
}

/** What is ranked, and how. */
export interface Ranked {
  readonly visible: Visible;
  readonly request: RankingRequest;
}

/** What a question ranks, with the search that it asks for. */
function searchedIn(visible: Visible, { search = null }: RankingQuestion, request: RankingRequest): Ranked {
  return {
    visible,
    request: search === null ? request : { ...request, search: nameSearch(search, visible.companies) },
  };
}

/** Ranks the visible offers, and lets other work run in between. */
export function rankVisible(
  deps: Pick<Deps, 'yieldToEventLoop'>,
  caller: Caller,
  { visible, request }: Ranked,
): Promise<Ranking> {
  const parts = partsOf(visible, request.customer.supplyType, request.company);
  const hasOtherSupply = otherSupplyIn(visible, request.customer.supplyType);
  return inTurns(rankInTurns(parts, { ...request, hasOtherSupply }), deps, caller);
}

/** The places of some visible offers in the order of cost, by id, and lets other work run in between. */
export function placesByCost(
  deps: Pick<Deps, 'yieldToEventLoop'>,
  caller: Caller,
  { visible, request, ids }: Ranked & { readonly ids: ReadonlySet<number> },
): Promise<ReadonlyMap<number, number>> {
  const parts = partsOf(visible, request.customer.supplyType, request.company);
  return inTurns(placesInTurns(parts, request, ids), deps, caller);
}

/** The warning that a ranking of the past uses companies, firms and subscriptions of today. */
export function ofThePast<R extends Pick<Ranking, 'warnings'>>(ranking: R): R {
  const warnings: RankingWarning[] = [...ranking.warnings, { code: 'alcance_actual', total: 0, offerIds: [] }];
  warnings.sort((a, b) => WARNING_CODES.indexOf(a.code) - WARNING_CODES.indexOf(b.code));
  return { ...ranking, warnings };
}

/**
 * The request with the terms of its bills, where the question asks for them, and the least prices of the day that it names.
 *
 * @throws DomainError as `billTerms` does.
 */
export function billedRequest(
  { rates, regulatedPrices }: Pick<Deps, 'rates' | 'regulatedPrices'>,
  { bill = null }: Pick<RankingQuestion, 'bill'>,
  request: RankingRequest,
): RankingRequest {
  const terms = bill && { bill: billTerms(bill, { ...request, ...request.filter }, rates) };
  const day = bill?.day ?? request.signingDay ?? null;
  return { ...request, ...terms, ...(day !== null && { leastPowerPrices: leastPowerPrices(day, regulatedPrices) }) };
}

/**
 * A request with the offer that its question names as the present contract, active or not.
 *
 * @param visible - As of the instant of the question.
 * @throws DomainError `not_found`, also for an offer that came later; `business_rule` for one of the other supply.
 * @see docs/assumptions.md, A-114
 */
export function withContract(
  visible: Visible,
  { contract: named = null, asOf = null }: Pick<RankingQuestion, 'contract' | 'asOf'>,
  request: RankingRequest,
): RankingRequest {
  if (named === null) return request;
  const { offerId, ...contract } = named;
  const found = entryIn(visible, offerId);
  const entry = found !== null && asOf !== null && found.offer.createdAt > asOf ? null : found;
  const refusal = (message: Message) => [{ path: 'contract.offerId', message }];
  if (entry === null) throw new DomainError('not_found', { message: 'not found', issues: refusal('no such offer') });
  const { supplyType: tariff } = request.customer;
  refuseIfAny(entry.offer.supplyType === tariff ? [] : refusal(say('is no offer of {tariff}', { tariff })));
  return { ...request, contract: { ...contract, entry } };
}

/**
 * The request of a question as it is ranked for a caller.
 *
 * @param instant - As of which it is asked.
 * @throws DomainError as `weightFor` does.
 */
export function requestFor(
  caller: Caller,
  { request }: Pick<RankingQuestion, 'request'>,
  instant: string,
): RankingRequest {
  const seesCommissions = maySeeCommissions(caller);
  return { ...request, ...askedAt(instant), weight: weightFor(request, seesCommissions), seesCommissions };
}

/** The month of a question, on which two warnings depend. */
export function askedAt(instant: string): Pick<RankingRequest, 'presentMonth'> {
  return { presentMonth: `${instant.slice(0, 7)}-01` };
}

/**
 * The weight of a ranking: the requested one, else the default; always 1 for callers who may not see commissions.
 *
 * @param asked - `weight`: 0 (commission only) to 1 (savings only); `null`: not sent.
 * @throws DomainError `weight_needs_commissions` for a weight below 1, or a tolerance above 0, for callers who may not
 *   see commissions.
 * @see docs/assumptions.md, A-17 and A-73
 */
export function weightFor(
  asked: Pick<RankingQuestion['request'], 'weight' | 'tolerance'>,
  seesCommissions: boolean,
): number {
  const { weight, tolerance = null } = asked;
  if (seesCommissions) return weight ?? DEFAULT_WEIGHT;
  if (tolerance !== null && tolerance > 0) {
    const message = 'tolerancia above 0 needs the scope commissions:read';
    throw new DomainError('weight_needs_commissions', { message });
  }
  if (weight !== null && weight < 1) {
    throw new DomainError('weight_needs_commissions', { message: 'w below 1 needs the scope commissions:read' });
  }
  return 1;
}

/** An offer with its expected commission per contract-year. */
export interface Recommendation extends Omit<ExpectedCommission, 'offer'> {
  readonly record: OfferRecord;
}

/**
 * The offers visible to the caller, ordered by their expected commission.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-33
 */
export async function recommendForCaller(
  deps: Deps,
  caller: Caller,
  question: { readonly request: RecommendationRequest; readonly firmId: number | null },
): Promise<PageOf<Recommendation> & { readonly warnings: readonly RankingWarning[] }> {
  const { request } = question;
  const visible = visibleTo(await accountOffersFor(deps, caller), caller, question.firmId);
  const { supplyType } = request.filter;
  const parts = partsOf(visible, supplyType, request.company);
  const hasOtherSupply = otherSupplyIn(visible, supplyType);
  const { total, results, warnings } = await inTurns(
    recommendInTurns(parts, { ...request, hasOtherSupply }),
    deps,
    caller,
  );
  return {
    total,
    warnings,
    results: results.map(({ offer, ...commission }) => {
      const company = visible.companies.get(offer.companyId);
      if (!company) throw new RangeError(`offer ${offer.id} has no visible company`);
      const firm = company.firmId === null ? null : (visible.offers.own.firms.get(company.firmId) ?? null);
      return { record: { offer, company, firm }, ...commission };
    }),
  };
}
