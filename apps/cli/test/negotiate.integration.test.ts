import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDemoCatalog } from '../src/demo/demo-catalog.ts';

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
  await place.json(['demo', 'seed']);
});

afterAll(() => place.remove());

async function written(name: string, lines: readonly string[]): Promise<string> {
  const file = join(place.folder, name);
  await writeFile(file, lines.join('\n'));
  return file;
}

interface Negotiation {
  readonly tramos: readonly { readonly baja_eur_mwh: number; readonly clientes: number }[];
  readonly results: readonly {
    readonly ref: string;
    readonly hueco_eur_mwh?: number | null;
    readonly error?: { readonly code: string };
  }[];
}

const offerOf = (offer_name: string, e1: number, more = {}) => ({
  ...{ supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true, company: 'Luz Uno' },
  ...{ offer_name, e1, e2: 0.1, e3: 0.1, p1: 0, p2: 0 },
  ...more,
});

describe('A-116: negotiate', () => {
  it('says what an offer of the demo has to come down for the customers of a file', async () => {
    const body = readDemoCatalog().households[0]?.efficient;
    const file = await written('customers.ndjson', [
      JSON.stringify({ ref: 'a', ...body }),
      JSON.stringify({ ref: 'b', ...body, dias: 30 }),
      '{"ref":',
      '{"ref":"c"}',
    ]);
    const args = ['negotiate', '--account', '1', '--offer', '1', '--customers', file];
    const { tramos, results } = await place.json<Negotiation>(args);
    expect(results.map(({ ref }) => ref).toSorted()).toEqual(['a', 'b', 'c', 'line 3']);
    const gaps = results.flatMap(({ hueco_eur_mwh }) => hueco_eur_mwh ?? []);
    expect(tramos.map(({ baja_eur_mwh }) => baja_eur_mwh)).toEqual([...new Set(gaps)].toSorted((a, b) => a - b));
    expect(tramos.at(-1)?.clientes).toBe(gaps.length);
    // Rounded down, a fall would win nothing.
    expect((await place.runHere([...args, '--pretty'])).stdout).toContain(`${gaps[0]} EUR/MWh less: first for`);
  });

  it('takes the offers of a file, without a database, and each customer that is wrong by its name and its field', async () => {
    // 1000 kWh in P1 at 0.2 in place of 0.15 EUR are 50 EUR more over 2 MWh.
    const offers = await written('offers.json', [
      JSON.stringify([offerOf('Cara', 0.2), offerOf('Barata', 0.15), offerOf('Parada', 0.01, { is_active: false })]),
    ]);
    const customers = await written('some.csv', [
      'ref;supply_type;e1;e3;w;company_name',
      'casa;LUZ;1000;1000;;',
      'solo;LUZ;1000;1000;;Luz Uno',
      'otra;LUZ;1000;1000;;Luz Dos',
      'mala;LUZ;mil;0;;',
      'peso;LUZ;1000;0;2;',
    ]);
    const asked = ['--customers', customers, '--offer', '1'];
    const env = { DATABASE_URL: 'sqlite:/nowhere/none.db' };
    expect(await place.json(['negotiate', '--offers', offers, ...asked], { env })).toEqual({
      offer_id: 1,
      total: 5,
      tramos: [{ baja_eur_mwh: 25, clientes: 2, mwh: 4 }],
      results: [
        { ref: 'casa', mwh_anuales: 2, hueco_eur_mwh: 25 },
        { ref: 'solo', mwh_anuales: 2, hueco_eur_mwh: 25 },
        { ref: 'otra', mwh_anuales: 2, hueco_eur_mwh: null },
        { ref: 'mala', error: expect.objectContaining({ errors: [expect.objectContaining({ path: 'energia.e1' })] }) },
        { ref: 'peso', error: expect.objectContaining({ errors: [expect.objectContaining({ path: 'w' })] }) },
      ],
    });
  });

  it('asks a table of offers too, in which companies have no ids, and refuses what no file can tell', async () => {
    const sheet = await written('offers.csv', [
      'company_name,offer_name,supply_type,tariff_type,e1,e2,e3,p1,p2,acepta_dni,territory_peninsula',
      'Luz Uno,Cara,LUZ,2.0TD,0.2,0.1,0.1,0,0,true,true',
      'Luz Uno,Barata,LUZ,2.0TD,0.15,0.1,0.1,0,0,true,true',
    ]);
    const masked = await written('masked.json', [
      JSON.stringify([offerOf('Cara', 0.2, { commission: null }), offerOf('Barata', 0.15)]),
    ]);
    const question = { supply_type: 'LUZ', energia: { e1: 1000, e3: 1000 } };
    const customers = await written('many.ndjson', [
      JSON.stringify({ ref: 'a', ...question }),
      JSON.stringify({ ref: 'b', ...question, client_id: 1 }),
      JSON.stringify({ ref: 'c', ...question, w: 0.5 }),
      JSON.stringify({ ref: 'd', ...question, tolerancia: 1 }),
    ]);
    const refusals = async (file: string, id: string) => {
      const args = ['negotiate', '--offers', file, '--customers', customers, '--offer', id];
      const { results } = await place.json<Negotiation>(args);
      return results.map(({ ref, hueco_eur_mwh, error }) => [ref, error?.code ?? hueco_eur_mwh]);
    };
    // Row 2 of the sheet.
    expect(await refusals(sheet, '2')).toEqual([
      ['a', 25],
      ['c', 25],
      ['b', 'business_rule'],
      ['d', 'business_rule'],
    ]);
    expect(await refusals(masked, '1')).toEqual([
      ['a', 25],
      ['b', null],
      ['c', 'weight_needs_commissions'],
      ['d', 'weight_needs_commissions'],
    ]);
    const wrong = (...args: string[]) => place.runHere(['negotiate', '--customers', customers, ...args]);
    expect(await wrong('--offers', sheet, '--offer', '9')).toEqual({
      status: 1,
      stdout: '',
      stderr: `tarifario: ${sheet}: there is no offer 9\n`,
    });
    for (const args of [
      ['--offer', '1'],
      ['--offers', sheet],
      ['--offers', sheet, '--account', '1', '--offer', '1'],
    ]) {
      expect((await wrong(...args)).status, args.join(' ')).toBe(2);
    }
  });
});
