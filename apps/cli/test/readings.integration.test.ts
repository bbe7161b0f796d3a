import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { curveText, madeUpHours, PLAIN_STYLE } from '@tarifario/core/testing';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { novemberRows } from './tax-rows.ts';

const CUPS = 'ES0021000000000001AB0F';
const ADDRESS =
  'https://comparador.cnmc.gob.es/comparador/QRE?cp=28013&pP1=4.6&pP2=4.6&caP1=1200&caP2=900&caP3=1400&iniA=2025-01-31' +
  `&finF=2026-01-31&iniF=2025-12-31&tc=E0&cups=${CUPS}&impPot=12.84&prP1=0.08&prP2=0.01&prE1=0.18&prE2=0.13&prE3=0.09`;
const OFFER = {
  id: 9,
  offer_name: 'Clara',
  supply_type: 'LUZ',
  tariff_type: '2.0TD',
  territory_peninsula: true,
  acepta_dni: true,
  company: { id: 1, name: 'Comercializadora', logo_url: null },
  ...{ e1: 0.2, e2: 0.1, e3: 0.1, p1: 0.1, p2: 0.1 },
};

let place: Workplace;
let curve: string;
let offers: string;

beforeAll(async () => {
  place = await openWorkplace();
  [curve, offers] = [join(place.folder, `${CUPS}.csv`), join(place.folder, 'offers.json')];
  const text = curveText(
    madeUpHours(['2026-02-07', '2026-02-08'], () => 24),
    'datadis',
    { ...PLAIN_STYLE, cups: CUPS },
  );
  await writeFile(curve, text);
  await writeFile(offers, JSON.stringify([OFFER]));
});
afterAll(() => place.remove());

const NO_DATABASE = { env: { DATABASE_URL: 'nothing' } };

describe('A-76: an address in a QR code', () => {
  it('becomes a question, without a database', async () => {
    const answer = await place.json(['qr', ADDRESS], NO_DATABASE);
    expect(answer).toMatchObject({ efficient: { energia: { e1: 1200, e2: 900, e3: 1400 } }, avisos: [] });
    expect(JSON.stringify(answer)).not.toContain('ES0021');
  });

  it('becomes a ranking', async () => {
    const answer = await place.json(['rank', '--qr', ADDRESS, '--offers', offers], NO_DATABASE);
    expect(answer).toMatchObject({ total: 1, dias: 365, results: [{ cost: { energia: 470 } }] });
  });

  it.each(['', '--pretty'])('becomes a ranking, with what the invoice says besides: %s', async (option) => {
    const args = ['rank', '--qr', `${ADDRESS}&dtoBS=-8.2&pmaxP1=2.1`, '--offers', offers, ...(option ? [option] : [])];
    const { stderr } = await place.runHere(args, NO_DATABASE.env);
    expect(stderr).toMatch(/^! bono_social: .*\n! potencia_sobrante: .*\n$/);
  });

  it('becomes a ranking compared with the present contract, where the invoice has its prices', async () => {
    // 1200 * 0.18 + 900 * 0.13 + 1400 * 0.09 = 459, and 4.6 * (0.08 + 0.01) * 365 = 151.11 EUR of power.
    const answer = await place.json(['rank', '--qr', ADDRESS, '--offers', offers], NO_DATABASE);
    expect(answer).toMatchObject({ actual: { cost: { total: 610.11 } }, results: [{ ahorro: { eur: -195.69 } }] });
    const { stdout } = await place.runHere(['rank', '--qr', ADDRESS, '--offers', offers, '--pretty'], NO_DATABASE.env);
    expect(stdout).toMatch(/^The present contract costs 610\.11 EUR before tax\.$/m);
    expect(stdout).toMatch(/TOTAL +saves[^\n]*\n[^\n]*\n.*Clara.* 805\.80 +-195\.69 /);
    const withoutPrices = ADDRESS.replace(/&prE1=[\d.]+/, '');
    expect(await place.json(['rank', '--qr', withoutPrices, '--offers', offers], NO_DATABASE)).toMatchObject({
      actual: null,
      results: [{ ahorro: null }],
    });
  });
});

