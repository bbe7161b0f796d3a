import { readFileSync } from 'node:fs';
import { withOperatorPrices } from '@tarifario/core';
import { LUZ_BODY } from '@tarifario/testkit/api/sample';
import { createWorld, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';

interface PowerVector {
  readonly name: string;
  readonly given: { readonly [name: string]: unknown; readonly periodos: readonly object[] };
  readonly expect: object;
}

const VECTORS: readonly PowerVector[] = JSON.parse(
  readFileSync(new URL('../../../test-fixtures/power.json', import.meta.url), 'utf8'),
);
const ofMaxima = VECTORS.filter(({ given }) => given.periodos.every((entry) => 'maximos' in entry));

const flat = (value: number) => ({ p1: value, p2: value, p3: value, p4: value, p5: value, p6: value });
const SHOP = {
  tariff_type: '3.0TD',
  potencia: flat(40),
  fecha: '2026-11-20',
  periodos: [{ mes: 1, dias: 31, maximos: { p1: 31.2, p2: 33, p6: 18.4 } }],
};
const HOME = {
  tariff_type: '2.0TD',
  potencia: { p1: 4.6, p2: 4.6 },
  fecha: '2026-11-20',
  periodos: [{ mes: 1, dias: 31, maximos: { p1: 3.2, p2: 3 } }],
};
const { periodos: _, ...QUESTION } = SHOP;

/** A day of January in kW: 20 by night, then 60, with one quarter-hour of 80 in P1. */
function curveOf(step: 15 | 60): string {
  const rows = Array.from({ length: (24 * 60) / step }, (_row, index) => {
    const end = (index + 1) * step;
    const kw = end <= 8 * 60 ? 20 : end === 10 * 60 ? 80 : 60;
    const clock = `${String(Math.floor(end / 60)).padStart(2, '0')}:${String(end % 60).padStart(2, '0')}`;
    return `ES0021000000000001AB0F;15/01/2026;${clock};${(kw * step) / 60}`;
  });
  return ['CUPS;Fecha;Hora;Consumo_kWh', ...rows].join('\n');
}

const formOf = (csv: string, question: unknown) => ({
  bytes: new TextEncoder().encode(csv),
  fields: { question: typeof question === 'string' ? question : JSON.stringify(question) },
});

async function errorsOf(world: World, call: Parameters<World['call']>[1]) {
  const { status, body } = await world.call('optimizePower', call);
  const { errors = [] } = (body as { readonly detail: { readonly errors?: readonly { readonly path: string }[] } })
    .detail;
  return [status, ...errors.map(({ path }) => path)];
}

describe('the right contracted power', () => {
  it.each(ofMaxima)('A-110: $name, by REST and by the tool', async ({ given, expect: expected }) => {
    const world = await createWorld();
    const answer = JSON.parse(JSON.stringify(await world.ask('optimizePower', { body: given })));
    const avisos = answer.avisos.map(({ codigo }: { codigo: string }) => codigo);
    const { tarifas: _tarifas, ...rest } = answer;
    expect({ ...rest, avisos }).toEqual(expected);
  });

  it.each<[string, unknown, readonly (number | string)[]]>([
    ['a day that does not exist', { ...SHOP, fecha: '2026-02-30' }, [400, 'fecha']],
    ['no day', { ...SHOP, fecha: undefined }, [400, 'fecha']],
    ['prices beside an offer', { ...SHOP, precios: flat(0.1), offer_id: 1 }, [400, 'offer_id']],
    ['power below 0', { ...SHOP, potencia: { ...flat(40), p2: -1 } }, [400, 'potencia.p2']],
    ['no month at all', { ...SHOP, periodos: [] }, [400, 'periodos']],
    ['37 entries', { ...SHOP, periodos: Array(37).fill(SHOP.periodos[0]) }, [400, 'periodos']],
    ['an unknown type of meter', { ...SHOP, tipo_medida: 6 }, [400, 'tipo_medida']],
    ['an unknown field', { ...SHOP, tarifa: 1 }, [400, 'tarifa']],
    ['an unknown tariff', { ...SHOP, tariff_type: '6.2TD' }, [422, 'tariff_type']],
    ['power that falls', { ...SHOP, potencia: { ...flat(40), p4: 39 } }, [422, 'potencia.p4']],
    ['no power in P2', { ...HOME, potencia: { p1: 4.6 } }, [422, 'potencia.p2']],
    [
      'no maximum of a period of the month',
      { ...HOME, periodos: [{ mes: 1, dias: 31, maximos: { p1: 1 } }] },
      [422, 'periodos.0.maximos.p2'],
    ],
    [
      'a maximum of P3 in January',
      { ...SHOP, periodos: [{ mes: 1, dias: 31, maximos: flat(10) }] },
      [422, 'periodos.0.maximos.p3', 'periodos.0.maximos.p4', 'periodos.0.maximos.p5'],
    ],
    ['30 days of January', { ...HOME, periodos: [{ ...HOME.periodos[0], dias: 30 }] }, [422, 'periodos.0.dias']],
    ['a least power above the rights', { ...SHOP, minimo: { p1: 41 }, derechos_kw: 40 }, [422, 'minimo.p1']],
    ['rights below the least of 3.0TD', { ...SHOP, derechos_kw: 15 }, [422, 'derechos_kw']],
    ['a meter of type 3 without quarter-hours', { ...SHOP, tipo_medida: 3 }, [422, 'periodos']],
    ['6.1TD with a meter of type 4', { ...SHOP, tariff_type: '6.1TD' }, [422, 'fecha']],
    ['a day without prices', { ...HOME, fecha: '2027-01-01' }, [422, 'fecha']],
    ['prices of one period', { ...HOME, precios: { p1: 0.1 } }, [422, 'precios.p2']],
    [
      'a maximum of P1 in January on the islands',
      { ...SHOP, community: 'canarias' },
      [422, 'periodos.0.maximos.p1', 'periodos.0.maximos.p4'],
    ],
    ['neither Ceuta nor Melilla', { ...SHOP, territory: 'ceuta_melilla' }, [422, 'community']],
    ['a community of another territory', { ...SHOP, territory: 'baleares', community: 'ceuta' }, [422, 'community']],
  ])('A-110: with %s is refused at its place', async (_, body, expected) => {
    expect(await errorsOf(await createWorld(), { body })).toEqual(expected);
  });

  it.each<[string, object, object]>([
    ['potencia.p1', { ...HOME, potencia: { p1: 0, p2: 0 } }, { ...HOME, potencia: { p1: -0.1, p2: 0 } }],
    ['potencia.p6', { ...SHOP, potencia: { ...flat(1), p6: 1e6 } }, { ...SHOP, potencia: { ...flat(1), p6: 1e6 + 1 } }],
    ['margen_kw', { ...SHOP, margen_kw: 0 }, { ...SHOP, margen_kw: -0.1 }],
    ['margen_kw', { ...SHOP, margen_kw: 1e6 }, { ...SHOP, margen_kw: 1e6 + 1 }],
    ['derechos_kw', { ...SHOP, derechos_kw: 1e6 }, { ...SHOP, derechos_kw: 1e6 + 1 }],
    ['minimo.p2', { ...SHOP, minimo: { p2: 0 } }, { ...SHOP, minimo: { p2: -1 } }],
    ['precios.p1', { ...SHOP, precios: flat(0) }, { ...SHOP, precios: { ...flat(0), p1: -0.1 } }],
    ['precios.p3', { ...SHOP, precios: flat(1) }, { ...SHOP, precios: { ...flat(0), p3: 1.1 } }],
    ['tipo_medida', { ...SHOP, tipo_medida: 5 }, { ...SHOP, tipo_medida: 0 }],
    ['periodos', { ...SHOP, periodos: Array(36).fill(SHOP.periodos[0]) }, { ...SHOP, periodos: [] }],
    [
      'periodos.0.mes',
      { ...HOME, periodos: [{ ...HOME.periodos[0], mes: 12 }] },
      { ...HOME, periodos: [{ ...HOME.periodos[0], mes: 13 }] },
    ],
    ['periodos.0.mes', HOME, { ...HOME, periodos: [{ ...HOME.periodos[0], mes: 0 }] }],
    [
      'periodos.0.dias',
      { ...HOME, periodos: [{ dias: 1, maximos: { p1: 1 } }] },
      { ...HOME, periodos: [{ dias: 0, maximos: { p1: 1 } }] },
    ],
    [
      'periodos.0.maximos.p1',
      { ...HOME, periodos: [{ dias: 9, maximos: { p1: 0 } }] },
      { ...HOME, periodos: [{ dias: 9, maximos: { p1: -1 } }] },
    ],
  ])('A-110: takes %s at its bound and refuses it beyond', async (path, at, beyond) => {
    const world = await createWorld();
    const { status } = await world.call('optimizePower', { body: at });
    // Power of types 1 to 3 needs quarter-hours: that is no bound of the field.
    expect([200, 422]).toContain(status);
    expect(await errorsOf(world, { body: beyond })).toEqual([400, path]);
  });

  it('A-110: of a curve is that of its quarter-hours, and says of hours that they are means', async () => {
    const world = await createWorld();
    const potencia = flat(75);
    const quarters = await world.ask('optimizePower', { form: formOf(curveOf(15), { ...QUESTION, potencia }) });
    // One quarter-hour of 80 kW: the root of 5 squared, at 3.325715 EUR/kW.
    expect(quarters).toMatchObject({
      actual: { excesos: 16.628575 },
      cubriente: { potencia: flat(80) },
      excesos_hoy: [{ mes: 1, periodo: 'p1', kw: 5, eur: 16.628575 }],
    });
    expect(JSON.stringify(quarters)).not.toContain('maximos_por_hora');
    const hours = await world.ask('optimizePower', { form: formOf(curveOf(60), QUESTION) });
    expect(hours).toMatchObject({ cubriente: { potencia: flat(80) } });
    expect(JSON.stringify(hours)).toContain('maximos_por_hora');
  });

  it.each<[string, string, unknown, readonly (number | string)[]]>([
    ['a question that is no JSON', curveOf(15), '{', [400, 'question']],
    ['periodos beside the file', curveOf(15), SHOP, [400, 'question.periodos']],
    ['a day that does not exist', curveOf(15), { ...QUESTION, fecha: '2026-02-30' }, [400, 'question.fecha']],
    ['hours for a meter of type 3', curveOf(60), { ...QUESTION, tipo_medida: 3 }, [422, 'file']],
    [
      'totals by month',
      'Fecha;Valle;Llano;Punta\n2026/01;1;2;3',
      { ...QUESTION, tariff_type: '2.0TD', potencia: HOME.potencia },
      [422, 'file'],
    ],
    ['neither Ceuta nor Melilla', curveOf(15), { ...QUESTION, territory: 'ceuta_melilla' }, [422, 'community']],
  ])('A-110: of a form with %s is refused at its place', async (_, csv, question, expected) => {
    expect(await errorsOf(await createWorld(), { form: formOf(csv, question) })).toEqual(expected);
  });

  it('A-110: takes the prices of an offer that is visible, of the same tariff', async () => {
    const world = await createWorld();
    const company_id = await newCompany(world, await newClient(world, 'Asesoría'), 'Comercializadora');
    const offer_id = idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id } }));
    const own = { p1: LUZ_BODY.p1, p2: LUZ_BODY.p2 };
    const { tarifas, ...byOffer } = await world.ask('optimizePower', { body: { ...HOME, offer_id } });
    expect(byOffer).toEqual({
      ...(await world.ask('optimizePower', { body: { ...HOME, precios: own } })),
      tarifas: undefined,
    });
    expect(tarifas).toEqual([]);
    expect(await errorsOf(world, { body: { ...SHOP, offer_id } })).toEqual([422, 'offer_id']);
    expect(await errorsOf(world, { body: { ...HOME, offer_id: 999_999 } })).toEqual([404, 'offer_id']);
    const without = idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id, p2: null } }));
    expect(await errorsOf(world, { body: { ...HOME, offer_id: without } })).toEqual([422, 'offer_id']);
  });

  it('A-110: is refused for a firm of somebody else before a broken rule', async () => {
    const call = { query: { client_id: '99' }, body: { ...SHOP, tariff_type: 'x' } };
    expect((await (await createWorld()).call('optimizePower', call)).status).toBe(403);
  });
});

