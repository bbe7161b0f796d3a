import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RankingQuestion } from '@tarifario/client';

/** A body for `POST /v1/offers/efficient`. */
export interface DemoHousehold {
  readonly name: string;
  readonly efficient: RankingQuestion;
}

export interface DemoCatalog {
  readonly firms: readonly { readonly name: string; readonly image_url?: string }[];
  /** Those of the shared catalog, and those of the firm that they name. */
  readonly companies: readonly { readonly name: string; readonly logo_url: string | null; readonly firm?: string }[];
  /** Bodies to create offers, with the names of their companies, and their monthly prices. */
  readonly offers: readonly (OfferName & { readonly indexed_prices: readonly object[] })[];
  readonly households: readonly DemoHousehold[];
}

interface OfferName {
  readonly company: string;
  readonly offer_name: string;
}

type History = OfferName &
  (
    | { readonly source: 'pvpc_csv'; readonly csv: string; readonly territory_key: string }
    | { readonly source: 'made_up'; readonly months: readonly object[] }
  );

/** Where a published package has the catalog, which is a fixture of tests here. */
const PACKED = new URL('../../catalog/', import.meta.url);
const FOLDER = existsSync(PACKED) ? PACKED : new URL('../../../../test-fixtures/catalog/', import.meta.url);

/** The index whose hours offers of the demo follow: four published months. */
export const DEMO_INDEX = { name: 'PVPC', file: fileURLToPath(new URL('pvpc-2.0TD-hourly.csv', FOLDER)), geo: '8741' };

/** The file of a meter by the hour, of a house with panels in June 2026. */
export const HOURLY_CURVE = fileURLToPath(new URL('curve-2.0TD-2026-06.csv', FOLDER));

/**
 * Generated sources for customers whose consumption is unknown: the address in the QR code of an invoice, and the files
 * of two meters. See `write-readings.mjs`.
 */
export function readDemoReadings() {
  return {
    invoiceUrl: readText('invoice-qr.txt').trim(),
    curve: readText('curve-2.0TD.csv'),
    hourlyCurve: readFileSync(HOURLY_CURVE, 'utf8'),
  };
}

/**
 * The fictional market of the demo, as test-fixtures/README.md describes it. The types are not checked here; the tests
 * of the fixtures check the files.
 */
export function readDemoCatalog(): DemoCatalog {
  const offers: OfferName[] = readJson('offers.json');
  const histories: History[] = readJson('indexed-prices.json');
  const priced = offers.map((offer) => {
    const history = histories.find(
      ({ company, offer_name }) => company === offer.company && offer_name === offer.offer_name,
    );
    return { ...offer, indexed_prices: history === undefined ? [] : monthsOf(history) };
  });
  return {
    firms: readJson('firms.json'),
    companies: readJson('companies.json'),
    offers: priced,
    households: readJson('households.json'),
  };
}

function readJson(name: string) {
  return JSON.parse(readText(name));
}

function readText(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

function monthsOf(history: History): readonly object[] {
  if (history.source === 'made_up') return history.months;
  const [header = '', ...lines] = readText(history.csv).trimEnd().split('\n');
  const names = header.split(',');
  return lines
    .map((line) => new Map(line.split(',').map((cell, index) => [names[index], cell])))
    .filter((row) => row.get('territory') === history.territory_key)
    .map((row) => {
      const [e1, e2, e3] = ['e1', 'e2', 'e3'].map((name) => Number(row.get(name)));
      return { reference_month: row.get('reference_month'), e1, e2, e3 };
    });
}