it('A-109: the total of an invoice is computed again, with the rates of TAX_ROWS', async () => {
  const lines = '&cfP1=100&cfP2=75&cfP3=116&impEner=15.00&finBS=0.72&impOtrosSinIE=0.77&imp=26.35&fFact=2026-11-20';
  const address = `${ADDRESS.replace('12.84', '4.30')}${lines}`;
  expect(await place.json(['qr', address], NO_DATABASE)).toMatchObject({ factura: { comprobacion: null } });
  // 0.29 of the least tax on 291 kWh, and 10 % of 21.08.
  expect(
    await place.json(['qr', address], {
      env: { ...NO_DATABASE.env, TAX_ROWS: await novemberRows(place.folder) },
    }),
  ).toMatchObject({
    factura: { comprobacion: { total_calculado: 23.19, diferencia: 3.16, bono_en_iee: null } },
  });
});

describe('A-80: a curve', () => {
  it('is read by period and month', async () => {
    const answer = await place.json(['curve', curve, '--tariff', '2.0TD', '--territory', 'peninsula'], NO_DATABASE);
    expect(answer).toMatchObject({ dias: 2, zona: 'peninsula', energia: { e1: 0, e2: 0 }, perfil: [{ mes: 2 }] });
    expect(JSON.stringify(answer)).not.toContain('ES0021');
  });

  it('becomes a ranking, with the given contracted power', async () => {
    const args = ['rank', '--curve', curve, '--offers', offers];
    expect(await place.json(args, NO_DATABASE)).toMatchObject({
      total: 1,
      dias: 2,
      results: [{ cost: { potencia: 0 } }],
    });
    const withPower = await place.json([...args, '--power', '4,5.5'], NO_DATABASE);
    expect(withPower).toMatchObject({ results: [{ cost: { potencia: expect.closeTo(1.9, 9) } }] });
  });

  it('A-81: becomes a ranking month by month', async () => {
    const file = join(place.folder, 'two-months.csv');
    await writeFile(file, `Fecha;Valle;Llano;Punta;Energia_vertida_kWh\n2026/01;0;0;100;0\n2026/02;0;0;10;1000\n`);
    const solar = { ...OFFER, placas_solares: true, precio_excedentes: 0.05 };
    const solarFile = join(place.folder, 'solar.json');
    await writeFile(solarFile, JSON.stringify([solar]));
    // Of 1 000 kWh exported in February, worth 50 EUR, no more is credited than the 10 * 0.2 EUR of February.
    expect(await place.json(['rank', '--curve', file, '--offers', solarFile], NO_DATABASE)).toMatchObject({
      dias: 59,
      avisos: [{ codigo: 'sin_potencia' }, { codigo: 'consumo_en_un_periodo' }],
      results: [{ cost: { energia: 22, excedentes: -2 } }],
    });
  });
});

