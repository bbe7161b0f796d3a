import { createWriteStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { workbookBytes } from '@tarifario/testkit/files/workbook-bytes';
import { isFullLength, shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { novemberRows } from './tax-rows.ts';

/** So many that the filter is used. */
const OFFERS = Array.from({ length: 240 }, (_, i) => ({
  ...{
    offer_name: `Oferta ${i}`,
    supply_type: i % 5 === 0 ? 'GAS' : 'LUZ',
    tariff_type: i % 5 === 0 ? 'RL.1' : '2.0TD',
  },
  ...{ company: i % 2 === 0 ? 'Iber' : 'Gana', acepta_dni: true, territory_peninsula: true, commission: (i * 37) % 90 },
  ...(i % 5 === 0
    ? { gas_energy: 0.05 + i / 1000, gas_fixed: 5 }
    : { e1: 0.1 + ((i * 13) % 17) / 100, e2: 0.1, e3: 0.08, p1: 0.08, p2: 0.01 }),
}));

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await write('offers.json', JSON.stringify(OFFERS));
});
afterAll(() => place.remove());

const at = (name: string) => join(place.folder, name);
const write = (name: string, content: string | Uint8Array) => writeFile(at(name), content);
const args = (customers: string, out: string, ...more: string[]) => [
  ...['rank', '--offers', at('offers.json'), '--customers', at(customers), '--out', at(out)],
  ...more,
];
const linesOf = async (name: string) => (await readFile(at(name), 'utf8')).trimEnd().split('\n');
const recordsOf = async (name: string) => (await linesOf(name)).map((line) => JSON.parse(line));
const leftovers = async () => (await readdir(place.folder)).filter((name) => name.endsWith('.tmp'));

const customer = (i: number) => ({
  ...{ ref: `c${i}`, supply_type: 'LUZ', w: (i % 11) / 10, dias: 365, meses: 12 },
  energia: { e1: 100 + ((i * 7919) % 5000), e2: 200, e3: 300.5 },
  potencia: { p1: 1 + (i % 9), p2: 4.6 },
  ...(i % 4 === 0 ? { company_name: 'iber' } : {}),
});

