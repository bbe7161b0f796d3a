import { crc32, deflateSync } from 'node:zlib';
import type { ClientDetail, ProposalEntry, Ranking } from '@tarifario/client';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { faultsOf } from './axe.ts';
import { describePage, type Site } from './browser.ts';
import { HOUSEHOLD } from './household.ts';
import { dropFile } from './office.ts';

function chunk(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A grey picture of this size. */
function png(width: number, height: number): Buffer {
  // Each row has how it is filtered, and its points.
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(width, 0x40)]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height, row))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

const EVIL_NAME = '"><img src=x onerror="window.evil = 1">';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="window.evil = 1"><image href="https://evil.example/x.png"/></svg>';
const asPng = (buffer: Buffer) => ({ name: `${EVIL_NAME}.png`, mimeType: 'image/png', buffer });
/** Taller than it may be shown. */
const TALL = png(300, 900);
const LABEL = /logotipo/;
/** 18 mm. */
const MAX_HEIGHT = (18 / 25.4) * 96;

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Clave de acceso').fill(key);
  await page.keyboard.press('Enter');
}

async function newFirm({ ask }: Site, name: string, more: object = {}) {
  const { id } = await ask<ClientDetail>('/v1/clients', { name, ...more });
  return { id, path: `/v1/clients/${id}` };
}

describePage('A-144: the logo of a firm in the page', (site) => {
  it('is chosen, kept over a reload, saved, and on the printed proposal, without a request to another host', async () => {
    const { id, path } = await newFirm(site, `Asesoría ${EVIL_NAME}`);
    const logoNow = async () => (await site.ask<ClientDetail>(path)).logo;
    const { page, close } = await site.open({ key: site.keys.full_access, at: `ajustes/${id}` });
    const picture = page.getByRole('img', { name: 'Logotipo de Asesoría' });
    const isDrawn = () => picture.evaluate((shown) => Reflect.get(shown, 'naturalWidth'));
    await page.getByRole('group', { name: 'Logotipo de las propuestas' }).waitFor();
    await dropFile(page, LABEL, { name: `${EVIL_NAME}.svg`, mimeType: 'image/svg+xml', buffer: Buffer.from(SVG) });
    await page.getByText('No es una imagen PNG, JPEG ni WebP.').waitFor();
    await dropFile(page, LABEL, asPng(Buffer.concat([TALL], 65_537)));
    await page.getByText('Ocupa más de 64 kB').waitFor();
    expect(await picture.count()).toBe(0);
    // The service looks into the content.
    await dropFile(page, LABEL, asPng(Buffer.from(SVG)));
    await picture.waitFor();
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.getByText('tiene que llevar el contenido de una imagen png').waitFor();
    await page.getByText('Revise los campos marcados').waitFor();
    expect(await logoNow()).toBeNull();

    const chooser = page.waitForEvent('filechooser');
    await page.locator('.drop', { hasText: LABEL }).locator('input').press('Space');
    await (await chooser).setFiles(asPng(Buffer.concat([TALL], 65_536)));
    await expect.poll(isDrawn).toBe(300);
    await page.reload();
    await signIn(page, site.keys.full_access);
    await expect.poll(isDrawn).toBe(300);
    expect(await logoNow()).toBeNull();
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.getByText('Guardado.').waitFor();
    expect(await logoNow()).toBe(`data:image/png;base64,${Buffer.concat([TALL], 65_536).toString('base64')}`);
    const viewport = { width: 1280, height: 900 };
    const looks = [
      { colorScheme: 'light' as const, viewport },
      { colorScheme: 'dark' as const, viewport: { width: 360, height: 800 } },
    ];
    expect(await faultsOf(page, looks)).toEqual([]);

    const { results } = await site.ask<Ranking>('/v1/offers/efficient', { ...HOUSEHOLD, client_id: id });
    const request = { ...HOUSEHOLD, client_id: id };
    const made = await site.ask<ProposalEntry>('/v1/proposals', { request, offer_ids: [results[0]?.offer.id] });
    await page.getByRole('link', { name: 'Propuestas', exact: true }).press('Enter');
    await page.locator(`[data-proposal="${made.id}"] a`).press('Enter');
    await page.getByRole('button', { name: 'Ver la hoja' }).press('Enter');
    const printed = page.frameLocator('main > div > div:not([hidden]) iframe').getByRole('img');
    await printed.waitFor();
    expect(await printed.getAttribute('alt')).toBe(`Asesoría ${EVIL_NAME}`);
    const sizeOf = (image: Locator) =>
      image.evaluate((img) => {
        const { width, height } = img.getBoundingClientRect();
        return [Reflect.get(img, 'naturalWidth'), Math.round(width), Math.round(height)];
      });
    const bounded = [300, Math.round(MAX_HEIGHT / 3), Math.round(MAX_HEIGHT)];
    expect(await sizeOf(printed)).toEqual(bounded);
    // As it is printed, by itself.
    const html = await page.locator('iframe:visible').getAttribute('srcdoc');
    const paper = await page.context().newPage();
    const asked: string[] = [];
    paper.on('request', (request) => asked.push(request.url()));
    await paper.emulateMedia({ media: 'print' });
    await paper.setContent(String(html));
    expect(await sizeOf(paper.getByRole('img'))).toEqual(bounded);
    expect(asked.filter((url) => !url.startsWith('data:image/png;base64,'))).toEqual([]);
    await paper.close();
    expect(await page.evaluate('window.evil')).toBeUndefined();
    await close(/422/);
  });

  it('is removed by the same form, and never over a change that another person saved', async () => {
    const { id, path } = await newFirm(site, 'Asesoría que quita');
    const logo = `data:image/png;base64,${png(9, 9).toString('base64')}`;
    const change = async (body: object) =>
      fetch(site.server.url + path, {
        method: 'PATCH',
        headers: { 'X-API-Key': site.keys.full_access, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await change({ logo });
    const { page, close } = await site.open({ key: site.keys.full_access, at: `ajustes/${id}`, locale: 'en-US' });
    const remove = page.getByRole('button', { name: 'Remove the logo' });
    await remove.press('Enter');
    await remove.waitFor({ state: 'detached' });
    await dropFile(page, /logo/, { name: 'logo.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
    await page.getByText('It is no PNG, JPEG or WebP picture.').waitFor();
    await change({ name: 'Asesoría cambiada' });
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await site.ask(path)).toMatchObject({ name: 'Asesoría cambiada', logo });
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await site.ask(path)).toMatchObject({ name: 'Asesoría cambiada', logo: null });
    await dropFile(page, /logo/, asPng(Buffer.from('<!doctype html>')));
    await page.getByRole('img', { name: 'Logo of' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByText('must have the content of a png picture').waitFor();
    await close(/412|422/);
  });

  it('A-105: is only shown to a key that may not change firms', async () => {
    const { id } = await newFirm(site, 'Asesoría que se mira', {
      logo: `data:image/png;base64,${png(9, 9).toString('base64')}`,
    });
    const reader = await site.server.addKey(site.accountId, { scopes: ['clients:read'] });
    const { page, close } = await site.open({ key: reader, at: `ajustes/${id}` });
    await page.getByRole('img', { name: 'Logotipo de Asesoría que se mira' }).waitFor();
    await page.getByText('Esta clave no permite cambiar asesorías (clients:write)').first().waitFor();
    expect(await page.locator('main section:visible').locator('button, .drop').count()).toBe(0);
    await close();
  });
});
