import type { PageOf, ProposalEntry } from '@tarifario/client';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { rankHousehold, shownIds } from './household.ts';

const NOTE = 'Vence en junio <img src=x onerror="window.evil = 1">';

describePage('the proposals of the page', (site) => {
  it('A-134: of the same thing are one, also after a reload; it is printed, verified, and opened again as a study', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    const path = () => new URL(page.url()).pathname;
    const make = async () => {
      await rankHousehold(page, { p1: '4,6', p2: '3,45' });
      const ticks = page.getByRole('checkbox', { name: /^Elegir / });
      for (const index of [0, 2]) await ticks.nth(index).check();
      await page.getByLabel('Comentario para el cliente').fill(NOTE);
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await page.getByRole('button', { name: 'Imprimir' }).waitFor();
    };
    await make();
    const ids = (await shownIds(page)).filter((_, index) => index === 0 || index === 2);
    await page.reload();
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    await make();
    const { results } = await site.ask<PageOf<ProposalEntry>>('/v1/proposals');
    expect(results).toHaveLength(1);

    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    await page.locator('[data-proposal] a').press('Enter');
    await page.getByRole('heading', { name: `Propuesta ${results[0]?.id}` }).waitFor();
    expect(path()).toBe(`/app/propuestas/${results[0]?.id}`);
    await page.getByText(NOTE).first().waitFor();
    await page.getByRole('button', { name: 'Verificar' }).press('Enter');
    await page.getByText('Verificada: con las ofertas de aquel día sale lo mismo').waitFor();
    await page.getByRole('button', { name: 'Ver la hoja' }).press('Enter');
    await page.frameLocator('main > div > div:not([hidden]) iframe').getByText(NOTE).waitFor();

    await page.getByRole('button', { name: 'Abrir como un estudio nuevo' }).press('Enter');
    expect(path()).toBe('/app/estudio');
    await expect.poll(() => page.locator('[name=p2]').inputValue()).toBe('3,45');
    expect(await page.getByLabel('Comentario para el cliente').count()).toBe(0);
    await page.locator('[name=p2]').press('Enter');
    await page.getByLabel('Comentario para el cliente').waitFor();
    expect(await page.getByLabel('Comentario para el cliente').inputValue()).toBe(NOTE);
    const ticked = page.locator('[data-offer]:has(input:checked)');
    expect(await ticked.evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-offer'))))).toEqual(ids);
    expect(await page.evaluate('window.evil')).toBeUndefined();
    await close();
  });

  it('A-90: with a key that may not see commissions have none, and those with commissions are not there', async () => {
    const { page, answers, close } = await site.open({ key: site.keys.public, at: 'propuestas' });
    await page.getByText('Aún no hay propuestas').waitFor();
    await page.goto(`${site.server.url}/app/propuestas/1#key=${site.keys.public}`);
    await page.getByRole('alert').waitFor();
    expect(answers.join()).not.toMatch(/"comision_extra":\d/);
    await close(/404/);
  });
});
