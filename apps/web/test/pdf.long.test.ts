import { readDemoReadings } from '@tarifario/cli/demo';
import type { Page } from 'playwright-core';
import { encodeQR } from 'qr';
import { expect, it } from 'vitest';
import { describePage } from './browser.ts';
import { openForm } from './household.ts';

const { invoiceUrl } = readDemoReadings();
const CUPS = 'ES0021000000000001AB0F';
const FILE = /^Suelte, pegue o elija un archivo/;
const NO_CODE = 'No se ha encontrado ningún código de factura de luz en las 20 primeras páginas';
const svgOf = (text: string, mm = 25) => `<div style="width:${mm}mm">${encodeQR(text, 'svg')}</div>`;

describePage('the invoice in a PDF', (site) => {
  const open = () => site.open({ key: site.keys.full_access });

  it('A-132: with the code on its second page fills the study, and nothing else of it leaves the page', async () => {
    const { page, requests, sent, close } = await open();
    const long = `${invoiceUrl}&x=`.padEnd(450, '1');
    const head = '<h1 style="mask-image: linear-gradient(black, transparent); opacity: 0.5">Ana Ruiz</h1>';
    const file = await printed(page, [
      `${head}${svgOf('https://example.com/tienda')}`,
      `${head}<p>${CUPS} Ana Ruiz ${'4,6 kW × 0,08 €. '.repeat(200)}</p>${svgOf('https://example.com/pago')}${svgOf(long, 18)}`,
    ]);
    const readers = () => requests.filter((url) => /\/app\/(code-reader\.js|pdfjs-\w+\.mjs)$/.test(url)).length;
    expect(readers()).toBe(0);
    await choose(page, file);
    await page.getByText('Factura leída').waitFor();
    expect(readers()).toBe(2);
    expect(await page.locator('[name=e3]').inputValue()).toBe('1400');
    expect(await page.getByLabel('Enlace del QR').inputValue()).toMatch(/^https:\/\/comparador\.cnmc\.gob\.es\/.+e3/i);
    expect(sent.join('\n')).not.toMatch(new RegExp(`${CUPS}|Ana|example|%PDF`));
    await close();
  });

  it('that was scanned in black and white, for which later readers need WebAssembly, fills the study', async () => {
    const { page, close } = await open();
    await choose(page, scanned(invoiceUrl));
    await page.getByText('Factura leída').waitFor();
    expect(await page.locator('[name=e3]').inputValue()).toBe('1400');
    await close();
  });

  it('that cannot be read gets a sentence for its own reason, and what was typed stays', async () => {
    const { page, sent, close } = await open();
    await openForm(page);
    await page.locator('[name=p1]').fill('5,75');
    const whole = await printed(page, [svgOf(invoiceUrl)]);
    const refused = async (file: Buffer, sentence: string) => {
      await choose(page, file);
      await page.getByText(sentence).waitFor();
      expect(await page.locator('[name=p1]').inputValue()).toBe('5,75');
    };
    await refused(await printed(page, ['<p>Sin código', svgOf('https://example.com/')]), NO_CODE);
    await refused(locked(), 'El PDF pide una contraseña');
    await refused(whole.subarray(0, whole.length / 2), 'El PDF está dañado o incompleto');
    await refused(Buffer.alloc(0), 'El archivo está vacío');
    await refused(Buffer.from('%PDF-1.7'), 'El PDF está dañado o incompleto');
    await refused(Buffer.concat([whole, Buffer.alloc(10 * 1024 * 1024)]), 'El PDF pasa de 10 MB');
    expect(sent.join('\n')).not.toContain('POST');
    await choose(page, whole);
    await page.getByText('Factura leída').waitFor();
    await close();
  });

  it('with 500 pages and its code on page 21 is read up to page 20, by a worker beside the page', async () => {
    const { page, close } = await open();
    const pages = Array.from({ length: 500 }, (_, index) => (index === 20 ? svgOf(invoiceUrl) : `<p>${index + 1}`));
    const file = await printed(page, pages);
    const started = page.waitForEvent('worker');
    await choose(page, file);
    const worker = await started;
    const ended = worker.waitForEvent('close');
    expect(worker.url()).toContain('/app/code-reader.js');
    await page.getByText(NO_CODE).waitFor();
    await ended;
    await close();
  });

  it('gives way to a file that is chosen while it is read', async () => {
    const { page, close } = await open();
    const file = await printed(page, [svgOf(invoiceUrl)]);
    await page.route('**/app/pdfjs-*', () => {});
    const started = page.waitForEvent('worker');
    await choose(page, file);
    const ended = (await started).waitForEvent('close');
    await choose(page, Buffer.alloc(0));
    await ended;
    await page.getByText('El archivo está vacío').waitFor();
    expect(await page.locator('[name=e3]').inputValue()).toBe('');
    await close();
  });

  it('that takes longer than 30 seconds, or whose reader does not arrive, is given up', async () => {
    const { page, close } = await open();
    const file = await printed(page, [svgOf(invoiceUrl)]);
    await page.route('**/app/pdfjs-*', (route) => route.abort());
    await choose(page, file);
    await page.getByText('No se llega al servidor').waitFor();
    await page.unrouteAll();
    await page.route('**/app/pdfjs-*', () => {});
    await page.clock.install();
    await choose(page, file);
    await page.getByText('Un momento').waitFor();
    await page.clock.fastForward(30_001);
    await page.getByText('Se tarda demasiado').waitFor();
    await close(/ERR_FAILED/);
  });
});

