import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, expect, it } from 'vitest';

const COMMON = { supply_type: 'LUZ', company: 'Iber', acepta_dni: true, territory_peninsula: true };
const PRICES = { e1: 0.12, e2: 0.12, e3: 0.12, p1: 0.08, p2: 0.01 };
const OFFERS = [
  { ...COMMON, ...PRICES, offer_name: 'Casa', tariff_type: '2.0TD', commission: 10 },
  { ...COMMON, ...PRICES, e1: 0.14, offer_name: 'Casa Plus', tariff_type: '2.0TD', commission: 60 },
  { ...COMMON, ...PRICES, offer_name: 'Nave', tariff_type: '6.1TD', commission: 5 },
];

let place: Workplace;
beforeAll(async () => {
  place = await openWorkplace();
  await writeFile(at('offers.json'), JSON.stringify(OFFERS));
});
afterAll(() => place.remove());

const at = (name: string) => join(place.folder, name);
const customer = (changes: object = {}) => ({
  supply_type: 'LUZ',
  energia: { e1: 1000, e2: 1000, e3: 1000 },
  potencia: { p1: 4.6, p2: 4.6 },
  ...changes,
});

async function one(changes: object, ...more: string[]) {
  await writeFile(at('one.json'), JSON.stringify(customer(changes)));
  return place.runHere(['rank', '--offers', at('offers.json'), '--customer', at('one.json'), ...more]);
}

async function many(content: string, name: string, ...more: string[]) {
  await writeFile(at(name), content);
  const out = at(`${name}.out.${more.includes('csv') ? 'csv' : 'ndjson'}`);
  const rest = more.filter((arg) => arg !== 'csv');
  const answer = await place.runHere([
    ...['rank', '--offers', at('offers.json'), '--customers', at(name), '--out', out],
    ...['--threads', '1', ...rest],
  ]);
  return { ...answer, lines: (await readFile(out, 'utf8').catch(() => '')).trimEnd().split('\n') };
}

it('A-74: warnings are shown above the list', async () => {
  const { stdout } = await one({}, '--pretty');
  expect(stdout).toMatch(
    /^! peaje_imposible: [^!]*tariff_type:\s+2\.0TD\s+\(1\s+offer\)\n! peajes_mezclados: [^!]*\(1\s+offer\)\n\n3 offers ranked/,
  );
  expect(stdout).toMatch(/At w = 0\.5 one EUR of commission may cost the customer up to \d+\.\d\d EUR a year\./);
  const named = await one({ tariff_type: '2.0TD', contrato_actual: { coste_total: 700 } });
  expect(JSON.parse(named.stdout)).toMatchObject({ avisos: [], actual: { cost: { total: 700 } } });
});

it('A-69: a tariff_type that no offer has gets the most similar tariffs, for one customer and for each of many', async () => {
  const { stdout } = await one({ tariff_type: '2.0' });
  const mensaje = expect.stringMatching(/: 2\.0TD, 6\.1TD$/);
  expect(JSON.parse(stdout).avisos).toEqual([{ codigo: 'peaje_sin_ofertas', mensaje, total: 0, offer_ids: [] }]);
  expect((await one({ tariff_type: '2.0' }, '--pretty')).stdout).toMatch(/^! peaje_sin_ofertas: .*2\.0TD/);
  const known = { ref: 'b', tariff_type: '2.0TD' };
  const customers = [customer({ ref: 'a', tariff_type: '2.0' }), customer(known)].map((each) => JSON.stringify(each));
  const { lines } = await many(customers.join('\n'), 'near.ndjson');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { total: 0, avisos: ['peaje_sin_ofertas'], peajes_parecidos: ['2.0TD', '6.1TD'] },
    { total: 2, avisos: [] },
  ]);
  const table = (await many(customers.join('\n'), 'near.ndjson', 'csv')).lines;
  expect(table[0]).toMatch(/,avisos,peajes_parecidos,peaje_imposible\r?$/);
  expect(table[1]).toMatch(/,peaje_sin_ofertas,"2\.0TD, 6\.1TD",\r?$/);
});

it('A-69: the answer for a customer whose supply no offer of the file has says so, also for one of many', async () => {
  const gas = { ref: 'g', supply_type: 'GAS', consumo_gas: 1000 };
  await writeFile(at('gas.json'), JSON.stringify({ ...gas, ref: undefined }));
  const alone = await place.json(['rank', '--offers', at('offers.json'), '--customer', at('gas.json')]);
  expect(alone).toMatchObject({ avisos: [{ codigo: 'sin_ofertas' }] });
  const [line = ''] = (await many(JSON.stringify(gas), 'gas.ndjson')).lines;
  expect(JSON.parse(line)).toMatchObject({ total: 0, avisos: ['sin_ofertas'] });
});

