import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fillSample, HOUSEHOLD, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { createWorld, idOf, type World } from '@tarifario/testkit/api/world';
import { browserProgram } from '@tarifario/testkit/browser-program';
import { further, shareOf } from '@tarifario/testkit/share';
import { describe, expect, it } from 'vitest';
import { inCents } from '../src/nouns/proposals/page-table.ts';
import { textsOfPdf } from './pdf-text.ts';

const OCTOBER = { fecha: '2026-10-15', alquiler: 'monofasico' };
const NOTE =
  'Le recomendamos la primera: el precio es fijo doce meses y no tiene permanencia. Revisaremos la factura con usted a los tres meses y le avisaremos antes de que termine. La potencia de hoy es la adecuada para su local y no hay que cambiarla. Quedamos a su disposición en el teléfono de siempre.'.padEnd(
    300,
    '.',
  );
const SIX = { e1: 0.168, e2: 0.151, e3: 0.132, e4: 0.12, e5: 0.11, e6: 0.09 };
const TODAY = { e1: 0.199, e2: 0.17, e3: 0.15, p1: 0.09, p2: 0.02 };

/** Offers with all that their contracts may say, of which one ends on a day. */
async function newOffers(world: World, companyId: number, of: object): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < 4; index++) {
    const contract = {
      ...{ permanencia_meses: 12, penalizacion_eur: 40, precio_fijo_meses: 12 + index, energia_verde: true },
      ...{ descuento_energia_pct: 10, descuento_meses: 12, peajes_revisables: false, potencia_max_kw: 15 },
      ...(index === 3
        ? { vigente_hasta: '2026-01-09', requisitos: 'Solo por internet y con factura electrónica' }
        : {}),
    };
    const priced = { offer_name: `Plan Tranquilidad ${index + 1}`, e1: 0.168 + index / 200, services_cost: index };
    const body = { ...LUZ_BODY, company_id: companyId, ...contract, ...of, ...priced };
    ids.push(idOf(await world.ask('createOffer', { body })));
  }
  return ids;
}

