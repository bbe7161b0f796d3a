import type { Ranking } from '@tarifario/client';
import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { HOUSEHOLD, openForm, rankHousehold, showPlot } from './household.ts';
import { openOffice } from './office.ts';

const VIEWPORT = { width: 360, height: 800 };

describePage('on a telephone of 360 px', (site) => {
  it.each(['1200', '61200'])('name, cost and saving of %s kWh are visible at once, without scrolling', async (e1) => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: VIEWPORT });
    await openForm(page);
    await page.getByLabel('Con su importe').check();
    await page.locator('[name="contrato_actual.coste_total"]').fill('16900');
    await rankHousehold(page, { e1 });
    const [table = { left: Number.NaN, right: Number.NaN }] = await edgesOf(
      page.locator('.scroll', { has: page.locator('.ranking') }),
    );
    const cells = await edgesOf(page.locator('[data-offer]').locator('th, td:nth-of-type(3), td:nth-of-type(4)'));
    expect(cells).toHaveLength(3 * (await page.locator('[data-offer]').count()));
    for (const { left, right } of cells) {
      expect(left).toBeGreaterThanOrEqual(table.left);
      expect(right).toBeLessThanOrEqual(table.right);
    }
    // There are more columns, which a shadow says until the last one is seen.
    const shadow = () => page.locator('.list').evaluate(SHADOW);
    const none = /^none$| 0px 0px 0px 0px inset$/;
    expect(await shadow()).not.toMatch(none);
    await page.locator('.list').evaluate((list) => Reflect.get(list, 'scrollBy').call(list, 9999, 0));
    await expect.poll(shadow).toMatch(none);
    // The names stay.
    const [name] = await edgesOf(page.locator('[data-offer] th').first());
    expect(name?.left).toBeGreaterThanOrEqual(table.left);
    expect(await page.locator('.ranking thead th').allInnerTexts()).toMatchObject({
      3: expect.stringMatching(/^Factura €\s+con impuestos$/),
      4: expect.stringMatching(/^Ahorro €\s+sin impuestos\s+al año$/),
    });
    await close();
  });

  it('winning offers have their whole names, and the band of the pressed one is marked above the slider', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: VIEWPORT });
    await rankHousehold(page);
    await showPlot(page);
    const winners = page.locator('.winners button');
    expect(await winners.count()).toBeGreaterThan(5);
    const widths = await winners.evaluateAll((all) =>
      all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    );
    expect(Math.max(...widths)).toBe(0);
    const third = winners.nth(2);
    await third.press('Enter');
    const first = page.locator('[data-offer] th').first();
    expect(await third.innerText()).toBe(`3 ${await first.evaluate(({ firstChild }) => firstChild?.textContent)}`);
    expect(await page.locator('.bands .now').innerText()).toBe('3');
    await close();
  });

  it('the position of the slider is described in words', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: VIEWPORT });
    await rankHousehold(page);
    const slider = page.locator('.slider', { has: page.locator('[name=w]') });
    expect(await slider.locator('output').innerText()).toBe('50 % ahorro · 50 % comisión');
    await page.locator('[name=w]').press('ArrowRight');
    expect(await slider.locator('output').innerText()).toBe('51 % ahorro · 49 % comisión');
    expect(await page.locator('[name=w]').getAttribute('aria-valuetext')).toBe('51 % ahorro · 49 % comisión');
    await close();
  });
  it('the choice and the rooms are seen whole, one above the other', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: VIEWPORT });
    await rankHousehold(page);
    // Nor does the head of the table lie over the rooms.
    const covered = await page.evaluate(`(() => {
      const topOf = (selector) => document.querySelector(selector).getBoundingClientRect().top;
      scrollBy(0, topOf('.ranking thead') - topOf('.rooms'));
      return [...document.querySelectorAll('.rooms a')].filter((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }).length;
    })()`);
    expect(covered).toBe(0);
    const ticks = page.getByRole('checkbox', { name: /^Elegir / });
    for (const index of [0, 1, 2, 3]) await ticks.nth(index).check();
    const rooms = await boxOf(page.locator('.rooms'));
    const button = await boxOf(page.locator('.tray button').last());
    expect(button.y + button.height).toBeLessThanOrEqual(rooms.y);
    for (const room of await page.locator('.rooms a').all()) {
      await room.click();
      const { x, y, width, height } = await boxOf(room);
      expect(await room.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      expect([x, VIEWPORT.width - x - width, VIEWPORT.height - y - height].every((space) => space >= 0)).toBe(true);
    }
    await close();
  });
});

