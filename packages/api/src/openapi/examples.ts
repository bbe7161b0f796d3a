import type { Examples } from './example.ts';
import { ACCOUNT_EXAMPLES } from './examples/account.ts';
import { BULK_FILE_EXAMPLES } from './examples/bulk-files.ts';
import { CATALOG_EXAMPLES } from './examples/catalog.ts';
import { FIRM_EXAMPLES } from './examples/firms.ts';
import { INDEXED_PRICE_EXAMPLES } from './examples/indexed-prices.ts';
import { OFFER_WRITE_EXAMPLES } from './examples/offer-writes.ts';
import { OFFER_EXAMPLES } from './examples/offers.ts';
import { RANKING_EXAMPLES } from './examples/ranking.ts';
import { READING_EXAMPLES } from './examples/readings.ts';

/** What the document shows, for every operation. */
export const EXAMPLES: Examples = {
  ...OFFER_EXAMPLES,
  ...OFFER_WRITE_EXAMPLES,
  ...BULK_FILE_EXAMPLES,
  ...RANKING_EXAMPLES,
  ...INDEXED_PRICE_EXAMPLES,
  ...READING_EXAMPLES,
  ...FIRM_EXAMPLES,
  ...CATALOG_EXAMPLES,
  ...ACCOUNT_EXAMPLES,
};