it.each([
  ['either --account or --offers', '--offers o.json --account 1 --customer x.json'],
  ['either --account or --customers', '--account 1 --customers x.csv'],
  ['--as-of is for --account or --url', '--offers o.json --customers x.csv --out y.csv --as-of 2026-01-31'],
  ['--power is for --curve', '--offers o.json --customers x.csv --out y.csv --power 4.6'],
  ['--top is for --customers', '--account 1 --customer x.json --top 2'],
  ['--indices is for --curve', '--account 1 --customer x.json --indices PVPC'],
  ['either --indices or --index', '--account 1 --curve x.csv --indices PVPC --index PVPC=x.csv'],
  ['--tariff is for --curve', '--account 1 --customer x.json --tariff 2.0TD'],
])('an option that would change nothing is refused, before any file is read: %s', async (message, args) => {
  const stderr = `tarifario: ${message} (tarifario --help shows the commands)\n`;
  expect(await place.runHere(['rank', ...args.split(' ')])).toEqual({ status: 2, stdout: '', stderr });
});

it('A-116: --also answers the reasons that it names, beside the same ranking, and only for one customer', async () => {
  const plain = JSON.parse((await one({ tariff_type: '2.0TD' })).stdout);
  const asked = JSON.parse((await one({ tariff_type: '2.0TD' }, '--also', 'explicar,umbrales_consumo,margen')).stdout);
  expect(asked).toMatchObject({ frente_a: 1, umbrales_consumo: [{ offer_id: 1 }], margen: expect.any(Array) });
  const { frente_a, umbrales_consumo, margen, results, ...rest } = asked;
  expect(results[1].porque).toContainEqual({ concepto: 'energia_p1', diferencia: 20 });
  const others = results.map(({ porque: _why, porque_texto: _text, ...result }: Record<string, unknown>) => result);
  expect({ ...rest, results: others }).toEqual(plain);
  const { stdout } = await one({ tariff_type: '2.0TD' }, '--also', 'umbrales_consumo,margen', '--pretty');
  expect(stdout).toMatch(/cheapest offer by consumption:.*0\.25 to 4\.00 times: Casa.*stays the first up to/s);
  expect(await one({}, '--also', 'explicar,frente_a')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--also must be of explicar,umbrales_consumo,retrospectiva,margen'),
  });
  const table = await many(JSON.stringify(customer({ ref: 'a' })), 'also.ndjson', '--also', 'margen');
  expect(table).toMatchObject({ status: 2, stderr: expect.stringContaining('either --also or --customers') });
});

it('A-75: --tolerancia is refused together with --w, and for a customer who has a weight', async () => {
  const answer = await one({ tariff_type: '2.0TD' }, '--tolerancia', '0.1');
  expect(JSON.parse(answer.stdout)).toMatchObject({ mas_eficiente_id: 1, conflicto: {} });
  expect(await one({}, '--tolerancia', '1', '--w', '0.5')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('either --w or --tolerancia'),
  });
  for (const wrong of ['100.5', '1e1', 'mucho']) {
    const { stderr } = await one({}, '--tolerancia', wrong);
    expect(stderr).toContain('--tolerancia must be a number from 0 to 100');
  }
  expect((await one({ w: 0.5 }, '--tolerancia', '1')).stderr).toMatch(
    /\.json: invalid_request\n {2}w: must not stand together with --tolerancia/,
  );
  expect((await one({ tolerancia: 1 }, '--w', '1')).stderr).toContain('  tolerancia: must not stand together with --w');
  const customers = [customer({ ref: 'a', w: 1 }), customer({ ref: 'b' })].map((each) => JSON.stringify(each));
  const { lines } = await many(customers.join('\n'), 'two.ndjson', '--tolerancia', '1');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { ref: 'a', error: { code: 'invalid_request', errors: [{ path: 'w' }] } },
    { ref: 'b', best: expect.any(Array) },
  ]);
});

it('A-75: --best-saving writes the customers who save most, the greatest first', async () => {
  const paid = [600, 900, null, 750, 'x', 900];
  const customers = paid.map((coste_total, i) =>
    customer({ ref: `c${i}`, w: 1, ...(coste_total === null ? {} : { contrato_actual: { coste_total } }) }),
  );
  const content = customers.map((each) => JSON.stringify(each)).join('\n');
  const { stdout, stderr, lines } = await many(content, 'savers.ndjson', '--best-saving', '3');
  expect(lines.map((line) => JSON.parse(line).ref)).toEqual(['c1', 'c5', 'c3']);
  expect(JSON.parse(stdout)).toMatchObject({ customers: 6, errors: 1 });
  expect(stderr).toContain('2 customers left out: an error, or no saving');
  const more = await many(content, 'all.ndjson', '--best-saving', '10000');
  expect(more.lines.map((line) => JSON.parse(line).ref)).toEqual(['c1', 'c5', 'c3', 'c0']);
  for (const wrong of ['0', '10001', 'x']) {
    expect((await many(content, 'no.ndjson', '--best-saving', wrong)).stderr).toContain('--best-saving');
  }
  expect((await one({}, '--best-saving', '3')).stderr).toContain('--best-saving is for --customers');
});

