import { readFile } from 'node:fs/promises';
import type { Portfolio } from '@tarifario/client';
import { BOMBS } from '@tarifario/testkit/files/hostile-files';
import { sheetXml, workbookFile } from '@tarifario/testkit/files/workbook-file';
import { further } from '@tarifario/testkit/share';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { addOffers, describePage, EVIL } from './browser.ts';
import { dropFile, openOffice, XLSX } from './office.ts';

const CUSTOMERS = /clientes/;
const HEADER = 'ref;supply_type;tariff_type;territory;client_type;e1;e2;e3;p1;p2;actual_coste_total';
const COUNT = 250;

/** A household a line, each with another saving; the third line of the file is none. */
const lines = Array.from({ length: COUNT }, (_, index) => {
  const ref =
    index === 5
      ? `"${EVIL.company.replaceAll('"', '""')}"`
      : index === 6
        ? EVIL.offer.replaceAll('"', '')
        : `c${index}`;
  const consumed = index === 1 ? 'mucho' : `${1000 + ((index * 37) % 400)},5`;
  return `${ref};LUZ;2.0TD;peninsula;dni;${consumed};900;1400;4,6;4,6;${700 + ((index * 91) % 500)}`;
});
const CUPS = 'ES0021000000000001AB0F';
const csvFile = (text: string, name = 'cartera.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
/** Rows as XML of a workbook: a text that begins with `=` is a formula. */
const xmlOf = (rows: readonly (readonly (string | number)[])[]) =>
  rows
    .map(
      (row) =>
        `<row>${row.map((cell) => (typeof cell === 'number' ? `<c><v>${cell}</v></c>` : cell.startsWith('=') ? `<c><f>${cell.slice(1)}</f><v>1</v></c>` : `<c t="inlineStr"><is><t>${cell}</t></is></c>`)).join('')}</row>`,
    )
    .join('');
const bookFile = (buffer: Buffer, name = 'cartera.xlsx') => ({ name, mimeType: XLSX, buffer });
const FILE = csvFile(`\uFEFF${[HEADER, ...lines].join('\r\n')}\r\n`, `${EVIL.offer}.csv`);

/** The lines of the customers in the order of the table. */
const shownLines = (page: Page) =>
  page.locator('[data-line]').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-line'))));

async function download(page: Page): Promise<string[]> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Descargar (CSV)' }).press('Enter');
  return (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n');
}

describePage('a table of customers in the page', (site) => {
  beforeAll(async () => {
    await addOffers(site, 40);
  });

  const openRoom = (key: string) => site.open({ key, at: 'cartera' });

  it('A-106: is ranked by keyboard alone as the service ranks, sorted by saving, and downloaded as a harmless CSV', async () => {
    const { page, requests, close } = await openRoom(site.keys.full_access);
    const chooser = page.waitForEvent('filechooser');
    await page.locator('.drop', { hasText: CUSTOMERS }).locator('input').focus();
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(FILE);
    await page.getByText(`Clientes: ${COUNT} de ${COUNT}`).waitFor();
    expect(requests.filter((url) => url.endsWith('/batch'))).toHaveLength(3);
    await page.getByText('Filas con errores: 1').waitFor();
    expect(await page.locator('details.problem li').innerText()).toMatch(/^Línea 3 \(c1\): Energía consumida P1: /);
    await page.getByRole('button', { name: 'Ver 100 más' }).press('Enter');
    await page.getByRole('button', { name: 'Ver 49 más' }).press('Enter');

    const { results } = await site.ask<Portfolio>('/v1/offers/efficient/batch', {
      top: 1,
      customers: lines.map((line) => {
        const [ref, supply_type, tariff_type, territory, client_type, ...numbers] = line.split(';');
        const [e1 = 0, e2 = 0, e3 = 0, p1 = 0, p2 = 0, coste_total = 0] = numbers.map((text) =>
          Number(text.replace(',', '.')),
        );
        const known = { ref, supply_type, tariff_type, territory, client_type };
        return { ...known, energia: { e1, e2, e3 }, potencia: { p1, p2 }, contrato_actual: { coste_total } };
      }),
    });
    const expected = results
      .map((one, at) => ({ line: at + 2, eur: 'error' in one ? null : (one.best[0]?.ahorro?.eur ?? null) }))
      .filter(({ eur }) => eur !== null)
      .toSorted((a, b) => (b.eur ?? 0) - (a.eur ?? 0) || a.line - b.line)
      .map(({ line }) => line);
    expect(expected).toHaveLength(COUNT - 1);
    expect(await shownLines(page)).toEqual(expected);
    expect(await page.locator('[data-line="7"]').innerText()).toContain(EVIL.company);
    expect(await page.evaluate('window.evil')).toBeUndefined();

    const [head, ...rows] = await download(page);
    expect(head).toMatch(/^\uFEFFLínea;Cliente;.*;Comisión;/);
    expect(rows.map((row) => Number(row.split(';')[0]))).toEqual([...expected, 3]);
    expect(rows.find((row) => row.startsWith('7;'))).toMatch(/^7;"'=HYPERLINK/);
    // The best offers are of a retailer with such a name too.
    expect(rows.filter((row) => row.includes(`;"'=HYPERLINK`)).length).toBeGreaterThan(1);
    expect(rows.filter((row) => /(^|;)"?([=+@\t]|-\D)/.test(row))).toEqual([]);
    expect(rows.at(-1)).toContain('energia.e1');
    await close();
  });

  further(
    'A-127: has what a best offer costs without its discount and later, where one has it, also in the file',
    async () => {
      const office = await openOffice(site, { ...EVIL, company: 'Propia Luz' });
      const text = 'ref;supply_type;e1;p1;p2;company_name\r\nuna;LUZ;1000;4,6;4,6;Propia';
      for (const discount of [null, { descuento_energia_pct: 50, descuento_meses: 6 }]) {
        if (discount) await office.call('PATCH', `/v1/offers/${office.offerId}`, discount);
        const { page, close } = await openRoom(office.key);
        await dropFile(page, CUSTOMERS, csvFile(text));
        await page.locator('[data-line="2"]').waitFor();
        expect(await page.getByRole('columnheader', { name: 'Sin descuento' }).count()).toBe(discount ? 1 : 0);
        const [head = '', row = ''] = await download(page);
        expect(head.endsWith(';Peaje imposible;Coste sin descuento;Coste del segundo año')).toBe(discount !== null);
        if (discount) {
          // 1,000 kWh at 0.2 EUR and 4.6 kW at 0.08 and 0.01 a day; half a year the energy is 0.1.
          expect(row.split(';').slice(-2)).toEqual(['351,11', '351,11']);
          expect(await page.locator('[data-line="2"]').innerText()).toMatch(/301,11.*351,11.*351,11/s);
        }
        await close();
      }
    },
  );

  further('A-107: with days of taxes shows bills, and says which figures are with taxes', async () => {
    const { page, close } = await openRoom(site.keys.full_access);
    const header = 'ref;supply_type;tariff_type;territory;client_type;e1;p1;p2;actual_factura_total;impuestos_fecha';
    const customer = 'LUZ;2.0TD;peninsula;dni;3500;4,6;4,6';
    const text = [header, `con;${customer};1500;2026-10-15`, `sin;${customer};;`].join('\r\n');
    await dropFile(page, CUSTOMERS, csvFile(text));
    await page.getByText('Clientes: 2 de 2').waitFor();
    const household = { supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' };
    const { results } = await site.ask<Portfolio>('/v1/offers/efficient/batch', {
      top: 1,
      customers: [
        {
          ...{ ref: 'con', ...household, energia: { e1: 3500 }, potencia: { p1: 4.6, p2: 4.6 } },
          contrato_actual: { factura_total: 1500 },
          impuestos: { fecha: '2026-10-15' },
        },
      ],
    });
    const [first] = results;
    const total = first && 'best' in first ? first.best[0]?.factura_estimada?.total : undefined;
    const shown = (value: number) => value.toLocaleString('es-ES', { minimumFractionDigits: 2 });
    const billed = await page.locator('[data-line="2"]').innerText();
    expect(billed).toContain('con impuestos');
    for (const figure of [total ?? 0, 1500 - (total ?? 0)]) expect(billed).toContain(shown(figure));
    expect(await page.locator('[data-line="3"]').innerText()).toContain('sin impuestos');
    await close();
  });

  further(
    'A-168: 50 customers with Spanish headers with bills are ranked with taxes, once it is said what an unknown column holds',
    async () => {
      const { page, sent, close } = await openRoom(site.keys.full_access);
      const header =
        'Titular;Lo que paga;Cliente;Península o isla;Consumo P1 (kWh);Potencia P1;Potencia P2;Suministro;CUPS';
      const rows = Array.from(
        { length: 50 },
        (_, at) => `Particular;${1100 + at},5;Vecina ${at};Península;${3500 + at};4,6;4,6;Luz;${CUPS}`,
      );
      const table = csvFile([header, ...rows].join('\n'));
      await dropFile(page, CUSTOMERS, table);
      await page.getByText('no existen las columnas "Lo que paga" (2), "Península o isla" (4)').waitFor();
      await page.getByLabel('Lo que paga').selectOption('Factura actual con impuestos');
      await page.getByLabel('Península o isla').selectOption('Territorio');
      await page.getByRole('button', { name: 'Leer la tabla así' }).click();
      // What the law leaves open is asked once for all of them.
      await page.getByRole('button', { name: 'Ver con impuestos' }).waitFor();
      for (const choice of await page.locator('.rates fieldset').all()) await choice.getByRole('radio').first().check();
      await page.getByRole('button', { name: 'Ver con impuestos' }).click();
      await page.getByText('Clientes: 50 de 50').waitFor();
      expect(await page.locator('[data-line="2"]').innerText()).toContain('con impuestos');
      const [head = '', ...found] = await download(page);
      expect(head).toMatch(/^\uFEFFLínea;Cliente;.*;Ahorro con impuestos;/);
      const first = found.find((row) => row.startsWith('2;'))?.split(';') ?? [];
      const eurOf = (column: string) => Number(first[head.split(';').indexOf(column)]?.replace(',', '.'));
      // What is saved is the bill of today, read with its decimal comma, less that of the best offer.
      expect(eurOf('Factura de la oferta con impuestos') + eurOf('Ahorro con impuestos')).toBeCloseTo(1100.5, 6);
      expect(found).toHaveLength(50);
      await dropFile(page, CUSTOMERS, { ...table, name: 'otra.csv' });
      await page.getByText('Leída con las columnas que usted indicó').waitFor();
      await page.getByText('otra.csv Clientes: 50 de 50').waitFor();
      expect(sent.filter((text) => text.includes('Vecina'))).toEqual([]);
      const stored = await page.evaluate('Object.values(localStorage).join()');
      expect(stored).not.toMatch(/Vecina|ES0021/);
      await page.evaluate('localStorage.clear()');
      await close();
    },
  );

  further('that is dropped without a connection is read once it is back, by one press', async () => {
    const { page, close } = await openRoom(site.keys.full_access);
    await page.getByText('Descargar una tabla de ejemplo').waitFor();
    await page.context().setOffline(true);
    await dropFile(page, CUSTOMERS, FILE);
    await page.getByRole('alert').getByText('No se llega al servidor').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reintentar' }).press('Enter');
    await page.getByText(`Clientes: ${COUNT} de ${COUNT}`).waitFor();
    await close(/ERR_INTERNET_DISCONNECTED/);
  });

  it('A-168: of a workbook is read in the page alone: its first sheet, as it is said to be, and each formula is named', async () => {
    const { page, sent, requests, close } = await openRoom(site.keys.full_access);
    const customer = ['Luz', '2.0TD', 'Península', 'Particular', '3.500,5', 4.6, 4.6];
    const rows = [
      ['Clientes de otoño'],
      [
        'Cliente',
        'Suministro',
        'Peaje',
        'Península o isla',
        'Titular',
        'Consumo P1 (kWh)',
        'Potencia P1',
        'Potencia P2',
        'CUPS',
      ],
      ['Vecina', ...customer, CUPS],
      ['Vecino', ...customer.with(4, '=SUM(A1:A2)'), CUPS],
    ];
    const merged = '<mergeCells count="1"><mergeCell ref="A1:I1"/></mergeCells>';
    const book = workbookFile({
      sheets: { Cartera: sheetXml(xmlOf(rows), merged), Notas: sheetXml(xmlOf([['nada']])) },
    });
    const readers = () => requests.filter((url) => url.endsWith('/workbook-reader.js')).length;
    expect(readers()).toBe(0);
    await dropFile(page, CUSTOMERS, bookFile(book));
    await page.getByLabel('Península o isla').selectOption('Territorio');
    await page.getByRole('button', { name: 'Leer la tabla así' }).click();
    await page.getByText('Clientes: 2 de 2').waitFor();
    expect(readers()).toBeGreaterThan(0);
    await page.getByText('Solo se lee la primera hoja, «Cartera».').waitFor();
    expect(await shownLines(page)).toEqual([3]);
    const [fault] = await page.locator('details.problem li').allInnerTexts();
    expect(fault).toBe('Línea 4 (Vecino): Energía consumida P1: no puede ser una fórmula');
    expect(sent.filter((text) => /Vecin/.test(text))).toEqual([]);
    const { results } = await site.ask<Portfolio>('/v1/offers/efficient/batch', {
      top: 1,
      customers: [
        {
          ...{ ref: 'a', supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' },
          ...{ energia: { e1: 3500.5 }, potencia: { p1: 4.6, p2: 4.6 } },
        },
      ],
    });
    const [first] = results;
    const total = (first && 'best' in first && first.best[0]?.cost.total) || 0;
    const shown = total.toLocaleString('es-ES', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    expect(await page.locator('[data-line="3"]').innerText()).toContain(shown);
    await page.evaluate('localStorage.clear()');
    await close();
  });

  further.each([
    [
      'of old Excel, or with a password',
      Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
      'es un libro XLS, o tiene contraseña: hay que guardarlo como .xlsx, sin contraseña.',
    ],
    ['that is a bomb', Buffer.from(BOMBS[0]?.bytes() ?? []), 'descomprimido ocupa más de 64 MiB'],
    ['cut in half', workbookFile({ sheets: { a: sheetXml('') } }).subarray(0, 400), 'está dañado'],
    [
      'of 100,000 rows',
      workbookFile({ sheets: { a: sheetXml(xmlOf(Array.from({ length: 100_000 }, (_, at) => [`c${at}`, at]))) } }),
      'una hoja tiene más de 50 000 filas',
    ],
    ['without anything', workbookFile({ sheets: { a: sheetXml('') } }), 'Línea 1, columna 1: falta'],
  ])('with a workbook %s shows a message about it, and the next file is read', async (_what, buffer, text) => {
    const { page, close } = await openRoom(site.keys.full_access);
    await dropFile(page, CUSTOMERS, bookFile(buffer));
    await page.getByText(text).waitFor();
    await dropFile(page, CUSTOMERS, csvFile([HEADER, lines[0]].join('\n'), 'otra.csv'));
    await page.getByText('Clientes: 1 de 1').waitFor();
    expect(await page.getByText(text).count()).toBe(0);
    await close();
  });

  further('A-69: names the tariffs most like one that no offer has, beside the customer', async () => {
    const { page, close } = await openRoom(site.keys.full_access);
    const latin1 = Buffer.from('Clientes\nref;supply_type;tariff_type;e1\nPeña;LUZ;2.0;100\n', 'latin1');
    await dropFile(page, CUSTOMERS, { ...csvFile(''), buffer: latin1 });
    const row = page.locator('[data-line="3"]', { hasText: 'Peña' });
    await row.locator('summary').press('Enter');
    expect(await row.innerText()).toContain('Los más parecidos que tienen: 2.0TD');
    await close();
  });

  further('continues after the last customer that was ranked, once it was stopped', async () => {
    const { page, requests, close } = await openRoom(site.keys.full_access);
    let pieces = 0;
    await page.route('**/batch', (route) => {
      pieces += 1;
      // The second piece is never answered.
      return pieces === 2 ? undefined : route.continue();
    });
    await dropFile(page, CUSTOMERS, FILE);
    await page.getByText(`Clientes: 100 de ${COUNT}`).waitFor();
    await page.getByRole('button', { name: 'Parar' }).press('Enter');
    const first = (await shownLines(page)).length;
    expect(first).toBe(99);
    await page.getByRole('button', { name: 'Continuar' }).press('Enter');
    await page.getByText(`Clientes: ${COUNT} de ${COUNT}`).waitFor();
    expect(requests.filter((url) => url.endsWith('/batch'))).toHaveLength(4);
    await close();
  });

  further('that is dropped while another one is still read is the one that is ranked', async () => {
    const { page, requests, close } = await openRoom(site.keys.full_access);
    await page.evaluate(`(() => {
      const read = File.prototype.arrayBuffer;
      File.prototype.arrayBuffer = async function () {
        if (this.name === 'lenta.csv') await new Promise((resolve) => { window.goOn = resolve; });
        return read.call(this);
      };
    })()`);
    await dropFile(page, CUSTOMERS, { ...FILE, name: 'lenta.csv' });
    await dropFile(page, CUSTOMERS, csvFile([HEADER, lines[0]].join('\n'), 'otra.csv'));
    await page.getByText('Clientes: 1 de 1').waitFor();
    await page.evaluate(`goOn()`);
    // Whatever it would change is there after two frames.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await page.getByText('Clientes:').allInnerTexts()).toEqual(['otra.csv Clientes: 1 de 1']);
    expect(requests.filter((url) => url.endsWith('/batch'))).toHaveLength(1);
    await close();
  });

  further('of more than a call may have is ranked, and customers without a present contract come last', async () => {
    const { page, close } = await openRoom(site.keys.full_access);
    const known = lines[0] ?? '';
    const rows = Array.from({ length: 1001 }, (_, at) => (at === 0 ? known.replace(/;\d+$/, ';') : known));
    await dropFile(page, CUSTOMERS, csvFile([HEADER, ...rows].join('\n')));
    await page.getByText('Clientes: 1001 de 1001').waitFor();
    expect(Number((await download(page)).at(-1)?.split(';')[0])).toBe(2);
    await dropFile(page, CUSTOMERS, csvFile([HEADER, rows[0]].join('\n')));
    await page.getByText('Clientes: 1 de 1').waitFor();
    expect(await page.locator('[data-line="2"] td').allInnerTexts()).toContain('–');
    await close();
  });

  further('keeps its results while the server is gone, a limit is reached or the key is revoked', async () => {
    const { page, close } = await openRoom(site.keys.full_access);
    let pieces = 0;
    await page.route('**/batch', (route) => {
      pieces += 1;
      if (pieces === 2) return route.abort();
      const detail = { code: 'rate_limited', message: '-' };
      const status = { 3: 429, 4: 401 }[pieces];
      return status ? route.fulfill({ status, headers: { 'Retry-After': '1' }, json: { detail } }) : route.continue();
    });
    await dropFile(page, CUSTOMERS, FILE);
    await page.getByText('No se llega al servidor').waitFor();
    expect(await shownLines(page)).toHaveLength(99);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByText('Ya se puede reintentar').waitFor();
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByLabel('Clave de acceso').fill(site.keys.full_access);
    await page.keyboard.press('Enter');
    expect(await shownLines(page)).toHaveLength(99);
    await page.getByRole('button', { name: 'Reintentar' }).click();
    await page.getByText(`Clientes: ${COUNT} de ${COUNT}`).waitFor();
    expect(pieces).toBe(6);
    await close(/429|401|ERR_FAILED/);
  });

  further('has an example that a spreadsheet in Spanish can open, and that is ranked as it is', async () => {
    const { page, close } = await openRoom(site.keys.full_access);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Descargar una tabla de ejemplo' }).click();
    const example = await readFile(await (await saved).path(), 'utf8');
    expect(example).toMatch(/^\uFEFFCliente;Suministro;.*\r\nAna;Luz;.*;4,6;4,6;;980\r\n/);
    await dropFile(page, CUSTOMERS, csvFile(example));
    await page.getByText('Clientes: 2 de 2').waitFor();
    expect(await shownLines(page)).toHaveLength(2);
    // What would be lost is asked for before it is left.
    await page.getByRole('heading', { name: 'Cartera de clientes' }).click();
    const question = page.waitForEvent('dialog');
    const leaving = page.reload().catch(() => null);
    await (await question).accept();
    await leaving;
    await close();
  });

  further.each([
    ['an unknown column', csvFile('ref,e9\na,1\n'), 'Línea 1, columna 2: no existe la columna «e9».'],
    ['a quote that stays open', csvFile('ref,e1\n"a,1\n'), 'Línea 2, columna 1: unas comillas no se cierran.'],
    [
      'two encodings',
      { ...csvFile(''), buffer: Buffer.concat([Buffer.from('ref,e1\nJosé,1\n'), Buffer.from('Ana é,1\n', 'latin1')]) },
      'no es un CSV en UTF-8',
    ],
    ['no customer', csvFile('ref,e1\n'), 'La tabla no tiene clientes.'],
  ])('with %s shows a message about it', async (_what, file, text) => {
    const { page, close } = await openRoom(site.keys.full_access);
    await dropFile(page, CUSTOMERS, file);
    await page.getByText(text).waitFor();
    await close();
  });

  further(
    'A-134: is ranked by a chosen preference, except rows with one of their own, and a row opens as a study',
    async () => {
      const { page, sent, close } = await openRoom(site.keys.full_access);
      const customers = ['Ana', 'Luis'].map(
        (ref, index) => `${ref};LUZ;2.0TD;peninsula;dni;1200;900;1400;4,6;4,6;900;${['', '0,9'][index]}`,
      );
      await dropFile(page, CUSTOMERS, csvFile([`${HEADER};w`, ...customers].join('\r\n')));
      await page.getByText('Clientes: 2 de 2').waitFor();
      await page.getByText('La mejor oferta es la de 50 % ahorro · 50 % comisión').waitFor();
      const before = await page.locator('[data-line="2"] td:nth-of-type(3)').innerText();
      await page.getByLabel('Prioridad', { exact: true }).last().press('End');
      await expect.poll(() => page.locator('[data-line="2"] td:nth-of-type(3)').innerText()).not.toBe(before);
      const weights = [...(sent.findLast((text) => text.includes('/batch'))?.matchAll(/"w":([\d.]+)/g) ?? [])];
      expect(weights.map(([, w]) => Number(w))).toEqual([1, 0.9]);
      await page.getByRole('button', { name: 'Luis' }).press('Enter');
      await expect.poll(() => page.locator('[name="contrato_actual.coste_total"]').inputValue()).toBe('900');
      expect(new URL(page.url()).pathname).toBe('/app/estudio');
      await page.locator('[data-offer]').first().waitFor();
      expect(await page.locator('[name=w]').inputValue()).toBe('0.9');
      await page.goBack();
      await page.locator('[data-line="2"]').waitFor();
      expect(sent.filter((text) => /Ana|Luis/.test(text))).toEqual([]);
      await close();
    },
  );

  further('A-121: with a power in W is asked back, as in a study, and the others are ranked', async () => {
    const { page, sent, close } = await openRoom(site.keys.full_access);
    const rows = ['4600', '4,6', '3450'].map((kw) => `c${kw};LUZ;2.0TD;peninsula;dni;1000;900;1400;${kw};${kw};700`);
    await dropFile(page, CUSTOMERS, csvFile([HEADER, ...rows].join('\n')));
    await page.getByText('Clientes: 3 de 3').waitFor();
    expect(await shownLines(page)).toEqual([3]);
    const [first, second] = await page.locator('details.problem li').allInnerTexts();
    expect(first).toMatch(/^Línea 2 \(c4600\): Potencia contratada P1: ¿4,6 kW\? Escriba kW, no W/);
    expect(second).toMatch(/^Línea 4 .*¿3,45 kW\?/);
    expect(sent.filter((text) => /4600|3450/.test(text))).toEqual([]);
    // Ranked again after a change, each answer stays with its line.
    await page.getByRole('slider').first().press('ArrowRight');
    await expect.poll(() => shownLines(page)).toEqual([3]);
    await close();
  });

  it('A-106: has no commission with a key that may not see any', async () => {
    const { page, answers, close } = await openRoom(site.keys.public);
    await dropFile(page, CUSTOMERS, FILE);
    await page.getByText(`Clientes: ${COUNT} de ${COUNT}`).waitFor();
    expect(await page.locator('.customers thead').innerText()).not.toMatch(/Comisión/);
    const text = answers.join('\n');
    expect(text).toContain('"commission":null');
    expect(text).not.toMatch(/"(commission|nota_comision|comision_\w+)":(?!null)/);
    expect((await download(page))[0]).not.toMatch(/comisi|coste extra/i);
    await close();
  });
});
