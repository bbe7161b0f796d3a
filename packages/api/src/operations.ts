import type { Operation } from './operation.ts';
import { ABOUT } from './operations/about.ts';
import { ACCOUNT } from './operations/account.ts';
import { BULK_FILES, CATALOG_BULK_FILES } from './operations/bulk-files.ts';
import { bulkPatchOffers } from './operations/bulk-patch.ts';
import { CATALOG_SUBSCRIPTIONS } from './operations/catalog-subscriptions.ts';
import { CHANGES } from './operations/changes.ts';
import { CLIENTS } from './operations/clients.ts';
import { CATALOG_COMPANIES, COMPANIES } from './operations/companies.ts';
import { CATALOG_INDEXED_PRICES, INDEXED_PRICES } from './operations/indexed-prices.ts';
import { KEYS } from './operations/keys.ts';
import { CATALOG_OFFER } from './operations/offer-records.ts';
import { CATALOG_OFFERS, OFFER, OFFER_VIEWS, OFFERS } from './operations/offers.ts';
import { POWER } from './operations/power.ts';
import { PROPOSALS } from './operations/proposals.ts';
import { RANKINGS } from './operations/ranking.ts';
import { READINGS } from './operations/readings.ts';
import { TAXES } from './operations/taxes.ts';
import { UPLOADS } from './operations/uploads.ts';
import { USAGE } from './operations/usage.ts';
import { WEBHOOKS } from './operations/webhooks.ts';

/**
 * Every endpoint, noun by noun, in the order of the document. A fixed path stands before a path with a parameter that
 * would match it too, so a router may take them in this order.
 */
export const operations: readonly Operation[] = [
  CHANGES,
  OFFERS,
  RANKINGS,
  OFFER_VIEWS,
  [bulkPatchOffers],
  BULK_FILES,
  OFFER,
  INDEXED_PRICES,
  PROPOSALS,
  READINGS,
  POWER,
  TAXES,
  ABOUT,
  CLIENTS,
  COMPANIES,
  CATALOG_SUBSCRIPTIONS,
  CATALOG_COMPANIES,
  CATALOG_OFFERS,
  CATALOG_BULK_FILES,
  CATALOG_OFFER.one,
  CATALOG_INDEXED_PRICES,
  ACCOUNT,
  KEYS,
  USAGE,
  UPLOADS,
  WEBHOOKS,
].flat();
