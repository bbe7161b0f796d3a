import { further } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { describePage, EVIL } from './browser.ts';
import { dropFile, openOffice, workbookOf } from './office.ts';

const WORKBOOK = /Excel/;

describePage('a workbook in the page', (site) => {
  const openRoom = (key: string) => site.open({ key, at: 'ofertas?owner=own' });

  further('is chosen, previewed and applied by keyboard alone, and shows markup in names as text', async () => {
    const office = await openOffice(site);
    const { page, close } = await site.open({ key: office.key });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('link', { name: 'Ofertas' }).press('Enter');
    await page.getByRole('heading', { name: 'Ofertas de un archivo Excel' }).waitFor();
    await page.locator('[accept^=".xlsx"]').focus();
    await page.keyboard.press('Enter');
    const row = { offer_id: office.offerId, offer_name: `${EVIL.offer} 2`, e1: 0.1875 };
    await (await chooser).setFiles(await workbookOf([row]));
    const table = page.locator('.diff');
    await table.waitFor();
    await page.getByText('1 de 1 oferta con cambios').waitFor();
    const listed = page.locator('[data-stored-offer]', { hasText: 'propia' });
    expect(await listed.innerText()).toContain('0,2');
    const lines = await table.locator('tbody tr').allInnerTexts();
    const named = `${EVIL.offer}\n${EVIL.company} · #${office.offerId}`;
    expect(lines.map((line) => line.split(/\s*\t\s*/))).toEqual([
      [named, 'Nombre', EVIL.offer, `${EVIL.offer} 2`, 'ofertas', '2'],
      ['Precio de la energía en P1', '0,2', '0,1875', 'ofertas', '2'],
    ]);
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.2 });
    await page.getByRole('button', { name: 'Aplicar los cambios' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.done').getByText('Aplicado.').waitFor();
    await listed.getByText('0,1875').waitFor();
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.1875 });
    expect(await page.evaluate('window.evil')).toBeUndefined();
    await close();
  });

  further('with errors shows sheet, row and column, changes nothing, and is tried again once corrected', async () => {
    const office = await openOffice(site);
    const { page, close } = await openRoom(office.key);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 'mucho', p1: 'x' }], 'malo.xlsx'));
    await page.getByText('No se ha cambiado nada. 2 errores.').waitFor();
    const lines = await page.locator('.problem tbody tr').allInnerTexts();
    expect(lines.map((line) => line.split(/\s*\t\s*/))).toEqual([
      ['ofertas', '2', 'e1', 'tiene que ser un número, como 1234,56, sin unidad ni separador de miles'],
      ['ofertas', '2', 'p1', 'tiene que ser un número, como 1234,56, sin unidad ni separador de miles'],
    ]);
    expect(await page.getByRole('button', { name: 'Aplicar los cambios' }).count()).toBe(0);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 0.19 }]));
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.locator('.done').getByText('Aplicado.').waitFor();
    await close(/422/);
  });

  further("is refused after a colleague's change, which is named, and its preview stays visible", async () => {
    const office = await openOffice(site);
    const { page, close } = await openRoom(office.key);
    const row = { ...(await office.templateRow()), e1: '0,3' };
    await dropFile(page, WORKBOOK, await workbookOf([row]));
    await page.locator('.diff').waitFor();
    await office.call('PATCH', `/v1/offers/${office.offerId}`, { e1: 0.25 });
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page
      .getByText('ha cambiado desde que se hizo la plantilla: el archivo tiene 0.3, y está guardado 0.25')
      .waitFor();
    await page.getByText('descargue otra vez la plantilla').waitFor();
    expect(await page.locator('.diff tbody tr').count()).toBe(1);
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.25 });
    await office.call('PATCH', `/v1/offers/${office.offerId}`, { e1: 0.3 });
    await page.getByRole('button', { name: 'Comprobar otra vez' }).click();
    await page.getByText('Nada: el archivo dice lo mismo que hay guardado.').waitFor();
    await close(/422/);
  });

  it('A-142: is sent once, is not applied if it would do something else, and is applied after another look', async () => {
    const office = await openOffice(site);
    const { page, requests, close } = await openRoom(office.key);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 0.3 }]));
    await page.locator('.diff').waitFor();
    await office.call('PATCH', `/v1/offers/${office.offerId}`, { e1: 0.25 });
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.getByRole('alert').getByText('el archivo ya no haría lo que mostró su revisión').waitFor();
    expect(await page.getByRole('button', { name: /Aplicar|Reintentar/ }).count()).toBe(0);
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.25 });
    await page.getByRole('button', { name: 'Comprobar otra vez' }).click();
    await page.locator('.diff').getByText('0,25').waitFor();
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.locator('.done').getByText('Aplicado.').waitFor();
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.3 });
    // Sent for each look, and not to be applied.
    expect(requests.filter((url) => url.includes('bulk-update')).length).toBe(2);
    // A file that is only looked at is in no list.
    const listed = page.waitForResponse(
      async (one) => /uploads\?/.test(one.url()) && /"pending"/.test(await one.text()),
    );
    await dropFile(
      page,
      WORKBOOK,
      await workbookOf([{ offer_id: office.offerId, e1: 0.4 }], 'otro ES0021000000000001AB.xlsx'),
    );
    await listed;
    await page.locator('.diff').waitFor();
    expect(await page.locator('.uploads button').allInnerTexts()).toEqual(['ofertas.xlsx', 'ofertas.xlsx']);
    await close(/409/);
  });

  further('with a tariff that does not exist says so, with its row, before anything is applied', async () => {
    const office = await openOffice(site);
    const { page, close } = await openRoom(office.key);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, tariff_type: '2.0A' }]));
    await page.locator('.diff').getByText('2.0A').waitFor();
    expect(await page.locator('.warning').allInnerTexts()).toContainEqual(
      'ningún peaje de ese suministro se llama así: quien indica el suyo no verá la oferta (hoja ofertas, fila 2)',
    );
    await close();
  });

  further('survives a server that is gone, a limit and an expired key, and is applied once', async () => {
    const office = await openOffice(site);
    const { page, close } = await openRoom(office.key);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 0.21 }]));
    await page.locator('.diff').waitFor();
    const names: string[] = [];
    const faults = ['gone', 429, 503, 401] as const;
    await page.route('**/v1/uploads/*/apply', async (route) => {
      names.push((await route.request().headerValue('idempotency-key')) ?? '');
      const fault = faults[names.length - 1];
      if (fault === undefined) return route.continue();
      if (fault === 'gone') return route.abort();
      const detail = { code: 'unavailable', message: '-' };
      return route.fulfill({ status: fault, headers: { 'Retry-After': '1' }, json: { detail } });
    });
    await page.route('**/v1/account', (route) =>
      route.fulfill({ status: 401, json: { detail: { code: 'unauthenticated', message: '-' } } }),
    );
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.getByText('No se llega al servidor').waitFor();
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByText('Se puede reintentar dentro de 1 s').waitFor();
    await page.getByText('Ya se puede reintentar').waitFor();
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByText('El servicio está ocupado. Se puede reintentar dentro de 1 s').waitFor();
    await page.getByText('Ya se puede reintentar').waitFor();
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByText('La clave ya no es válida').waitFor();
    await page.unroute('**/v1/account');
    await page.getByLabel('Clave de acceso').fill(office.key);
    await page.keyboard.press('Enter');
    await page.locator('.diff').waitFor();
    await page.getByText('ofertas.xlsx').first().waitFor();
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.locator('.done').getByText('Aplicado.').waitFor();
    expect(new Set(names).size).toBe(1);
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.21 });
    await close(/429|503|401|ERR_FAILED/);
  });

  further('is not offered to a key that may not write: the missing permission is named at once', async () => {
    const { page, requests, close } = await openRoom(site.keys.public);
    await page.getByText('Esta clave no permite cambiar ofertas (offers:write)').waitFor();
    expect(await page.locator('.drop', { hasText: WORKBOOK }).isVisible()).toBe(false);
    expect(requests.filter((url) => url.includes('bulk'))).toEqual([]);
    await close();
  });

  further('that is too large is not sent', async () => {
    const { page, requests, close } = await openRoom(site.keys.full_access);
    const buffer = Buffer.alloc(10 * 1024 * 1024 + 1);
    await page
      .locator('.drop', { hasText: WORKBOOK })
      .locator('input')
      .setInputFiles({ name: 'x.xlsx', mimeType: '', buffer });
    await page.getByText('El archivo es demasiado grande').waitFor();
    expect(requests.filter((url) => url.includes('bulk'))).toEqual([]);
    await close();
  });
});
