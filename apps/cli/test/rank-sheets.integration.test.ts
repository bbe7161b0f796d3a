import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXPORT_COLUMNS } from '@tarifario/api';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireRanking } from '../src/ranking-view.ts';

const SOLD = { supply_type: 'LUZ', tariff_type: '2.0TD', acepta_dni: true, territory_peninsula: true };
const OFFERS = [
  { offer_id: 7, cliente: 'Norte', company_name: 'Iber', offer_name: 'Cara', e1: 0.2, commission: 90, ...SOLD },
  { offer_id: 9, cliente: 'Sur', company_name: 'Gana', offer_name: 'Barata', e1: 0.1, commission: 10, ...SOLD },
  { company_name: 'Gana', offer_name: 'Variable', is_indexed: true, ...SOLD },
];
const MONTHS = [
  { company_name: 'Gana', offer_name: 'Variable', reference_month: '2026-01', e1: 0.3 },
  { company_name: 'Gana', offer_name: 'Variable', reference_month: '2026-02', e1: 0.5 },
];
const TIERS = [{ offer_id: 9, consumption_from: 0, commission: 20, commission_type: 'fixed' }];
const CSV = 'offer_id;company_name;offer_name;supply_type;tariff_type;e1;acepta_dni;territory_peninsula';

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await write('customer.json', JSON.stringify({ supply_type: 'LUZ', energia: { e1: 1000 } }));
});
afterAll(() => place.remove());

const write = (name: string, content: string | Uint8Array) => writeFile(join(place.folder, name), content);
const rankArgs = (offers: string, customer = 'customer.json') => [
  'rank',
  '--offers',
  join(place.folder, offers),
  '--customer',
  join(place.folder, customer),
];
const ranked = (offers: string, customer?: string) => place.json<WireRanking>(rankArgs(offers, customer));

describe('rank over a spreadsheet', () => {
  it('ranks the offers of a workbook with their months and tiers, without a database', async () => {
    await write(
      'offers.xlsx',
      await workbookBytes({ ofertas: OFFERS, precios_indexados: MONTHS, tramos_consumo: TIERS }),
    );
    const args = rankArgs('offers.xlsx');
    const ranking = await place.json<WireRanking>(args, { env: { DATABASE_URL: 'nothing' } });
    expect(ranking).toMatchObject({ total: 3, excluded_count: 0, mas_barata_id: 9, mas_comision_id: 7 });
    const shown = ranking.results.map(({ offer, cost, commission }) => [
      offer.id,
      offer.company.name,
      cost.total,
      commission?.total,
    ]);
    // The one without an id is in row 4; the highest id is 9.
    expect(shown.sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual([
      [7, 'Iber', 200, 90],
      [9, 'Gana', 100, 20],
      [13, 'Gana', 400, 0],
    ]);
  });

  it('takes the ending of the file name in any case', async () => {
    await copyFile(join(place.folder, 'offers.xlsx'), join(place.folder, 'OFFERS.XLSX'));
    expect(await ranked('OFFERS.XLSX')).toMatchObject({ total: 3 });
  });

  it('ranks a CSV, which stands for the sheet ofertas', async () => {
    await write('offers.csv', `\uFEFF${CSV}\r\n;Iber;Una;LUZ;2.0TD;0,15;si;si\r\n;Iber;Otra;LUZ;2.0TD;0,1;x;1\r\n`);
    const { results } = await ranked('offers.csv');
    expect(results.map(({ offer, cost }) => [offer.id, offer.offer_name, cost.total])).toEqual([
      [3, 'Otra', 100],
      [2, 'Una', 150],
    ]);
  });

  it('filters by the name of the company, and refuses ids that a spreadsheet does not have', async () => {
    const customer = { supply_type: 'LUZ', energia: { e1: 1000 } };
    await write('named.json', JSON.stringify({ ...customer, company_name: 'IBER' }));
    expect(await ranked('offers.xlsx', 'named.json')).toMatchObject({ total: 1, mas_eficiente_id: 7 });
    for (const id of [{ company_id: 1 }, { client_id: 1 }]) {
      await write('ids.json', JSON.stringify({ ...customer, ...id }));
      expect(await place.runHere(rankArgs('offers.xlsx', 'ids.json'))).toMatchObject({
        status: 1,
        stdout: '',
        stderr: expect.stringContaining('ids.json: a spreadsheet has no ids of companies and clients'),
      });
    }
  });

  it('names the sheet, the row and the column of everything that is wrong', async () => {
    const wrong = { ...OFFERS[0], offer_id: 8, e1: 20, acepta_dni: 'quizás' };
    const file = await workbookBytes({ ofertas: [...OFFERS, wrong], tramos_consumo: [{ ...TIERS[0], offer_id: 77 }] });
    await write('wrong.xlsx', file);
    const { status, stdout, stderr } = await place.run(rankArgs('wrong.xlsx'));
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.split('\n')).toEqual([
      `tarifario: ${join(place.folder, 'wrong.xlsx')}: 2 errors`,
      expect.stringMatching(/^ {2}ofertas row 5, acepta_dni: /),
      '  tramos_consumo row 2, offer_id: no such offer',
      '',
    ]);
  });

  it('says which file to use in place of an export', async () => {
    await write('export.csv', `${EXPORT_COLUMNS.join(',')}\n1,1,Iber,1,Norte,Una\n`);
    const { status, stderr } = await place.runHere(rankArgs('export.csv'));
    expect([status, stderr.trimEnd().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(/columns of an export\. What can be ranked .*bulk-template,? or the JSON/),
    ]);
    await write('typo.csv', `${CSV};colour\n;Iber;Una;LUZ;2.0TD;0,15;si;si;red\n`);
    expect((await place.runHere(rankArgs('typo.csv'))).stderr).not.toContain('export');
  });

  it('shows the first 50 errors and counts the others', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => `${index + 1};Iber;Una;LUZ;2.0TD;mucho;si;si`);
    await write('many.csv', [CSV, ...rows].join('\n'));
    const { status, stderr } = await place.runHere(rankArgs('many.csv'));
    const lines = stderr.trimEnd().split('\n');
    expect([status, lines.length, lines[0]?.slice(-9), lines.at(-1)]).toEqual([
      1,
      52,
      '60 errors',
      '  ... and 10 more',
    ]);
  });

  it('says why a file cannot be read', async () => {
    await write('none.xlsx', 'no workbook');
    expect(await place.runHere(rankArgs('none.xlsx'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/none\.xlsx: the file cannot be read: it is not an XLSX workbook\n$/),
    });
    await write('broken.csv', `${CSV}\n"1;2`);
    expect(await place.runHere(rankArgs('broken.csv'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/broken\.csv: the file cannot be read: it is damaged \(row 2\)\n$/),
    });
    expect(await place.runHere(rankArgs('missing.xlsx'))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/cannot read .*missing\.xlsx: .*ENOENT/),
    });
  });
});