const choose = (page: Page, buffer: Buffer) =>
  page.getByLabel(FILE).setInputFiles({ name: 'factura.pdf', mimeType: 'application/pdf', buffer });

/** What the browser itself prints for these pages. */
async function printed(page: Page, bodies: readonly string[]): Promise<Buffer> {
  const other = await page.context().newPage();
  await other.setContent(bodies.map((body) => `<div style="break-after: page">${body}</div>`).join(''));
  const bytes = await other.pdf({ format: 'A4' });
  await other.close();
  return bytes;
}

/** A PDF of these objects. Readers find them without their table. */
const pdfOf = (objects: readonly (string | Buffer)[], trailer = '') =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n'),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from(`trailer\n<< /Root 1 0 R ${trailer} >>\n%%EOF\n`),
  ]);

const CATALOG = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'];

/** Its password is not the empty one. */
const locked = () =>
  pdfOf(
    [...CATALOG, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>'],
    `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`,
  );

/** The pixels of a module, so that all runs are multiples of 8. */
const MODULE = 8;
/** ITU-T T.4: runs of 0, 8, … 56 pixels, then of 64, 128, …. */
const CODES = {
  white: '00110101 10011 101010 0101000 00011011 00101001 00001011 01011001',
  white64: '11011 10010 010111 0110111 00110110 00110111 01100100 01100101',
  black: '0000110111 000101 0000010111 00000010111 000001101010 000001101100 000001100100 000000101000',
  black64: '0000001111 000011001000',
};

/** A page with this code as a scanner writes it, in one-dimensional runs. */
function scanned(text: string): Buffer {
  const rows = encodeQR(text, 'raw', { border: 4 });
  const width = rows.length * MODULE;
  const bits = rows.flatMap((row) => Array<string>(MODULE).fill(runsOf(row))).join('');
  const bytes = Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
  const image = `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${width} /ColorSpace /DeviceGray
    /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K 0 /Columns ${width} /Rows ${width} >> /Length ${bytes.length} >>`;
  const drawing = '70 0 0 70 300 600 cm /A Do';
  return pdfOf([
    ...CATALOG,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /A 5 0 R >> >> >>`,
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
    Buffer.concat([Buffer.from(`${image}\nstream\n`), bytes, Buffer.from('\nendstream')]),
  ]);
}

/** A row of modules: white and black runs in turn, white first. */
function runsOf(row: readonly boolean[]): string {
  const text = row.map((isBlack) => (isBlack ? '1' : '0')).join('');
  const runs = text.match(/0+|1+/g) ?? [];
  return runs
    .map((run) => {
      const color = run.startsWith('1') ? 'black' : 'white';
      const longer = run.length < 8 ? '' : CODES[`${color}64`].split(' ')[Math.floor(run.length / 8) - 1];
      return `${longer}${CODES[color].split(' ')[run.length % 8]}`;
    })
    .join('');
}
