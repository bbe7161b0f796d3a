import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireRanking } from '../src/ranking-view.ts';
import { novemberRows } from './tax-rows.ts';

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.remove());

describe('rank', () => {
  const OFFERS = [
    { id: 7, offer_name: 'Cara', e1: 0.2, commission: 90 },
    { id: 9, offer_name: 'Barata', e1: 0.1, commission: 10 },
    { id: 8, offer_name: 'Sin precio' },
  ].map((offer) => ({
    supply_type: 'LUZ',
    tariff_type: '2.0TD',
    territory_peninsula: true,
    acepta_dni: true,
    company: { id: 1, name: 'Comercializadora', logo_url: null },
    ...offer,
  }));
  const CUSTOMER = { supply_type: 'LUZ', energia: { e1: 1000 } };

  async function files(offers: unknown, customer: unknown): Promise<string[]> {
    const folder = join(place.folder, 'rank');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'offers.json'), JSON.stringify(offers));
    await writeFile(join(folder, 'customer.json'), JSON.stringify(customer));
    return ['rank', '--offers', join(folder, 'offers.json'), '--customer', join(folder, 'customer.json')];
  }

  it('ranks an array or a list answer without a database', async () => {
    const list = { total: 3, limit: 50, offset: 0, results: OFFERS };
    for (const offers of [OFFERS, list]) {
      const ranking = await place.json(await files(offers, CUSTOMER), { env: { DATABASE_URL: 'nothing' } });
      expect(ranking).toMatchObject({
        w: 0.5,
        dias: 365,
        meses: 12,
        total: 2,
        excluded_count: 1,
        excluded: [{ offer_id: 8, offer_name: 'Sin precio', codigo: 'sin_precio_energia' }],
        mas_barata_id: 9,
        mas_comision_id: 7,
        results: [
          { offer: { id: 9 }, cost: { total: 100 }, commission: { total: 10 }, nota: 5 },
          { offer: { id: 7 }, cost: { total: 200 }, commission: { total: 90 }, nota: 5 },
        ],
      });
    }
  });

  it('A-107: has the bills of a customer file, or of --taxes, and asks for a rate that is not known', async () => {
    const customer = { ...CUSTOMER, territory: 'peninsula', client_type: 'dni', tariff_type: '2.0TD' };
    const inFile = await place.json(await files(OFFERS, { ...customer, impuestos: { fecha: '2026-10-15' } }));
    const args = await files(OFFERS, customer);
    const ranking = await place.json<WireRanking>([...args, '--taxes', '2026-10-15']);
    expect(ranking).toEqual(inFile);
    const [{ factura_estimada: bill } = {}] = ranking.results;
    // 100 + 9.01 of the social bonus, 5.57 of electricity tax and 21 %.
    expect([ranking.impuestos?.fecha, bill?.total]).toEqual(['2026-10-15', 138.64]);
    const { stdout } = await place.runHere([...args, '--taxes', '2026-10-15', '--pretty']);
    expect(stdout).toMatch(/BILL: with the taxes of 2026-10-15.*BILL.*138\.64/s);
    const inNovember = [...args, '--taxes', '2026-11-15'];
    const settled = await place.json<WireRanking>(inNovember, {
      env: { TAX_ROWS: await novemberRows(place.folder) },
    });
    // 1.00 of the least electricity tax, and 10 %.
    expect(settled.results[0]?.factura_estimada?.total).toBe(121.01);
    const { status, stderr } = await place.runHere(inNovember);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/impuesto_electrico: 0\.5 if the condition of RDL 25/)]);
    expect(stderr).toMatch(
      /^tarifario: business_rule\n {2}impuestos\.fecha: .*; send it in tipos\n {2}impuestos\.fecha: /,
    );
  });

  it('uses the weight of --w, or else the one of the customer file', async () => {
    const args = await files(OFFERS, { ...CUSTOMER, w: 0 });
    expect(await place.json(args)).toMatchObject({ w: 0, mas_eficiente_id: 7 });
    expect(await place.json([...args, '--w', '1'])).toMatchObject({ w: 1, mas_eficiente_id: 9 });
    for (const w of ['2', '-1', 'x', '1e-1', '']) expect((await place.runHere([...args, '--w', w])).status, w).toBe(2);
  });

  it('filters by company as the service does', async () => {
    const other = { ...OFFERS[1], company: { id: 2, name: 'Otra', logo_url: null } };
    const args = await files([OFFERS[0], other], { ...CUSTOMER, company_name: 'COMERCIAL' });
    expect(await place.json(args)).toMatchObject({ total: 1, results: [{ offer: { id: 7 } }] });
  });

  it('ranks a file with masked commissions by cost alone, as the service does', async () => {
    const masked = OFFERS.map((offer) => ({
      ...offer,
      commission: null,
      commission_type: null,
      commission_tiers: null,
    }));
    const args = await files([OFFERS[0], ...masked.slice(1)], CUSTOMER);
    expect(await place.json(args)).toMatchObject({
      w: 1,
      mas_comision_id: null,
      umbrales: null,
      escala: { comision_min: null, comision_max: null },
      results: [
        { offer: { id: 9 }, commission: null, nota: 10, nota_comision: null, en_frontera: null },
        { offer: { id: 7 }, commission: null, nota: 0, nota_comision: null, en_frontera: null },
      ],
    });
    expect(await place.json([...args, '--w', '1'])).toMatchObject({ w: 1 });
    const refusal = { status: 1, stdout: '', stderr: 'tarifario: w below 1 needs the scope commissions:read\n' };
    expect(await place.runHere([...args, '--w', '0.9'])).toEqual(refusal);
    expect(await place.runHere(await files(masked, { ...CUSTOMER, w: 0.9 }))).toEqual(refusal);
  });

  it('ranks only the firm that the customer file names, and the catalog', async () => {
    const of = (id: number, client: object | null) => ({
      ...OFFERS[0],
      id,
      company: { id: id + 10, name: `Comercializadora ${id}`, logo_url: null, client },
    });
    const offers = [of(1, { id: 1, name: 'Una' }), of(2, { id: 2, name: 'Otra' }), of(3, null), OFFERS[1]];
    const ranked = async (firm: object) => {
      const ranking = await place.json<WireRanking>(await files(offers, { ...CUSTOMER, ...firm }));
      return ranking.results.map(({ offer }) => offer.id).sort();
    };
    expect(await ranked({ client_id: 1 })).toEqual([1, 3]);
    expect(await ranked({ client_id: 2 })).toEqual([2, 3]);
    expect(await ranked({ client_id: 77 })).toEqual([3]);
    expect(await ranked({})).toEqual([1, 2, 3, 9]);
  });

  it('answers what a question asks besides as an account does, and refuses the past, which no file has', async () => {
    expect(await place.json(await files(OFFERS, { ...CUSTOMER, q: 'cara' }))).toMatchObject({
      total: 2,
      encontradas: 1,
      results: [{ offer: { id: 7 }, puesto: 2 }],
    });
    expect(await place.runHere(await files(OFFERS, { ...CUSTOMER, as_of: '2026-01-31' }))).toEqual({
      status: 1,
      stdout: '',
      stderr: 'tarifario: business_rule\n  as_of: a file of offers has no past\n',
    });
  });

  it('reports an indexed offer whose history is not in the file', async () => {
    const listed = { ...OFFERS[0], is_indexed: true, created_at: '2026-01-01T00:00:00.000Z' };
    const { status, stderr } = await place.runHere(await files([listed], CUSTOMER));
    expect(status).toBe(1);
    expect(stderr).toContain('offer 7 (Cara): the file has no indexed_prices of it: use the answer of compare');
    const { created_at: _, ...written } = listed;
    expect(await place.json(await files([written], CUSTOMER))).toMatchObject({
      excluded: [{ codigo: 'sin_historico' }],
    });
  });

  it('shows a table with --pretty', async () => {
    const { stdout } = await place.run([...(await files(OFFERS, CUSTOMER)), '--pretty']);
    expect(stdout).toMatch(/1 Barata +Comercializadora +100\.00 .* 100\.00 +10\.00 +5\.00 +10\.00 +0\.00 ★◆/);
    expect(stdout).toMatch(/Sin precio +sin_precio_energia +Sin precio de energía en el periodo P1/);
  });

  it('says which file is wrong, and what is wrong in it', async () => {
    const [, , offers = '', , customer = ''] = await files(OFFERS, { ...CUSTOMER, w: 7 });
    const rank = (a: string, b: string) => place.runHere(['rank', '--offers', a, '--customer', b]);
    expect(await rank(offers, customer)).toMatchObject({ status: 1, stderr: expect.stringContaining('customer.json') });
    expect(await rank(customer, customer)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('customer.json'),
    });
    expect(await rank(`${place.folder}/none.json`, customer)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^tarifario: cannot read .*none\.json: .*ENOENT/),
    });
    expect(await rank(`${place.folder}/none`, customer)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^tarifario: cannot read .*none: .*ENOENT/),
    });
    await writeFile(join(place.folder, 'offers'), '[]');
    expect(await rank(join(place.folder, 'offers'), customer)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^tarifario: cannot read .*offers: its name must end in \.json or \.xlsx or \.csv/),
    });
    await writeFile(join(place.folder, 'broken.json'), '{"a":');
    expect((await rank(join(place.folder, 'broken.json'), customer)).status).toBe(1);
    expect(await rank('offers.ods', customer)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('its name must end in .json or .xlsx or .csv'),
    });
    expect(await rank(offers, 'customer.xlsx')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/customer\.xlsx: its name must end in \.json \(/),
    });
    expect((await place.runHere(['rank', '--offers', offers])).status).toBe(2);
  });
});
