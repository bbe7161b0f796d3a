import type { Negotiation, Offer } from '@tarifario/client';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf, type Look } from './axe.ts';
import { describePage } from './browser.ts';
import { dropFile } from './office.ts';

const LOOKS: readonly Look[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
];
const HEADER = 'ref;supply_type;tariff_type;territory;client_type;e1;e2;e3;p1;p2;consumo_gas;w;tolerancia';
const HOUSEHOLDS = [
  [1200, 900, 1400],
  [300, 200, 3000],
  [4000, 500, 100],
];
const lines = HOUSEHOLDS.map((kwh, index) => `Ana ${index};LUZ;2.0TD;peninsula;dni;${kwh.join(';')};4,6;4,6;;`);
const customers = HOUSEHOLDS.map(([e1, e2, e3], index) => ({
  ...{ ref: `${index + 2}`, supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' },
  ...{ energia: { e1, e2, e3 }, potencia: { p1: 4.6, p2: 4.6 } },
}));
const GAS = 'Bea;GAS;RL.2;peninsula;dni;;;;;;9000;';
const OPEN = 'Negociar una oferta';

const spanish = (value: number, most: number) =>
  new Intl.NumberFormat('es-ES', { maximumFractionDigits: most, useGrouping: 'always' }).format(value);

async function dropTable(page: Page, rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from([HEADER, ...rows].join('\r\n'));
  await dropFile(page, /clientes/, { name: 'cartera.csv', mimeType: 'text/csv', buffer });
  await page.getByText(`Clientes: ${rows.length} de ${rows.length}`).waitFor();
}

/** Opens the negotiation, finds an offer by its name, and negotiates it. */
async function negotiate(page: Page, { id, offer_name }: Offer): Promise<void> {
  await page.getByText(OPEN, { exact: true }).press('Enter');
  await page.getByRole('searchbox', { name: 'Buscar una oferta' }).last().fill(offer_name);
  await page.locator(`[name=negociar] option[value="${id}"]`).waitFor({ state: 'attached' });
  await page.locator('[name=negociar]').selectOption(String(id));
  await page.getByRole('button', { name: 'Negociar', exact: true }).press('Enter');
}

const rowsOf = (page: Page) =>
  page
    .locator('[data-fall]')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)));
const expectedRows = ({ tramos }: Negotiation) =>
  tramos.map(({ baja_eur_mwh, clientes, mwh }) => [spanish(baja_eur_mwh, 6), spanish(clientes, 0), spanish(mwh, 3)]);

describePage('A-116: the negotiation of an offer over a portfolio', (site) => {
  const fixedOffer = async (key: string) => {
    const { results } = await site.ask<{ readonly results: readonly Offer[] }>(
      '/v1/catalog/offers?supply_type=LUZ&limit=200',
      undefined,
      key,
    );
    const found = results.find(({ tariff_type, is_indexed }) => tariff_type === '2.0TD' && !is_indexed);
    if (!found) throw new Error('no such offer in the demo');
    return found;
  };
  const ask = (offer_id: number, asked: readonly object[], key?: string) =>
    site.ask<Negotiation>('/v1/offers/efficient/negotiate', { offer_id, customers: asked }, key);

  it('says what each fall wins as the service does, at the weight of the room, and asks for nothing before it is opened', async () => {
    const offer = await fixedOffer(site.keys.full_access);
    const { page, sent, requests, close } = await site.open({ key: site.keys.full_access, at: 'cartera' });
    await dropTable(page, [...lines, GAS]);
    expect(requests.filter((url) => /negotiate|catalog/.test(url))).toEqual([]);
    await negotiate(page, offer);
    const gas = {
      ref: '5',
      supply_type: 'GAS',
      tariff_type: 'RL.2',
      territory: 'peninsula',
      client_type: 'dni',
      consumo_gas: 9000,
    };
    const half = await ask(
      offer.id,
      [...customers, gas].map((one) => ({ ...one, w: 0.5 })),
    );
    await expect.poll(() => rowsOf(page)).toEqual(expectedRows(half));
    expect(half.tramos.at(-1)?.clientes).toBe(3);
    await page.getByText('No puede serlo de 1 cliente:').waitFor();
    expect(sent.join()).not.toMatch(/Ana|Bea/);
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    // At another weight it is another negotiation: the answer goes.
    await page.getByLabel('Prioridad', { exact: true }).last().press('End');
    await expect.poll(() => page.locator('[data-fall]').count()).toBe(0);
    await page.getByText('Clientes: 4 de 4').waitFor();
    await negotiate(page, offer);
    const cheapest = await ask(
      offer.id,
      [...customers, gas].map((one) => ({ ...one, w: 1 })),
    );
    expect(cheapest.tramos).not.toEqual(half.tramos);
    await expect.poll(() => rowsOf(page)).toEqual(expectedRows(cheapest));
    await page.locator('[name=negociar]').selectOption('');
    await expect.poll(() => page.locator('[data-fall]').count()).toBe(0);
    await close();
  });

  it('of more customers than a call has is that of all of them', async () => {
    const offer = await fixedOffer(site.keys.full_access);
    const { page, requests, close } = await site.open({ key: site.keys.full_access, at: 'cartera' });
    const many = Array.from({ length: 250 }, (_, index) => lines[index % 3] ?? '');
    await dropTable(page, many);
    await negotiate(page, offer);
    const all = many.map((_, index) => ({ ...customers[index % 3], ref: `${index}`, w: 0.5 }));
    await expect.poll(() => rowsOf(page)).toEqual(expectedRows(await ask(offer.id, all)));
    expect(requests.filter((url) => url.endsWith('/negotiate'))).toHaveLength(3);
    await close();
  });

  it('lists the rows that the service refuses, and negotiates the others', async () => {
    const offer = await fixedOffer(site.keys.full_access);
    const { page, close } = await site.open({ key: site.keys.full_access, at: 'cartera' });
    await dropTable(page, [lines[0] ?? '', `${lines[1]}`.replace(/;$/, ';;1'), lines[2] ?? '']);
    await negotiate(page, offer);
    await page.getByText('Filas con errores: 1').waitFor();
    await page.locator('details.problem li', { hasText: /^Línea 3 \(Ana 1\): tolerancia/ }).waitFor();
    const others = [customers[0] ?? {}, customers[2] ?? {}].map((one) => ({ ...one, w: 0.5 }));
    expect(await rowsOf(page)).toEqual(expectedRows(await ask(offer.id, others)));
    await close();
  });

  it('of a key that may not see commissions is by cost, with no commission on the page', async () => {
    const offer = await fixedOffer(site.keys.public);
    const { page, sent, answers, close } = await site.open({ key: site.keys.public, at: 'cartera' });
    await dropTable(page, lines);
    await negotiate(page, offer);
    await expect.poll(() => rowsOf(page)).toEqual(expectedRows(await ask(offer.id, customers, site.keys.public)));
    expect(sent.filter((text) => text.includes('/negotiate')).join()).not.toContain('"w"');
    expect(await page.locator('main').innerText()).not.toMatch(/comisi/i);
    expect(answers.join('\n')).not.toMatch(/"(commission|nota_comision|comision_\w+)":(?!null)/);
    await close();
  });
});