describe('rank over a file of customers', () => {
  it.each(shareOf(['3', '1'], 2))(
    'gives each customer the answer that one customer gets, in the order of the file, on %s threads',
    async (threads) => {
      const lines = Array.from({ length: 1234 }, (_, i) => JSON.stringify(customer(i)));
      lines[7] = '{"ref":"c7"';
      lines[8] = JSON.stringify({ ...customer(8), energia: { e1: 'mucho' } });
      lines[9] = JSON.stringify({ ...customer(9), consumo_gas: 4 });
      await write('many.ndjson', `${lines.join('\n')}\n`);
      const { status, stdout } = await place.run(
        args('many.ndjson', 'many.out.ndjson', '--top', '2', '--threads', threads),
      );
      expect([status, JSON.parse(stdout)]).toEqual([0, { customers: 1234, errors: 3, out: at('many.out.ndjson') }]);
      const records = await recordsOf('many.out.ndjson');
      expect(records.map(({ line }) => line)).toEqual(lines.map((_, i) => i + 1));
      expect(records[7]).toMatchObject({
        ...{ line: 8, ref: null },
        error: { code: 'invalid_request', message: 'the line is not JSON from column 12 on' },
      });
      expect(records[8]).toMatchObject({ ref: 'c8', error: { errors: [{ path: 'energia.e1' }] } });
      expect(records[9]).toMatchObject({ ref: 'c9', error: { code: 'business_rule' } });
      for (const i of [0, 4, 10, 321, 1233]) {
        const { ref, ...body } = customer(i);
        await write('one.json', JSON.stringify({ ...body, limit: 2 }));
        const alone = await place.json<{ results: { offer: { id: number }; nota: number }[]; mas_barata_id: number }>([
          ...['rank', '--offers', at('offers.json'), '--customer', at('one.json')],
        ]);
        expect(records[i]).toMatchObject({
          ref,
          mas_barata_id: alone.mas_barata_id,
          best: alone.results.map(({ offer, nota }) => ({ offer_id: offer.id, nota })),
        });
      }
      expect(await leftovers()).toEqual([]);
    },
  );

  it('reads the same customers from NDJSON, CSV with either separator and a workbook', async () => {
    const row = {
      ref: 'a;1',
      supply_type: 'LUZ',
      e1: 1000.5,
      e3: 20,
      p1: 4.6,
      dias: 30,
      company_name: 'Iber',
      ssaa_included: '',
    };
    const gas = { ref: 'g', supply_type: 'GAS', consumo_gas: 900, w: 1 };
    await write(
      'same.ndjson',
      `${JSON.stringify({ ref: 'a;1', supply_type: 'LUZ', energia: { e1: 1000.5, e3: 20 }, potencia: { p1: 4.6 }, dias: 30, company_name: 'Iber' })}\n${JSON.stringify(gas)}`,
    );
    const header = 'ref,supply_type,e1,e3,p1,dias,company_name,ssaa_included,consumo_gas,w';
    await write('same.csv', `\ufeff${header}\r\n"a;1",LUZ,1000.5,20,4.6,30,Iber,,,\r\n\r\ng,GAS,,,,,,,900,1\r\n`);
    await write('semi.csv', `${header.replaceAll(',', ';')}\n"a;1";LUZ;1000,5;20;4,6;30;Iber;;;\ng;GAS;;;;;;;900;1`);
    await write('same.xlsx', await workbookBytes({ clientes: [row, gas] }));
    const outputs = [];
    for (const name of ['same.ndjson', 'same.csv', 'semi.csv', 'same.xlsx']) {
      const { status, stderr } = await place.runHere(args(name, `${name}.out.ndjson`, '--threads', '1'));
      expect([name, status, stderr]).toEqual([name, 0, '']);
      outputs.push((await recordsOf(`${name}.out.ndjson`)).map(({ line: _, ...record }) => record));
    }
    expect(outputs[0]?.[0]).toMatchObject({ ref: 'a;1', dias: 30 });
    expect(outputs[0]?.[1]).toMatchObject({ ref: 'g', w: 1 });
    for (const records of outputs) expect(records).toEqual(outputs[0]);
  });

  it('writes CSV with a row for each offer and one for an error', async () => {
    await write('few.csv', 'ref,supply_type,e1\na,LUZ,100\nb,LUZ,mucho\n=1,LUZ,5\n');
    await place.json(args('few.csv', 'few.out.csv', '--top', '2', '--threads', '1', '--w', '1'));
    const lines = (await readFile(at('few.out.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(
      /^line,ref,place,offer_id,.*,error_code,error,actual_total,.*,avisos,peajes_parecidos,peaje_imposible$/,
    );
    expect(lines[1]).toMatch(/^2,a,1,/);
    expect(lines[2]).toMatch(/^2,a,2,/);
    expect(lines[3]).toMatch(
      /^3,b,,.*,invalid_request,"the request is malformed; energia.e1: must be a number, such as 1234,56, without unit or thousands separators",{9}$/,
    );
    expect(lines[4]).toMatch(/^4,'=1,1,/);
  });

  it('A-107: has the bills of --taxes, and their columns in CSV', async () => {
    const header = 'ref,supply_type,tariff_type,territory,client_type,e1,p1,p2,actual_factura_total,impuestos_alquiler';
    await write('billed.csv', `${header}\na,LUZ,2.0TD,peninsula,dni,3500,4.6,4.6,1000,monofasico\nb,LUZ,,,,1,,,,\n`);
    const sent = ['--top', '1', '--threads', '1', '--w', '1', '--taxes'];
    await place.json(args('billed.csv', 'billed.ndjson', ...sent, '2026-10-15'));
    const [first, second] = await recordsOf('billed.ndjson');
    const { factura_estimada: bill, ahorro } = first.best[0];
    expect([bill.alquiler, bill.financiacion_bono_social, ahorro.eur]).toEqual([9.72, 9.01, null]);
    expect(ahorro.factura).toBeCloseTo(1000 - bill.total, 9);
    expect(second.error.errors).toMatchObject([{ path: 'territory' }]);
    await place.json(args('billed.csv', 'billed.out.csv', ...sent, '2026-10-15'));
    const [columns = [], row = [], refused = []] = (await linesOf('billed.out.csv')).map((line) =>
      line.trimEnd().split(','),
    );
    const cell = (name: string) => Number(row[columns.indexOf(name)]);
    expect([columns.length, columns.length]).toEqual([row.length, refused.length]);
    for (const [name, value] of Object.entries(bill)) expect(cell(`factura_${name}`)).toBe(value);
    expect([cell('ahorro_factura'), cell('coste_extra_factura')]).toEqual([ahorro.factura, 0]);
    await place.json(args('billed.csv', 'best.ndjson', ...sent, '2026-10-15', '--best-saving', '1'));
    expect(await recordsOf('best.ndjson')).toEqual([first]);
    await place.json(args('billed.csv', 'open.ndjson', ...sent, '2026-11-15'));
    const [open] = await recordsOf('open.ndjson');
    expect(open.error.errors).toMatchObject([{ path: 'impuestos.fecha' }, { path: 'impuestos.fecha' }]);
    const env = { TAX_ROWS: await novemberRows(place.folder) };
    await place.json(args('billed.csv', 'settled.ndjson', ...sent, '2026-11-15'), { env });
    expect((await recordsOf('settled.ndjson'))[0].impuestos.tipos).toContainEqual(
      expect.objectContaining({ concepto: 'iva', aplica: 'reducido', valor: 10, norma: 'Acuerdo' }),
    );
  });

  it('A-107: has the bills that a table asks for, with its rates, also in CSV and without --taxes', async () => {
    const header = 'ref,supply_type,tariff_type,territory,client_type,e1,p1,p2,impuestos_fecha,impuestos_vivienda';
    const rates = 'impuestos_financiacion_bono,impuestos_iee,impuestos_indirecto,impuestos_indirecto_servicios';
    const common = 'LUZ,2.0TD,peninsula,dni,3500,4.6,4.6';
    const rows = [`a,${common},2026-10-15,sí,no,,,`, `b,${common},2026-11-15,,,0.5,10,21`, `c,${common},,,,,,`];
    await write('asked.csv', `${[`${header},${rates}`, ...rows].join('\n')}\n`);
    await place.json(args('asked.csv', 'asked.ndjson', '--top', '1', '--threads', '1', '--w', '1'));
    const records = await recordsOf('asked.ndjson');
    const bills = records.map(({ best }) => best[0].factura_estimada);
    expect(bills.map((bill) => bill?.financiacion_bono_social)).toEqual([0, 9.01, undefined]);
    expect(bills[1].impuesto_electrico).toBe(3.5);
    await place.json(args('asked.csv', 'asked.out.csv', '--top', '1', '--threads', '1', '--w', '1'));
    const [columns = [], ...cells] = (await linesOf('asked.out.csv')).map((line) => line.trimEnd().split(','));
    const total = columns.indexOf('factura_total');
    expect(cells.map((row) => row[total])).toEqual([`${bills[0].total}`, `${bills[1].total}`, '']);
  });

  it('A-107: refuses a CSV without columns of bills for a customer behind the first 200 who asks for one', async () => {
    const plain = Array.from({ length: 200 }, (_, at) =>
      JSON.stringify({ ref: `${at}`, supply_type: 'LUZ', energia: { e1: 1 } }),
    );
    const late = JSON.stringify({
      ref: 'late',
      supply_type: 'LUZ',
      energia: { e1: 1 },
      impuestos: { fecha: '2026-10-15' },
    });
    await write('late.ndjson', [...plain, late].join('\n'));
    const answer = await place.runHere(args('late.ndjson', 'late.out.csv', '--threads', '1'));
    expect(answer).toMatchObject({ status: 1, stderr: expect.stringContaining('line 201 asks for a bill') });
    await expect(readFile(at('late.out.csv'))).rejects.toThrow('ENOENT');
    expect((await place.runHere(args('late.ndjson', 'late.out.ndjson', '--threads', '1'))).status).toBe(0);
  });

  it('A-168: writes CSV in the form of a spreadsheet in Spanish, with its columns in words and one byte order mark', async () => {
    await write('ten.csv', `ref,supply_type,e1\n${'a,LUZ,100.5\n'.repeat(450)}`);
    await place.json(args('ten.csv', 'ten.out.csv', '--top', '1', '--threads', '1', '--w', '1', '--format', 'es'));
    const text = await readFile(at('ten.out.csv'), 'utf8');
    expect(text.lastIndexOf('\uFEFF')).toBe(0);
    expect(text).toMatch(/^\uFEFFLínea;Cliente;Puesto;.*;Peso del ahorro;/);
    expect(text.split('\r\n')[450]).toMatch(/^451;a;1;[^.]*;no;\d+,\d+;/);
    const { status, stderr } = await place.runHere(args('ten.csv', 'never.ndjson', '--format', 'es'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('--format is for CSV')]);
  });

  it.each<[string, (text: string) => Buffer]>([
    ['Latin-1', (text) => Buffer.from(text, 'latin1')],
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-8', (text) => Buffer.from(`\uFEFF${text}`)],
  ])('reads a CSV in %s', async (_, bytes) => {
    await write('names.csv', bytes('ref;supply_type;e1\nPeña;LUZ;100,5\n'));
    await place.json(args('names.csv', 'names.out.csv', '--top', '1', '--threads', '1'));
    expect(await readFile(at('names.out.csv'), 'utf8')).toMatch(/\n2,Peña,1,/);
  });

  it.each<[string, string, string | Buffer, RegExp]>([
    [
      'a quote that is never closed',
      'x.csv',
      'ref,e1\na,1\n"b,2\nc,3\n',
      /x\.csv: line 3, column 1: a quote that is never/,
    ],
    ['text after a quote', 'x.csv', 'ref,e1\n"a"b,1\n', /line 2, column 4: text after a closing quote/],
    ['an unknown column', 'x.csv', 'ref,e9\na,1\n', /line 1, column 2: there is no column "e9"/],
    ['a curve', 'x.csv', 'ES0021000000000001AB0F,1\n', /line 1, column 1: there is no column "\(CUPS\)"/],
    ['a column twice', 'x.csv', 'ref,e1,e1\n', /line 1, column 3: the column e1 comes twice/],
    ['a cell beyond the header', 'x.csv', 'ref,e1\na,1,2\n', /line 2, column 3: a cell beyond the header/],
    ['an empty file', 'x.csv', '', /line 1, column 1: a header is missing/],
    ['UTF-8 that is cut', 'x.csv', Buffer.from('ref\nñ\nñ').subarray(0, -1), /x\.csv: a part of its text is not UTF-8/],
    ['a line without end', 'x.ndjson', `{}\n${'x'.repeat(1_100_000)}`, /line 2, column 1000000: a line of more than/],
    ['no workbook', 'x.xlsx', 'text', /x\.xlsx: /],
  ])('ends with 1, names the position and leaves no file: %s', async (_name, file, content, message) => {
    await write(file, content);
    const { status, stderr } = await place.runHere(args(file, 'never.ndjson', '--threads', '1'));
    expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
    const names = await readdir(place.folder);
    expect(names.filter((name) => name.startsWith('never'))).toEqual([]);
  });

  it('ends with an error where the output cannot be written', async () => {
    await write('good.ndjson', JSON.stringify(customer(1)));
    const { status, stderr } = await place.runHere(args('good.ndjson', 'no/such/folder.csv', '--threads', '1'));
    expect([status, stderr]).toEqual([1, expect.stringMatching(/cannot write .*folder\.csv: ENOENT/)]);
  });

  it.each<[string[], RegExp]>([
    [['--top', '11'], /--top must be a whole number from 1 to 10/],
    [['--threads', '0'], /--threads must be/],
    [['--w', '2'], /--w must be a number from 0 to 1/],
    [['--customer', 'x.json'], /either --customer or --customers/],
  ])('refuses the arguments %j', async (more, message) => {
    const { status, stderr } = await place.runHere(args('few.csv', 'never.csv', ...more));
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  if (isFullLength) {
    it.each(['2', '1'])(
      'needs the same memory however many customers there are, and shows progress, on %s threads',
      async (threads) => {
        const rows = function* (count: number) {
          for (let i = 0; i < count; i += 1) yield `${JSON.stringify(customer(i))}\n`;
        };
        const count = 45_000;
        await pipeline(Readable.from(rows(count)), createWriteStream(at('large.ndjson')));
        // The file has 9 MB and its answers 30: with 60 MB for the heap of each thread, they do not fit.
        const { status, stdout, stderr } = await place.run(
          args('large.ndjson', 'large.out.ndjson', '--threads', threads, '--progress'),
          { nodeFlags: ['--conditions=tarifario-source', '--max-old-space-size=60'] },
        );
        expect([status, stderr]).toEqual([
          0,
          expect.stringMatching(/^0 %, reading [^\n]+\n(\d+ %, \d+ customers\n)*$/),
        ]);
        expect(JSON.parse(stdout)).toMatchObject({ customers: count, errors: 0 });
        expect(await linesOf('large.out.ndjson')).toHaveLength(count);
      },
    );
  }
});
