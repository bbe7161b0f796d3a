import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkplace, PROGRAM, type Workplace } from '@tarifario/testkit/cli/run-program';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const SOLD = { supply_type: 'GAS', tariff_type: 'RL.1', acepta_dni: true, territory_peninsula: true };
const OFFER = { ...SOLD, offer_name: 'Uno', gas_energy: 0.05, gas_fixed: 5 };
const OFFERS_JSON = JSON.stringify([{ ...OFFER, company: 'Iber', commission: 10 }]);
const OFFERS_CSV =
  'company_name,offer_name,supply_type,tariff_type,gas_energy,gas_fixed,acepta_dni,territory_peninsula\n' +
  'Iber,Uno,GAS,RL.1,0.05,5,true,true\n';
const CUSTOMER = { supply_type: 'GAS', consumo_gas: 1000 };
const CUSTOMERS_CSV = 'ref,supply_type,consumo_gas\na,GAS,1000\nb,GAS,2000\n';
const CUSTOMERS_NDJSON = `\n${JSON.stringify({ ref: 'a', ...CUSTOMER })}\n${JSON.stringify({ ref: 'b', ...CUSTOMER })}\n`;

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  writeFileSync(at('offers.json'), OFFERS_JSON);
  writeFileSync(at('offers.csv'), OFFERS_CSV);
  writeFileSync(at('one.json'), JSON.stringify(CUSTOMER));
  writeFileSync(at('many.csv'), CUSTOMERS_CSV);
  mkdirSync(at('folder'));
  linkSync(at('many.csv'), at('hard.csv'));
  symlinkSync(at('many.csv'), at('soft.csv'));
});
afterAll(() => place.remove());

const at = (name: string) => join(place.folder, name);

describe('an output that is an input', () => {
  it.each([
    ['many.csv', ['--offers', 'offers.json', '--customers', 'many.csv'], '--customers'],
    ['folder/../many.csv', ['--offers', 'offers.json', '--customers', 'many.csv'], '--customers'],
    ['hard.csv', ['--offers', 'offers.json', '--customers', 'many.csv'], '--customers'],
    ['soft.csv', ['--offers', 'offers.json', '--customers', 'many.csv'], '--customers'],
    ['many.csv', ['--offers', 'offers.json', '--customers', 'soft.csv'], '--customers'],
    ['offers.csv', ['--offers', 'offers.csv', '--customers', 'many.csv'], '--offers'],
    ['offers.csv', ['--offers', 'offers.csv', '--customer', 'one.json'], '--offers'],
    ['many.csv', ['--offers', 'offers.json', '--curve', 'many.csv'], '--curve'],
    ['many.csv', ['--account', '1', '--customer', 'many.csv'], '--customer'],
  ])('as %s after %j is refused, and the file stays as it is', async (out, named, option) => {
    const args = ['rank', ...named.map((arg) => (/\./.test(arg) ? at(arg) : arg)), '--out', `${place.folder}/${out}`];
    const { status, stdout, stderr } = await place.runHere(args);
    const message = `tarifario: --out names the file of ${option} (tarifario --help shows the commands)\n`;
    expect([status, stdout, stderr]).toEqual([2, '', message]);
    expect([readFileSync(at('many.csv'), 'utf8'), readFileSync(at('offers.csv'), 'utf8')]).toEqual([
      CUSTOMERS_CSV,
      OFFERS_CSV,
    ]);
  });

  it('is refused where standard input comes from it', () => {
    const args = ['rank', '--offers', at('offers.json'), '--customers', '-', '--out', at('many.csv')];
    const { status, stderr } = spawnSync(process.execPath, ['--conditions=tarifario-source', PROGRAM, ...args], {
      stdio: [openSync(at('many.csv'), 'r'), 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('--out names the file of --customers')]);
    expect(readFileSync(at('many.csv'), 'utf8')).toBe(CUSTOMERS_CSV);
  });
});

describe('- in place of a file', () => {
  it('reads one customer as JSON', async () => {
    const args = ['rank', '--offers', at('offers.json'), '--customer'];
    const answer = await place.json([...args, '-'], { stdin: JSON.stringify(CUSTOMER) });
    expect(answer).toEqual(await place.json([...args, at('one.json')]));
    const { status, stderr } = await place.run([...args, '-'], { stdin: '{"supply_type":' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^tarifario: standard input: Unexpected end of JSON/)]);
  });

  const offersOnInput: readonly (readonly [form: string, content: () => Promise<string | Uint8Array>])[] = [
    ['JSON', async () => `\ufeff ${OFFERS_JSON}`],
    ['CSV', async () => OFFERS_CSV],
    ['a workbook', () => workbookBytes({ ofertas: [{ ...OFFER, company_name: 'Iber' }] })],
  ];
  it.each(shareOf(offersOnInput, 3))('reads offers as %s', async (_form, content) => {
    const args = ['rank', '--offers', '-', '--customer', at('one.json')];
    const answer = await place.json(args, { stdin: await content() });
    expect(answer).toMatchObject({ total: 1, results: [{ offer: { offer_name: 'Uno' }, cost: { total: 110 } }] });
  });

  const customersOnInput: typeof offersOnInput = [
    ['NDJSON', async () => CUSTOMERS_NDJSON],
    ['CSV', async () => CUSTOMERS_CSV],
    [
      'a workbook',
      () =>
        workbookBytes({
          clientes: [
            { ref: 'a', ...CUSTOMER },
            { ref: 'b', ...CUSTOMER },
          ],
        }),
    ],
  ];
  it.each(shareOf(customersOnInput, 3, 1))('reads many customers as %s', async (_form, content) => {
    const args = ['rank', '--offers', at('offers.json'), '--customers', '-', '--out', at('many.out.ndjson')];
    expect(await place.json(args, { stdin: await content() })).toMatchObject({ customers: 2, errors: 0 });
    const lines = (await readFile(at('many.out.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { ref: 'a', total: 1 },
      { ref: 'b', total: 1 },
    ]);
  });

  it('A-104: reads a number of customers by a row that comes later, in Latin-1 too', async () => {
    const args = ['rank', '--offers', at('offers.json'), '--customers', '-', '--out', at('many.out.ndjson')];
    const costOf = async (stdin: string | Buffer) => {
      await place.json(args, { stdin });
      const [first = ''] = (await readFile(at('many.out.ndjson'), 'utf8')).split('\n');
      return JSON.parse(first).best[0].cost.total;
    };
    const header = 'ref;supply_type;consumo_gas';
    expect(await costOf(`${header}\na;GAS;1.000\nb;GAS;812,5\n`)).toBe(110);
    expect(await costOf(`${header}\na;GAS;1.000\nb;GAS;812.5\n`)).toBe(60.05);
    expect(await costOf(Buffer.from(`${header}\nñ;GAS;1.000\nb;GAS;812,5\n`, 'latin1'))).toBe(110);
  });

  it('reads the curve of a meter', async () => {
    const args = ['curve', '-', '--tariff', '2.0TD', '--territory', 'peninsula'];
    const { status, stderr } = await place.run(args, { stdin: 'nothing' });
    expect([status, stderr]).toEqual([1, expect.not.stringContaining('cannot be read')]);
  });

  it('stands for one file of a call only', async () => {
    const { status, stderr } = await place.runHere(['rank', '--offers', '-', '--customer', '-']);
    expect([status, stderr]).toEqual([2, expect.stringContaining('only one of --offers, --customer may be -')]);
  });
});
