import type { z } from 'zod';
import { monthBody, newOfferBody, offerPatchBody, offerUpdates } from '../wire/offer-body.ts';
import { proposalBody, proposalHeadShape, proposalShape, verificationShape } from '../wire/proposal.ts';
import { efficientBody, portfolioCustomer } from '../wire/ranking-question.ts';
import * as shapes from '../wire/shapes.ts';
import { errorShape } from './refusals.ts';

const [electricityMonth, gasMonth] = shapes.monthShape.options;
const [electricityOffer, gasOffer] = shapes.offerShape.options;
const [electricityOfferDetail, gasOfferDetail] = shapes.offerDetailShape.options;
const [rankedElectricityOffer, rankedGasOffer] = shapes.rankedOfferShape.options;

/** The schemas with a name of their own: clients made from the document have a type for each. */
export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Offer: shapes.offerShape,
  ElectricityOffer: electricityOffer,
  GasOffer: gasOffer,
  OfferDetail: shapes.offerDetailShape,
  ElectricityOfferDetail: electricityOfferDetail,
  GasOfferDetail: gasOfferDetail,
  OfferEvent: shapes.offerEventShape,
  NewOffer: newOfferBody,
  NewMonth: monthBody,
  MonthlyPrices: shapes.monthShape,
  ElectricityMonth: electricityMonth,
  GasMonth: gasMonth,
  RankingQuestion: efficientBody,
  Ranking: shapes.rankingShape,
  RankingResult: shapes.rankingResultShape,
  RankedOffer: shapes.rankedOfferShape,
  RankedElectricityOffer: rankedElectricityOffer,
  RankedGasOffer: rankedGasOffer,
  PortfolioCustomer: portfolioCustomer,
  Portfolio: shapes.portfolioShape,
  PortfolioAnswer: shapes.portfolioAnswerShape,
  PortfolioRefusal: shapes.portfolioRefusalShape,
  Recommendation: shapes.recommendationShape,
  CommissionCalculation: shapes.calculationShape,
  NewProposal: proposalBody,
  ProposalEntry: proposalHeadShape,
  Proposal: proposalShape,
  Verification: verificationShape,
  OfferChanges: offerPatchBody,
  OfferUpdates: offerUpdates,
  Error: errorShape,
};
