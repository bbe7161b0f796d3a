import type { Ranking } from '@tarifario/client';
import { byYearAndMonth } from '@tarifario/core';
import { further } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { HOUSEHOLD, openForm, rankHousehold, setDay, shownIds, showPlot, typeHousehold } from './household.ts';

describePage('one customer', (site) => {
  it('is typed by keyboard alone, and gets the ranking of the server', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await setDay(page);
    await page.getByLabel('P1').first().focus();
    for (const value of ['1200', '900', '1400', '4,6', '4,6']) {
      await page.keyboard.type(value);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', HOUSEHOLD);
    expect(await shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
    const [best] = results;
    expect(await page.locator('[data-offer]').first().innerText()).toContain(best?.offer.company.name);
    await close();
  });

  it('A-104: is not ranked while a field is no number, and the field says why', async () => {
    const { page, requests, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByRole('button', { name: 'Comparar ofertas' }).click();
    await page.getByText('Escriba al menos un consumo').waitFor();
    await typeHousehold(page);
    await page.locator('[name=e2]').fill('2.345');
    await page.locator('[name=e1]').fill('1.200');
    await page.getByRole('button', { name: 'Comparar ofertas' }).press('Enter');
    await page.getByText('¿Miles o decimales? Escriba 1200 o 1,2').waitFor();
    await page.getByText('Escriba 2345 o 2,345').waitFor();
    await expect.poll(() => page.locator('[name=e1]').evaluate((field) => field.matches(':focus'))).toBe(true);
    expect(requests.filter((url) => url.includes('/v1/offers'))).toEqual([]);
    await close();
  });

  further('of gas is typed with the prices of a contract, in English, and gets the ranking of the server', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, locale: 'en-GB' });
    await setDay(page);
    await page.getByLabel('Access tariff').selectOption('RL.2');
    await page.getByLabel('Gas consumed').fill('9000');
    await page.getByLabel('By its prices').check();
    await page.getByLabel('Price of energy').fill('0.06');
    await page.getByLabel('Fixed term').fill('6');
    await page.keyboard.press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    const { results, actual } = await site.ask<Ranking>('/v1/offers/efficient', {
      ...{ supply_type: 'GAS', consumo_gas: 9000, tariff_type: 'RL.2', territory: 'peninsula', client_type: 'dni' },
      contrato_actual: { gas_energy: 0.06, gas_fixed: 6 },
      impuestos: { fecha: '2026-10-15' },
      limit: 200,
    });
    expect(actual?.cost?.total).toBe(612);
    expect(await shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
    const saving = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
      results[0]?.ahorro?.factura ?? Number.NaN,
    );
    expect(await page.locator('[data-offer]').first().innerText()).toContain(saving);
    await close();
  });

  further('of a tariff that no offer has is shown the nearest tariffs, in the language of the page', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, locale: 'en-GB' });
    await openForm(page);
    await page.getByLabel('Access tariff').selectOption('6.1TDVE');
    await typeHousehold(page);
    await page.locator('[name=p2]').press('Enter');
    await page.getByText('No offer fits this supply: change the filters, or add offers').waitFor();
    await page.getByText(/^No offer has that access tariff. The nearest that have some: \d\.\dTD/).waitFor();
    await close();
  });

  further(
    'A-91: of 30 days is told what it saves by year first, in the answer, the table, side by side and on the sheet',
    async () => {
      const { page, close } = await site.open({ key: site.keys.full_access });
      await openForm(page);
      await page.getByLabel('Con su factura').check();
      await rankHousehold(page, { dias: '30', 'contrato_actual.factura_total': '967,95' });
      const impuestos = { fecha: '2026-10-15', tipos: {} };
      const body = { ...HOUSEHOLD, dias: 30, contrato_actual: { factura_total: 967.95 }, impuestos };
      const { results } = await site.ask<Ranking>('/v1/offers/efficient', body);
      const saved = results[0]?.ahorro?.factura ?? Number.NaN;
      const euros = (amount: number) =>
        new Intl.NumberFormat('es-ES', {
          minimumFractionDigits: 2,
          maximumFractionDigits: 2,
          useGrouping: true,
        }).format(amount);
      const { yearEur } = byYearAndMonth(saved, { days: 30 });
      expect(await page.locator('.summary [role=status]').innerText()).toContain(
        `${euros(yearEur)} €/año menos que hoy`,
      );
      expect(await page.locator('thead').first().innerText()).toMatch(/Ahorro €\s+con impuestos\s+al año/);
      const first = page.locator('[data-offer]').first();
      expect(await first.innerText()).toContain(euros(yearEur));
      await first.getByRole('checkbox').check();
      const besides = page.locator('.comparison tr', { hasText: /^Ahorro.* la factura/ });
      expect(await besides.allInnerTexts()).toEqual([
        expect.stringMatching(new RegExp(`^Ahorro al año en la factura.*${euros(yearEur)}`, 's')),
        expect.stringMatching(new RegExp(`^Ahorro en la factura € en 30 días.*${euros(saved)}`, 's')),
      ]);
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      const row = page.frameLocator('iframe').getByRole('row', { name: /^Ahorro al año/ });
      await row.waitFor();
      expect(await row.innerText()).toContain(`Ahorro al año\t—\t${euros(yearEur)}`);
      await close();
    },
  );

  further('that pays more or less than each offer costs has the contract of today in the plot', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Con su importe').check();
    for (const coste_total of ['99999', '1']) {
      await rankHousehold(page, { 'contrato_actual.coste_total': coste_total });
      await showPlot(page);
      const today = page.locator('.plot .today');
      await expect
        .poll(async () => {
          const [line, plot] = [await today.boundingBox(), await page.locator('.plot svg').boundingBox()];
          if (!line || !plot) return 'nowhere';
          if (line.x < plot.x || line.x + line.width > plot.x + plot.width) return 'outside';
          return line.x > plot.x + plot.width / 2 ? 'dearer' : 'cheaper';
        })
        .toBe(coste_total === '1' ? 'cheaper' : 'dearer');
      await showPlot(page, false);
    }
    await close();
  });

  it('has no commission with a key that may not see any', async () => {
    const { page, close } = await site.open({ key: site.keys.public });
    await typeHousehold(page);
    await page.keyboard.press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    expect(await page.locator('thead').innerText()).not.toMatch(/Comisión/);
    await close();
  });
});
