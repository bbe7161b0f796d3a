import type { Ranking } from '@tarifario/client';
import { further, shareOf } from '@tarifario/testkit/share';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { HOUSEHOLD, setDay, showPlot, typeHousehold } from './household.ts';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
/** A narrow one has a browser's layout of its own: at full length. */
const WINDOWS = shareOf([WIDE, NARROW], 2);
/** The wide window has to show the first offer above this, and the narrow one above its rooms. */
const FOLD_PX = 600;

const CONTROLS = 'main :is(input, select, textarea, button, summary, a[href])';
const visible = (all: Locator) => all.and(all.page().locator(':visible'));

async function edgesOf(one: Locator): Promise<{ readonly top: number; readonly bottom: number }> {
  const box = await one.boundingBox();
  return { top: box?.y ?? Number.NaN, bottom: (box?.y ?? Number.NaN) + (box?.height ?? 0) };
}

/** Ranks without opening the form again. */
async function rank(page: Page): Promise<void> {
  await page.locator('[name=p2]').press('Enter');
  await page.locator('[data-offer]').first().waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('summary-title');
}

async function expectResultInSight(page: Page): Promise<void> {
  const { height = 0, width = 0 } = page.viewportSize() ?? {};
  const row = await edgesOf(page.locator('[data-offer]').first());
  if (width >= WIDE.width) expect(row.top).toBeLessThan(FOLD_PX);
  else expect(row.bottom).toBeLessThan((await edgesOf(page.locator('.rooms'))).top);
  const bar = await edgesOf(page.locator('.top'));
  for (const figure of await page.locator('.figure').all()) {
    const { top, bottom } = await edgesOf(figure);
    expect([top >= bar.bottom, bottom <= height]).toEqual([true, true]);
  }
}

