import { ABOUT } from './nouns/about.ts';
import { ACCOUNT } from './nouns/account.ts';
import { BULK_FILES, CATALOG_BULK_FILES } from './nouns/bulk-files.ts';
import { CATALOG_SUBSCRIPTIONS } from './nouns/catalog-subscriptions.ts';
import { CHANGES } from './nouns/changes.ts';
import { CLIENTS } from './nouns/clients.ts';
import { COMMISSION_OF_OFFER, RECOMMENDATION } from './nouns/commissions.ts';
import { CATALOG_COMPANIES, COMPANIES } from './nouns/companies.ts';
import { CURVE_READING } from './nouns/curves.ts';
import { CATALOG_INDEXED_PRICES, INDEXED_PRICES } from './nouns/indexed-prices.ts';
import { INDICES } from './nouns/indices.ts';
import { INVOICE_READING } from './nouns/invoices.ts';
import { KEYS } from './nouns/keys.ts';
import { NEGOTIATION } from './nouns/negotiation.ts';
import { BULK_PATCH } from './nouns/offers/bulk-patch.ts';
import { OFFER_EXPORT } from './nouns/offers/export.ts';
import { OFFER_HISTORY } from './nouns/offers/history.ts';
import { CATALOG_OFFER_LIST, OFFER_COMPARISON, OFFER_LIST } from './nouns/offers/lists.ts';
import { CATALOG_OFFER, OWN_OFFER } from './nouns/offers/records.ts';
import { PORTFOLIO } from './nouns/portfolio.ts';
import { POWER_ADVICE } from './nouns/power.ts';
import { PROPOSALS } from './nouns/proposals/proposals.ts';
import { RANKING } from './nouns/ranking/ranking.ts';
import { REGULATED_PRICES_OF_DAY } from './nouns/regulated-prices.ts';
import { STATS } from './nouns/stats.ts';
import { TAXES } from './nouns/taxes.ts';
import { UPLOADS } from './nouns/uploads.ts';
import { USAGE } from './nouns/usage.ts';
import { WEBHOOKS } from './nouns/webhooks.ts';
import type { Operation } from './operation.ts';

/**
 * Every endpoint, noun by noun, in the order of the document. A fixed path stands before a path with a parameter that
 * would match it too, so a router may take them in this order.
 */
export const operations: readonly Operation[] = [
  ...CHANGES,
  OFFER_LIST,
  OWN_OFFER.create,
  RANKING,
  PORTFOLIO,
  NEGOTIATION,
  RECOMMENDATION,
  OFFER_COMPARISON,
  STATS,
  OFFER_EXPORT,
  BULK_PATCH,
  ...BULK_FILES,
  ...OWN_OFFER.one,
  OFFER_HISTORY,
  COMMISSION_OF_OFFER,
  ...INDEXED_PRICES,
  ...PROPOSALS,
  INVOICE_READING,
  CURVE_READING,
  ...INDICES,
  POWER_ADVICE,
  REGULATED_PRICES_OF_DAY,
  ...TAXES,
  ...ABOUT,
  ...CLIENTS,
  ...COMPANIES,
  ...CATALOG_SUBSCRIPTIONS,
  ...CATALOG_COMPANIES,
  CATALOG_OFFER_LIST,
  CATALOG_OFFER.create,
  ...CATALOG_BULK_FILES,
  ...CATALOG_OFFER.one,
  ...CATALOG_INDEXED_PRICES,
  ...ACCOUNT,
  ...KEYS,
  ...USAGE,
  ...UPLOADS,
  ...WEBHOOKS,
];
