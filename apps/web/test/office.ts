import { createWorkbookReader } from '@tarifario/sheets';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import type { KeyRights } from '@tarifario/testkit/service';
import type { Page } from 'playwright-core';
import { EVIL, type Site } from './browser.ts';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** An account of its own, because an hour of it has ten files, with a firm, a retailer and an offer. */
export interface Office {
  readonly key: string;
  readonly offerId: number;
  /** The row of the offer in the template, versions included. */
  templateRow(): Promise<Row>;
  /** Another key of the account. */
  addKey(rights: KeyRights): Promise<string>;
  /** Sends a call of the API beside the page. */
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
}

type Row = Readonly<Record<string, string | number | null>>;
let count = 0;

export async function openOffice({ server }: Site, names = EVIL): Promise<Office> {
  count += 1;
  const accountId = await server.addAccount(`oficina-${count}`);
  const addKey: Office['addKey'] = (rights) => server.addKey(accountId, rights);
  const key = await addKey({});
  const ask = (method: string, path: string, body?: object) =>
    fetch(server.url + path, {
      method,
      headers: { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const call: Office['call'] = async (method, path, body) => {
    const response = await ask(method, path, body);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return JSON.parse(await response.text());
  };
  const firm = await call('POST', '/v1/clients', { name: 'Asesoría Levante' });
  const company = await call('POST', '/v1/companies', { client_id: firm.id, name: names.company });
  const offer = await call('POST', '/v1/offers', {
    ...{ company_id: company.id, offer_name: names.offer, supply_type: 'LUZ', tariff_type: '2.0TD' },
    ...{ e1: 0.2, e2: 0.15, e3: 0.1, p1: 0.08, p2: 0.01, acepta_dni: true, territory_peninsula: true },
    ...{ commission: 79.15, commission_type: 'fixed' },
  });
  const templateRow = async () => {
    const response = await ask('GET', '/v1/offers/bulk-template');
    return firstRow(new Uint8Array(await response.arrayBuffer()));
  };
  return { key, offerId: Number(offer.id), templateRow, addKey, call };
}

async function firstRow(bytes: Uint8Array): Promise<Row> {
  const reader = createWorkbookReader();
  try {
    const rows = [];
    for await (const part of reader.read(bytes, 'xlsx')) if (part.name === 'ofertas') rows.push(...part.rows);
    const [header, row] = rows;
    return Object.fromEntries(
      (header?.cells ?? []).flatMap(({ column, value }) => {
        const cell = row?.cells.find((one) => one.column === column)?.value;
        if (value.kind !== 'text' || cell === undefined) return [];
        if (cell.kind === 'boolean') return [[value.text, cell.value ? 'sí' : 'no']];
        return cell.kind === 'number' || cell.kind === 'text' ? [[value.text, cell.text]] : [];
      }),
    );
  } finally {
    reader.close();
  }
}

/** A workbook with one sheet of offers. */
export async function workbookOf(rows: readonly Row[], name = 'ofertas.xlsx') {
  return { name, mimeType: XLSX, buffer: Buffer.from(await workbookBytes({ ofertas: rows })) };
}

/** Drops a file as a mouse would. */
export async function dropFile(
  page: Page,
  label: RegExp,
  file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> {
  const transfer = await page.evaluateHandle(
    `(() => {
      const carried = new DataTransfer();
      const bytes = Uint8Array.from(atob(${JSON.stringify(file.buffer.toString('base64'))}), (sign) => sign.charCodeAt(0));
      carried.items.add(new File([bytes], ${JSON.stringify(file.name)}, { type: ${JSON.stringify(file.mimeType)} }));
      return carried;
    })()`,
  );
  await page.locator('.drop', { hasText: label }).dispatchEvent('drop', { dataTransfer: transfer });
}
