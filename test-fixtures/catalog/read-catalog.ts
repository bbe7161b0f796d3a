import { readFileSync } from 'node:fs';

type FirmFixture = { readonly name: string; readonly image_url?: string };

type CompanyFixture = {
  readonly name: string;
  readonly logo_url: string | null;
  readonly catalog: boolean;
  readonly firm?: string;
};

/** One row of `commission_tiers` or `commission_power_tiers`: the names of its bounds depend on the list. */
export type TierFixture = {
  readonly commission: number;
  readonly commission_type: string;
  readonly [bound: string]: unknown;
};

/** The body that creates the offer, with the company by name. A field left out has its default. */
export type OfferFixture = {
  readonly company: string;
  readonly offer_name: string;
  readonly supply_type: string;
  readonly tariff_type: string;
  readonly is_indexed: boolean;
  readonly is_active?: boolean;
  readonly communities?: readonly string[];
  readonly placas_solares?: boolean;
  readonly services_cost?: number;
  readonly commission: number;
  readonly commission_type: string;
  readonly commission_tiers?: readonly TierFixture[];
  readonly commission_power_tiers?: readonly TierFixture[];
  readonly [field: string]: unknown;
};

type MonthFixture = { readonly reference_month: string; readonly [price: string]: unknown };

/** A history is either the rows of one territory in the CSV, or made-up rows written out. */
type HistoryFixture = { readonly company: string; readonly offer_name: string } & (
  | { readonly source: 'pvpc_csv'; readonly csv: string; readonly territory_key: string }
  | { readonly source: 'made_up'; readonly note: string; readonly months: readonly MonthFixture[] }
);

export type EfficientFixture = {
  readonly supply_type: string;
  readonly energia?: Readonly<Record<string, number>>;
  readonly potencia?: Readonly<Record<string, number>>;
  readonly consumo_gas?: number;
  readonly excedentes?: number;
  readonly tariff_type: string;
  readonly territory: string;
  readonly community?: string;
  readonly client_type: string;
};

export type HouseholdFixture = { readonly name: string; readonly efficient: EfficientFixture };

/** `days` counts the days whose hourly prices entered the means. */
type PvpcRow = {
  readonly territory: string;
  readonly reference_month: string;
  readonly e1: number;
  readonly e2: number;
  readonly e3: number;
  readonly days: number;
};

function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

// The annotations are a claim until catalog.test.ts has checked every field.
export const firms: readonly FirmFixture[] = JSON.parse(readText('firms.json'));
export const companies: readonly CompanyFixture[] = JSON.parse(readText('companies.json'));
export const offers: readonly OfferFixture[] = JSON.parse(readText('offers.json'));
export const histories: readonly HistoryFixture[] = JSON.parse(readText('indexed-prices.json'));
export const households: readonly HouseholdFixture[] = JSON.parse(readText('households.json'));
export const pvpcRows: readonly PvpcRow[] = readPvpcCsv(readText('pvpc-2.0TD-monthly.csv'));

function readPvpcCsv(text: string): PvpcRow[] {
  const [header, ...lines] = text.trimEnd().split('\n');
  if (header !== 'territory,reference_month,e1,e2,e3,days') throw new Error(`unexpected header: ${header}`);
  return lines.map((line, index) => {
    const [territory, month, e1, e2, e3, days, ...rest] = line.split(',');
    if (territory === undefined || month === undefined || days === undefined || rest.length > 0) {
      throw new Error(`line ${index + 2} does not have six columns: ${line}`);
    }
    return { territory, reference_month: month, e1: cell(e1), e2: cell(e2), e3: cell(e3), days: cell(days) };
  });
}

/** NaN, not 0, for an empty cell: `Number('')` would make a free month of it. */
function cell(text: string | undefined): number {
  return text === undefined || text === '' ? Number.NaN : Number(text);
}

/** The monthly rows of an offer, or `[]` when it has no history. */
export function monthsOf(offer: OfferFixture): readonly MonthFixture[] {
  const history = histories.find(
    ({ company, offer_name }) => company === offer.company && offer_name === offer.offer_name,
  );
  if (history === undefined) return [];
  return history.source === 'made_up' ? history.months : pvpcMonths(history.territory_key);
}

function pvpcMonths(territoryKey: string): MonthFixture[] {
  return pvpcRows
    .filter(({ territory }) => territory === territoryKey)
    .map(({ reference_month, e1, e2, e3 }) => ({ reference_month, e1, e2, e3 }));
}

/** Months since year 0, so that neighbours differ by 1. `NaN` unless the text is the first day of a real month. */
export function monthNumber(referenceMonth: unknown): number {
  const match = /^(\d{4})-(0[1-9]|1[0-2])-01$/.exec(String(referenceMonth));
  return match === null ? Number.NaN : Number(match[1]) * 12 + Number(match[2]) - 1;
}
