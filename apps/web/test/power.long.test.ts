import { readDemoReadings } from '@tarifario/cli/demo';
import type { PowerAdvice, Ranking } from '@tarifario/client';
import { expect, it } from 'vitest';
import { readNumber } from '../src/customer/numbers.ts';
import { faultsOf, type Look } from './axe.ts';
import { describePage } from './browser.ts';
import { HOUSEHOLD, openForm, rankHousehold, setDay, typeHousehold, typeMaxima } from './household.ts';

const LOOKS: readonly Look[] = [
  { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
];
const QUESTION = { tariff_type: '2.0TD', fecha: '2026-10-15', territory: 'peninsula', potencia: HOUSEHOLD.potencia };

const spanish = (value: number | undefined, decimals = 2) =>
  new Intl.NumberFormat('es-ES', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: 2,
    useGrouping: 'always',
  }).format(value ?? Number.NaN);

describePage('A-110: the right contracted power', (site) => {
  it('is found from typed maxima, with what it saves, and a second ranking beside the first', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await typeHousehold(page);
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    await typeMaxima(page, { 'enero P1': '3,21', 'enero P2': '3', 'febrero P1': 'dos', 'febrero P2': '3' });
    await page.getByRole('button', { name: 'Buscar la potencia óptima' }).press('Enter');
    await page.getByText('Escriba un número, p. ej. 1200 o 4,6').waitFor();
    expect(sent.join()).not.toContain('maximos');
    await typeMaxima(page, { 'febrero P1': '2,9', 'todo el año P1': '9' });
    await page.getByRole('button', { name: 'Buscar la potencia óptima' }).press('Enter');
    const maxima = [
      { mes: 1, dias: 31, maximos: { p1: 3.21, p2: 3 } },
      { mes: 2, dias: 28, maximos: { p1: 2.9, p2: 3 } },
    ];
    const advice = await site.ask<PowerAdvice>('/v1/power/optimize', { ...QUESTION, periodos: maxima });
    const card = page.locator('details.power');
    await card.getByText(`Ahorro al año, sin impuestos: ${spanish(advice.ahorro_anual)} €.`).waitFor();
    expect(advice.optima.potencia).toEqual({ p1: 3.3, p2: 3 });
    const shown = await card.innerText();
    for (const part of [advice.actual, advice.optima, advice.cubriente]) expect(shown).toContain(spanish(part.total));
    expect(shown).toContain('La potencia se cambia por derecho una vez cada doce meses');
    expect(await faultsOf(page, LOOKS)).toEqual([]);
    await card.getByRole('button', { name: 'Comparar con la potencia óptima' }).press('Enter');
    await card.locator('[data-twice]').first().waitFor();
    const rankedAt = (cost: PowerAdvice['actual']) =>
      site.ask<Ranking>('/v1/offers/efficient', {
        ...{ ...HOUSEHOLD, potencia: cost.potencia },
        impuestos: { fecha: '2026-10-15', tipos: {}, otros: { con_iee: cost.excesos } },
      });
    const [today, best] = [await rankedAt(advice.actual), await rankedAt(advice.optima)];
    const [first] = best.results;
    const before = today.results.find(({ offer }) => offer.id === first?.offer.id);
    const row = await card.locator('[data-twice]').first().innerText();
    for (const result of [first, before]) expect(row).toContain(spanish(result?.factura_estimada?.total));
    // What was asked is no longer what is shown.
    await page.locator('[name=p1]').fill('5');
    await expect.poll(() => card.locator('table:not(.maxima)').count()).toBe(0);
    await close();
  });

  it('is that of a study and of its proposal, with what is paid today as it was, and is undone', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await typeHousehold(page);
    await page.getByLabel('Con sus precios').check();
    for (const name of ['e1', 'e2', 'e3']) await page.locator(`[name="contrato_actual.${name}"]`).fill('0,15');
    for (const name of ['p1', 'p2']) await page.locator(`[name="contrato_actual.${name}"]`).fill('0,1');
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    await typeMaxima(page, { 'todo el año P1': '3,2', 'todo el año P2': '2,9' });
    await page.getByRole('button', { name: 'Buscar la potencia óptima' }).press('Enter');
    const card = page.locator('details.power');
    await card.getByRole('button', { name: 'Comparar con la potencia óptima' }).press('Enter');
    await card.getByRole('button', { name: 'Hacer el estudio con la potencia óptima' }).press('Enter');
    await expect.poll(() => page.locator('[name=p1]').inputValue()).toBe('3,2');
    const today = await site.ask<Ranking>('/v1/offers/efficient', {
      ...HOUSEHOLD,
      contrato_actual: { e1: 0.15, e2: 0.15, e3: 0.15, p1: 0.1, p2: 0.1 },
      impuestos: { fecha: '2026-10-15', tipos: {} },
    });
    const paid = today.actual?.factura_estimada?.total ?? Number.NaN;
    expect(readNumber(await page.locator('[name="contrato_actual.factura_total"]').inputValue(), 'es')).toBe(paid);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Resultado');
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    const bills = page.locator('.comparison tr').filter({ hasText: 'Factura' }).first();
    await expect.poll(() => bills.innerText()).toContain(spanish(paid));
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    const sheet = page.frameLocator('iframe');
    await sheet.getByText('Con la potencia contratada a P1 3,2 · P2 2,9 kW (hoy P1 4,6 · P2 4,6 kW)').waitFor();
    const printed = new Intl.NumberFormat('es-ES', {
      useGrouping: 'always',
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }).format(paid);
    await sheet.getByText(printed).first().waitFor();
    await page.getByRole('button', { name: 'Deshacer' }).first().press('Enter');
    await expect.poll(() => page.locator('[name=p1]').inputValue()).toBe('4,6');
    expect(await page.locator('[name="contrato_actual.e1"]').inputValue()).toBe('0,15');
    await close();
  });

  it('of a study adds a sentence to the comment, which goes with that power; comment and ticks of the advisor stay', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await rankHousehold(page);
    const ticked = page.locator('[data-offer] input[type=checkbox]:checked');
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    const comment = page.getByLabel('Comentario para el cliente');
    await comment.fill('Llamar en junio');
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    await typeMaxima(page, { 'todo el año P1': '3,2', 'todo el año P2': '2,9' });
    const card = page.locator('details.power');
    const study = async () => {
      await page.getByRole('button', { name: 'Buscar la potencia óptima' }).press('Enter');
      await card.getByRole('button', { name: 'Comparar con la potencia óptima' }).press('Enter');
      await card.getByRole('button', { name: 'Hacer el estudio con la potencia óptima' }).press('Enter');
      await expect.poll(() => comment.inputValue()).toMatch(/^Llamar en junio\nCon la potencia contratada a P1 3,2 /);
    };
    await study();
    expect(await ticked.count()).toBe(1);
    await page.getByRole('button', { name: 'Deshacer' }).press('Enter');
    await expect.poll(() => page.locator('[name=p1]').inputValue()).toBe('4,6');
    expect(await comment.inputValue()).toBe('Llamar en junio');
    await page.locator('.stale').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.getByRole('button', { name: 'Imprimir' }).waitFor();
    const [proposal = ''] = sent.filter((text) => /\/proposals /.test(text));
    expect(proposal).toContain('"nota":"Llamar en junio"');
    expect(proposal).toContain('"p1":4.6');
    await study();
    await page.locator('[name=p1]').fill('3,3');
    await expect.poll(() => comment.inputValue()).toBe('Llamar en junio');
    expect(await ticked.count()).toBe(1);
    await close();
  });

  it('has its maxima from the code of an invoice, and is refused with the reason', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    const { invoiceUrl } = readDemoReadings();
    await page.getByLabel('Enlace del QR').fill(`${invoiceUrl}&pmaxP1=3.4&pmaxP2=2.8`);
    await page.getByRole('button', { name: 'Leer' }).press('Enter');
    await page.getByText('Factura leída').waitFor();
    await openForm(page);
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    await expect.poll(() => page.getByLabel('todo el año P1 kW').inputValue()).toBe('3,4');
    expect(await page.getByLabel('todo el año P2 kW').inputValue()).toBe('2,8');
    await typeMaxima(page, { 'enero P1': '3,4' });
    await page.getByRole('button', { name: 'Buscar la potencia óptima' }).press('Enter');
    await page.getByText(/^enero P2: /).waitFor();
    await close(/422/);
  });

  it('is found from a curve, in six periods, with the excess in the bills', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await setDay(page);
    await page.getByLabel('Peaje').selectOption('3.0TD');
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']) await page.locator(`[name=${name}]`).fill('20');
    await page.locator('[name=e1]').fill('5000');
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    const hours = Array.from({ length: 24 }, (_, hour) => `15/01/2026;${hour + 1};${hour === 10 ? 30 : 5}`);
    const buffer = Buffer.from(['Fecha;Hora;Consumo_kWh', ...hours].join('\n'));
    await page.getByLabel('O la curva de carga').setInputFiles({ name: 'c.csv', mimeType: 'text/csv', buffer });
    const card = page.locator('details.power');
    await card.getByText('La curva es horaria').waitFor();
    await card.getByRole('button', { name: 'Comparar con la potencia óptima' }).press('Enter');
    // 10 kW above for one day at 0.171373 EUR, in 365 days.
    await expect.poll(() => sent.filter((text) => text.includes('"con_iee":625.51')).length).toBe(1);
    await close();
  });
});
