// Rankings, portfolios, negotiations and proposals.

export { MAX_NAMED } from '../../engine/rank/facts.ts';
export { rankOffers } from '../../engine/rank/library.ts';
export {
  CONTRACT_PRICES,
  CONTRACT_TOTAL,
  missingContractPrices,
  type PresentContract,
} from '../../engine/rank/present-contract.ts';
export { type Gap, rankPortfolio, rankUniverses, stepsOf } from '../../engine/rank/rank.ts';
export {
  ADVISOR_WARNINGS,
  type AskedReasons,
  type BilledRanking,
  type BilledResult,
  type CostDifference,
  DEFAULT_LIMIT,
  DEFAULT_WEIGHT,
  type FilterName,
  MAX_LIMIT,
  MAX_RANKED_OFFSET,
  MAX_TOLERANCE,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
  type RankingWarning,
  type Retrospective,
  WARNING_CODES,
  type WarningCode,
} from '../../engine/rank/ranking.ts';
export { askReasons } from '../../engine/rank/reasons.ts';
export {
  annualQuantities,
  type ExpectedCommission,
  expectedCommission,
  recommendFrom,
} from '../../engine/rank/recommend.ts';
export type { Conflict, WinnerSegment } from '../../engine/rank/score.ts';
export { compileUniverse, patchUniverse, type UniversePart } from '../../engine/rank/universe.ts';
export { canonicalJson, type JsonDifference } from '../proposals/canonical-json.ts';
export { cleanNote, MAX_NOTE_LENGTH, MAX_REF_LENGTH } from '../proposals/note.ts';
export { type About, describeComparison } from '../usecases/about.ts';
export {
  contentOf,
  deleteProposal,
  getProposal,
  getProposalToPrint,
  type Issuer,
  listProposals,
  MAX_PAGE_ROWS,
  makeProposal,
  type PageRow,
  type ProposalForms,
  type ProposedRanking,
  updateProposal,
  type Verification,
  verifyProposal,
} from '../usecases/proposals.ts';
export { negotiationForCaller } from '../usecases/ranking/negotiation.ts';
export { portfolioForCaller, type RankedCustomer } from '../usecases/ranking/portfolio.ts';
export {
  billedRequest,
  type NamedContract,
  type RankingAnswer,
  type RankingQuestion,
  type Recommendation,
  rankForCaller,
  recommendForCaller,
  weightFor,
} from '../usecases/ranking/ranking.ts';
