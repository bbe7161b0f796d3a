import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { rankHousehold, shownIds } from './household.ts';

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
    await page.getByRole('button', { name: 'Comparar ofertas' }).waitFor();
    await close();
  });
});