/** The texts of the pages of a PDF that Chromium prints. */
async function printed(html: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-sheet-'));
  try {
    writeFileSync(join(folder, 'page.html'), html);
    const own = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}/profile`];
    const to = ['--no-pdf-header-footer', `--print-to-pdf=${folder}/page.pdf`, `file://${folder}/page.html`];
    await promisify(execFile)(browserProgram ?? '', [...own, ...to]);
    return textsOfPdf(readFileSync(join(folder, 'page.pdf')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const withoutSpace = (text: string) => text.replaceAll(/\s/g, '');
const centsIn = (text: string) =>
  text === '—' ? 0 : Math.round(Number(text.replaceAll(/[^\d,-]/g, '').replace(',', '.')) * 100);

/** The rows of the figures of a sheet: names and cells. */
const rowsOf = (html: string) =>
  [...html.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].map(([, name = '', cells = '']) => ({
    name,
    cells: [...cells.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, text = '']) => text),
  }));

describe.skipIf(browserProgram === undefined)('A-91: the printed sheet', () => {
  it.each(
    shareOf(
      [
        ['a household', HOUSEHOLD, {}, TODAY],
        [
          'six periods',
          {
            ...{ supply_type: 'LUZ', tariff_type: '3.0TD' },
            energia: { e1: 9100, e2: 8200, e3: 7300, e4: 6400, e5: 5500, e6: 24_600 },
            potencia: { p1: 15, p2: 15, p3: 15, p4: 15, p5: 15, p6: 16 },
            impuestos: { ...OCTOBER, alquiler: 1.5 },
          },
          {
            ...{ tariff_type: '3.0TD', potencia_max_kw: 50, ...SIX },
            ...{ p1: 0.06, p2: 0.05, p3: 0.04, p4: 0.03, p5: 0.02, p6: 0.01 },
          },
          { ...SIX, e1: 0.21, p1: 0.07, p2: 0.06, p3: 0.05, p4: 0.04, p5: 0.03, p6: 0.02 },
        ],
        ['a month of which the bill is known', { ...HOUSEHOLD, dias: 30 }, {}, { factura_total: 967.95 }],
      ] as const,
      3,
    ),
  )(
    'of four offers, a comment and taxes has two pages and, of %s, each figure, of which the totals are the sums',
    async (_of, question, of, today) => {
      const world = await createWorld();
      const { clientId, companyId } = await fillSample(world);
      const contact = `Tel. 961 234 567 · hola@asesoria.example · ${'Calle Colón 12, Valencia '.repeat(5)}`.trim();
      await world.ask('updateClient', {
        params: { id: String(clientId) },
        body: { name: 'Asesoría Levante', contact },
      });
      const where = { client_id: clientId, territory: 'peninsula', client_type: 'dni' };
      const request = { impuestos: OCTOBER, ...question, ...where, contrato_actual: today };
      const offer_ids = await newOffers(world, companyId, of);
      const body = { request, offer_ids, nota: NOTE, ref: 'Bar Luna' };
      const { id, sha256 } = await world.ask('createProposal', { body });
      const sheetOf = async (query: object) =>
        String((await world.call('getProposalPage', { params: { id: String(id) }, query: query as never })).body);
      const html = await sheetOf({});
      const pages = await printed(html);
      expect(pages).toHaveLength(2);
      for (const [index, text] of pages.entries()) {
        expect(text).toContain(`página${index + 1}de2`);
        expect(text).toContain(`SHA-256${sha256}·secompruebaen/app/propuestas/${id}`);
      }
      const [first = '', second = ''] = pages;
      for (const text of [
        'Asesoría Levante',
        contact,
        'Válida hasta el 9 de enero de 2026',
        'Referencia: Bar Luna',
        NOTE,
      ]) {
        expect(first).toContain(withoutSpace(text));
      }
      expect(first).toMatch(/ConPlanTranquilidad1paga[\d.]+,\d\d€almes:[\d.]+€menosalaño\(\d+%\)\./);
      for (const text of ['Condiciones', 'Cómosehacalculado', 'Acepto', 'Firma']) expect(second).toContain(text);
      const rows = rowsOf(html);
      for (const { name, cells } of rows) expect(pages.join('')).toContain(withoutSpace(name + cells.join('')));
      const from = rows.findIndex(({ name }) => name === 'Energía');
      const to = rows.findIndex(({ name }) => name === 'Total con impuestos');
      const lines = rows.slice(from, to);
      expect(lines.length).toBeGreaterThan(5);
      for (const { name, cells } of lines)
        expect(
          cells.some((text) => centsIn(text) !== 0),
          name,
        ).toBe(true);
      for (const [at, total = ''] of (rows[to]?.cells ?? []).entries()) {
        const addends = lines.map(({ cells }) => cells[at] ?? '—');
        if (addends.every((text) => text === '—')) continue;
        expect(
          addends.reduce((sum, text) => sum + centsIn(text), 0),
          String(at),
        ).toBe(centsIn(total));
      }
      const internal = await printed(await sheetOf({ comisiones: 'true' }));
      expect(internal.length).toBeLessThanOrEqual(2);
      expect(internal.join('')).toContain('Versióninterna');
      expect(internal.join('')).not.toContain('Acepto');
    },
  );

  further('of three offers is signed on the page of its figures, and not behind the small print', async () => {
    const world = await createWorld();
    const { clientId, companyId } = await fillSample(world);
    const where = { client_id: clientId, territory: 'peninsula', client_type: 'dni' };
    const request = { impuestos: OCTOBER, ...HOUSEHOLD, ...where, contrato_actual: TODAY };
    const no = { descuento_energia_pct: null, descuento_meses: null, penalizacion_eur: null, vigente_hasta: null };
    const offers = await newOffers(world, companyId, { ...no, peajes_revisables: null, potencia_max_kw: null });
    const { id } = await world.ask('createProposal', {
      body: { request, offer_ids: offers.slice(0, 3), ref: 'Bar Luna' },
    });
    const { body } = await world.call('getProposalPage', { params: { id: String(id) } });
    const pages = await printed(String(body));
    expect(pages[0]).toMatch(/Totalconimpuestos.*Acepto.*Firma/s);
    // Which is whole, on whichever page.
    expect(pages.find((text) => text.includes('Cómosehacalculado'))).toMatch(/Cómosehacalculado.*ofertascomparadas/s);
  });
});

describe('A-91: amounts in whole cents', () => {
  it('add up to their total, each within a cent of itself, and an amount of 0 stays 0', () => {
    expect(inCents([1 / 3, 1 / 3, 1 / 3, 0], 1)).toEqual([34, 33, 33, 0]);
    expect(inCents([-0.005, 0.012, 0.012], 0.02)).toEqual([0, 1, 1]);
    expect(inCents([10.004, 10.004, 10.004], 30.02)).toEqual([1001, 1001, 1000]);
    expect(inCents([9.996, -1.004, 3], 11.99)).toEqual([1000, -101, 300]);
    // They are not the parts of that total.
    expect(inCents([1, 2], 5)).toEqual([100, 200]);
  });
});