describe('A-110: the right contracted power', () => {
  const question = { tariff_type: '2.0TD', fecha: '2026-03-01', potencia: { p1: 4.6, p2: 4.6 } };
  const write = async (name: string, json: unknown) => {
    const file = join(place.folder, name);
    await writeFile(file, JSON.stringify(json));
    return file;
  };

  it('is found from maxima, and from a curve', async () => {
    const periodos = [{ mes: 2, dias: 28, maximos: { p1: 3.21, p2: 3 } }];
    const byMaxima = ['power', await write('maxima.json', { ...question, periodos })];
    expect(await place.json(byMaxima, NO_DATABASE)).toMatchObject({ optima: { potencia: { p1: 3.3, p2: 3 } } });
    const byCurve = ['power', '--curve', curve, '--question', await write('curve.json', question)];
    const answer = await place.json(byCurve, NO_DATABASE);
    expect(answer).toMatchObject({
      actual: { potencia: { p1: 4.6 } },
      detalle: [{ dias_del_periodo: 0 }, { dias_del_periodo: 2 }],
    });
    expect(JSON.stringify(answer)).not.toContain('ES0021');
  });

  it('A-111: is found by the prices of TAX_ROWS on a day that is not known', async () => {
    const periodos = [{ dias: 10, maximos: { p1: 3, p2: 3 } }];
    const args = ['power', await write('later.json', { ...question, fecha: '2027-03-01', periodos })];
    expect((await place.runHere(args, NO_DATABASE.env)).stderr).toContain('fecha: the regulated price peajes_y_cargos');
    const prices = { concepto: 'peajes_y_cargos', tariff_type: '2.0TD', precios: { p1: 36.5, p2: 0 } };
    const law = { desde: '2027-01-01', hasta: null, norma: 'Resolución', url: null, seguro: true };
    const env = { ...NO_DATABASE.env, TAX_ROWS: await write('rows.json', [{ ...prices, ...law }]) };
    // 3 kW at 0.1 EUR for 10 days.
    expect(await place.json(args, { env })).toMatchObject({ optima: { total: 3 }, tarifas: [{ norma: 'Resolución' }] });
  });

  it('is refused at its place', async () => {
    const refusalOf = (args: string[]) => place.runHere(args, NO_DATABASE.env);
    const wrong = await write('wrong.json', { ...question, periodos: [{ mes: 2, dias: 28, maximos: { p1: 3 } }] });
    expect(await refusalOf(['power', wrong])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('periodos.0.maximos.p2: is needed here'),
    });
    const offered = await write('offer.json', {
      ...question,
      offer_id: 1,
      periodos: [{ dias: 1, maximos: { p1: 3 } }],
    });
    expect(await refusalOf(['power', offered])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('send precios'),
    });
    expect(await refusalOf(['power'])).toMatchObject({ status: 2 });
    expect(await refusalOf(['power', wrong, '--curve', curve])).toMatchObject({ status: 2 });
  });
});

it.each<[string, string[], number, string]>([
  ['an address of a correction', ['qr', `${ADDRESS}&tf=R`], 1, 'url.tf: the invoice corrects another one'],
  ['an address without a parameter', ['qr', ADDRESS.replace('&caP1=1200', '')], 1, 'url.caP1: is missing'],
  ['an address of another host', ['qr', ADDRESS.replace('cnmc', 'cmnc')], 1, 'url: must be the address'],
  ['an address as a command', [ADDRESS], 2, 'unknown command'],
  ['two addresses', ['qr', ADDRESS, ADDRESS], 2, 'takes no word more'],
  ['an address as an option', ['qr', `--${ADDRESS}`], 2, 'unknown option'],
  ['an address as a customer', ['rank', '--offers', 'x.json', '--customer', ADDRESS], 1, 'cannot read'],
  [
    'an address as a file of a curve',
    ['curve', ADDRESS, '--tariff', '2.0TD', '--territory', 'peninsula'],
    1,
    'cannot be read: ENOENT',
  ],
  [
    'an address as a tariff',
    ['curve', 'x', '--tariff', ADDRESS, '--territory', 'peninsula'],
    2,
    '--tariff must be one of',
  ],
  ['a CUPS as a territory', ['curve', 'x', '--tariff', '2.0TD', '--territory', CUPS], 2, '--territory'],
  ['a mistyped CUPS as a command', ['E50021000000000001AB0F'], 2, 'unknown command'],
  ['a CUPS with dashes as an option', ['curve', '--ES-0021-0000-0000-0001-AB', 'x'], 2, 'unknown option'],
  [
    'a missing file with a CUPS in its name',
    ['curve', `datos_${CUPS}.csv`, '--tariff', '2.0TD', '--territory', 'peninsula'],
    1,
    'cannot be read: ENOENT',
  ],
  ['a curve and an address', ['rank', '--offers', 'x', '--curve', 'x', '--qr', ADDRESS], 2, 'either --curve or --qr'],
  [
    'a power of text',
    ['rank', '--offers', 'OFFERS', '--curve', 'CURVE', '--power', CUPS],
    2,
    '--power must be kW by period',
  ],
  [
    'a power without a curve',
    ['rank', '--offers', 'OFFERS', '--qr', ADDRESS, '--power', '4'],
    2,
    '--power is for --curve',
  ],
  [
    'an address with a file of customers',
    ['rank', '--offers', 'x', '--customers', 'x', '--qr', ADDRESS],
    2,
    'either --qr or --customers',
  ],
])('A-76, A-80: %s is refused, and the message does not repeat it', async (_, args, status, message) => {
  const words = args.map((arg) => ({ OFFERS: offers, CURVE: curve })[arg] ?? arg);
  const finished = await place.runHere(words, NO_DATABASE.env);
  expect(finished).toMatchObject({ status, stderr: expect.stringContaining(message), stdout: '' });
  for (const part of ['0021', '0000000000', 'comparador']) {
    expect(
      finished.stderr.replace('https://comparador.cnmc.gob.es/comparador/QRE with its parameters', ''),
    ).not.toContain(part);
  }
});

