import { further } from '@tarifario/testkit/share';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describePage, revokeLastKey, type Site } from './browser.ts';
import { rankHousehold, typeHousehold } from './household.ts';
import { dropFile, openOffice, workbookOf } from './office.ts';

const RANKINGS = '**/v1/offers/efficient';
const NO_WORKBOOK = { name: 'ofertas.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from('no') };

describePage('the session of the page', (site) => {
  further('continues where a request of an older key is refused late', async () => {
    const { page, close, release } = await openAfterHeldRanking(site, false);
    await signIn(page, site.keys.full_access);
    const late = page.waitForResponse((response) => response.status() === 401);
    release();
    await (await late).finished();
    await rankHousehold(page);
    expect(await page.getByLabel('Clave de acceso').count()).toBe(0);
    await close(/401/);
  });

  it('A-103: with a masked key shows nothing of an answer to an older key that arrives late', async () => {
    const { page, close, release } = await openAfterHeldRanking(site, true);
    await signIn(page, site.keys.public);
    const late = page.waitForResponse(RANKINGS);
    release();
    await (await late).finished();
    await page.getByRole('button', { name: 'Comparar ofertas' }).and(page.locator(':enabled')).waitFor();
    expect(await page.locator('[name=w], [data-offer]').count()).toBe(0);
    expect(await page.locator('body').innerText()).not.toMatch(/comisión/i);
    await close(/401/);
  });

  further('is ended by a file that is refused while it is sent', async () => {
    const { key } = await openOffice(site);
    const { page, requests, close } = await site.open({ key, at: 'ofertas' });
    const accounts = () => requests.filter((url) => url.endsWith('/v1/account')).length;
    await page.getByRole('heading', { name: 'Ofertas de un archivo Excel' }).waitFor();
    const before = accounts();
    await page.route('**/v1/offers/bulk-update**', (route) =>
      route.fulfill({ status: 401, json: { detail: { code: 'unauthenticated', message: 'no' } } }),
    );
    await dropFile(page, /Excel/, await workbookOf([]));
    await page.getByText('La clave ya no es válida').waitFor();
    expect(accounts()).toBe(before);
    await close(/401/);
  });

  further('shows messages of the service in the chosen language, also where a file is sent', async () => {
    const { key } = await openOffice(site);
    const { page, close } = await site.open({ key, at: 'ofertas' });
    await dropFile(page, /Excel/, NO_WORKBOOK);
    await page.getByRole('alert').getByText('no se puede leer el archivo').waitFor();
    await page.getByRole('button', { name: 'English' }).press('Enter');
    await dropFile(page, /Excel/, NO_WORKBOOK);
    await page.getByRole('alert').getByText('not an XLSX workbook').waitFor();
    await page.getByRole('link', { name: 'Study' }).click();
    const asked = page.waitForRequest(RANKINGS);
    await typeHousehold(page);
    await page.locator('[name=p2]').press('Enter');
    expect(await (await asked).headerValue('accept-language')).toBe('en');
    await close(/400/);
  });
});

/** A page whose ranking waits for its answer, while its key was revoked and the page noticed. */
async function openAfterHeldRanking(site: Site, isAnswered: boolean) {
  const { page, close } = await site.open({ key: await site.server.addKey(site.accountId, {}) });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
  await page.route(
    RANKINGS,
    async (route) => {
      const response = isAnswered ? await route.fetch() : null;
      held();
      await released;
      await (response ? route.fulfill({ response }) : route.continue());
    },
    { times: 1 },
  );
  await typeHousehold(page);
  await page.locator('[name=p2]').press('Enter');
  await isHeld;
  await revokeLastKey(site);
  await page.getByLabel('Enlace del QR').fill('https://comparador.cnmc.gob.es/');
  await page.getByRole('button', { name: 'Leer' }).press('Enter');
  await page.getByText('La clave ya no es válida').waitFor();
  return { page, close, release };
}

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Clave de acceso').fill(key);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Salir' }).waitFor();
}
