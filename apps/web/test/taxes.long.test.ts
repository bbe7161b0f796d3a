import type { Ranking } from '@tarifario/client';
import { byYearAndMonth } from '@tarifario/core';
import { expect, it } from 'vitest';
import { faultsOf, type Look } from './axe.ts';
import { describePage } from './browser.ts';
import { HOUSEHOLD, openForm, rankHousehold, shownIds, showPlot } from './household.ts';

const LOOKS: readonly Look[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
];

const spanish = (value: number | undefined) =>
  new Intl.NumberFormat('es-ES', { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: 'always' }).format(
    value ?? Number.NaN,
  );

describePage('A-107: bills with taxes', (site) => {
  it('are shown by period and month beside the cost, with their laws, and in the proposal', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Alquiler').selectOption('Contador monofásico');
    await page.getByLabel('Con su factura').check();
    await page.getByLabel('Lo que paga en el periodo').fill('1000');
    await rankHousehold(page);
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', {
      ...HOUSEHOLD,
      impuestos: { fecha: '2026-10-15', alquiler: 'monofasico' },
      contrato_actual: { factura_total: 1000 },
    });
    expect(await shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
    const [best] = results;
    const total = best?.factura_estimada?.total ?? Number.NaN;
    const row = await page.locator('[data-offer]').first().innerText();
    for (const figure of [best?.cost.total, total, total / 12, best?.ahorro?.factura ?? undefined]) {
      expect(row).toContain(spanish(figure));
    }
    await page.getByText('Tipos aplicados').click();
    await page.getByText('IVA (hasta 10 kW o vulnerable severo): 21 %. RDL 18/2026').waitFor();
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    const comparison = page.locator('.comparison');
    await comparison.getByText('Impuesto eléctrico').waitFor();
    expect(await comparison.innerText()).toContain(spanish(best?.factura_estimada?.impuesto_electrico));
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page
      .frameLocator('iframe')
      .getByText(/^Factura estimada de/)
      .waitFor();
    await close();
  });

  it('say by how much a year the first offer is dearer with taxes, and beside it before tax', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page, { dias: '30' });
    await page.locator('[name=w]').press('Home');
    const rank = (impuestos?: object) =>
      site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, dias: 30, w: 0, impuestos });
    const { results, conflicto } = await rank({ fecha: '2026-10-15' });
    const [inBill, inYear] = [results[0]?.coste_extra_factura ?? 0, conflicto?.mas_eficiente.coste_extra_anual];
    const yearly = (eur: number) => spanish(byYearAndMonth(eur, { days: 30 }).yearEur);
    const sentence = page.locator('.summary [role=status]');
    await expect
      .poll(() => sentence.innerText())
      .toContain(`; ${yearly(inBill)} €/año más que la más barata (con impuestos), `);
    await showPlot(page);
    const meanings = page.locator('.trade-off .meaning li');
    expect(await meanings.first().innerText()).toContain(
      `La primera cuesta ${spanish(inYear)} € más al año, sin impuestos, que la más barata y deja `,
    );
    expect(await meanings.last().innerText()).toContain(' € más al año, sin impuestos, que la más barata y deja ');
    await page.getByRole('button', { name: 'Con impuestos', exact: true }).press('Enter');
    const extra = (await rank()).results[0]?.coste_extra;
    const plain = `; ${yearly(extra ?? 0)} €/año más que la más barata (sin impuestos), `;
    await expect.poll(() => sentence.innerText()).toContain(plain);
    await page.locator('[name=w]').press('End');
    await page.getByText('La primera es también la más barata, sin impuestos.').waitFor();
    await close();
  });

  it('A-133: of a day that is not decided are asked once a day and account, and left out until they are chosen', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Con su factura').check();
    await rankHousehold(page, { fecha: '2026-11-15', 'contrato_actual.factura_total': '977,28' });
    await page.getByText('Falta elegir los impuestos.').waitFor();
    expect(sent.filter((text) => /"tipos"/.test(text))).toEqual([]);
    expect(await page.locator('.summary [role=status]').innerText()).toContain('€/año sin impuestos');
    expect(await page.getByRole('alert').count()).toBe(0);
    const card = page.getByRole('region', { name: 'los tipos del 15 de noviembre de 2026 no están decididos' });
    expect(await card.getByRole('link', { name: 'RDL 25/2026, art. 20' }).getAttribute('href')).toMatch(/^https:/);
    expect(await card.innerText()).toContain('04.5.1.0');
    const indirect = card.getByRole('group', { name: 'IVA (hasta 10 kW o vulnerable severo)' });
    expect(await indirect.innerText()).toMatch(/21 % .*: la factura sube un 10 %/);
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    // Nothing says that there are taxes, or that what is paid today is not known.
    expect(await page.getByRole('button', { name: 'Con impuestos', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Seguir sin impuestos' }).waitFor();
    const show = card.getByRole('button', { name: 'Ver con impuestos' });
    await card
      .getByRole('group', { name: 'Impuesto eléctrico' })
      .getByLabel(/^0,5 %/)
      .check();
    expect(await show.isDisabled()).toBe(true);
    await indirect.getByLabel(/^10 %/).check();
    await show.press('Enter');
    await card.waitFor({ state: 'detached' });
    const impuestos = { fecha: '2026-11-15', tipos: { iee: 0.5, indirecto: 10 } };
    const billed = (question: object) =>
      site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, ...question, impuestos });
    const { results } = await billed({});
    const total = results[0]?.factura_estimada?.total;
    expect(await page.locator('[data-offer]').first().innerText()).toContain(spanish(total));
    expect(await page.locator('.summary [role=status]').innerText()).toContain(
      `${spanish(total)} €/año con impuestos, ${spanish((total ?? Number.NaN) / 12)} €/mes`,
    );
    // The next customer, and the page loaded again: nothing is asked, and no call is refused.
    const chosen = 'IVA 10 % · Impuesto eléctrico 0,5 %';
    await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
    await rankHousehold(page, { fecha: '2026-11-20', e1: '2000' });
    await page.getByText(chosen).waitFor();
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    expect(sent.at(-1)).toContain('"fecha":"2026-11-20","tipos":{"indirecto":10,"iee":0.5}');
    // VAT above 10 kW is decided.
    await rankHousehold(page, { fecha: '2026-11-15', p1: '12', p2: '12' });
    await expect.poll(() => sent.at(-1)).toContain('"tipos":{"iee":0.5}');
    await page.getByRole('button', { name: 'cambiar' }).press('Enter');
    expect(await card.getByLabel(/^0,5 %/).isChecked()).toBe(true);
    await card.getByLabel(/^5,11/).check();
    await show.press('Enter');
    await expect.poll(() => sent.at(-1)).toContain('"tipos":{"iee":5.11269632}');
    expect(sent.filter((text) => text.includes('422'))).toEqual([]);
    await close();
  });

  it('are shown by month at their exact days, twelve of which are the year', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page, { dias: '30' });
    const impuestos = { fecha: '2026-10-15', tipos: {} };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, dias: 30, impuestos });
    const yearly = ((results[0]?.factura_estimada?.total ?? Number.NaN) * 365) / 30;
    const row = await page.locator('[data-offer]').first().innerText();
    expect(row).toContain(`${spanish(yearly)} €/año`);
    expect(row).toContain(`${spanish(yearly / 12)} €/mes`);
    expect(await page.locator('.summary [role=status]').innerText()).toContain(`${spanish(yearly / 12)} €/mes`);
    await close();
  });

  it('ask what a customer has that others do not, and send it only where it is asked', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Excesos de potencia').fill('12,5');
    await page.getByLabel('Los precios ya incluyen la financiación del bono social').check();
    await page.getByLabel('Consumidor vulnerable severo').check();
    await rankHousehold(page);
    const impuestos = {
      fecha: '2026-10-15',
      financiacion_bono: false,
      vulnerable_severo: true,
      otros: { con_iee: 12.5 },
    };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, impuestos });
    const [best] = results;
    expect(best?.factura_estimada).toMatchObject({ financiacion_bono_social: 0, otros_con_iee: 12.5 });
    expect(await page.locator('[data-offer]').first().innerText()).toContain(spanish(best?.factura_estimada?.total));
    await page.getByLabel('Titular').selectOption({ label: 'Empresa' });
    expect(await page.getByLabel('Consumidor vulnerable severo').count()).toBe(0);
    await page.getByRole('button', { name: 'Comparar ofertas' }).press('Enter');
    await expect.poll(() => sent.at(-1)).toContain('"client_type":"cif"');
    expect(sent.at(-1)).not.toContain('vulnerable_severo');
    await close();
  });

  it('A-133: are asked for every holder until the switch is off, with the rental and the use that are typed', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Alquiler').selectOption('Otro importe');
    await page.getByLabel('Alquiler al mes').fill('1,25');
    await page.getByLabel('Uso de la electricidad').selectOption('Industrial');
    await rankHousehold(page);
    expect(sent.at(-1)).toContain('"impuestos":{"fecha":"2026-10-15","alquiler":1.25,"uso":"industrial","tipos":{}}');
    expect(await page.locator('thead').first().innerText()).toMatch(/Factura €\s+con impuestos/);
    // The switch beside the total asks again at once.
    const beside = page.getByRole('button', { name: 'Con impuestos', exact: true });
    await beside.press('Enter');
    await page.getByText('días, sin impuestos.').waitFor();
    await beside.press('Enter');
    await page.getByText('días, con impuestos del 15 de octubre de 2026.').waitFor();
    for (const holder of ['Empresa', 'Comunidad de propietarios']) {
      await page.getByLabel('Titular').selectOption({ label: holder });
      expect(await page.getByRole('checkbox', { name: 'Con impuestos' }).isChecked()).toBe(true);
    }
    await page.getByRole('checkbox', { name: 'Con impuestos' }).uncheck();
    await page.getByRole('button', { name: 'Comparar ofertas' }).press('Enter');
    await page.getByText('días, sin impuestos.').waitFor();
    expect(sent.at(-1)).not.toContain('impuestos');
    expect(await page.locator('thead').first().innerText()).not.toContain('Factura');
    await close();
  });
});
