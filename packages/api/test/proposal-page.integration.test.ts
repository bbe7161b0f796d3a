import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type SettledRate, withOperatorRates } from '@tarifario/core';
import { fieldsOf } from '@tarifario/core/service';
import { fillSample, HOUSEHOLD, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { createWorld, idOf, type World } from '@tarifario/testkit/api/world';
import { browserProgram } from '@tarifario/testkit/browser-program';
import { expect, it } from 'vitest';
import { textsOfPdf } from './pdf-text.ts';

const require = createRequire(import.meta.url);

/** A commission that stands nowhere else. */
const CANARY = 7919.15;

async function newProposal(world: World, evil: string, asked: object = {}): Promise<number> {
  const { luzId, indexedId } = await fillSample(world, () => CANARY);
  await world.ask('updateOffer', { params: { id: String(luzId) }, body: { offer_name: evil.slice(0, 150) } });
  const request = { ...HOUSEHOLD, contrato_actual: { coste_total: 900 }, ...asked };
  return idOf(await world.ask('createProposal', { body: { request, offer_ids: [luzId, indexedId], nota: evil } }));
}

async function pageOf(world: World, id: number, query = {}) {
  const { headers, body } = await world.call('getProposalPage', { params: { id: String(id) }, query });
  return { headers, html: String(body) };
}

const EVIL = '<script>alert(1)</script><img src="x" onerror=\'y\'>"&amp;';

it('A-91: has all that the customer needs in Spanish, escaped, and no script', async () => {
  const world = await createWorld();
  const { headers, html } = await pageOf(world, await newProposal(world, EVIL));
  expect(headers).toMatchObject({ 'Content-Type': 'text/html; charset=utf-8' });
  const policy = headers['Content-Security-Policy'] ?? '';
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(policy).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`,
  );
  expect(html).not.toMatch(/<(script|img|link|iframe|a|form)\b|\son\w+=["']|javascript:|style="/i);
  expect(html).toContain(
    '&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&quot;&amp;amp;',
  );
  for (const text of [
    'lang="es"',
    '<title>',
    'Contrato actual',
    'Ahorro',
    '900,00 €',
    'Energía (kWh): P1 1.200',
    'Suministro: Electricidad',
    'Cómo se ha calculado',
    'SHA-256',
  ]) {
    expect(html).toContain(text);
  }
});

it('A-91: has unit prices, marks indexed offers with their window, and warns of the proposed offers alone', async () => {
  const world = await createWorld();
  const id = await newProposal(world, 'Una nota');
  for (const query of [{}, { comisiones: 'true' }]) {
    const { html } = await pageOf(world, id, query);
    expect(html).toContain(
      'Luz Indexada es indexada, el precio cambia cada mes; estos precios son los de la media de 2 meses, de noviembre de 2025 a diciembre de 2025.',
    );
    // The mean of 0.1 and 0.2 beside the fixed offer, in any order.
    expect(rowIn(html, 'Energía P1 \\(€/kWh\\)').toSorted()).toEqual(['0,15', '0,18', '—']);
    expect(rowIn(html, 'Potencia P1 \\(€/kW·día\\)')).toContain('0,08');
    const [, notices = ''] = /<h2>Avisos<\/h2><ul>(.*?)<\/ul>/s.exec(html) ?? [];
    const items = notices.split('</li>').slice(0, -1);
    expect(items[0]).toMatch(/Luz Indexada|Una nota/);
    // About the customer, or about offers by their names.
    for (const item of items) expect(item).not.toMatch(/\(\d+ ofertas?\)| más\)/);
  }
});

it('A-91: names who hands it over, and says what is paid and saved by month and year', async () => {
  const world = await createWorld();
  const { luzId, clientId } = await fillSample(world);
  const textOf = async (asked: object) => {
    const request = { ...HOUSEHOLD, territory: 'peninsula', client_type: 'dni', ...asked };
    const { html } = await pageOf(
      world,
      idOf(await world.ask('createProposal', { body: { request, offer_ids: [luzId] } })),
    );
    return html;
  };
  const year = await textOf({ contrato_actual: { coste_total: 1200 } });
  expect(year).toContain(`<strong class="name">${world.account.name}</strong>`);
  const firm = { id: String(clientId) };
  await world.ask('updateClient', { params: firm, body: { name: 'Asesoría <b> & Hijos' } });
  expect(await textOf({ client_id: clientId })).toContain('>Asesoría &lt;b&gt; &amp; Hijos</strong>');
  const cents = (text = '') => Number(text.replaceAll(/[^\d,-]/g, '').replace(',', '.'));
  const [paid, total] = rowIn(year, 'Total sin impuestos');
  const [paidMonthly, monthly] = rowIn(year, 'Al mes');
  expect([paid, paidMonthly]).toEqual(['1.200,00 €', '100,00 €']);
  expect(cents(monthly)).toBeCloseTo(cents(total) / 12, 1);
  expect(cents(rowIn(year, 'Ahorro al mes')[1])).toBeCloseTo(100 - cents(monthly), 1);
  const half = await textOf({ dias: 146, contrato_actual: { factura_total: 500 }, impuestos: IN_OCTOBER });
  expect(rowIn(half, 'Total con impuestos')[0]).toBe('1.250,00 €');
  expect(half).toContain('Factura estimada de un año en €');
  // By its days also where they are called a month.
  for (const period of [{ dias: 30 }, { dias: 30, meses: 1 }]) {
    const bill = await textOf({ ...period, contrato_actual: { factura_total: 67.95 }, impuestos: IN_OCTOBER });
    expect(rowIn(bill, 'Al mes')[0]).toBe('68,89 €');
    expect(rowIn(bill, 'Total con impuestos')[0]).toBe('826,73 €');
  }
});

it('A-91: compares over the period of the question where a discount ends in the year, of which that does not say the rest', async () => {
  const world = await createWorld();
  const { luzId, indexedId } = await fillSample(world);
  const pages = async (descuento_meses: number, dias: number) => {
    const body = { descuento_energia_pct: 20, descuento_meses };
    await world.ask('updateOffer', { params: { id: String(luzId) }, body });
    const asked = { dias, contrato_actual: { factura_total: 300 }, impuestos: IN_OCTOBER, client_type: 'dni' };
    const request = { ...HOUSEHOLD, territory: 'peninsula', ...asked };
    const { html } = await pageOf(
      world,
      idOf(await world.ask('createProposal', { body: { request, offer_ids: [luzId, indexedId] } })),
    );
    const [, caption = ''] = /<caption>(.*?) en €/.exec(html) ?? [];
    const [, sentence = ''] = /<h1>(.*?)<\/h1>/.exec(html) ?? [];
    return [
      caption,
      rowIn(html, 'Total con impuestos')[0],
      rowIn(html, 'Ahorro (?:al año|en \\d+ días)').length,
      sentence,
    ];
  };
  const [inPeriod, ofYear] = [/ (?:paga|serían) [\d,.]+\s€ en 60 días/, / (?:paga|serían) [\d,.]+\s€ al mes/];
  expect(await pages(6, 60)).toEqual(['Factura estimada de 60 días', '300,00 €', 3, expect.stringMatching(inPeriod)]);
  expect(await pages(12, 60)).toEqual(['Factura estimada de un año', '1.825,00 €', 3, expect.stringMatching(ofYear)]);
  expect(await pages(6, 730)).toEqual(['Factura estimada de un año', '150,00 €', 3, expect.stringMatching(ofYear)]);
});

it('A-91: has the price of surplus of an offer with panels for a customer who exports', async () => {
  const world = await createWorld();
  const { luzId, indexedId } = await fillSample(world);
  const body = { placas_solares: true, precio_excedentes: 0.0625 };
  await world.ask('updateOffer', { params: { id: String(luzId) }, body });
  const newPage = async (asked: object) => {
    const request = { ...HOUSEHOLD, ...asked };
    const id = idOf(await world.ask('createProposal', { body: { request, offer_ids: [luzId, indexedId] } }));
    expect(await world.ask('verifyProposal', { params: { id: String(id) } })).toMatchObject({ reproducible: true });
    const { html } = await pageOf(world, id);
    return rowIn(html, 'Excedentes \\(€/kWh\\)').toSorted();
  };
  expect(await newPage({})).toEqual([]);
  expect(await newPage({ excedentes: 300 })).toEqual(['0,0625', '—']);
});

/** Every field of the contract of an offer, with the text of its cell. */
const TERMS: Readonly<Record<string, readonly [value: unknown, text: string]>> = {
  permanencia_meses: [12, '12'],
  penalizacion_eur: [50.5, '50,5'],
  penalizacion_pct: [4, '4'],
  precio_fijo_meses: [24, '24'],
  descuento_energia_pct: [10, '10'],
  descuento_potencia_pct: [0, '0'],
  descuento_meses: [6, '6'],
  vigente_desde: ['2026-01-01', '1 de enero de 2026'],
  vigente_hasta: ['2026-12-31', '31 de diciembre de 2026'],
  potencia_min_kw: [0.1, '0,1'],
  potencia_max_kw: [15, '15'],
  consumo_min_kwh: [0, '0'],
  consumo_max_kwh: [50_000, '50.000'],
  energia_verde: [true, 'sí'],
  peajes_revisables: [false, 'no'],
  requisitos: ['Persona física <b>', 'Persona física &lt;b&gt;'],
};

it('A-91, A-127: says what the contracts of the proposed offers say, and what they cost without discounts', async () => {
  const world = await createWorld();
  const { luzId, indexedId } = await fillSample(world);
  const newPage = async () => {
    const body = { request: HOUSEHOLD, offer_ids: [luzId, indexedId] };
    const id = idOf(await world.ask('createProposal', { body }));
    expect(await world.ask('verifyProposal', { params: { id: String(id) } })).toMatchObject({ reproducible: true });
    return (await pageOf(world, id)).html;
  };
  expect(await newPage()).not.toMatch(/Condiciones|Sin el descuento|Doce meses/);
  expect(Object.keys(TERMS)).toHaveLength(fieldsOf('contract').length);
  const values = Object.entries(TERMS).map(([wire, [value]]) => [wire, value] as const);
  await world.ask('updateOffer', { params: { id: String(luzId) }, body: Object.fromEntries(values) });
  const html = await newPage();
  const [, terms = ''] = /<h2>Condiciones<\/h2>(.*?)<h2>/s.exec(html) ?? [];
  // The other offer says nothing. Requirements stand below the table.
  const texts = [...terms.matchAll(/<td[^>]*>(.*?)<\/td>|<p>Requisitos de .*?: (.*?)<\/p>/g)].map(([, a, b]) => a ?? b);
  const [without, later, ...requirements] = texts.filter((text) => text !== '—').slice(Object.keys(TERMS).length - 1);
  expect(texts.filter((text) => text !== '—').slice(0, Object.keys(TERMS).length - 1)).toEqual(
    Object.values(TERMS)
      .map(([, text]) => text)
      .slice(0, -1),
  );
  expect([later, ...requirements]).toEqual([without, 'Persona física &lt;b&gt;']);
  expect(rowIn(html, 'Sin el descuento, sin impuestos').filter((text) => text !== '—')).toEqual([without]);
});

it('A-91: has commissions only if the caller may see them and asks for them', async () => {
  const world = await createWorld();
  const id = await newProposal(world, 'Una nota');
  const aboutCommissions = /7919|Comisión|<svg/;
  expect((await pageOf(world, id)).html).not.toMatch(aboutCommissions);
  expect((await pageOf(world, id, { comisiones: 'true' })).html).toMatch(/7.919,15.*<svg role="img"/s);
  const key = await world.newKey(world.account.id, { scopes: ['offers:read', 'proposals:write'] });
  const masked = idOf(
    await world.ask('createProposal', {
      key,
      body: { request: HOUSEHOLD, offer_ids: [(await world.ask('rankOffers', { body: HOUSEHOLD })).mas_barata_id] },
    }),
  );
  for (const sent of [{ key }, {}]) {
    const { body } = await world.call('getProposalPage', {
      ...sent,
      params: { id: String(masked) },
      query: { comisiones: 'true' },
    });
    expect(String(body)).not.toMatch(aboutCommissions);
  }
  expect((await world.call('getProposalPage', { key, params: { id: String(id) } })).status).toBe(404);
});

const IN_OCTOBER = { fecha: '2026-10-15', alquiler: 'monofasico' };

/** The texts of the cells of a row. */
function rowIn(html: string, name: string): readonly string[] {
  const [, cells = ''] = new RegExp(`<tr[^>]*><th scope="row">${name}</th>(.*?)</tr>`, 's').exec(html) ?? [];
  return [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, text = '']) => text.replaceAll('\u00a0', ' '));
}

const SPANISH = new Intl.NumberFormat('es-ES', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: 'always',
});

it('A-91: has the lines of the bills, both totals and the laws of the rates, where bills were asked for', async () => {
  const world = await createWorld();
  const { luzId, indexedId } = await fillSample(world);
  const page = async (request: object) => {
    const body = { request: { ...HOUSEHOLD, territory: 'peninsula', client_type: 'dni', ...request } };
    const id = idOf(await world.ask('createProposal', { body: { ...body, offer_ids: [luzId, indexedId] } }));
    return {
      html: (await pageOf(world, id)).html,
      kept: await world.ask('getProposal', { params: { id: String(id) } }),
    };
  };
  const contrato_actual = { factura_total: 1000 };
  const { html, kept } = await page({ impuestos: IN_OCTOBER, contrato_actual });
  const rows = kept.pagina as { offer_id: number; cost: { total: number }; factura_estimada: Record<string, number> }[];
  const chosen = rows.filter(({ offer_id }) => [luzId, indexedId].includes(offer_id));
  const amount = (value: number | undefined) => SPANISH.format(value ?? Number.NaN);
  const eur = (value: number | undefined) => `${amount(value)} €`;
  const bills = chosen.map(({ factura_estimada }) => factura_estimada);
  // What is paid stands once: no cost before taxes beside it.
  expect(rowIn(html, 'Total sin impuestos')).toEqual([]);
  expect(rowIn(html, 'Total con impuestos')).toEqual(['1.000,00 €', ...bills.map(({ total }) => eur(total))]);
  expect(rowIn(html, 'Ahorro al año')).toEqual(['—', ...bills.map(({ total = 0 }) => eur(1000 - total))]);
  expect(rowIn(html, 'Impuesto eléctrico').slice(1, 3)).toEqual(
    bills.map(({ impuesto_electrico }) => amount(impuesto_electrico)),
  );
  expect(html).not.toMatch(/Impuesto de hidrocarburos|educido|>Otros con/);
  for (const text of [
    '5,11269632 %',
    'RDL 25/2026 (BOE-A-2026-20265) (por confirmar)',
    'del 1 de junio de 2026 al 31 de octubre de 2026',
  ])
    expect(html).toContain(text);
  const november = { fecha: '2026-11-15', tipos: { iee: 0.5, indirecto: 10 } };
  expect((await page({ impuestos: november })).html).toContain('0,5 %, supuesto de este cálculo');
  expect((await page({})).html).not.toMatch(/Factura|Impuestos: /);
});

it.each([
  ['peninsula', 'castilla_la_mancha', 'Castilla-La Mancha', 'IVA'],
  ['canarias', 'canarias', 'Canarias', 'IGIC'],
])('A-91: names the tax of %s, days, months and kinds of rates in words', async (territory, community, place, tax) => {
  const world = await createWorld();
  const { luzId } = await fillSample(world);
  const where = { territory_canarias: true, communities: [] };
  await world.ask('updateOffer', { params: { id: String(luzId) }, body: where });
  const request = {
    ...{ ...HOUSEHOLD, territory, community, client_type: 'dni', mes: '2025-11', fecha_firma: '2026-10-02' },
    impuestos: { ...IN_OCTOBER, tipos: { indirecto_servicios: 3 } },
  };
  const id = idOf(await world.ask('createProposal', { body: { request, offer_ids: [luzId] } }));
  const { html } = await pageOf(world, id);
  expect(rowIn(html, tax)).toHaveLength(1);
  for (const text of [
    `${tax} (servicios) 3 %`,
    `Comunidad: ${place};`,
    'Precios del mes: noviembre de 2025;',
    'Fecha de la firma: 2 de octubre de 2026;',
  ])
    expect(html).toContain(text);
  expect(html).toContain('con los impuestos del 15 de octubre de 2026');
  expect(html).toContain('Alquiler del contador (monofásico)');
  expect(html.replace(/SHA-256.*/s, '').replace(/<style>.*?<\/style>/s, '')).not.toMatch(
    /\d{4}-\d\d(?!\d)|monofasico|IVA, IGIC|[a-z]_[a-z]|EUR/,
  );
});

it('A-91: has a law of the operator escaped', async () => {
  const world = await createWorld();
  const { luzId } = await fillSample(world);
  const rows = (['impuesto_electrico', 'iva'] as const).map(
    (concept): SettledRate => ({
      ...{
        concept,
        kind: concept === 'iva' ? 'reducido' : 'general',
        supplyTypes: ['LUZ'],
        territories: ['peninsula'],
      },
      ...{ from: '2026-11-01', to: '2026-11-30', value: 10, law: EVIL, isCertain: true, url: 'https://www.boe.es/' },
    }),
  );
  const request = { ...HOUSEHOLD, territory: 'peninsula', client_type: 'dni', impuestos: { fecha: '2026-11-15' } };
  const sent = { body: { request, offer_ids: [luzId] } };
  const { body } = await world.call(
    'createProposal',
    sent,
    world.newDispatch(undefined, { rates: withOperatorRates(rows) }),
  );
  const { html } = await pageOf(world, idOf(body as { readonly id: unknown }));
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img');
  expect(html).not.toMatch(/<(script|img)\b/);
});

/** Chromium's output for a page that is served on the loopback, and the addresses that it requested. */
async function inChromium<T>(
  work: (address: string, run: (...options: string[]) => Promise<string>, folder: string) => Promise<T>,
  pageAt: (path: string) => { readonly headers: Readonly<Record<string, string>>; readonly html: string },
) {
  const requests = new Set<string>();
  const server = createServer(({ url = '' }, response) => {
    requests.add(url);
    const { headers, html } = pageAt(url);
    response.writeHead(200, headers).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-page-'));
  const own = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}/profile`];
  const run = async (...options: string[]) =>
    (await promisify(execFile)(browserProgram ?? '', [...own, ...options], { maxBuffer: 2 ** 26 })).stdout;
  try {
    return { made: await work(address, run, folder), requests };
  } finally {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}

it.skipIf(browserProgram === undefined)(
  'A-91: is printed by a browser with all its texts, and requests nothing else',
  async () => {
    const world = await createWorld();
    let page: Awaited<ReturnType<typeof pageOf>>;
    const { made, requests } = await inChromium(
      async (address, run, folder) => {
        const evil = `<script>document.title='roto'</script><img src="${address}/img"><link rel=stylesheet href="${address}/css">`;
        const asked = { territory: 'peninsula', client_type: 'dni', impuestos: IN_OCTOBER };
        page = await pageOf(world, await newProposal(world, evil, asked), { comisiones: 'true' });
        await run(`--print-to-pdf=${folder}/page.pdf`, `${address}/`);
        const texts = textsOfPdf(readFileSync(join(folder, 'page.pdf')));
        return { texts, dom: await run('--dump-dom', `${address}/`) };
      },
      () => page,
    );
    expect([1, 2, 3, 4]).toContain(made.texts.length);
    const text = made.texts.join('');
    for (const part of [
      ...[
        'Contratoactual',
        'Ahorro',
        '900,00€',
        'Comisiónalaño',
        '7.919,15€',
        'Alquilerdelcontador',
        '9,72',
        'Cómosehacalculado',
        'SHA-256',
      ],
      "<script>document.title='roto'</script><imgsrc=",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('\ufffd');
    expect(made.dom).toContain('<title>Propuesta');
    expect(made.dom).toContain("&lt;script&gt;document.title='roto'&lt;/script&gt;");
    expect(requests).toEqual(new Set(['/']));
  },
);

it.skipIf(browserProgram === undefined)(
  'A-91: fits A4 with ten offers, bills of seven digits and the present contract, and has each figure of them',
  async () => {
    const world = await createWorld();
    const { companyId } = await fillSample(world);
    const offer_ids: number[] = [];
    for (let index = 0; index < 10; index++) {
      const offer_name = `Plan ${'Tranquilidad '.repeat(index % 4)}${index}`;
      const body = { ...LUZ_BODY, company_id: companyId, offer_name, e1: 0.18 + index / 1000 };
      offer_ids.push(idOf(await world.ask('createOffer', { body })));
    }
    const energia = { e1: 4_200_000, e2: 3_900_000, e3: 4_400_000 };
    const asked = { territory: 'peninsula', client_type: 'dni', impuestos: IN_OCTOBER };
    const request = {
      ...HOUSEHOLD,
      ...asked,
      energia,
      contrato_actual: { e1: 0.3, e2: 0.3, e3: 0.3, p1: 0.1, p2: 0.1 },
    };
    const id = idOf(await world.ask('createProposal', { body: { request, offer_ids } }));
    const { headers, html } = await pageOf(world, id);
    const { made } = await inChromium(
      async (address, run, folder) => {
        await run(`--print-to-pdf=${folder}/page.pdf`, `${address}/`);
        const dom = await run('--window-size=688,1000', '--dump-dom', `${address}/wide`);
        return { texts: textsOfPdf(readFileSync(join(folder, 'page.pdf'))), dom };
      },
      // 182 mm are 688 pixels. The second address measures what a browser lays out in them.
      (path) =>
        path === '/' ? { headers, html } : { headers: { 'Content-Type': 'text/html' }, html: withWidth(html) },
    );
    expect(Number(/data-wide="(\d+)"/.exec(made.dom)?.[1])).toBeLessThanOrEqual(688);
    const text = made.texts.join('');
    const figures = [...html.matchAll(/<td class="n[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) =>
      cell.replaceAll(/\s/g, ''),
    );
    expect(figures.length).toBeGreaterThan(100);
    for (const figure of figures) expect(text).toContain(figure);
  },
);

/** The page without its policy, with a script that writes how wide its content is. */
function withWidth(html: string): string {
  const script = `document.body.style.margin = 0; document.body.dataset.wide = document.documentElement.scrollWidth;`;
  return html.replace(/<meta http-equiv[^>]*>/, '').replace('</body>', () => `<script>${script}</script></body>`);
}

/** What axe says of the pages, which one browser opens one after the other. */
interface Judged {
  readonly violations: readonly string[];
  readonly passes: readonly string[];
}

/**
 * The page without its policy, which lets no script in, and with a script that adds what axe says of it to what it said of
 * the pages before, and opens the next one.
 */
function withAxe(html: string, path: string, next: string | undefined): string {
  const script = `${readFileSync(require.resolve('axe-core'), 'utf8')}
    addEventListener('load', async () => {
      const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
      const { violations, passes } = await axe.run({ runOnly });
      const ids = (rules) => rules.map(({ id }) => id);
      const before = JSON.parse(sessionStorage.judged ?? '{}');
      const judged = { ...before, '${path}': { violations: ids(violations), passes: ids(passes) } };
      sessionStorage.judged = JSON.stringify(judged);
      if ('${next}' !== 'undefined') location.replace('${next}');
      else document.documentElement.innerHTML = '<pre id="judged">' + sessionStorage.judged + '</pre>';
    });`;
  return html.replace(/<meta http-equiv[^>]*>/, '').replace('</head>', () => `<script>${script}</script></head>`);
}

it.skipIf(browserProgram === undefined)('A-91: breaks no rule of WCAG 2.2 A and AA that axe knows', async () => {
  const world = await createWorld();
  const asked = { territory: 'peninsula', client_type: 'dni', impuestos: IN_OCTOBER };
  const id = await newProposal(world, EVIL, asked);
  const [plain, full] = [await pageOf(world, id), await pageOf(world, id, { comisiones: 'true' })];
  const broken = full.html
    .replace(' lang="es"', '')
    .replaceAll('#1a1a1a', '#ccc')
    .replace('<svg role="img" aria-labelledby="plot"', '<svg role="img"')
    .replace(/<title id="plot">.*?<\/title>/, '');
  const pages: Readonly<Record<string, string>> = { '/plain': plain.html, '/full': full.html, '/broken': broken };
  const paths = Object.keys(pages);
  const { made } = await inChromium(
    async (address, run): Promise<Readonly<Record<string, Judged>>> => {
      const dom = await run('--virtual-time-budget=60000', '--dump-dom', `${address}/plain`);
      const [, json = '{}'] = /<pre id="judged">(.*)<\/pre>/.exec(dom) ?? [];
      return JSON.parse(json);
    },
    (path) => ({
      headers: { 'Content-Type': 'text/html; charset=utf-8' },
      html: withAxe(pages[path] ?? '', path, paths[paths.indexOf(path) + 1]),
    }),
  );
  for (const path of ['/plain', '/full']) {
    expect(made[path]).toMatchObject({ violations: [] });
    expect(made[path]?.passes).toEqual(expect.arrayContaining(['color-contrast', 'document-title', 'html-has-lang']));
  }
  expect(made['/full']?.passes).toContain('svg-img-alt');
  expect(made['/broken']?.violations).toEqual(['color-contrast', 'html-has-lang', 'svg-img-alt']);
});
