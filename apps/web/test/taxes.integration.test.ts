import type { Ranking } from '@tarifario/client';
import { expect, it } from 'vitest';
import { faultsOf, type Look } from './axe.ts';
import { describePage } from './browser.ts';
import { HOUSEHOLD, rankHousehold, shownIds, typeHousehold } from './household.ts';

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
    await page.getByLabel('Con impuestos').check();
    await page.getByLabel('Día de la factura').fill('2026-10-15');
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
    await page.getByText('IVA (reducido): 21 %. RDL 18/2026').waitFor();
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    const comparison = page.locator('.comparison');
    await comparison.getByText('Impuesto eléctrico').waitFor();
    expect(await comparison.innerText()).toContain(spanish(best?.factura_estimada?.impuesto_electrico));
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.frameLocator('iframe').getByText('Factura estimada', { exact: true }).waitFor();
    await close();
  });

  it('of a day that is not decided ask for each rate, with the reason, and are answered with what is chosen', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await page.getByLabel('Con impuestos').check();
    await page.getByLabel('Día de la factura').fill('2026-11-15');
    await typeHousehold(page);
    await page.locator('[name=p2]').press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('El 2026-11-15 hay tipos sin decidir').waitFor();
    expect(await alert.innerText()).toContain('RDL 25/2026, art. 20');
    expect(await alert.innerText()).toContain('04.5.1.0');
    await expect.poll(() => page.locator('.taxes select:focus').count()).toBe(1);
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await alert.getByLabel('Impuesto eléctrico').selectOption('0,5');
    await alert.getByLabel('IVA').selectOption('10');
    await page.getByRole('button', { name: 'Comparar ofertas' }).first().press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    const impuestos = { fecha: '2026-11-15', tipos: { iee: 0.5, indirecto: 10 } };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, impuestos });
    const total = results[0]?.factura_estimada?.total;
    expect(await page.locator('[data-offer]').first().innerText()).toContain(spanish(total));
    expect(sent.at(-1)).toContain('"tipos":{"iee":0.5,"indirecto":10}');
    expect(await page.getByLabel('IVA').inputValue()).toBe('10');
    // Rates of one day are not those of another.
    await page.getByLabel('Día de la factura').fill('2026-10-15');
    await page.getByRole('button', { name: 'Comparar ofertas' }).first().press('Enter');
    await expect.poll(() => sent.at(-1)).toContain('"fecha":"2026-10-15","tipos":{}');
    await close(/422/);
  });

  it('ask what a customer has that others do not, and send it only where it is asked', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await page.getByLabel('Con impuestos').check();
    await page.getByLabel('Día de la factura').fill('2026-10-15');
    await page.getByLabel('Excesos de potencia').fill('12,5');
    await page.getByLabel('El bono social va en los precios').check();
    await page.getByLabel('Vulnerable severo').check();
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
    expect(await page.getByLabel('Vulnerable severo').count()).toBe(0);
    await page.getByRole('button', { name: 'Comparar ofertas' }).press('Enter');
    await expect.poll(() => sent.at(-1)).toContain('"client_type":"cif"');
    expect(sent.at(-1)).not.toContain('vulnerable_severo');
    await close();
  });

  it('are not asked for without the switch', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    expect(sent.join('\n')).not.toContain('impuestos');
    expect(await page.locator('thead').innerText()).not.toContain('Factura');
    await close();
  });
});