describe('the regulated prices of power', () => {
  it('A-111: are those of a day, of one tariff or of all', async () => {
    const world = await createWorld();
    const all = await world.ask('listRegulatedPrices', { query: { fecha: '2026-03-01' } });
    expect(all).toMatchObject({ fecha: '2026-03-01' });
    expect(all.filas).toHaveLength(8);
    const { filas } = await world.ask('listRegulatedPrices', { query: { fecha: '2026-03-01', tariff_type: '2.0TD' } });
    expect(filas).toMatchObject([
      { concepto: 'peajes_y_cargos', precios: { p1: 27.704413, p2: 0.725423 }, seguro: false },
    ]);
  });

  it('A-111: are those of the operator too, in the list, and count in an optimum', async () => {
    const world = await createWorld();
    const later = { from: '2027-01-01', to: null, law: 'Resolución', url: null, isCertain: true };
    const price = { concept: 'peajes_y_cargos', tariff: '2.0TD', prices: [36.5, 0, null, null, null, null] } as const;
    const settled = world.newDispatch(undefined, { regulatedPrices: withOperatorPrices([{ ...price, ...later }]) });
    const fecha = '2027-06-01';
    const list = await world.call('listRegulatedPrices', { query: { fecha } }, settled);
    expect(list).toMatchObject({
      status: 200,
      body: { filas: [{ norma: 'Resolución', precios: { p1: 36.5, p2: 0 } }] },
    });
    const body = { ...HOME, fecha };
    // 3.2 kW at 0.1 EUR for 31 days.
    expect(await world.call('optimizePower', { body }, settled)).toMatchObject({ body: { optima: { total: 9.92 } } });
    expect((await world.call('optimizePower', { body })).status).toBe(422);
  });

  it.each([
    ['2026-02-30', {}, 400, 'fecha'],
    ['2025-03-31', {}, 422, 'fecha'],
    ['2027-01-01', {}, 422, 'fecha'],
    ['2025-06-01', { tariff_type: '6.1TD' }, 422, 'fecha'],
    ['2026-01-01', { tariff_type: '2.0A' }, 422, 'tariff_type'],
  ])('A-111: of %s with %o are refused', async (fecha, more, status, path) => {
    const answer = await (await createWorld()).call('listRegulatedPrices', { query: { fecha, ...more } });
    expect(answer).toMatchObject({ status, body: { detail: { errors: [{ path }] } } });
  });
});
