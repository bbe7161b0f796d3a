import type { z } from 'zod';
import * as account from '../wire/account.ts';
import { bulkReportShape } from '../wire/bulk.ts';
import { changeShape, changesShape } from '../wire/change.ts';
import { curveShape } from '../wire/curve.ts';
import * as firm from '../wire/firm.ts';
import { invoiceShape } from '../wire/invoice.ts';
import { monthBody, newOfferBody, offerPatchBody, offerUpdates } from '../wire/offer-body.ts';
import { proposalBody, proposalHeadShape, proposalShape, verificationShape } from '../wire/proposal.ts';
import { efficientBody, portfolioCustomer } from '../wire/ranking-question.ts';
import * as shapes from '../wire/shapes.ts';
import { statsShape } from '../wire/stats.ts';
import { uploadShape } from '../wire/upload.ts';
import { usageShape, usageSummaryShape } from '../wire/usage.ts';
import { errorShape } from './refusals.ts';

const [electricityMonth, gasMonth] = shapes.monthShape.options;
const [electricityOffer, gasOffer] = shapes.offerShape.options;
const [electricityOfferDetail, gasOfferDetail] = shapes.offerDetailShape.options;
const [rankedElectricityOffer, rankedGasOffer] = shapes.rankedOfferShape.options;

/** The schemas with a name of their own: clients made from the document have a type for each. */
export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Change: changeShape,
  Changes: changesShape,
  Client: firm.clientShape,
  Company: firm.companyShape,
  CatalogSubscription: firm.catalogSubscriptionShape,
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
  Account: account.accountShape,
  Subscription: account.subscriptionShape,
  UsageRecord: usageShape,
  UsageSummary: usageSummaryShape,
  Upload: uploadShape,
  BulkReport: bulkReportShape,
  InvoiceReading: invoiceShape,
  Curve: curveShape,
  Stats: statsShape,
  OfferChanges: offerPatchBody,
  OfferUpdates: offerUpdates,
  Error: errorShape,
};
