import { further, isFullLength } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { commissionsInMemory, describePage, revokeLastKey, type Site } from './browser.ts';
import { openForm, rankHousehold, typeHousehold } from './household.ts';

const RANKINGS = '**/v1/offers/efficient';

describePage('after an error the page loses no typed value and', (site) => {
  it('a key that is revoked ends the session, which continues with another key', async () => {
    const key = await site.server.addKey(site.accountId, {});
    const { page, close } = await site.open({ key });
    await page.getByRole('link', { name: 'Estudio' }).waitFor();
    await typeHousehold(page);
    await revokeLastKey(site);
    await page.locator('[name=p2]').press('Enter');
    await page.getByText('La clave ya no es válida').waitFor();
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Comparar ofertas' }).waitFor();
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    await page.locator('[name=p2]').press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    await close(/401/);
  });

  further(
    'a key that is revoked while a proposal is made: with another key of the same rights the proposal is made',
    async () => {
      const { page, proposalNote, signIn, close } = await proposalWithRevokedKey(site);
      await signIn(site.keys.full_access);
      expect(await proposalNote.inputValue()).toBe('Luz y nada más');
      expect(await page.locator('.proposal [role=alert] p').innerText()).toContain('Reintente con la nueva');
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      await page.getByRole('button', { name: 'Imprimir' }).waitFor();
      await close(/401/);
    },
  );

  it('A-103: after a change to a masked key has no commission, not even in memory, and the supply stays', async () => {
    const { page, proposalNote, signIn, close } = await proposalWithRevokedKey(site);
    expect(await commissionsInMemory(page)).toBeGreaterThan(20);
    await signIn(site.keys.public);
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    expect(await proposalNote.count()).toBe(0);
    expect(await page.locator('[name=w]').count()).toBe(0);
    expect(await page.locator('body').innerText()).not.toMatch(/comisión/i);
    await expect.poll(() => commissionsInMemory(page)).toBe(0);
    await page.locator('[name=p2]').press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    await expect.poll(() => commissionsInMemory(page)).toBe(0);
    await close(/401/);
  });

  further('a lost connection to the server can be tried again', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await page.getByRole('link', { name: 'Estudio' }).waitFor();
    await typeHousehold(page);
    await page.context().setOffline(true);
    await page.locator('[name=p2]').press('Enter');
    await page.getByRole('alert').getByText('No se llega al servidor').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reintentar' }).press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await close(/ERR_INTERNET_DISCONNECTED/);
  });

  further('the page scrolls to why a proposal cannot be made, on a telephone too', async () => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const { page, close } = await site.open({ key: site.keys.full_access, viewport });
      await page.getByRole('link', { name: 'Estudio' }).waitFor();
      await rankHousehold(page);
      await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
      const alert = page.getByRole('alert');
      await alert.getByText('No se llega al servidor').waitFor();
      const [said, tray] = await Promise.all([alert, page.locator('.tray')].map((one) => one.boundingBox()));
      expect(said?.y).toBeGreaterThan(48);
      expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(tray?.y ?? 0);
      await page.context().setOffline(false);
      await close(/ERR_INTERNET_DISCONNECTED/);
    }
  });

  further('a control that goes away after it was pressed more than once leaves the focus at its heading', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await page.getByRole('link', { name: 'Cartera' }).waitFor();
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend',
      '<section id="part"><h2>Parte</h2><button><b>Otra vez</b></button></section>')`);
    const button = page.getByRole('button', { name: 'Otra vez' });
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    for (const _ of [1, 2]) await button.click();
    expect(await focused()).toBe('Otra vez');
    await page.evaluate("document.querySelector('#part button').remove()");
    await expect.poll(focused).toBe('Parte');
    await page.evaluate("document.querySelector('#part').remove()");
    await close();
  });

  further('a room that cannot be loaded without the server says so, and is loaded when it is back', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await page.getByRole('link', { name: 'Cartera' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Cartera' }).press('Enter');
    await page.getByRole('alert').getByText('No se llega al servidor').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reintentar' }).press('Enter');
    await page.getByRole('heading', { name: 'Cartera de clientes' }).waitFor();
    await close(/ERR_INTERNET_DISCONNECTED/);
  });

  further('a key in the address that does not reach the server can be tried again', async () => {
    const { page, close } = await site.open();
    await page.route('**/v1/account', (route) => route.abort(), { times: 1 });
    await page.evaluate(`location.hash = 'key=${site.keys.full_access}'`);
    await page.getByRole('alert').getByText('No se llega al servidor').waitFor();
    await page.getByRole('button', { name: 'Reintentar' }).press('Enter');
    await openForm(page);
    await page.getByRole('button', { name: 'Comparar ofertas' }).waitFor();
    await close(/ERR_FAILED/);
  });

  further('too many requests show a countdown until the next try', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await page.getByRole('link', { name: 'Estudio' }).waitFor();
    const detail = { code: 'rate_limited', message: 'too many requests' };
    const answer = { status: 429, headers: { 'Retry-After': '2' }, json: { detail } };
    await page.route(RANKINGS, (route) => route.fulfill(answer), { times: 1 });
    await typeHousehold(page);
    await page.locator('[name=p2]').press('Enter');
    await page.getByText('dentro de 2 s').waitFor();
    const retry = page.getByRole('button', { name: 'Reintentar' });
    expect(await retry.isDisabled()).toBe(true);
    await page.getByText('Ya se puede reintentar').waitFor();
    await retry.press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    await close(/429/);
  });

  further('a key without a permission gets the name of the permission', async () => {
    const key = await site.server.addKey(site.accountId, { scopes: ['clients:read'] });
    const { page, close } = await site.open({ key });
    await page.getByRole('link', { name: 'Estudio' }).waitFor();
    await typeHousehold(page);
    await page.locator('[name=p2]').press('Enter');
    await page.getByRole('alert').getByText('Esta clave no permite comparar ofertas (offers:read)').waitFor();
    await close(/403/);
  });
});

if (isFullLength) {
  describePage('a service that allows an account four calls a minute', (site) => {
    it('is called again after a countdown, and the page keeps the typed values and the answer', async () => {
      await site.server.subscribe(site.accountId, { callsPerMinute: 4, firmCallsPerMinute: 4 });
      const { page, close } = await site.open({ key: site.keys.full_access });
      await page.clock.install();
      await page.getByRole('link', { name: 'Estudio' }).waitFor();
      await rankHousehold(page);
      await page.locator('[name=e1]').fill('2400');
      await page.locator('[name=p2]').press('Enter');
      await page.getByText(/Se puede reintentar dentro de \d+ s/).waitFor();
      const retry = page.getByRole('button', { name: 'Reintentar' });
      expect(await retry.isDisabled()).toBe(true);
      expect(await page.locator('[name=e1]').inputValue()).toBe('2400');
      const first = await page.locator('[data-offer]').first().innerText();
      await site.server.subscribe(site.accountId, { callsPerMinute: 1000, firmCallsPerMinute: 1000 });
      await page.clock.fastForward(61_000);
      await page.getByText('Ya se puede reintentar').waitFor();
      await retry.press('Enter');
      await expect.poll(() => page.locator('[data-offer]').first().innerText()).not.toBe(first);
      expect(await page.getByRole('alert').count()).toBe(0);
      await close(/429/);
    });
  });
}

/** Offers are ranked, a proposal is written, and its key is revoked before it is made. */
async function proposalWithRevokedKey(site: Site) {
  const key = await site.server.addKey(site.accountId, {});
  const { page, close } = await site.open({ key });
  await page.getByRole('link', { name: 'Estudio' }).waitFor();
  await rankHousehold(page);
  await page
    .getByLabel(/^Elegir /)
    .first()
    .check();
  const proposalNote = page.getByLabel('Comentario para el cliente');
  await proposalNote.fill('Luz y nada más');
  await revokeLastKey(site);
  await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
  await page.getByText('La clave ya no es válida').waitFor();
  const signIn = async (next: string) => {
    await page.getByLabel('Clave de acceso').fill(next);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Comparar ofertas' }).waitFor();
  };
  return { page, proposalNote, signIn, close };
}
