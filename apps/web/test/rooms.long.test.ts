import type { About } from '@tarifario/client';
import { expect, it } from 'vitest';
import { describePage, revokeLastKey } from './browser.ts';
import { openForm, rankHousehold, shownIds } from './household.ts';
import { openOffice } from './office.ts';

describePage('the rooms of the page', (site) => {
  it('have addresses, which a lost session, a reload and going back keep, and the study is as it was left', async () => {
    const { page, close } = await site.open({ at: 'cartera' });
    const path = () => new URL(page.url()).pathname;
    const portfolio = page.getByRole('heading', { name: 'Cartera de clientes' });
    const signIn = async () => {
      await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
      await page.keyboard.press('Enter');
    };
    await signIn();
    await portfolio.waitFor();
    expect(await page.title()).toBe('Cartera · Tarifario');
    await page.getByRole('link', { name: 'Estudio' }).press('Enter');
    await rankHousehold(page);
    const ids = await shownIds(page);
    await page.getByRole('link', { name: 'Ofertas' }).click();
    await page.getByRole('heading', { name: 'Ofertas de un archivo Excel' }).waitFor();
    expect(path()).toBe('/app/ofertas');
    expect(await page.getByRole('link', { name: 'Ofertas' }).getAttribute('aria-current')).toBe('page');
    await page.goBack();
    expect(path()).toBe('/app/estudio');
    expect(await shownIds(page)).toEqual(ids);
    expect(await page.locator('[data-offer]').first().isVisible()).toBe(true);
    await page.goBack();
    await portfolio.waitFor();
    await page.reload();
    await signIn();
    await portfolio.waitFor();
    expect(path()).toBe('/app/cartera');
    await page.goto(`${site.server.url}/app/`);
    await signIn();
    await page.locator('[data-offer]').first().waitFor();
    await close();
  });

  it('can be used after going back from an open offer, and the form after its key is revoked', async () => {
    const { page, close } = await site.open({ key: await site.server.addKey(site.accountId, {}), at: 'propuestas' });
    await page.getByRole('link', { name: 'Estudio' }).click();
    await rankHousehold(page);
    const openOffer = () => page.locator('[data-offer] .name').first().click();
    const modal = page.locator('dialog:modal');
    await openOffer();
    await modal.waitFor();
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/propuestas');
    await page.getByRole('link', { name: 'Estudio' }).click();
    await openOffer();
    await modal.waitFor();
    await revokeLastKey(site);
    await modal.getByText('Hasta dónde pueden subir').click();
    await page.getByText('La clave ya no es válida').waitFor();
    await page.getByLabel('Clave de acceso').click();
    await page.keyboard.type(site.keys.full_access);
    await page.keyboard.press('Enter');
    await openOffer();
    await modal.waitFor();
    await page.keyboard.press('Escape');
    await close(/401/);
  });

  it('keep what is typed before the next frame is drawn, so that the page may be loaded again at once', async () => {
    const { key, offerId, call } = await openOffice(site);
    const { id } = await call('POST', '/v1/clients', { name: 'Asesoría Poniente' });
    const { page, close } = await site.open({ key });
    for (const [at, selector] of [
      ['estudio', '[name=e1]'],
      [`ajustes/${id}`, '[name=image_url]'],
      [`ofertas/${offerId}`, '[data-field=e1] input'],
    ]) {
      await page.goto(`${site.server.url}/app/${at}#key=${key}`);
      if (at === 'estudio') await openForm(page);
      await page.locator(`${selector}:visible`).waitFor();
      const kept = await page.evaluate<string>(`(async () => {
        const field = document.querySelector('${selector}');
        field.value = '4711';
        field.dispatchEvent(new Event('input', { bubbles: true }));
        for (let turn = 0; turn < 10; turn++) await null;
        return JSON.stringify({ ...sessionStorage });
      })()`);
      expect(kept).toContain('4711');
      await page.evaluate('sessionStorage.clear()');
    }
    await close();
  });

  it('say at their foot who compares what, from the service, with a masked key too', async () => {
    const { page, close } = await site.open({ key: site.keys.public });
    const about = await site.ask<About>('/v1/about', undefined, site.keys.public);
    await page.getByText('Sobre esta comparación').press('Enter');
    await page.getByText(about.scope.es).waitFor();
    const text = await page.locator('footer').innerText();
    expect(text).toContain(about.criteria.es);
    expect(text).toContain(`${about.offers} ofertas de ${about.retailers} comercializadoras`);
    await close();
  });

  it('are reached at the foot of a telephone, in forced colours and at zoom 400 %, with the open one marked', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access, viewport: { width: 320, height: 640 } });
    await page.emulateMedia({ forcedColors: 'active' });
    for (const height of [640, 256]) {
      await page.setViewportSize({ width: 320, height });
      await page.getByRole('link', { name: 'Cartera' }).click();
      await page.getByRole('heading', { name: 'Cartera de clientes' }).waitFor();
      await page.getByRole('link', { name: 'Ofertas', exact: true }).click();
      await page.locator('[data-stored-offer]').first().waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      const here = page.locator('.rooms [aria-current]');
      expect(await here.innerText()).toBe('Ofertas');
      expect(
        await page.evaluate("getComputedStyle(document.querySelector('.rooms [aria-current]')).outlineStyle"),
      ).toBe('solid');
      const bottom = await page.locator('.rooms').evaluate((one) => Reflect.get(one.getBoundingClientRect(), 'bottom'));
      expect(bottom === height).toBe(height === 640);
    }
    await page.emulateMedia({ forcedColors: 'none' });
    await close();
  });
});
