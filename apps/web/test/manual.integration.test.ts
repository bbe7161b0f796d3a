import { readFileSync } from 'node:fs';
import { readDemoReadings } from '@tarifario/cli/demo';
import { further } from '@tarifario/testkit/share';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { openForm, setDay, typeMaxima } from './household.ts';
import { dropFile, workbookOf } from './office.ts';

const manual = readFileSync(new URL('../../../docs/es/manual.md', import.meta.url), 'utf8');
const { invoiceUrl, curve } = readDemoReadings();

/** Collects which names in bold of a section were on the page after a step. Not every error of a workbook is made here. */
function follow(page: Page, title: string) {
  const section = manual.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  const names = [...(section.split('| Error')[0] ?? '').matchAll(/\*\*(.+?)\*\*/g)].map(([, name = '']) => name);
  const missing = new Set(names);
  expect(missing.size).toBeGreaterThan(2);
  return async (act: () => Promise<unknown>) => {
    await act();
    const text = await page.locator('body').innerText();
    for (const name of missing) if (name.split('…').every((part) => text.includes(part))) missing.delete(name);
    return [...missing];
  };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

describePage('the manual in Spanish', (site) => {
  it('names what the page shows, and leads from the key to a printed proposal', async () => {
    const { page, close } = await site.open();

    const enter = follow(page, 'Entrar');
    await enter(() => page.getByLabel('Clave de acceso').fill(site.keys.full_access));
    await press(page, 'Entrar');
    expect(await enter(() => page.getByRole('button', { name: 'Salir' }).waitFor())).toEqual([]);

    const customer = follow(page, 'Un cliente');
    await customer(() => page.getByRole('button', { name: 'Escribir los datos' }).waitFor());
    await openForm(page);
    await customer(() => page.getByLabel('Peaje').selectOption('RL.2'));
    await customer(() => page.getByLabel('Peaje').selectOption('2.0TD'));
    await page
      .getByLabel(/^Suelte, pegue o elija/)
      .setInputFiles({ name: 'curva.csv', mimeType: 'text/csv', buffer: Buffer.from(curve) });
    await customer(() => page.getByText('Curva leída').waitFor());
    await page.getByLabel('Enlace del QR').fill(invoiceUrl);
    await press(page, 'Leer');
    await customer(() => page.getByText('Factura leída').waitFor());
    await page.locator('[data-offer]').first().waitFor();
    await customer(() => page.getByRole('button', { name: 'Editar' }).waitFor());
    await openForm(page);
    await page.getByLabel('Titular').selectOption({ label: 'Particular' });
    await setDay(page);
    await page.getByText('Potencia óptima', { exact: true }).click();
    await customer(() => page.getByRole('region', { name: 'Máximos por mes (kW)' }).waitFor());
    await typeMaxima(page, { 'todo el año P1': '3', 'todo el año P2': '3' });
    await customer(() => press(page, 'Buscar la potencia óptima'));
    const twice = page.getByRole('button', { name: 'Comparar con la potencia óptima' });
    await customer(() => twice.click());
    const study = page.getByRole('button', { name: 'Hacer el estudio con la potencia óptima' });
    expect(await customer(() => study.waitFor())).toEqual([]);
    await study.click();

    const list = follow(page, 'Leer la lista');
    await press(page, 'Comparar ofertas');
    await list(() => page.locator('[data-offer]').first().waitFor());
    await list(() => openForm(page));
    await list(() => press(page, 'Gráfico'));
    await press(page, 'Tabla');
    await list(() => page.locator('[data-offer] .name').first().click());
    await page.keyboard.press('Escape');
    expect(await list(() => page.getByRole('button', { name: 'PVPC 2.0TD' }).click())).toEqual([]);
    await page.keyboard.press('Escape');

    const proposal = follow(page, 'Elegir y proponer');
    const ticks = page.getByRole('checkbox', { name: /^Elegir / });
    for (const index of [0, 1]) await ticks.nth(index).check();
    await page.getByLabel('Comentario para el cliente').fill('Según lo hablado');
    await proposal(() => page.getByRole('button', { name: 'Crear propuesta' }).waitFor());
    await press(page, 'Crear propuesta');
    await page.frameLocator('iframe').getByText('Según lo hablado').waitFor();
    await proposal(() => page.getByRole('button', { name: 'Imprimir' }).waitFor());
    await page.getByRole('link', { name: 'Propuestas' }).click();
    await proposal(() => page.locator('[data-proposal]').waitFor());
    await page.locator('[data-proposal] a').click();
    expect(await proposal(() => page.getByRole('button', { name: 'Verificar' }).waitFor())).toEqual([]);
    await close();
  });

  further('leads from the template to changed offers, and from a table of customers to their savings', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    const download = async (name: string) => {
      const saved = page.waitForEvent('download');
      await press(page, name);
      return readFileSync(await (await saved).path());
    };

    const offer = follow(page, 'Una oferta');
    await offer(() => page.getByRole('link', { name: 'Ofertas', exact: true }).click());
    await offer(() => page.locator('[data-stored-offer]').first().waitFor());
    await page.locator('[data-stored-offer] a').first().click();
    expect(await offer(() => page.getByRole('heading', { name: 'Historial' }).waitFor())).toEqual([]);

    const offers = follow(page, 'Ofertas en una hoja de cálculo');
    await offers(() => page.getByRole('link', { name: 'Ofertas', exact: true }).click());
    const template = await download('Descargar las ofertas de precio fijo (.xlsx)');
    await dropFile(page, /Excel/, { ...(await workbookOf([])), buffer: template });
    await offers(() => page.getByText('Nada: el archivo dice lo mismo').waitFor());
    const { results } = await site.ask<{ readonly results: readonly { readonly id: number }[] }>('/v1/offers');
    await dropFile(page, /Excel/, await workbookOf([{ offer_id: results[0]?.id ?? 0, services_cost: 3.21 }]));
    await offers(() => page.getByRole('button', { name: 'Aplicar los cambios' }).waitFor());
    await press(page, 'Aplicar los cambios');
    expect(await offers(() => page.locator('.done').waitFor())).toEqual([]);

    const customers = follow(page, 'Una cartera de clientes');
    await page.getByRole('link', { name: 'Cartera' }).click();
    const table = `${await download('Descargar una tabla de ejemplo')}Mal;LUZ;2.0TD;peninsula;dni;;;;;;;\r\n`;
    await page.route('**/batch', () => {}, { times: 1 });
    await dropFile(page, /clientes/, { name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await customers(() => page.getByRole('button', { name: 'Parar' }).waitFor());
    await press(page, 'Parar');
    await customers(() => page.getByRole('button', { name: 'Continuar' }).waitFor());
    await press(page, 'Continuar');
    await customers(() => page.getByText('Clientes: 3 de 3').waitFor());
    expect(await customers(() => page.getByText('Negociar una oferta').click())).toEqual([]);
    await page.getByRole('button', { name: 'Negociar', exact: true }).waitFor();
    expect(String(await download('Descargar (CSV)'))).toContain(';Avisos;');

    const settings = follow(page, 'Ajustes');
    await page.getByRole('link', { name: 'Ajustes' }).click();
    await settings(() => page.getByRole('button', { name: 'Crear la clave' }).waitFor());
    await page.locator('li a', { hasText: 'Asesoría' }).first().click();
    expect(await settings(() => page.getByRole('button', { name: 'Desactivar' }).waitFor())).toEqual([]);
    await close();
  });
});
