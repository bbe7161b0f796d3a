import { readFile } from 'node:fs/promises';
import type { Upload } from '@tarifario/client';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { further, runsOf } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { dropFile, openOffice, workbookOf } from './office.ts';

const WORKBOOK = /Excel/;
const fileOf = (name: string, bytes: Uint8Array) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });

describePage('a workbook in the page', (site) => {
  const openRoom = (key: string) => site.open({ key, at: 'ofertas?owner=own' });

  further(
    'that cannot be read or is none of offers says why, and offers neither to apply it nor to send it again',
    async () => {
      const office = await openOffice(site);
      const { page, close } = await openRoom(office.key);
      const { buffer } = await workbookOf([{ offer_id: office.offerId, e1: 0.3 }]);
      const xls = Buffer.from('d0cf11e0a1b11ae1'.padEnd(1200, '0'), 'hex');
      const faults: readonly (readonly [ReturnType<typeof fileOf>, string])[] = [
        [fileOf('viejo.xls', xls), 'es un libro XLS, o tiene contraseña: hay que guardarlo como .xlsx'],
        [fileOf('nada.xlsx', Buffer.alloc(0)), 'no es un libro XLSX'],
        [fileOf('mitad.xlsx', buffer.subarray(0, buffer.length / 2)), 'está dañado'],
        [fileOf('hoja.xlsx', await workbookBytes({ Hoja1: [{ e1: 1 }] })), 'hoja desconocida'],
        [await workbookOf([{ offer_id: office.offerId, e9: 1 }], 'cabecera.xlsx'), 'columna desconocida'],
      ];
      for (const [file, text] of faults) {
        await dropFile(page, WORKBOOK, file);
        await page.getByText(file.name, { exact: true }).waitFor();
        await page.getByRole('alert').getByText(text).waitFor();
        expect(await page.getByRole('button', { name: /Aplicar|Reintentar/ }).count()).toBe(0);
      }
      await close(/400|422/);
    },
  );

  further('is refused in the language of the page, whichever the browser has', async () => {
    const office = await openOffice(site);
    const { page, close } = await openRoom(office.key);
    await page.getByRole('button', { name: 'English' }).click();
    await dropFile(page, /Excel/, await workbookOf([{ offer_id: office.offerId, e1: 'mucho' }]));
    await page.getByText('must be a number').waitFor();
    await close(/422/);
  });

  further('of either owner is downloaded, and changes nothing when it is dropped again', async () => {
    const names = [];
    for (const owner of ['own', 'catalog']) {
      // With a workbook on the page, another owner would have it read again first.
      const { page, close } = await openRoom(site.keys.full_access);
      await page.locator('.narrow select').selectOption(owner);
      for (const link of ['ofertas de precio fijo', 'ofertas indexadas']) {
        const saved = page.waitForEvent('download');
        await page.getByRole('button', { name: link }).press('Enter');
        const file = await saved;
        names.push(file.suggestedFilename());
        await dropFile(page, WORKBOOK, fileOf(file.suggestedFilename(), await readFile(await file.path())));
        await page.getByText(file.suggestedFilename(), { exact: true }).waitFor();
        await page.getByText('Nada: el archivo dice lo mismo que hay guardado.').waitFor();
      }
      await close();
    }
    expect(names).toEqual(['ofertas.xlsx', 'ofertas-indexadas.xlsx', 'catalogo.xlsx', 'catalogo-indexado.xlsx']);
  });

  further('of the catalog is applied to the catalog', async () => {
    const office = await openOffice(site);
    const { results } = await site.ask<{ results: readonly { readonly id: number }[] }>('/v1/catalog/offers?limit=1');
    const id = results[0]?.id ?? 0;
    const { page, close } = await openRoom(office.key);
    await page.locator('.narrow select').selectOption('catalog');
    await dropFile(page, WORKBOOK, await workbookOf([{ catalog_offer_id: id, services_cost: 7.125 }]));
    await page.locator('.diff').getByText('7,125').waitFor();
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.locator('.done').getByText('Aplicado.').waitFor();
    expect(await office.call('GET', `/v1/catalog/offers/${id}`)).toMatchObject({ services_cost: 7.125 });
    await close();
  });

  further('is checked again when the owner of its offers is changed', async () => {
    const office = await openOffice(site);
    const { page, close } = await openRoom(office.key);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 0.3 }]));
    await page.getByRole('button', { name: 'Aplicar los cambios' }).waitFor();
    await page.locator('.narrow select').selectOption('catalog');
    await page.getByText('columna desconocida').waitFor();
    expect(await page.getByRole('button', { name: 'Aplicar los cambios' }).count()).toBe(0);
    expect(await page.locator('.diff').count()).toBe(0);
    await close(/422/);
  });

  further('that was sent before the page was loaded again is in the list with what it changed', async () => {
    const office = await openOffice(site);
    const before = await openRoom(office.key);
    await dropFile(before.page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 0.3 }], 'recarga.xlsx'));
    const applied = before.page.waitForResponse('**/v1/uploads/*/apply');
    await before.page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await applied;
    await before.close();
    const { page, close } = await openRoom(office.key);
    await page.locator('.uploads li', { hasText: 'recarga.xlsx' }).getByText('Aplicado.').waitFor();
    await page.getByRole('button', { name: 'recarga.xlsx' }).press('Enter');
    await page.locator('.done').getByText('Ofertas existentes en el archivo: 1').waitFor();
    expect(await office.call('GET', `/v1/offers/${office.offerId}`)).toMatchObject({ e1: 0.3 });
    await close();
  });

  further('whose answer is lost is in the list, and is applied once', async () => {
    const office = await openOffice(site);
    const { page, close } = await openRoom(office.key);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 0.3 }], 'perdida.xlsx'));
    await page.route(
      '**/v1/uploads/*/apply',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.getByText('No se llega al servidor').waitFor();
    const inList = page.locator('.uploads li', { hasText: 'perdida.xlsx' });
    await inList.getByText('Aplicado.').waitFor();
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.locator('.done').getByText('Aplicado.').waitFor();
    expect(await inList.count()).toBe(1);
    expect(await office.call('GET', '/v1/uploads')).toMatchObject({ total: 1 });
    await close(/ERR_FAILED/);
  });

  further('that misses its place does not replace the page', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    const isKept = await page.evaluate(`['dragover', 'drop'].map((type) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['x'], 'x.csv'));
      return !document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    })`);
    expect(isKept).toEqual([true, true]);
    await close();
  });

  further('of more changes than are shown shows the first ones, and is applied whole', async () => {
    const office = await openOffice(site, { offer: 'Una', company: 'Luz de Levante' });
    const { page, close } = await openRoom(office.key);
    const offers = runsOf(400, 5000);
    const rows = Array.from({ length: offers }, (_, at) => ({
      ...{ cliente: 'Asesoría Levante', company_name: 'Luz de Levante', offer_name: `Oferta ${at}` },
      ...{ supply_type: 'LUZ', tariff_type: '2.0TD', e1: 0.2, acepta_dni: 'sí', territory_peninsula: 'sí' },
    }));
    await dropFile(page, WORKBOOK, await workbookOf(rows));
    await page.getByText(/Se muestran 1000 de \d+ cambios/).waitFor();
    // Its button is in sight, however many changes there are.
    const button = page.getByRole('button', { name: 'Aplicar los cambios' });
    await page.locator('.diff').evaluate((table) => table.scrollIntoView());
    expect((await button.boundingBox())?.y).toBeLessThan(900);
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.locator('.done').getByText(`Ofertas nuevas: ${offers}`).waitFor();
    const { total } = await office.call('GET', '/v1/offers?limit=1');
    expect(total).toBe(offers + 1);
    await close();
  });

  further('is downloaded by a press while the list of offers comes, which moves nothing from under it', async () => {
    const office = await openOffice(site);
    const { page, close } = await site.open({ key: office.key });
    let release = () => {};
    const isFree = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/v1\/offers\?/, (route) => isFree.then(() => route.continue()), { times: 1 });
    await page.getByRole('link', { name: 'Ofertas', exact: true }).click();
    await page.getByLabel('Buscar una oferta').waitFor();
    const button = page.locator('button', { hasText: 'ofertas de precio fijo' });
    const before = await button.boundingBox();
    release();
    await page.locator('[data-stored-offer]').first().waitFor();
    expect([null, await button.boundingBox()]).toContainEqual(before);
    const saved = page.waitForEvent('download');
    await button.click();
    await saved;
    await close();
  });

  further.each([
    ['of the catalog alone', ['catalog:read', 'catalog:write'], false, /catalogo/],
    ['of one firm', undefined, true, /ofertas/],
  ] as const)('A-105: is downloaded without a choice of owner by a key %s', async (_whose, scopes, isBound, name) => {
    const office = await openOffice(site);
    const { results } = await site.ask<{ results: readonly { readonly id: number }[] }>(
      '/v1/clients',
      undefined,
      office.key,
    );
    const firmId = isBound ? { firmId: results[0]?.id ?? 0 } : {};
    const { page, close } = await openRoom(await office.addKey({ ...(scopes && { scopes }), ...firmId }));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'ofertas de precio fijo' }).click();
    expect((await saved).suggestedFilename()).toMatch(name);
    expect(await page.locator('.narrow select').count()).toBe(0);
    await close();
  });

  it('A-26: brings nothing of a stored commission to a key that may write and may not see any', async () => {
    const office = await openOffice(site);
    const [{ id = 0 } = {}] = (await site.ask<{ results: readonly Upload[] }>('/v1/clients', undefined, office.key))
      .results;
    const key = await office.addKey({ scopes: ['offers:read', 'offers:write'], firmId: id });
    const { page, answers, close } = await openRoom(key);
    expect(await page.getByRole('button', { name: 'ofertas de precio fijo' }).count()).toBe(0);
    expect(await page.locator('.narrow select').count()).toBe(0);
    await dropFile(page, WORKBOOK, await workbookOf([{ offer_id: office.offerId, e1: 0.3, commission: 79.15 }]));
    await page.locator('.diff').waitFor();
    const line = page.locator('.diff tr', { hasText: 'Comisión' });
    expect((await line.locator('td').allInnerTexts()).slice(1, 3)).toEqual(['–', '–']);
    const absent = page.locator('.warning details', { hasText: /hoja ofertas, 3\d columnas/ });
    expect(await absent.getAttribute('open')).toBeNull();
    await absent.locator('summary').press('Enter');
    expect(await absent.getAttribute('open')).not.toBeNull();
    expect(await absent.innerText()).toContain('offer_name');
    await page.getByRole('button', { name: 'Aplicar los cambios' }).click();
    await page.locator('.done').getByText('Aplicado.').waitFor();
    expect(answers.join('\n')).not.toContain('79.15');
    await close();
  });
});