describePage('the desk of a study', (site) => {
  it.each(WINDOWS)('that is empty has four controls at most, all in the first window, at %j', async (viewport) => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport });
    await page.getByRole('button', { name: 'Escribir los datos' }).waitFor();
    const controls = await visible(page.locator(CONTROLS)).all();
    expect(controls.length).toBeLessThanOrEqual(4);
    for (const control of controls) expect((await edgesOf(control)).bottom).toBeLessThan(viewport.height);
    // The file first, under one heading.
    const [file, link] = await Promise.all(
      [page.locator('.sources .drop'), page.getByLabel('Enlace del QR')].map(edgesOf),
    );
    expect(file?.bottom).toBeLessThan(link?.top ?? 0);
    expect(await visible(page.locator('.question :is(h2, h3, legend)')).count()).toBe(1);
    await page.getByRole('button', { name: 'Escribir los datos' }).press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('peaje');
    const names = await visible(page.locator('.question :is(select, [inputmode=decimal])')).evaluateAll((fields) =>
      fields.map((field) => field.getAttribute('name')),
    );
    expect(names).toEqual(['peaje', null, null, 'e1', 'e2', 'e3', 'p1', 'p2']);
    await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
    await page.getByRole('button', { name: 'Escribir los datos' }).press('Enter');
    await page.getByLabel('Titular').selectOption('cif');
    await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
    await page.getByRole('button', { name: 'Escribir los datos' }).waitFor();
    await close();
  });

  it.each(WINDOWS)(
    'that is tried with an example shows its saving and its first offer at once, at %j',
    async (viewport) => {
      const { page, close } = await site.open({ key: site.keys.full_access, viewport });
      await page
        .locator('.sources input[type=file]')
        .setInputFiles({ name: 'x.csv', mimeType: '', buffer: Buffer.alloc(0) });
      const refused = page.getByText('El archivo está vacío');
      await refused.waitFor();
      await page.getByRole('button', { name: 'Probar con un ejemplo' }).press('Enter');
      await page.locator('[data-offer]').first().waitFor();
      expect(await refused.count()).toBe(0);
      expect(await page.getByLabel('Referencia del cliente').inputValue()).toBe('Cliente de ejemplo');
      expect(await page.locator('.figures').innerText()).toMatch(/Ahorro al año\s+\d[\d.,]* €\s+\d[\d,]* %/);
      // The rates of the day are asked for, above the offers.
      await page.getByRole('button', { name: 'Ver con impuestos' }).waitFor();
      if (viewport === WIDE) await expectResultInSight(page);
      await page.getByRole('searchbox').fill('zzz');
      await page.getByText('Ninguna oferta es así.').waitFor();
      // What is left by mistake comes back as it was.
      await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
      await page.getByRole('button', { name: 'Deshacer' }).press('Enter');
      await page.locator('.folded .figures').waitFor();
      await close();
    },
  );

  it.each(WINDOWS)(
    'shows the figures and the first offer once it is ranked, and no part scrolls by itself, at %j',
    async (viewport) => {
      const { page, close } = await site.open({ key: site.keys.full_access, viewport });
      await setDay(page);
      await page.getByLabel('Con su factura').check();
      await typeHousehold(page, { 'contrato_actual.factura_total': '977,28' });
      await rank(page);
      await expectResultInSight(page);
      await page.getByText('2.0TD · 3.500 kWh/año · 4,6 kW · hoy 81,44 €/mes').waitFor();
      expect(await page.locator('[name=e1]').isVisible()).toBe(false);
      const impuestos = { fecha: '2026-10-15', tipos: {} };
      const body = { ...HOUSEHOLD, impuestos, contrato_actual: { factura_total: 977.28 } };
      const { results, avisos } = await site.ask<Ranking>('/v1/offers/efficient', body);
      const euros = (amount = Number.NaN) => amount.toFixed(2).replace('.', ',');
      const figuresOf = (result: Ranking['results'][number] | undefined) => [
        `${euros((result?.factura_estimada?.total ?? 0) / 12)} €/mes`,
        `${euros(result?.ahorro?.factura ?? undefined)} €`,
        `${euros(result?.commission?.total)} €`,
      ];
      const figures = page.locator('.figure');
      expect(await figures.allInnerTexts()).toEqual(figuresOf(results[0]));
      const percent = (100 * (results[0]?.ahorro?.factura ?? 0)) / 977.28;
      expect(await page.locator('.figures').innerText()).toContain(`${percent.toFixed(1).replace('.', ',')} %`);
      const inner = (list: object) =>
        Number(Reflect.get(list, 'scrollHeight')) - Number(Reflect.get(list, 'clientHeight'));
      expect(await page.locator('.list').evaluate(inner)).toBe(0);
      // The figures are those of the first chosen offer.
      await page.locator('[data-offer] input[type=checkbox]').nth(2).press('Space');
      await expect.poll(() => figures.allInnerTexts()).toEqual(figuresOf(results[2]));
      await page.getByText(`${avisos.length} avisos`).press('Enter');
      expect(await page.locator('.notices li').count()).toBe(avisos.length);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await showPlot(page);
      expect(await page.locator('[data-offer]').first().isVisible()).toBe(false);
      await page.locator('.plot').waitFor();
      await close();
    },
  );

  further('keeps the head of the table below that of the page while the list goes by', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: WIDE });
    await setDay(page);
    await typeHousehold(page);
    await rank(page);
    await page.evaluate('scrollTo(0, 1200)');
    const head = page.locator('.ranking thead th').first();
    await expect.poll(async () => Math.abs((await edgesOf(head)).top - 48)).toBeLessThan(2);
    await close();
  });

  it('asks for the name of the customer beside its supply and where it is proposed, whose sheet has it and is seen whole', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: WIDE });
    await setDay(page);
    await page.getByLabel('Con su factura').check();
    await typeHousehold(page, { 'contrato_actual.factura_total': '977,28' });
    await rank(page);
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    // The field at the head may be out of sight where the proposal is made.
    const name = page.locator('.tray').getByLabel('Referencia del cliente');
    await name.fill('Bar');
    await page.locator('.fold').getByLabel('Referencia del cliente').fill('Bar Luna');
    await name.press('Enter');
    // A name of blanks is none, and one that goes is asked for again.
    await page.locator('[data-offer] input[type=checkbox]').nth(1).press('Space');
    expect(await name.count()).toBe(0);
    const head = page.locator('.fold').getByLabel('Referencia del cliente');
    await head.fill(' ');
    await name.waitFor();
    await head.fill('Bar Luna');
    expect(await name.inputValue()).toBe('Bar Luna');
    expect(await page.locator('[data-offer]').count()).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.frameLocator('iframe').getByText('Referencia: Bar Luna').waitFor();
    // The whole sheet, without a scroll of its own.
    const behindPx = () =>
      page.evaluate(
        "(({ contentDocument, clientHeight }) => contentDocument.documentElement.scrollHeight - clientHeight)(document.querySelector('iframe'))",
      );
    await expect.poll(behindPx).toBeLessThanOrEqual(0);
    await page.getByLabel('Destinatario').fill('Ana');
    await page.setViewportSize({ width: 700, height: 900 });
    await expect.poll(behindPx).toBeLessThanOrEqual(0);
    await page.setViewportSize(WIDE);
    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    await page.locator('[data-proposal]', { hasText: 'Bar Luna' }).getByRole('link').press('Enter');
    await page.getByText(/ · Ahorro al año: \d+,\d\d € \(\d+,\d %\)$/).waitFor();
    await close();
  });

  it('says that no offer costs less than today where none does', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: WIDE });
    await setDay(page);
    await page.getByLabel('Con su factura').check();
    await typeHousehold(page, { 'contrato_actual.factura_total': '1' });
    await rank(page);
    await page.locator('.figures').getByText('ninguna de estas ofertas cuesta menos que hoy').waitFor();
    await close();
  });

  it('leads from the third tick to the proposal by three Tabs at most, and then to its sheet', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: WIDE });
    await setDay(page);
    await typeHousehold(page);
    await rank(page);
    for (const index of [0, 1, 2]) await page.locator('[data-offer] input[type=checkbox]').nth(index).press('Space');
    let tabs = 0;
    const focused = () => page.evaluate<string>('document.activeElement.innerText ?? ""');
    while (tabs < 60 && (await focused()) !== 'Crear propuesta') {
      await page.keyboard.press('Tab');
      tabs += 1;
    }
    expect(tabs).toBeLessThanOrEqual(3);
    await page.keyboard.press('Enter');
    await page.locator('iframe').waitFor();
    await expect.poll(focused).toBe('Imprimir');
    // The sheet begins where the window does, and nothing lies over it.
    const { top } = await edgesOf(page.locator('.sheet'));
    const bar = await edgesOf(page.locator('.top'));
    expect([top >= bar.bottom, top < bar.bottom + 100]).toEqual([true, true]);
    expect(await page.locator('.tray').isVisible()).toBe(false);
    await close();
  });

  it('has no figure of a commission with a key that may not see any', async () => {
    const { page, close } = await site.open({ key: site.keys.public });
    await setDay(page);
    await typeHousehold(page);
    await rank(page);
    expect(await page.locator('.figure').count()).toBe(2);
    expect(await page.locator('main').innerText()).not.toMatch(/comisi/i);
    await close();
  });
});
