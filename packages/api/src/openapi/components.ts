import type { z } from 'zod';
import { bulkReportShape } from '../wire/bulk.ts';
import { monthBody, newOfferBody, offerPatchBody, offerUpdates } from '../wire/offer-body.ts';
import { efficientBody, portfolioCustomer } from '../wire/ranking-question.ts';
import { curveShape, invoiceShape } from '../wire/reading-shapes.ts';
import { accountShape, subscriptionShape, uploadShape, usageShape, usageSummaryShape } from '../wire/service-shapes.ts';
import {
  calculationShape,
  catalogSubscriptionShape,
  clientShape,
  companyShape,
  monthShape,
  offerDetailShape,
  offerEventShape,
  offerShape,
  portfolioAnswerShape,
  portfolioRefusalShape,
  portfolioShape,
  rankedOfferShape,
  rankingResultShape,
  rankingShape,
  recommendationShape,
  statsShape,
} from '../wire/shapes.ts';
import { errorShape } from './refusals.ts';

const [electricityMonth, gasMonth] = monthShape.options;
const [electricityOffer, gasOffer] = offerShape.options;
const [electricityOfferDetail, gasOfferDetail] = offerDetailShape.options;
const [rankedElectricityOffer, rankedGasOffer] = rankedOfferShape.options;

/** The schemas with a name of their own: clients made from the document have a type for each. */
export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  Client: clientShape,
  Company: companyShape,
  CatalogSubscription: catalogSubscriptionShape,
  Offer: offerShape,
  ElectricityOffer: electricityOffer,
  GasOffer: gasOffer,
  OfferDetail: offerDetailShape,
  ElectricityOfferDetail: electricityOfferDetail,
  GasOfferDetail: gasOfferDetail,
  OfferEvent: offerEventShape,
  NewOffer: newOfferBody,
  NewMonth: monthBody,
  MonthlyPrices: monthShape,
  ElectricityMonth: electricityMonth,
  GasMonth: gasMonth,
  RankingQuestion: efficientBody,
  Ranking: rankingShape,
  RankingResult: rankingResultShape,
  RankedOffer: rankedOfferShape,
  RankedElectricityOffer: rankedElectricityOffer,
  RankedGasOffer: rankedGasOffer,
  PortfolioCustomer: portfolioCustomer,
  Portfolio: portfolioShape,
  PortfolioAnswer: portfolioAnswerShape,
  PortfolioRefusal: portfolioRefusalShape,
  Recommendation: recommendationShape,
  CommissionCalculation: calculationShape,
  Account: accountShape,
  Subscription: subscriptionShape,
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
