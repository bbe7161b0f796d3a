import { existsSync, readFileSync } from 'node:fs';
import type { RankingQuestion } from '@tarifario/client';

export interface DemoFirm {
  readonly name: string;
  readonly image_url?: string;
}

/** A company of the shared catalog, or of the firm that it names. */
export interface DemoCompany {
  readonly name: string;
  readonly logo_url: string | null;
  readonly firm?: string;
}

/** The body to create an offer, with the name of its company, and its monthly prices. */
export interface DemoOffer {
  readonly company: string;
  readonly offer_name: string;
  readonly indexed_prices: readonly object[];
}

/** A body for `POST /v1/offers/efficient`. */
export interface DemoHousehold {
  readonly name: string;
  readonly efficient: RankingQuestion;
}

export interface DemoCatalog {
  readonly firms: readonly DemoFirm[];
  readonly companies: readonly DemoCompany[];
  readonly offers: readonly DemoOffer[];
  readonly households: readonly DemoHousehold[];
}

type History = { readonly company: string; readonly offer_name: string } & (
  | { readonly source: 'pvpc_csv'; readonly csv: string; readonly territory_key: string }
  | { readonly source: 'made_up'; readonly months: readonly object[] }
);

/** Where a published package has the catalog, which is a fixture of tests here. */
const PACKED = new URL('../../catalog/', import.meta.url);
const FOLDER = existsSync(PACKED) ? PACKED : new URL('../../../../test-fixtures/catalog/', import.meta.url);

/** Generated sources for customers whose consumption is unknown; see `write-readings.mjs`. */
export interface DemoReadings {
  /** The address in the QR code of an invoice. */
  readonly invoiceUrl: string;
  /** The file of a meter. */
  readonly curve: string;
}

export function readDemoReadings(): DemoReadings {
  return { invoiceUrl: readText('invoice-qr.txt').trim(), curve: readText('curve-2.0TD.csv') };
}

/**
 * The fictional market of the demo, as test-fixtures/README.md describes it. The types are not checked here; the tests
 * of the fixtures check the files.
 */
export function readDemoCatalog(): DemoCatalog {
  const firms: DemoFirm[] = readJson('firms.json');
  const companies: DemoCompany[] = readJson('companies.json');
  const offers: Omit<DemoOffer, 'indexed_prices'>[] = readJson('offers.json');
  const histories: History[] = readJson('indexed-prices.json');
  const households: DemoHousehold[] = readJson('households.json');
  const priced = offers.map((offer) => {
    const history = histories.find(
      ({ company, offer_name }) => company === offer.company && offer_name === offer.offer_name,
    );
    return { ...offer, indexed_prices: history === undefined ? [] : monthsOf(history) };
  });
  return { firms, companies, offers: priced, households };
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