describePage('the sheet of a proposal on a telephone', (site) => {
  it('of four offers beside the present contract breaks no word and no figure, and no cell goes over the next', async () => {
    const contrato_actual = { e1: 0.3, e2: 0.2, e3: 0.2, p1: 0.1, p2: 0.1 };
    const request = { ...HOUSEHOLD, contrato_actual };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', request);
    const offer_ids = results.slice(0, 4).map(({ offer }) => offer.id);
    const { id } = await site.ask<{ id: number }>('/v1/proposals', { request, offer_ids });
    const { page, close } = await site.open({
      ...{ key: site.keys.full_access, viewport: VIEWPORT, at: `propuestas/${id}` },
    });
    await page.getByRole('button', { name: 'Ver la hoja' }).press('Enter');
    const tables = page.frameLocator('iframe:visible').locator('.figures, .terms');
    await tables.first().waitFor();
    expect(await tables.first().locator('thead th').count()).toBe(6);
    expect(await brokenWords(tables)).toEqual([]);
    const overhangs = await tables
      .locator('th, td')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(Math.max(...overhangs)).toBe(0);
    await close();
  });
});

describePage('names without a space', (site) => {
  it('of 200 letters end at the edge of a telephone, and of the sheet that is printed', async () => {
    const office = await openOffice(site, { offer: 'O'.repeat(200), company: 'C'.repeat(200) });
    await office.call('PATCH', `/v1/offers/${office.offerId}`, { placas_solares: true });
    const firm = await office.call('POST', '/v1/clients', { name: 'F'.repeat(200) });
    const body = { request: HOUSEHOLD, offer_ids: [office.offerId], nota: 'N'.repeat(150) };
    const { id } = await office.call('POST', '/v1/proposals', body);
    const { page, close } = await site.open({ key: office.key, viewport: VIEWPORT });
    const overhang = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    await rankHousehold(page);
    await page.getByRole('checkbox', { name: /^Elegir OOO/ }).check();
    await page.locator('.tray').waitFor();
    const found: Record<string, number> = { study: await overhang() };
    for (const [at, selector] of [
      ['ofertas', '[data-stored-offer]'],
      [`ofertas/${office.offerId}`, '#offer-history'],
      ['ajustes', `a[href$="/${firm.id}"]`],
      [`ajustes/${firm.id}`, '#subscriptions-title'],
      ['propuestas', '[data-proposal]'],
      [`propuestas/${id}`, '#proposal-title'],
    ]) {
      await page.goto(`${site.server.url}/app/${at}#key=${office.key}`);
      await page.locator(`${selector}:visible`).first().waitFor();
      found[at ?? ''] = await overhang();
    }
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((at) => [at, 0])));
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('button', { name: 'Ver la hoja' }).press('Enter');
    const sheet = page.frameLocator('iframe:visible').locator('body');
    await sheet
      .getByText(/placas/)
      .first()
      .waitFor();
    expect(await sheet.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await close();
  });
});

const SHADOW = (element: object) =>
  String(Reflect.get(Reflect.get(globalThis, 'getComputedStyle')(element), 'boxShadow'));

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error('not shown');
  return box;
}

/** Words and figures that go over two lines. */
const brokenWords = (tables: Locator) =>
  tables.evaluateAll((all) => {
    const document = Reflect.get(globalThis, 'document');
    const broken: string[] = [];
    for (const table of all) {
      const texts = document.createTreeWalker(table, 4);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        for (const { index, 0: word } of String(text.data).matchAll(/[\p{L}\d.,]+/gu)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
        }
      }
    }
    return broken;
  });

/** Where elements begin and end, from the left of the screen. */
function edgesOf(elements: Locator): Promise<{ readonly left: number; readonly right: number }[]> {
  return elements.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => ({ left, right })),
  );
}