describe('A-108: rates of taxes', () => {
  it('of a day are shown without a database', async () => {
    const answer = await place.json(['taxes', '--date', '2026-10-15', '--supply', 'GAS', '--territory', 'canarias']);
    expect(answer).toMatchObject({ fecha: '2026-10-15', filas: [{ concepto: 'igic', valor: 3 }, { valor: 7 }] });
  });

  it('that are due name what decides them', async () => {
    const answer = await place.json([
      'taxes',
      '--due',
      '--date',
      '2026-10-15',
      '--supply',
      'LUZ',
      '--territory',
      'peninsula',
    ]);
    expect(answer).toMatchObject({
      filas: [
        {
          concepto: 'impuesto_electrico',
          desde: '2026-11-01',
          condicion: expect.stringContaining('CPI of electricity'),
        },
        { concepto: 'iva', desde: '2026-11-01', valores: [{ valor: 10 }, { valor: 21 }] },
        { concepto: 'impuesto_electrico', desde: '2026-12-01' },
        { concepto: 'iva', desde: '2026-12-01' },
        { concepto: 'financiacion_bono', hasta: '2026-12-31', valor: 9.011295 },
      ],
      precios_regulados: Array(8).fill({ hasta: '2026-12-31' }),
    });
  });

  it('are a table for people with --pretty, below it what decides those that are due', async () => {
    const words = ['taxes', '--supply', 'LUZ', '--territory', 'peninsula', '--pretty', '--date'];
    const { stdout: due } = await place.runHere([...words, '2026-10-15', '--due']);
    expect(due).toMatch(/^rate +of +supply +territory +value +from +to +read +law/);
    expect(due).toMatch(
      /\niva +reducido +LUZ +peninsula +10 or 21 % +2026-11-01 2026-11-30 yes +RDL 25\/2026, art\. 18\.1\n/,
    );
    expect(due).toContain('\nRDL 25/2026, art. 20: the CPI of electricity (04.5.1.0) in September above 15 %, and');
    expect(due).toContain('\n  iva 10: if the condition of RDL 25/2026, art. 18.1 is met\n');
    expect(due).toMatch(/\nfinanciacion_bono +general +LUZ +peninsula +9\.011295 EUR\/año +2026-06-26 2026-12-31 no /);
    expect(due).toMatch(/\npeajes_y_cargos +2\.0TD +2026-01-01 2026-12-31 /);
    const { stdout: settled } = await place.runHere([...words, '2026-10-15']);
    expect(settled).toMatch(/\nalquiler +monofasico .* 0\.81 EUR\/mes +2013-08-03 +yes +Orden IET\/1491\/2013\n/);
    expect(settled).not.toContain('condition');
    const { stdout: ended } = await place.runHere([...words, '2030-01-01', '--due']);
    expect(ended).toMatch(/\nfinanciacion_bono .* 2026-12-31 no /);
    const gas = ['taxes', '--supply', 'GAS', '--territory', 'canarias', '--pretty', '--date', '2030-01-01', '--due'];
    expect((await place.runHere(gas)).stdout).toBe('(none)\n');
  });

  it('of no day are refused', async () => {
    expect(await place.runHere(['taxes', '--date', '2026-02-30'])).toMatchObject({ status: 2 });
  });
});
