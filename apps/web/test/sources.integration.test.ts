import { readDemoReadings } from '@tarifario/cli/demo';
import type { Curve, InvoiceReading, Ranking } from '@tarifario/client';
import { further } from '@tarifario/testkit/share';
import type { FileChooser } from 'playwright-core';
import { encodeQR } from 'qr';
import { expect, it } from 'vitest';
import { faultsOf } from './axe.ts';
import { describePage } from './browser.ts';
import { openForm, setDay, shownIds } from './household.ts';
import { workbookOf } from './office.ts';

const { invoiceUrl, curve, hourlyCurve } = readDemoReadings();
const CUPS = 'ES0021000000000001AB0F';
/** The one place for files. */
const FILE = /^Suelte, pegue o elija un archivo/;
const CURVE_FILE = { name: 'curva.csv', mimeType: 'text/csv', buffer: Buffer.from(curve) };

describePage('a customer whose consumption is not known', (site) => {
  /** What the server ranks for the invoice. */
  async function rankedByInvoice(): Promise<Ranking> {
    const { efficient, contrato_actual } = await site.ask<InvoiceReading>('/v1/invoices/qr', { url: invoiceUrl });
    return site.ask('/v1/offers/efficient', { ...efficient, contrato_actual, client_type: 'dni', limit: 200 });
  }

  it('A-103: is read from the address of an invoice by keyboard alone, with the present contract, and the CUPS is not sent', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await setDay(page);
    await page.getByLabel('Enlace del QR').focus();
    await page.keyboard.insertText(invoiceUrl);
    await page.keyboard.press('Enter');
    await page.getByText('Factura leída').waitFor();
    expect(await page.locator('[name="contrato_actual.e1"]').inputValue()).toBe('0,19');
    // The first question that is whole is ranked by itself, and the focus is at its answer.
    await page.locator('[data-offer]').first().waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('summary-title');
    const { results, actual } = await rankedByInvoice();
    expect(await shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
    expect(await page.locator('thead').first().innerText()).toContain('Ahorro');
    expect(actual?.cost?.total).toBeGreaterThan(0);
    expect(sent.join('\n')).not.toContain(CUPS);
    await close();
  });

  further('A-103: is read from a photo of the code, which is decoded in the page', async () => {
    const { page, requests, sent, close } = await site.open({ key: site.keys.full_access });
    const photo = Buffer.from(encodeQR(invoiceUrl, 'gif', { scale: 4 }));
    const decoders = () => requests.filter((url) => /\/app\/code-reader\.js$/.test(url)).length;
    expect(decoders()).toBe(0);
    await page.getByLabel(FILE).setInputFiles({ name: 'qr.gif', mimeType: 'image/gif', buffer: photo });
    await page.getByText('Factura leída').waitFor();
    expect(decoders()).toBe(1);
    await openForm(page);
    expect(await page.locator('[name=e3]').inputValue()).toBe('1400');
    expect(sent.join('\n')).not.toMatch(new RegExp(`${CUPS}|GIF8`));
    // Neither its name nor its type says what it is.
    await page.locator('[name=e3]').fill('1');
    const extensionless = { name: 'foto', mimeType: 'text/csv', buffer: photo };
    await page.getByLabel(FILE).setInputFiles(extensionless);
    await expect.poll(() => page.locator('[name=e3]').inputValue()).toBe('1400');
    const other = Buffer.from(encodeQR('https://example.com', 'gif', { scale: 4 }));
    await page.getByLabel(FILE).setInputFiles({ name: 'otra.gif', mimeType: '', buffer: other });
    await page.getByText('No se ha encontrado ningún código').waitFor();
    await close();
  });

  further(
    'of another invoice has nothing of the one before: comment, ticks, filters, rental; all of it comes back',
    async () => {
      const { page, close } = await site.open({ key: site.keys.full_access });
      await setDay(page);
      const read = async (url: string) => {
        await page.getByLabel('Enlace del QR').fill(url);
        await page.getByRole('button', { name: 'Leer' }).press('Enter');
      };
      const boxes = page.getByRole('checkbox', { name: /^Elegir / });
      const search = page.getByRole('searchbox', { name: 'Buscar por nombre' });
      await read(invoiceUrl);
      await page.getByText('Factura leída').waitFor();
      await boxes.first().waitFor();
      await openForm(page);
      await page.getByLabel('Energía renovable').selectOption({ index: 1 });
      await page.getByLabel('Alquiler del contador').selectOption({ index: 1 });
      await page.getByRole('button', { name: 'Comparar ofertas' }).press('Enter');
      await page.getByRole('button', { name: 'Editar' }).press('Enter');
      await boxes.nth(1).check();
      await page.getByLabel('Comentario para el cliente').fill('Para Ana');
      await search.fill('a');
      const own = await boxes.count();
      const later = invoiceUrl.replace(/([?&])caP1=[^&]*/, '$1caP1=66');
      expect(later).not.toBe(invoiceUrl);
      // The next month of the same supply.
      await read(later);
      await expect.poll(() => page.locator('[name=e1]').inputValue()).toBe('66');
      await page.getByText('Factura leída').waitFor();
      expect(await page.getByLabel('Comentario para el cliente').inputValue()).toBe('Para Ana');
      expect(await page.getByLabel('Energía renovable').inputValue()).toBe('yes');
      expect(await page.getByText('Estudio nuevo.').count()).toBe(0);
      await read(invoiceUrl.replace('0001AB', '0002AB').replace(/([?&])caP1=[^&]*/, '$1caP1=77'));
      await expect.poll(() => page.locator('[name=e1]').inputValue()).toBe('77');
      await page.getByText('Factura leída').waitFor();
      await page.getByText('Estudio nuevo.').waitFor();
      expect(await page.getByLabel('Energía renovable').inputValue()).toBe('anyGreen');
      expect(await page.getByLabel('Alquiler del contador').inputValue()).toBe('noRental');
      // It is ranked again by itself.
      await expect.poll(() => boxes.count()).toBeGreaterThan(own);
      expect(await page.locator('.tray').count()).toBe(0);
      expect(await search.inputValue()).toBe('');
      await boxes.nth(1).check();
      expect(await page.getByLabel('Comentario para el cliente').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Deshacer' }).press('Enter');
      await expect.poll(() => page.getByLabel('Comentario para el cliente').inputValue()).toBe('Para Ana');
      expect(await page.getByLabel('Energía renovable').inputValue()).toBe('yes');
      expect(await page.getByLabel('Enlace del QR').inputValue()).toBe('');
      await close();
    },
  );

  further(
    'A-103: is begun anew by one press that is always in sight, and by the curve of another supply point',
    async () => {
      const { page, close } = await site.open({ key: site.keys.full_access });
      await setDay(page);
      await page.getByLabel('Enlace del QR').fill(invoiceUrl);
      await page.getByRole('button', { name: 'Leer' }).press('Enter');
      await page.getByText('Factura leída').waitFor();
      await page.locator('[name=p2]').press('Enter');
      await page.locator('[data-offer] input[type=checkbox]').first().check();
      await page.getByLabel('Comentario para el cliente').fill('Para Ana');
      await page
        .getByLabel(FILE)
        .setInputFiles({ ...CURVE_FILE, buffer: Buffer.from(curve.replaceAll('0001AB', '0002AB')) });
      await page.getByText('Curva leída: 365 días').waitFor();
      await page.getByText('Estudio nuevo.').waitFor();
      expect(await page.locator('[name=p1]').inputValue()).toBe('');
      await page.getByRole('button', { name: 'Deshacer' }).press('Enter');
      await expect.poll(() => page.getByLabel('Comentario para el cliente').inputValue()).toBe('Para Ana');
      await page.evaluate('scrollTo(0, 1e6)');
      const begin = page.getByRole('button', { name: 'Nuevo estudio' });
      expect((await begin.boundingBox())?.y).toBeGreaterThanOrEqual(0);
      await begin.press('Enter');
      await expect.poll(() => page.locator('[name=e1]').inputValue()).toBe('');
      expect(await page.locator('[aria-invalid=true], .ranking, .tray').count()).toBe(0);
      const isAtFirst = () => page.locator('[name=qr]').evaluate((field) => field.matches(':focus'));
      await expect.poll(isAtFirst).toBe(true);
      await begin.press('Enter');
      await expect.poll(isAtFirst).toBe(true);
      await page.getByRole('button', { name: 'Deshacer' }).press('Enter');
      await expect.poll(() => page.getByLabel('Comentario para el cliente').inputValue()).toBe('Para Ana');
      expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('00210000');
      await close();
    },
  );

  further(
    'of an invoice whose prices of power do not fit has fields for them, and is ranked with and without',
    async () => {
      const { page, sent, close } = await site.open({ key: site.keys.full_access });
      await setDay(page);
      await page.getByLabel('Enlace del QR').fill(invoiceUrl.replace('impPot=12.83', 'impPot=90.12'));
      await page.getByRole('button', { name: 'Leer' }).press('Enter');
      await page.getByText('Los precios de la potencia no dan el importe').waitFor();
      const price = page.locator('[name="contrato_actual.p1"]');
      await page.locator('[data-offer]').first().waitFor();
      await openForm(page);
      await price.waitFor({ timeout: 5000 });
      for (const name of ['e1', 'e2', 'e3']) await page.locator(`[name="contrato_actual.${name}"]`).fill('0,19');
      await page.locator('[name="contrato_actual.p2"]').fill('0,01');
      await price.fill('0,08');
      await page.locator('thead', { hasText: 'Ahorro' }).waitFor();
      expect(sent.at(-1)).toContain('"p1":0.08');
      await close();
    },
  );

  further('A-109: with every line of the invoice says whether its total fits', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    const lines = '&cfP1=100&cfP2=75&cfP3=116&fFact=2026-09-20&impEner=15.00&finBS=0.72&impOtrosSinIE=0.77';
    const url = `${invoiceUrl.replace('12.83', '4.30')}${lines}`;
    const read = async (total: string) => {
      await page.getByLabel('Enlace del QR').fill(`${url}&imp=${total}`);
      await page.getByRole('button', { name: 'Leer' }).press('Enter');
    };
    await read('26.35');
    await page.getByText('El total impreso cuadra con sus líneas y sus impuestos.').waitFor();
    await page.locator('[data-offer]').first().waitFor();
    await openForm(page);
    await read('27.35');
    await page.getByText('salen 26,39 €, y la diferencia es 0,96 €').waitFor();
    await close();
  });

  further('is read from the curve of a meter that is dropped on the page, month by month', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await setDay(page);
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(curve)}], 'curva.csv')); return data; })()`,
    );
    await page.getByText(FILE).dispatchEvent('drop', { dataTransfer: dropped });
    await page.getByText('Curva leída: 365 días').waitFor();
    await page.locator('[name=p1]').fill('5,75');
    await page.locator('[name=p2]').fill('5,75');
    await page.keyboard.press('Enter');
    await page.locator('[data-offer]').first().waitFor();
    const { perfil } = await site.ask<Curve>('/v1/consumption/periods?tariff_type=2.0TD&territory=peninsula', {
      csv: curve,
    });
    const body = { supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni', perfil };
    const { results } = await site.ask<Ranking>('/v1/offers/efficient', {
      ...body,
      potencia: { p1: 5.75, p2: 5.75 },
      limit: 200,
    });
    expect(await shownIds(page)).toEqual(results.map(({ offer }) => offer.id));
    await openForm(page);
    await page.getByRole('button', { name: 'Usar solo los totales' }).press('Enter');
    expect(
      Number(
        await page
          .locator('[name=e1]')
          .inputValue()
          .then((text) => text.replace(',', '.')),
      ),
    ).toBeGreaterThan(0);
    await page.getByLabel(FILE).setInputFiles({ ...CURVE_FILE, buffer: Buffer.from(curve) });
    await page.getByRole('button', { name: 'Usar solo los totales' }).waitFor();
    // There the same hours are of other periods.
    await page.getByLabel('Territorio').selectOption({ label: 'Ceuta y Melilla' });
    await page.getByRole('button', { name: 'Usar solo los totales' }).waitFor({ state: 'detached' });
    await close();
  });

  further('is read from a photo and from the curve of a meter by keyboard alone, and ranked', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await setDay(page);
    await page.getByLabel('Enlace del QR').focus();
    await page.keyboard.press('Shift+Tab');
    const choose = async (file: Parameters<FileChooser['setFiles']>[0]) => {
      expect(await page.getByLabel(FILE).evaluate((input) => input.matches(':focus'))).toBe(true);
      await page.keyboard.press('Enter');
      expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
      const chooser = page.waitForEvent('filechooser');
      await page.keyboard.press('Space');
      await (await chooser).setFiles(file);
    };
    // Without a power there is no whole question yet.
    await choose({ ...CURVE_FILE, buffer: Buffer.from(curve) });
    await page.getByText('Curva leída: 365 días').waitFor();
    const photo = Buffer.from(encodeQR(invoiceUrl, 'gif', { scale: 4 }));
    await choose({ name: 'qr.gif', mimeType: 'image/gif', buffer: photo });
    await page.getByText('Factura leída').waitFor();
    await page.locator('[data-offer]').first().waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('summary-title');
    await close();
  });

  further('is shown in place of the typed consumption, which comes back afterwards', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.locator('[name=e1]').fill('5000');
    await page.locator('[name=p1]').fill('9,2');
    await page.getByLabel('Territorio').selectOption({ label: 'Canarias' });
    await page.getByLabel('Con su importe').check();
    await page.locator('[name="contrato_actual.coste_total"]').fill('690');
    await page.getByLabel('Enlace del QR').fill(invoiceUrl);
    await page.getByRole('button', { name: 'Leer' }).press('Enter');
    await page.getByText('se conserva (datos distintos: 5)').waitFor();
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    await page.getByLabel(FILE).setInputFiles({ ...CURVE_FILE, buffer: Buffer.from(curve) });
    await page.getByText('Curva leída').waitFor();
    const back = page.getByRole('button', { name: 'Deshacer' });
    await back.press('Enter');
    expect(await page.locator('[name=e1]').inputValue()).toBe('1200');
    await back.press('Enter');
    expect(await page.locator('[name=e1]').inputValue()).toBe('5000');
    expect(await page.locator('[name=p1]').inputValue()).toBe('9,2');
    expect(await page.locator('[name="contrato_actual.coste_total"]').inputValue()).toBe('690');
    expect(await page.getByLabel('Territorio').locator(':checked').innerText()).toBe('Canarias');
    await back.press('Enter');
    await openForm(page);
    await page.getByText('meses leídos del contador').waitFor();
    await close();
  });

  further(
    'A-164: is read beside the loaded indices: what its hours cost, a question with them, and offers marked by hours',
    async () => {
      const { page, sent, close } = await site.open({ key: site.keys.full_access });
      await setDay(page);
      await page.locator('[name=p1]').fill('4,6');
      await page.getByLabel(FILE).setInputFiles({ ...CURVE_FILE, buffer: Buffer.from(hourlyCurve) });
      await page.getByText('PVPC: sus horas cuestan 7,29 € más que la media.').waitFor();
      await page.locator('[data-offer]').first().waitFor();
      const question = sent.findLast((text) => text.includes('/v1/offers/efficient')) ?? '';
      const [month] = JSON.parse(question.slice(question.indexOf('{'))).perfil;
      expect(month).toMatchObject({ mes: 6, anio: 2026, dias: 30 });
      expect(month.indices.PVPC).toEqual({
        d1: 0.057794275,
        d2: 0.071104114,
        d3: 0.026648093,
        excedentes: 0.083588438,
      });
      await page.getByRole('searchbox', { name: 'Buscar por nombre' }).fill('PVPC 2.0TD');
      const small = page.locator('[data-offer] th small');
      await expect.poll(() => small.allInnerTexts()).toEqual([expect.stringMatching(/ · por horas$/)]);
      await page.getByRole('searchbox', { name: 'Buscar por nombre' }).fill('Tejado Imaginario');
      await expect.poll(() => small.allInnerTexts()).toEqual([expect.stringMatching(/ · excedentes por horas$/)]);
      const look = { colorScheme: 'light', viewport: { width: 1280, height: 900 } } as const;
      expect(
        await faultsOf(page, [look, { ...look, colorScheme: 'dark', viewport: { width: 375, height: 800 } }]),
      ).toEqual([]);
      await page.getByRole('button', { name: 'English' }).press('Enter');
      await page.getByText('PVPC: these hours cost 7.29 € more than the mean.').waitFor();
      // Totals by month have no hours, and are read as before.
      await page.getByLabel(/^Drop, paste or choose a file/).setInputFiles(CURVE_FILE);
      await page.getByText('The curve was read: 365 days').waitFor();
      expect(await page.getByText('than the mean').count()).toBe(0);
      const read = sent.filter((text) => text.includes('/consumption/periods'));
      expect(read.map((text) => text.includes('indices=PVPC'))).toEqual([true, false]);
      await close();
    },
  );

  further('without a loaded index asks for its curve as before', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await page.route('**/v1/indices', (route) => route.fulfill({ json: { indices: [] } }));
    await page.getByLabel(FILE).setInputFiles({ ...CURVE_FILE, buffer: Buffer.from(hourlyCurve) });
    await page.getByText('Curva leída: 30 días').waitFor();
    expect(await page.getByText('que la media').count()).toBe(0);
    expect(sent.find((text) => text.includes('/consumption/periods'))).not.toContain('indices');
    await page.unroute('**/v1/indices');
    await close();
  });

  further('with a postcode of no province keeps the territory that was chosen, which is named', async () => {
    const { page, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.getByLabel('Territorio').selectOption({ label: 'Baleares' });
    await page.getByLabel('Enlace del QR').fill(invoiceUrl.replace(/cp=\d+/, 'cp=99999'));
    await page.getByRole('button', { name: 'Leer' }).press('Enter');
    await page.getByText('El código postal no es de ninguna provincia: se usa Baleares.').waitFor();
    expect(await page.getByLabel('Territorio').locator(':checked').innerText()).toBe('Baleares');
    await page.getByRole('button', { name: 'English' }).press('Enter');
    await page.getByText('The invoice was read').waitFor();
    await page.getByText('The postcode is of no province: Balearic Islands is used.').waitFor();
    await close();
  });

  further(
    'A-103: is read from a pasted screenshot and from a link with quotes and another scheme, without a supply point',
    async () => {
      const { page, sent, close } = await site.open({ key: site.keys.full_access });
      const gif = Buffer.from(encodeQR(invoiceUrl, 'gif', { scale: 4 })).toString('base64');
      // Wherever the focus is.
      await page.locator('body').evaluate(PASTE, gif);
      await page.getByText('Factura leída').waitFor();
      await openForm(page);
      expect(await page.locator('[name=e3]').inputValue()).toBe('1400');
      for (const link of [
        `"${invoiceUrl.replace('https', 'http')}"`,
        invoiceUrl.replace('https://', ''),
        ` «${invoiceUrl}»`,
      ]) {
        await page.locator('[name=e3]').fill('1');
        await page.getByLabel('Enlace del QR').fill(link);
        await page.getByRole('button', { name: 'Leer' }).press('Enter');
        await expect.poll(() => page.locator('[name=e3]').inputValue()).toBe('1400');
      }
      // A link too, outside of fields.
      await page.locator('[name=e3]').fill('1');
      await page.locator('body').evaluate(PASTE, `${invoiceUrl}\n`);
      await expect.poll(() => page.locator('[name=e3]').inputValue()).toBe('1400');
      expect(sent.join('\n')).not.toContain(CUPS);
      await close();
    },
  );

  it('A-103: its supply point leaves the page neither with ES nor without, in a comment, a search, an address or a curve', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    const bare = '0021000000000001RK';
    await page.getByLabel('Enlace del QR').fill(`${invoiceUrl}&x=${bare}`);
    await page.getByRole('button', { name: 'Leer' }).press('Enter');
    await page.getByText('Factura leída').waitFor();
    const rows = curve.replaceAll(CUPS, bare).replaceAll('ES0021000000000001', bare);
    await page.getByLabel(FILE).setInputFiles({ ...CURVE_FILE, buffer: Buffer.from(rows) });
    await page.getByText('Curva leída: 365 días').waitFor();
    await page.locator('[data-offer]').first().waitFor();
    await setDay(page);
    await page.locator('[name=p2]').press('Enter');
    // The answer to this, and not to the readings before, whose rows go with their ticks.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('summary-title');
    await page.locator('[data-offer] input[type=checkbox]').first().press('Space');
    await page.getByLabel('Comentario para el cliente').fill(`De ${bare}, hoy`);
    await page.getByRole('button', { name: 'Crear propuesta' }).press('Enter');
    await page.getByRole('button', { name: 'Imprimir' }).waitFor();
    await page.getByRole('searchbox').fill(bare);
    await page.getByRole('link', { name: 'Ofertas', exact: true }).press('Enter');
    await page.locator('input[type=search]:visible').fill(`Unicornio ${bare}`);
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('Unicornio');
    const kinds = ['/invoices/qr', '/consumption/periods', '"nota":"De , hoy"', '/offers?'];
    for (const kind of kinds) expect(sent.filter((text) => text.includes(kind)).length, kind).toBeGreaterThan(0);
    expect(sent.filter((text) => text.includes('00210000'))).toEqual([]);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('00210000');
    await close();
  });

  further('is told what a file is that is read elsewhere, and where, and nothing of it is sent', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    const drop = (name: string, text: string) =>
      page.getByLabel(FILE).setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
    await drop('clientes.txt', 'ref;supply_type;tariff_type\nAna;LUZ;2.0TD');
    await page.getByText('Es una tabla de clientes').getByRole('link', { name: 'Cartera' }).waitFor();
    const { buffer } = await workbookOf([{ offer_name: 'Ana' }]);
    await page.getByLabel(FILE).setInputFiles({ name: 'ofertas.csv', mimeType: 'text/csv', buffer });
    await page.getByText('Es un archivo Excel').getByRole('link', { name: 'Ofertas' }).press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/app/ofertas');
    expect(sent.join('\n')).not.toMatch(/POST|Ana/);
    await close();
  });

  further('A-103: of a kind that the page cannot read is refused in it, and nothing of it is sent', async () => {
    const { page, requests, sent, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.locator('[name=p1]').fill('4,6');
    await page.getByText('Potencia óptima', { exact: true }).press('Enter');
    const before = requests.length;
    const refused = page.getByText('no ha enviado nada');
    const html = '<!DOCTYPE html><p>Ana Ruiz DNI 00000000T; Fecha; Hora</p>';
    const archived = `PK\u0003\u0004Ana PK\u0001\u0002${'-'.repeat(42)}word/document.xml`;
    const files = {
      'factura.html': html,
      'factura.xml': `<?xml version="1.0"?>\n${html}`,
      'factura.docx': archived,
      'curva.csv': 'Ana;Ruiz\n1;2',
      'carta.txt': 'Estimada Ana: en fecha de hoy',
      'curva16.csv': Buffer.from('CUPS;Fecha;Hora\nAna;1/1/2026;1', 'utf16le').toString('latin1'),
      'curva.xls': '\u00d0\u00cf\u0011\u00e0Fecha;Hora\u0000;Ana',
    };
    for (const [name, text] of Object.entries(files)) {
      const file = { name, mimeType: 'text/csv', buffer: Buffer.from(text, 'latin1') };
      await page.getByLabel(FILE).setInputFiles({ name: 'vacío.csv', mimeType: 'text/csv', buffer: Buffer.from('') });
      await page.getByText('El archivo está vacío').waitFor();
      await page.getByLabel(FILE).setInputFiles(file);
      await refused.waitFor();
      await page.getByLabel('O la curva de carga').setInputFiles(file);
      await page.locator('details.power').getByText('No se puede leer este archivo').waitFor();
    }
    expect(requests.slice(before)).toEqual([]);
    // What iPhones take; this browser does not know it.
    const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heicAna', 'latin1');
    await page.getByLabel(FILE).setInputFiles({ name: 'IMG_1234.HEIC', mimeType: '', buffer: heic });
    await page.getByText('tiene un formato como el HEIC').waitFor();
    expect(requests.slice(before).filter((url) => url.includes('/v1/'))).toEqual([]);
    expect(sent.join('\n')).not.toContain('Ana');
    await close();
  });

  further('with half a curve or a wrong address gets an instruction, and keeps what was typed', async () => {
    const { page, sent, close } = await site.open({ key: site.keys.full_access });
    await openForm(page);
    await page.locator('[name=p1]').fill('5,75');
    const [head = '', ...rows] = halfACurve();
    await page.getByLabel(FILE).setInputFiles({ ...CURVE_FILE, buffer: Buffer.from([head, ...rows].join('\n')) });
    const alert = page.getByRole('alert');
    await alert.getByText('Descárguelo otra vez de Datadis').waitFor();
    expect(await alert.innerText()).toMatch(/hours are missing|horas/);
    expect(await page.locator('[name=p1]').inputValue()).toBe('5,75');
    // Two supply points are still two.
    const other = rows.map((row, index) => (index === 5 ? row.replace('0001AB', '0002AB') : row));
    await page.getByLabel(FILE).setInputFiles({ ...CURVE_FILE, buffer: Buffer.from([head, ...other].join('\n')) });
    await alert.getByText(/otro punto de suministro/).waitFor();
    expect(sent.filter((text) => text.includes(';01/03/2026;1;0,5;R'))).toHaveLength(2);
    await page.getByLabel('Enlace del QR').fill('https://example.com/QRE?cp=28013');
    await page.getByRole('button', { name: 'Leer' }).press('Enter');
    await alert.getByText('Empieza por https://comparador.cnmc.gob.es/').waitFor();
    expect(await page.getByLabel('Enlace del QR').inputValue()).toBe('https://example.com/QRE?cp=28013');
    // Nor does the text of an invoice go anywhere: it has a name.
    await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
    await page.getByRole('button', { name: 'Escribir los datos' }).waitFor();
    await page.getByLabel('Enlace del QR').fill('Titular: Ana Ruiz Gil Potencia 4,6 kW');
    await page.getByRole('button', { name: 'Leer' }).press('Enter');
    await alert.getByText('Empieza por https://comparador.cnmc.gob.es/').waitFor();
    expect(sent.join()).not.toMatch(/Ruiz|example\.com/);
    // It does not stay for the next customer.
    await page.getByRole('button', { name: 'Nuevo estudio' }).press('Enter');
    await expect.poll(() => page.getByLabel('Enlace del QR').inputValue()).toBe('');
    expect(await alert.count()).toBe(0);
    await close(/40[0-9]|422/);
  });
});

/** Every other hour of ten days, as distributors write it. */
function halfACurve(): readonly string[] {
  const rows = Array.from({ length: 120 }, (_, index) => {
    const day = String(1 + Math.floor(index / 12)).padStart(2, '0');
    return `${CUPS};${day}/03/2026;${1 + 2 * (index % 12)};0,5;R`;
  });
  return ['CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion', ...rows];
}

/** Pastes a picture, in base64, or a link, as from the clipboard. */
const PASTE = (element: object, text: string) => {
  const data = new (Reflect.get(globalThis, 'DataTransfer'))();
  if (text.startsWith('http')) data.setData('text', text);
  else
    data.items.add(new File([Uint8Array.from(atob(text), (one) => one.charCodeAt(0))], 'x.gif', { type: 'image/gif' }));
  const Paste = Reflect.get(globalThis, 'ClipboardEvent');
  Reflect.get(element, 'dispatchEvent').call(element, new Paste('paste', { clipboardData: data, bubbles: true }));
};
