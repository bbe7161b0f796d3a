import { DatabaseSync } from 'node:sqlite';
import type { CellToWrite } from '@tarifario/core/service';
import { workbookBytes } from '../files/workbook-bytes.ts';
import type { Answer, RunningServer } from './running-server.ts';

type Server = Pick<RunningServer, 'url'>;

/** Sends a file as a form. */
export async function sendFile(
  server: Server,
  key: string,
  file: {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly fields?: Readonly<Record<string, string>>;
    /** The header `Idempotency-Key`. */
    readonly name?: string;
  },
): Promise<Answer> {
  const { path, bytes, fields = {}, name } = file;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), 'ofertas.xlsx');
  const headers = { 'X-API-Key': key, ...(name === undefined ? {} : { 'Idempotency-Key': name }) };
  const response = await fetch(server.url + path, { method: 'POST', headers, body: form });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A file as it is downloaded. */
export async function getFile(server: Server, key: string, path: string): Promise<Uint8Array> {
  const response = await fetch(server.url + path, { headers: { 'X-API-Key': key } });
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

export interface WorkbookSize {
  readonly offers: number;
  /** Of which so many are indexed, and have one month each. */
  readonly indexed: number;
}

type OfferRow = Readonly<Record<string, CellToWrite>>;

/** An offer as a row; `version` goes into its prices. */
export function offerRow(index: number, version: number): OfferRow {
  const price = (period: number) =>
    Math.round(1e6 * (0.1 + ((index * 31 + period * 7 + version) % 997) / 10_000)) / 1e6;
  return {
    cliente: 'Norte',
    company_name: `Comercializadora ${index % 40}`,
    offer_name: `Oferta ${index}`,
    supply_type: 'LUZ',
    tariff_type: '3.0TD',
    e1: price(1),
    e2: price(2),
    e3: price(3),
    e4: price(4),
    e5: price(5),
    e6: price(6),
    p1: 0.08,
    p2: 0.01,
    commission: version,
    commission_type: 'fixed',
    acepta_dni: true,
    acepta_cif: true,
    territory_peninsula: true,
    communities: index % 3 === 0 ? 'madrid,galicia' : null,
  };
}

/** A workbook of new offers of the firm Norte, each with two tiers of each kind. */
export function newOffersWorkbook({ offers, indexed }: WorkbookSize, version = 1): Promise<Uint8Array> {
  const rows = Array.from({ length: offers }, (_, index) => ({
    ...offerRow(index, version),
    is_indexed: index < indexed,
  }));
  const tiers = (from: string, to: string, type: string) =>
    rows.flatMap((row) => [
      { ...linkOf(row), [from]: 0, [to]: 10, commission: 20, commission_type: 'fixed' },
      { ...linkOf(row), [from]: 10, [to]: null, commission: 2, commission_type: type },
    ]);
  const months = rows
    .slice(0, indexed)
    .map((row) => ({ ...linkOf(row), reference_month: '2026-01', e1: 0.1, e2: 0.11 }));
  return workbookBytes({
    ofertas: rows,
    ...(indexed === 0 ? {} : { precios_indexados: months }),
    tramos_consumo: tiers('consumption_from', 'consumption_to', 'per_mwh'),
    tramos_potencia: tiers('power_from', 'power_to', 'per_kw'),
  });
}

/** The columns by which a row of another sheet finds the new offer of a row. */
function linkOf({ cliente, company_name, offer_name }: OfferRow): OfferRow {
  return { cliente: cliente ?? null, company_name: company_name ?? null, offer_name: offer_name ?? null };
}

/** About 10 MB: 76 000 rows over four sheets, and prices with all their digits, which do not pack well. */
export function largeOffersWorkbook(): Promise<Uint8Array> {
  let state = 1;
  const chance = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const prices = () =>
    Object.fromEntries(
      [1, 2, 3, 4, 5, 6].flatMap((period) => [
        [`e${period}`, chance()],
        [`p${period}`, chance()],
      ]),
    );
  const rows = Array.from({ length: 19_000 }, (_, index) => ({
    ...offerRow(index, 1),
    ...prices(),
    services_cost: chance(),
    commission: chance(),
    offer_name: `Oferta ${chance().toString(36)} ${chance().toString(36)}`,
    is_indexed: true,
  }));
  return workbookBytes({
    ofertas: rows,
    precios_indexados: rows.map((row) => ({ ...linkOf(row), reference_month: '2026-01', ...prices() })),
    tramos_consumo: rows.map((row) => ({ ...linkOf(row), consumption_from: 0, commission: chance() })),
    tramos_potencia: rows.map((row) => ({ ...linkOf(row), power_from: 0, commission: chance() })),
  });
}

/** Every row of every table but those that record calls, uploads, webhooks and who wrote to the catalog. */
export function allRowsOf(server: Pick<RunningServer, 'config'>): string {
  const database = new DatabaseSync(server.config.databaseUrl.replace('sqlite:', ''), { readOnly: true });
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const tables = names.map(({ name }) => String(name)).filter((name) => !LEFT_OUT.test(name));
  const rows = tables.map((name) => [name, database.prepare(`SELECT * FROM ${name}`).all()]);
  database.close();
  return JSON.stringify(rows);
}

const LEFT_OUT = /^(sqlite_|usage_|upload|webhook|catalog_audit)/;
