import type { ApiKey, CatalogSubscription, Client, PageOf } from '@tarifario/client';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describePage, holdAnswer, type Site } from './browser.ts';
import { typeHousehold } from './household.ts';

const MADE = { name: 'La clave nueva' };

async function openSettings(site: Site, key: string, at = 'ajustes') {
  const opened = await site.open({ key, at });
  // A page is used again.
  opened.page.removeAllListeners('dialog');
  opened.page.on('dialog', (dialog) => dialog.accept());
  await opened.page.getByRole('heading', { name: at === 'ajustes' ? 'Uso' : 'Catálogo' }).waitFor();
  return opened;
}

async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByLabel('Nombre (para reconocerla)').fill(name);
  await page.getByRole('checkbox', { name: 'comparar ofertas' }).press('Space');
  await page.getByRole('button', { name: 'Crear la clave' }).press('Enter');
  return page.getByRole('textbox', MADE).inputValue();
}

describePage('the settings of the page', (site) => {
  const listed = async () => (await site.ask<PageOf<ApiKey>>('/v1/keys')).results;

  it('make a key that is shown once, with its end, which works, and is gone after a reload', async () => {
    const { page, close } = await openSettings(site, site.keys.full_access);
    const own = page.locator('[data-key]', { hasText: 'esta clave' });
    await own.waitFor();
    expect(await own.count()).toBe(1);
    // Without a right nothing is made, and with a day of the past the service says so at the field.
    await page.getByRole('button', { name: 'Crear la clave' }).press('Enter');
    await page.getByText('Marque al menos un permiso').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.closest("fieldset.missing") !== null')).toBe(true);
    await page.getByLabel('Caduca el').fill('2020-01-01');
    await page.getByRole('checkbox', { name: 'comparar ofertas' }).press('Space');
    await page.getByRole('button', { name: 'Crear la clave' }).press('Enter');
    await page.getByText('tiene que estar en el futuro').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('expires_at');
    await page.getByRole('checkbox', { name: 'comparar ofertas' }).press('Space');
    await page.getByLabel('Caduca el').fill('2099-12-31');
    const key = await makeKey(page, 'Bot <img src=x onerror="window.evil = 1">');
    expect(await page.evaluate('document.activeElement.value')).toBe(key);
    expect((await site.ask<{ key: object }>('/v1/account', undefined, key)).key).toMatchObject({
      scopes: ['offers:read'],
    });
    const made = (await listed()).find(({ prefix }) => key.startsWith(prefix));
    expect(made?.expires_at).toBe('2099-12-31T00:00:00.000Z');
    await page.locator(`[data-key="${made?.id}"]`, { hasText: 'onerror' }).waitFor();
    expect(await page.evaluate('[window.evil, document.images.length]')).toEqual([undefined, 0]);
    await page.reload();
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    await page.locator(`[data-key="${made?.id}"]`).waitFor();
    expect(await page.getByRole('textbox', MADE).count()).toBe(0);
    expect(await page.content()).not.toContain(key);
    expect(await page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).not.toContain(key);
    await close(/422/);
  });

  it('revoke a key after a question, and nothing where the question is answered with no', async () => {
    const { page, close } = await openSettings(site, site.keys.full_access);
    const key = await makeKey(page, 'Panel de pared');
    await page.getByRole('button', { name: 'Ya la he copiado' }).press('Enter');
    expect(await page.getByRole('textbox', MADE).count()).toBe(0);
    page.removeAllListeners('dialog');
    const revoke = page.getByRole('button', { name: 'Revocar Panel de pared' });
    page.once('dialog', (dialog) => void dialog.dismiss());
    await revoke.press('Enter');
    expect(await revoke.count()).toBe(1);
    page.once('dialog', (dialog) => {
      expect(dialog.message()).toContain('¿Revocar Panel de pared?');
      void dialog.accept();
    });
    await revoke.press('Enter');
    await page.getByText('Panel de pared: revocada.').waitFor();
    await revoke.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.id')).toBe('keys-title');
    const { detail } = await site.ask<{ detail: { code: string } }>('/v1/account', undefined, key);
    expect(detail.code).toBe('unauthenticated');
    await close();
  });

  it('end the session where the own key is revoked, and what was typed is still there with another', async () => {
    const key = await site.server.addKey(site.accountId, {});
    const { page, close } = await openSettings(site, key);
    await page.getByRole('link', { name: 'Estudio' }).press('Enter');
    await typeHousehold(page);
    await page.getByRole('link', { name: 'Ajustes' }).press('Enter');
    await page.locator('[data-key]', { hasText: 'esta clave' }).getByRole('button').press('Enter');
    await page.getByText('La clave ya no es válida').waitFor();
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Estudio' }).press('Enter');
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    await close(/401/);
  });

  it('add a firm, change it, deactivate it, and decide what of the catalog it subscribes to', async () => {
    const { page, close } = await openSettings(site, site.keys.full_access);
    await page.getByRole('button', { name: 'Añadir' }).press('Enter');
    await page.locator('.fault', { hasText: /./ }).waitFor();
    await page.locator('[name=firm]').fill('Asesoría del Norte ES0021000000000001AB');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Asesoría del Norte' }).press('Enter');
    await page.getByRole('heading', { name: 'Catálogo de Asesoría del Norte' }).waitFor();
    const firm = (await site.ask<PageOf<Client>>('/v1/clients')).results.at(-1);
    expect(new URL(page.url()).pathname).toBe(`/app/ajustes/${firm?.id}`);
    const path = `/v1/clients/${firm?.id}`;
    const subscribed = async () =>
      (await site.ask<PageOf<CatalogSubscription>>(`${path}/catalog-subscriptions`)).results.map(
        (one) => one.subscribed,
      );
    const before = await subscribed();
    const boxes = page.getByRole('region', { name: 'Catálogo de' }).getByRole('checkbox');
    expect(await boxes.evaluateAll((all) => all.map((box) => Reflect.get(box, 'checked')))).toEqual(before);
    await boxes.first().press('Space');
    await expect.poll(subscribed).toEqual([!before[0], ...before.slice(1)]);
    await expect.poll(() => boxes.first().isChecked()).toBe(!before[0]);
    await page.locator('[name=image_url]').fill('http://sin-cifrar.example/x.png');
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.locator('.fault', { hasText: 'https' }).waitFor();
    await page.locator('[name=image_url]').fill('https://norte.example/logo.png');
    await page.locator('[name=name]').last().fill('Asesoría Norte y Sur');
    // Nothing typed is lost by a reload, nor by going elsewhere.
    await page.reload();
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    await page.locator('[name=image_url]').waitFor();
    await page.getByRole('link', { name: 'Todos los ajustes' }).press('Enter');
    await page.goBack();
    expect(await page.locator('[name=image_url]').inputValue()).toBe('https://norte.example/logo.png');
    // A change that another person has saved meanwhile is not overwritten unseen.
    const others = 'https://otra.example/logo.png';
    await page.getByRole('link', { name: 'Todos los ajustes' }).press('Enter');
    const change = async (body: object) => {
      const headers = { 'X-API-Key': site.keys.full_access, 'Content-Type': 'application/json' };
      const sent = { method: 'PATCH', headers, body: JSON.stringify(body) };
      expect((await fetch(site.server.url + path, sent)).status).toBe(200);
    };
    await change({ image_url: others });
    await page.goBack();
    await page.getByText(`Otra persona lo ha cambiado: ahora es ${others}.`).waitFor();
    expect(await page.locator('[name=image_url]').inputValue()).toBe('https://norte.example/logo.png');
    // A space that was pasted with it is no part of it.
    await page.locator('[name=image_url]').fill('https://norte.example/logo.png ');
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.getByText('Guardado.').waitFor();
    const saved = { name: 'Asesoría Norte y Sur', image_url: 'https://norte.example/logo.png' };
    expect(await site.ask(path)).toMatchObject(saved);
    // The user's own toggle is not a conflict; after a change of another person it is refused once.
    await page.locator('[name=name]').last().fill('Otra');
    await change({ contact: 'Tel. 961 234 567' });
    await page.getByRole('button', { name: 'Desactivar' }).press('Enter');
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.locator('[name=contact]').inputValue()).toBe('Tel. 961 234 567');
    await page.getByRole('button', { name: 'Desactivar' }).press('Enter');
    await page.getByRole('button', { name: 'Activar' }).waitFor();
    expect(await page.locator('[name=name]').last().inputValue()).toBe('Otra');
    await page.getByRole('button', { name: 'Guardar' }).press('Enter');
    await page.getByText('Guardado.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await site.ask(path)).toMatchObject({ ...saved, name: 'Otra', is_active: false });
    await page.getByRole('link', { name: 'Todos los ajustes' }).press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'Otra inactiva' }).waitFor();
    await close(/422|400|412/);
  });

  it('keep what is typed of a firm while a change of it is being saved', async () => {
    const { id } = await site.ask<Client>('/v1/clients', { name: 'Asesoría Lenta' });
    const { page, close } = await openSettings(site, site.keys.full_access, `ajustes/${id}`);
    const name = page.locator('[name=name]').last();
    const image = page.locator('[name=image_url]');
    const save = page.getByRole('button', { name: 'Guardar' });
    const { held, release } = await holdAnswer(page, `**/v1/clients/${id}`, 'PATCH');
    await name.fill('Asesoría Menos Lenta');
    await save.press('Enter');
    await held;
    await name.fill('Asesoría Rápida');
    await image.fill('https://rapida.example/logo.png');
    release();
    await page.getByRole('heading', { name: 'Asesoría Menos Lenta', exact: true }).waitFor();
    expect([await name.inputValue(), await image.inputValue()]).toEqual([
      'Asesoría Rápida',
      'https://rapida.example/logo.png',
    ]);
    expect(await page.getByText('Guardado.').count()).toBe(0);
    await save.press('Enter');
    await page.getByText('Guardado.').waitFor();
    expect(await site.ask(`/v1/clients/${id}`)).toMatchObject({
      name: 'Asesoría Rápida',
      image_url: 'https://rapida.example/logo.png',
    });
    await close();
  });

  it('say how many calls were made and may be made, to every key', async () => {
    const { page, close } = await openSettings(site, site.keys.public);
    await page.getByText(/\d+ llamadas? a la API en los últimos 30 días/).waitFor();
    await page.getByText(/La cuenta puede hacer \d+ llamadas por minuto; quedan \d+\./).waitFor();
    await page.getByText(/Plan \w+: como máximo \d+|No hay ninguna suscripción activa/).waitFor();
    await close();
  });

  it('A-105: show a key no control that it may not use, and say so in words', async () => {
    const { page, requests, close } = await openSettings(site, site.keys.public);
    await page.getByText('Las claves solo se ven y se crean con una clave de acceso completo').waitFor();
    await page.getByText('Esta clave no permite ver asesorías (clients:read)').waitFor();
    expect(await page.locator('main section button:visible, main section input:visible').count()).toBe(0);
    expect(requests.filter((url) => /\/v1\/(keys|clients)/.test(url))).toEqual([]);
    await close();
    const reader = await site.server.addKey(site.accountId, { scopes: ['clients:read'] });
    const seen = await openSettings(site, reader);
    await seen.page.getByText('Esta clave no permite cambiar asesorías (clients:write)').waitFor();
    await seen.page.locator('main section li a').first().press('Enter');
    await seen.page.getByRole('heading', { name: 'Catálogo de' }).waitFor();
    expect(await seen.page.locator('main section:visible button:visible').count()).toBe(0);
    const boxes = seen.page.getByRole('region', { name: 'Catálogo de' }).getByRole('checkbox');
    await boxes.first().waitFor();
    expect(await boxes.first().isDisabled()).toBe(true);
    await seen.close();
  });
});