it('A-127: a table ends with the costs without a discount and later where an active offer has one, and only then', async () => {
  const customers = 'ref,supply_type,tariff_type,e1,p1,p2\na,LUZ,2.0TD,1000,4.6,4.6\nb,LUZ,2.0TD,mucho,4.6,4.6\n';
  await writeFile(at('discounted.csv'), customers);
  const tableOf = async (terms: object) => {
    const [first, ...others] = OFFERS;
    await writeFile(at('discounted.json'), JSON.stringify([{ ...first, ...terms }, ...others]));
    const files = ['--offers', at('discounted.json'), '--customers', at('discounted.csv')];
    const { status } = await place.runHere([
      'rank',
      ...files,
      '--out',
      at('discounted.out.csv'),
      '--w',
      '1',
      '--top',
      '2',
    ]);
    expect(status).toBe(0);
    return (await readFile(at('discounted.out.csv'), 'utf8')).trimEnd().split('\r\n');
  };
  const terms = { descuento_energia_pct: 50, descuento_meses: 6 };
  const [plain, inactive, discounted] = [
    await tableOf({}),
    await tableOf({ ...terms, is_active: false }),
    await tableOf(terms),
  ];
  expect(plain[0]).toMatch(/,peajes_parecidos,peaje_imposible$/);
  expect(inactive[0]).toBe(plain[0]);
  expect(discounted[0]).toBe(`${plain[0]},coste_sin_descuento,coste_segundo_anio`);
  // 1,000 kWh at 0.12 EUR and 4.6 kW at 0.08 and 0.01 a day; half a year the energy is 0.06.
  expect(discounted[1]).toMatch(/^2,a,1,1,.*,241\.11,.*,271\.11,271\.11$/);
  expect(discounted[2]).toMatch(/^2,a,2,2,.*descuento_temporal[^,]*,,,,$/);
  expect(discounted[3]).toBe(`${plain[3]},,`);
});

it('A-75: a table of customers has columns for the present contract', async () => {
  const table = [
    'ref;supply_type;tariff_type;w;e1;p1;actual_e1;actual_p1;actual_services_cost',
    'a;LUZ;2.0TD;1;1000;4;0,2;0,1;2',
    'b;LUZ;2.0TD;1;1000;4;0,2;;',
  ];
  const { lines } = await many(table.join('\n'), 'table.csv', 'csv', '--top', '1');
  const [head = '', first = '', second = ''] = lines;
  const value = (line: string, name: string) => line.split(',')[head.split(',').indexOf(name)];
  // 1000 * 0.2 + 4 * 0.1 * 365 + 12 * 2 = 370, and the cheapest is 120 + 116.8 = 236.8.
  expect([value(first, 'actual_total'), value(first, 'ahorro_eur'), value(first, 'ahorro_porcentaje')]).toEqual([
    ...['370', '133.2', '36'],
  ]);
  expect(second).toContain('contrato_actual.p1');
});

it('A-81: a customer of NDJSON may have a profile, and gets the same answer as alone', async () => {
  const { energia: _, ...rest } = customer({ w: 1, tariff_type: '2.0TD' });
  const perfil = [
    { mes: 1, dias: 31, energia: { e1: 100 } },
    { dias: 30, energia: { e2: 50 } },
  ];
  const { lines } = await many(JSON.stringify({ ref: 'p', ...rest, perfil }), 'profile.ndjson');
  // 150 * 0.12 + 4.6 * 0.09 * 61 = 43.254.
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ ref: 'p', dias: 61, best: [{ cost: { total: 43.254 } }, {}] });
});

it('A-114: an offer of the file is the present contract, of one customer and in a table', async () => {
  const question = { tariff_type: '2.0TD', contrato_actual: { offer_id: 2 } };
  const { actual, results } = JSON.parse((await one(question)).stdout);
  const own = results.find(({ offer }: { readonly offer: { readonly id: number } }) => offer.id === 2);
  expect(actual.cost).toEqual(own.cost);
  const table = ['ref;supply_type;e1;p1;actual_offer_id', 'a;LUZ;1000;4;2', 'b;LUZ;1000;4;99'].join('\n');
  const { lines } = await many(table, 'offers.csv', '--top', '1');
  const [first, second] = lines.map((line) => JSON.parse(line));
  // 1000 * 0.14 + 4 * 0.08 * 365.
  expect(first.actual.cost.total).toBe(256.8);
  expect(second.error).toMatchObject({ code: 'not_found', errors: [{ path: 'contrato_actual.offer_id' }] });
});

it('A-127: a table has the cost of the second year where some offer has a discount', async () => {
  expect((await one({}, '--pretty')).stdout).not.toContain('year 2');
  const discounted = { ...OFFERS[0], descuento_energia_pct: 10, descuento_meses: 12 };
  await writeFile(at('discounted.json'), JSON.stringify([discounted, ...OFFERS.slice(1, 2)]));
  const files = ['--offers', at('discounted.json'), '--customer', at('one.json')];
  const { stdout } = await place.runHere(['rank', ...files, '--pretty']);
  // 3000 * 0.12 = 360, and 324 in the first year; 4.6 * 0.09 * 365 = 151.11.
  expect(stdout).toMatch(/TOTAL\s+year 2/);
  expect(stdout).toMatch(/Casa .* 475\.11\s+511\.11/);
  expect(stdout).toMatch(/Casa Plus .* 531\.11\s+- /);
});
