import type { PageOf, ProposalEntry, Ranking } from '@tarifario/client';
import { MAX_NOTE_LENGTH } from '@tarifario/core/service';
import { further } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { commissionsInMemory, describePage } from './browser.ts';
import { openForm, rankHousehold, shownIds } from './household.ts';

describePage('offers of a ranking', (site) => {
  further('are chosen by keyboard, up to four, and shown side by side with their prices', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const ticks = page.locator('[data-offer] input[type=checkbox]');
    for (const index of [0, 1, 2, 3]) {
      await ticks.nth(index).focus();
      await page.keyboard.press('Space');
    }
    expect(await ticks.nth(4).isDisabled()).toBe(true);
    await page.getByText('Elegidas: 4 de 4').waitFor();
    const table = page.locator('.comparison');
    await table.getByText('Precio de la energía P1').waitFor();
    expect(await table.locator('thead th').count()).toBe(5);
    const names = await page
      .locator('[data-offer] th')
      .evaluateAll((cells) => cells.map(({ firstChild }) => firstChild?.textContent));
    for (const name of names.slice(0, 4)) expect(await table.locator('thead').innerText()).toContain(name);
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    const sheetRows = page.frameLocator('iframe').locator('.figures tr:not([class]):has(td)');
    await sheetRows.first().waitFor();
    // No name that is one word is broken within it, which would take a second line.
    const heights = await sheetRows.evaluateAll((rows) =>
      rows
        .filter((row) => !row.firstElementChild?.textContent.includes(' '))
        .map((row) => Reflect.get(row, 'offsetHeight')),
    );
    expect(heights.length).toBeGreaterThan(1);
    expect(heights).toEqual(heights.map(() => heights.at(-1)));
    await ticks.nth(0).press('Space');
    await page.getByText('Elegidas: 3 de 4').waitFor();
    await close();
  });

  further('stand beside the prices of the present contract, as they were typed', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Con sus precios').check();
    await rankHousehold(page, {
      'contrato_actual.e1': '0,1875',
      'contrato_actual.e2': '0,14',
      'contrato_actual.e3': '0,1',
      'contrato_actual.p1': '0,08',
      'contrato_actual.p2': '0,01',
    });
    for (const index of [0, 1]) await page.locator('[data-offer] input[type=checkbox]').nth(index).press('Space');
    const row = page.locator('.comparison tr', { hasText: 'Precio de la energía P1' });
    await expect
      .poll(() => row.locator('td').allInnerTexts())
      .toEqual(['0,1875', expect.any(String), expect.any(String)]);
    await close();
  });

  further('that are indexed show their months', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.getByRole('button', { name: 'PVPC 2.0TD' }).press('Enter');
    const chart = page.getByRole('img', { name: /Precio de la energía en \d+ meses/ });
    await chart.waitFor();
    expect(await chart.locator('polyline').count()).toBe(3);
    const heights = await chart
      .locator('g.line text')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('y'))));
    const [first = 0, second = 0, third = 0] = heights.toSorted((a, b) => a - b);
    expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(12);
    await close();
  });

  further('are proposed at the weight of the slider, and the proposal is in a frame that runs no script', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    await page.locator('[name=w]').press('End');
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    // A comment that is too long is not cut off unsaid.
    await page.getByLabel('Comentario para el cliente').fill('x'.repeat(MAX_NOTE_LENGTH + 1));
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.getByRole('alert').getByText(String(MAX_NOTE_LENGTH)).waitFor();
    await page.getByLabel('Comentario para el cliente').fill('Vence en <b>junio</b> ES0021000000000001AB0F');
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    const sheet = page.frameLocator('iframe');
    await sheet.getByText('Vence en <b>junio</b>').waitFor();
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('allow-same-origin allow-modals');
    // Its own style is applied, so the content policy knows it.
    const rules = (frame: object) => Reflect.get(frame, 'contentDocument').styleSheets[0].cssRules.length;
    expect(await page.locator('iframe').evaluate(rules)).toBeGreaterThan(5);
    const { results } = await site.ask<{
      readonly results: readonly { readonly id: number; readonly sha256: string }[];
    }>('/v1/proposals');
    const last = results.at(-1);
    await page.getByText(`Propuesta ${last?.id}`, { exact: true }).waitFor();
    const { request } = await site.ask<{ readonly request: { readonly w: number } }>(`/v1/proposals/${last?.id}`);
    expect(request.w).toBe(1);
    await page.locator('iframe').evaluate((frame) => {
      const print = () => frame.setAttribute('data-printed', '');
      Object.assign(Reflect.get(frame, 'contentWindow'), { print });
    });
    await page.getByRole('button', { name: 'Imprimir' }).press('Enter');
    await page.locator('iframe[data-printed]').waitFor();
    // The version for the advisor is of the same proposal.
    await page.getByLabel('Versión interna').check();
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await sheet.getByText('Versión interna').waitFor();
    const after = await site.ask<{ readonly results: readonly { readonly id: number }[] }>('/v1/proposals');
    expect(after.results.at(-1)?.id).toBe(last?.id);
    // Neither by accident nor on a screen that is turned to the customer.
    const frames = page.locator('iframe');
    await page.getByLabel('Versión interna').uncheck();
    expect(await frames.count()).toBe(0);
    await page.getByLabel('Versión interna').check();
    await frames.waitFor();
    await page.getByRole('button', { name: 'Vista cliente' }).press('Enter');
    expect(await frames.count()).toBe(0);
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await sheet.getByText('Vence en <b>junio</b>').waitFor();
    expect(await sheet.locator('body').innerText()).not.toMatch(/comisi|versión interna/i);
    // Nor a sheet of something else than what is chosen by now.
    await page.getByLabel('Comentario para el cliente').fill('Otra cosa');
    expect(await frames.count()).toBe(0);
    // The page itself prints none of its commissions, nor an order that tells of them.
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('body').innerText()).toMatch(/^Esta pantalla es para el asesor y no se imprime.*\.$/);
    await page.emulateMedia({ media: 'screen' });
    await close(/400|422/);
  });

  it('A-91: are printed alone and in the order of cost at the weight of commissions alone, as for a key without commissions', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const byCost = await shownIds(page);
    await page.locator('[name=w]').press('Home');
    await expect.poll(() => shownIds(page)).not.toEqual(byCost);
    for (const index of [0, 1]) await page.locator('[data-offer] input[type=checkbox]').nth(index).press('Space');
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    const sheet = page.frameLocator('iframe');
    await sheet.getByText('ofertas comparadas').waitFor();
    const names = await sheet.locator('table').first().locator('thead th').allInnerTexts();
    const proposals = await site.ask<{ readonly results: readonly { readonly id: number }[] }>('/v1/proposals');
    const detail = await site.ask<{ readonly request: object; readonly offer_ids: readonly number[] }>(
      `/v1/proposals/${proposals.results.at(-1)?.id}`,
    );
    const { w: _w, ...request } = { w: 1, ...detail.request };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...request, limit: 200 }, site.keys.public);
    const proposed = results.filter(({ offer }) => detail.offer_ids.includes(offer.id));
    const heads = names.slice(1).map((name) => name.replace(/^Recomendada\s+/, '').split(/\n+/));
    expect(heads).toEqual(proposed.map(({ offer }) => [offer.offer_name, offer.company.name]));
    const others = results.filter(({ offer }) => !detail.offer_ids.includes(offer.id));
    const text = await sheet.locator('body').innerText();
    for (const { offer } of others) expect(text).not.toContain(`${offer.offer_name}\n`);
    await close();
  });

  it('with masked commissions are compared and proposed without any', async () => {
    const key = await site.server.addKey(site.accountId, { scopes: ['offers:read', 'proposals:write'] });
    const { page, answers, close } = await site.open({ key });
    await rankHousehold(page);
    for (const index of [0, 1]) await page.locator('[data-offer] input[type=checkbox]').nth(index).press('Space');
    await page.locator('.comparison').getByText('Precio de la energía P1').waitFor();
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.frameLocator('iframe').getByText('SHA-256').first().waitFor();
    expect(await page.locator('.trade-off, [type=range], .plot').count()).toBe(0);
    expect(await page.getByText(/comisi/i).count()).toBe(0);
    const known = answers
      .join('\n')
      .match(/"(commission|comision|nota_comision|conflicto|umbrales)\w*":(?!null|\[\])[^,]*/g);
    expect(known).toEqual(null);
    expect(await commissionsInMemory(page)).toBe(0);
    await close();
  });

  it('of which a price or a condition changes are proposed as they are now, and the page says what is paid then and now', async () => {
    const prices = { e1: 0.05, e2: 0.05, e3: 0.05, p1: 0.01, p2: 0.01 };
    const whom = {
      supply_type: 'LUZ',
      tariff_type: '2.0TD',
      territory_peninsula: true,
      acepta_dni: true,
      acepta_cif: true,
    };
    const [{ id: company_id } = { id: 0 }] = (
      await site.ask<{ readonly results: readonly { readonly id: number }[] }>('/v1/companies')
    ).results;
    const offer = { company_id, ...whom, ...prices, offer_name: 'Cambia' };
    const { id } = await site.ask<{ readonly id: number }>('/v1/offers', offer);
    const change = (method: string, body: object | null) =>
      fetch(`${site.server.url}/v1/offers/${id}`, {
        method,
        headers: { 'X-API-Key': site.keys.full_access, 'Content-Type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const { page, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const note = page.getByText('Desde el resultado han cambiado precios');
    await page.getByRole('checkbox', { name: 'Elegir Cambia' }).check();
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.getByRole('button', { name: 'Imprimir' }).waitFor();
    expect(await note.count()).toBe(0);
    // One offer has its prices beside it, too.
    await page
      .locator('.comparison')
      .getByRole('row', { name: /^Precio de la energía P1/ })
      .getByText('0,05')
      .waitFor();
    expect((await change('PATCH', { e1: 0.06 })).status).toBe(200);
    await page.getByLabel('Comentario para el cliente').fill('Otra');
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await note.waitFor();
    // 1,200 kWh at one cent more.
    const [, before = '', now = ''] = /Cambia: ([\d,.]+) → ([\d,.]+) €/.exec(await note.innerText()) ?? [];
    const cents = (text: string) => Number(text.replace(/\D/g, ''));
    expect(cents(now) - cents(before)).toBe(1200);
    // As does a study that is opened from the proposal before it.
    const { results } = await site.ask<PageOf<ProposalEntry>>('/v1/proposals?q=Cambia');
    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    await page.locator(`[data-proposal="${results[0]?.id}"] a`).press('Enter');
    await page.getByRole('button', { name: 'Abrir como un estudio nuevo' }).press('Enter');
    const told = page.getByText('Desde aquella propuesta ha cambiado lo que se paga');
    const changed = await told.innerText();
    const [, then = '', later = ''] = /: Cambia: ([\d.,]+) → ([\d.,]+) €\.$/.exec(changed) ?? [];
    expect(cents(later)).toBeGreaterThan(cents(then));
    // Of other data it says nothing.
    await page.getByRole('button', { name: 'Con impuestos', exact: true }).press('Enter');
    await told.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Con impuestos', exact: true }).press('Enter');
    await told.waitFor();
    // The same price with another condition is another proposal, and so is that of the next customer.
    const sheet = page.frameLocator('main > div > div:not([hidden]) iframe');
    const make = async (text: string) => {
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await sheet.getByRole('row', { name: 'Permanencia (meses)' }).getByText(text, { exact: true }).waitFor();
      const made = await site.ask<PageOf<ProposalEntry>>('/v1/proposals?q=Cambia');
      return made.results.length;
    };
    expect((await change('PATCH', { permanencia_meses: 12 })).status).toBe(200);
    await page.getByRole('link', { name: 'Ofertas', exact: true }).press('Enter');
    await page.getByRole('link', { name: 'Estudio', exact: true }).press('Enter');
    const count = await make('12');
    expect((await change('PATCH', { permanencia_meses: 36 })).status).toBe(200);
    await page.getByRole('link', { name: 'Ofertas', exact: true }).press('Enter');
    await page.getByRole('link', { name: 'Estudio', exact: true }).press('Enter');
    await page.locator('.tray').waitFor();
    expect(await make('36')).toBe(count + 1);
    await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
    await rankHousehold(page);
    await page.getByRole('checkbox', { name: 'Elegir Cambia' }).check();
    expect(await make('36')).toBe(count + 2);
    expect((await change('DELETE', null)).status).toBeLessThan(300);
    await close();
  });

  further(
    'A-105: with a key without proposals:write are compared, and the page says that it cannot propose them',
    async () => {
      const { page, sent, close } = await site.open({ key: site.keys.public });
      await rankHousehold(page);
      for (const index of [0, 1]) await page.locator('[data-offer] input[type=checkbox]').nth(index).press('Space');
      await page.getByText('Esta clave no permite crear propuestas (proposals:write).').waitFor();
      await page.locator('.comparison').getByText('Precio de la energía P1').waitFor();
      expect(await page.getByRole('button', { name: 'Crear propuesta' }).count()).toBe(0);
      expect(sent.join()).not.toContain('/v1/proposals');
      await close();
    },
  );
});
