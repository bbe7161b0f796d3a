import { withOperatorRates } from '@tarifario/core';
import { filledWorld, HOUSEHOLD, LUZ_BODY, NOVEMBER_RATES, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrayOf } from './array-of.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

const QUESTION = { ...HOUSEHOLD, territory: 'peninsula', client_type: 'dni', tariff_type: '2.0TD', w: 1 };
const IN_OCTOBER = { fecha: '2026-10-15', alquiler: 'monofasico' };

const rank = (changes: object, key?: string) =>
  world.call('rankOffers', { body: { ...QUESTION, ...changes }, ...(key === undefined ? {} : { key }) });

function errorsIn(body: unknown): readonly unknown[] {
  return arrayOf(asRecord(asRecord(body).detail).errors).map((error) => asRecord(error).path);
}

describe('A-107: impuestos', () => {
  it('adds bills, and changes nothing else but warnings', async () => {
    const plain = asRecord((await rank({})).body);
    const billed = asRecord((await rank({ impuestos: IN_OCTOBER })).body);
    const { impuestos, mas_barata_factura_id, results, avisos, ...rest } = billed;
    const { results: before, avisos: warnings, ...others } = plain;
    expect(rest).toEqual(others);
    expect(asRecord(impuestos).fecha).toBe('2026-10-15');
    const codes = (list: unknown) => arrayOf(list).map((warning) => asRecord(warning).codigo);
    expect(codes(avisos)).toEqual([...codes(warnings), 'tipo_por_confirmar']);
    const totals = arrayOf(results).map((result, place) => {
      const { factura_estimada, coste_extra_factura, ...figures } = asRecord(result);
      expect(arrayOf(before)[place]).toEqual(figures);
      const { cost } = figures;
      const bill = asRecord(factura_estimada);
      expect([bill.energia, bill.financiacion_bono_social, bill.alquiler]).toEqual([
        Math.round(Number(asRecord(cost).energia) * 100) / 100,
        ...[9.01, 9.72],
      ]);
      return [asRecord(asRecord(result).offer).id, Number(bill.total), Number(coste_extra_factura)] as const;
    });
    const lowest = Math.min(...totals.map(([, total]) => total));
    expect(totals.find(([id]) => id === mas_barata_factura_id)?.slice(1)).toEqual([lowest, 0]);
    for (const [, total, extra] of totals) expect(extra).toBeCloseTo(total - lowest, 6);
  });

  it('A-140: names the least electricity tax that results bear; a proposal stores both and shows that one', async () => {
    const leastIn = (answer: unknown) =>
      arrayOf(asRecord(asRecord(answer).impuestos).tipos)
        .map(asRecord)
        .flatMap(({ concepto, aplica }) => (concepto === 'impuesto_electrico_minimo' ? [aplica] : []));
    const leastOf = async (changes: object) => leastIn((await rank({ impuestos: IN_OCTOBER, ...changes })).body);
    expect(await leastOf({})).toEqual(['general']);
    expect(await leastOf({ impuestos: { ...IN_OCTOBER, uso: 'industrial' } })).toEqual(['industrial']);
    await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId, tariff_type: '6.1TD' } });
    expect(await leastOf({ tariff_type: '6.1TD' })).toEqual(['industrial']);
    const { tariff_type: _any, ...everywhere } = QUESTION;
    const { body: mixed } = await world.call('rankOffers', { body: { ...everywhere, impuestos: IN_OCTOBER } });
    expect(leastIn(mixed)).toEqual(['general', 'industrial']);
    const request = { ...QUESTION, impuestos: IN_OCTOBER };
    const made = await world.ask('createProposal', { body: { request, offer_ids: [sample.luzId] } });
    const params = { id: String(asRecord(made).id) };
    expect(leastIn((await world.ask('getProposal', { params })).answer)).toEqual(['general', 'industrial']);
    expect(await world.ask('verifyProposal', { params })).toMatchObject({ reproducible: true });
  });

  it('A-69: tells a bill of today that is below 0.6 or above 2.5 times the lowest one, and one of less than a year', async () => {
    const least = async (asked: object) => {
      const { results } = asRecord((await rank({ impuestos: IN_OCTOBER, ...asked })).body);
      return Math.min(...arrayOf(results).map((result) => Number(asRecord(asRecord(result).factura_estimada).total)));
    };
    const told = async (factura_total: number, asked: object = {}) => {
      const { body } = await rank({ impuestos: IN_OCTOBER, contrato_actual: { factura_total }, ...asked });
      const notices = arrayOf(asRecord(body).avisos).map(asRecord);
      for (const { codigo, mensaje } of notices) {
        if (codigo === 'actual_improbable') expect(mensaje).toMatch(/ si es con impuestos o sin ellos$/);
      }
      const codes = notices.map(({ codigo }) => codigo);
      return codes.filter((code) => code === 'actual_improbable' || code === 'menos_de_un_ano');
    };
    const lowest = await least({});
    for (const [share, codes] of [
      [0.59, ['actual_improbable']],
      [0.61, []],
      [2.49, []],
      [2.51, ['actual_improbable']],
    ] as const) {
      expect(await told(share * lowest), String(share)).toEqual(codes);
    }
    expect(await told(await least({ dias: 60 }), { dias: 60 })).toEqual(['menos_de_un_ano']);
  });

  it('is answered in the same bytes as the value', async () => {
    const body = { ...QUESTION, impuestos: IN_OCTOBER, contrato_actual: { factura_total: 900 } };
    const [bytes, value] = await Promise.all(
      [true, false].map((takesJson) => world.call('rankOffers', { body, takesJson })),
    );
    expect(new TextDecoder().decode(bytes?.json)).toBe(JSON.stringify(value?.body));
  });

  it('gives keys that see no commissions the same bills, and hides the extra of each', async () => {
    const key = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const [masked, whole] = [
      asRecord((await rank({ impuestos: IN_OCTOBER }, key)).body),
      asRecord((await rank({ impuestos: IN_OCTOBER })).body),
    ];
    const billsOf = ({ results, impuestos, mas_barata_factura_id }: Record<string, unknown>) => {
      const bills = arrayOf(results).map((one) => [asRecord(asRecord(one).offer).id, asRecord(one).factura_estimada]);
      return { impuestos, mas_barata_factura_id, bills: Object.fromEntries(bills) };
    };
    expect(billsOf(masked)).toEqual(billsOf(whole));
    expect(arrayOf(masked.results).map((one) => asRecord(one).coste_extra_factura)).toEqual(
      arrayOf(whole.results).map(() => null),
    );
  });

  it.each<[string, object, readonly string[]]>([
    ['without a territory', { territory: undefined }, ['territory']],
    ['before 2021', { impuestos: { fecha: '2020-12-31' } }, ['impuestos.fecha']],
    ['with a use of gas', { impuestos: { ...IN_OCTOBER, uso_gas: 'general' } }, ['impuestos.uso_gas']],
    [
      'for a company that is severely vulnerable',
      { client_type: 'cif', impuestos: { ...IN_OCTOBER, vulnerable_severo: true } },
      ['impuestos.vulnerable_severo'],
    ],
    [
      'with a bill of today alone',
      { impuestos: undefined, contrato_actual: { factura_total: 1 } },
      ['contrato_actual.factura_total'],
    ],
  ])('%s is refused with 422', async (_, changes, paths) => {
    const { status, body } = await rank({ impuestos: IN_OCTOBER, ...changes });
    expect([status, errorsIn(body)]).toEqual([422, paths]);
  });

  it('without a territory is refused with the name of the field on the wire', async () => {
    const { body } = await rank({ impuestos: IN_OCTOBER, territory: undefined });
    expect(asRecord(body).detail).toMatchObject({ errors: [{ error: 'is needed together with impuestos' }] });
  });

  it.each<[string, object]>([
    ['fecha', { fecha: '2026-02-30' }],
    ['tipos.iee', { ...IN_OCTOBER, tipos: { iee: 100.1 } }],
    ['alquiler', { ...IN_OCTOBER, alquiler: 1000.1 }],
    ['otra', { ...IN_OCTOBER, otra: 1 }],
  ])('with %s out of its form is malformed', async (name, impuestos) => {
    const { status, body } = await rank({ impuestos });
    expect([status, errorsIn(body)]).toEqual([400, [`impuestos.${name}`]]);
  });

  it('with factura_total beside another form of the present contract is malformed', async () => {
    const { status, body } = await rank({ impuestos: IN_OCTOBER, contrato_actual: { factura_total: 1, e1: 0.1 } });
    expect([status, errorsIn(body)]).toEqual([400, ['contrato_actual.factura_total']]);
  });

  it('with empty otros and tipos is answered as without them', async () => {
    const [bare, empty] = [
      await rank({ impuestos: IN_OCTOBER }),
      await rank({ impuestos: { ...IN_OCTOBER, otros: {}, tipos: {} } }),
    ];
    expect(empty.body).toEqual(bare.body);
  });
});

describe('A-107: the present contract', () => {
  it('by what the customer pays with taxes has no cost, and savings of the bill alone', async () => {
    const { actual, results } = asRecord(
      (await rank({ impuestos: IN_OCTOBER, contrato_actual: { factura_total: 1000 } })).body,
    );
    expect(actual).toEqual({ cost: null, factura_estimada: null });
    for (const result of arrayOf(results).map(asRecord)) {
      const saved = Math.round((1000 - Number(asRecord(result.factura_estimada).total)) * 100) / 100;
      const share = Math.floor(saved * 10 + 0.5) / 100;
      expect(result.ahorro).toEqual({
        eur: null,
        eur_anual: null,
        porcentaje: null,
        factura: saved,
        factura_porcentaje: share,
      });
    }
  });

  it('by its prices has its bill', async () => {
    const prices = { e1: 0.2, e2: 0.15, e3: 0.1, p1: 0.1, p2: 0.01 };
    const { actual, results } = asRecord((await rank({ impuestos: IN_OCTOBER, contrato_actual: prices })).body);
    const present = asRecord(asRecord(actual).factura_estimada);
    const [first] = arrayOf(results).map(asRecord);
    const bill = asRecord(first?.factura_estimada);
    expect(asRecord(first?.ahorro).factura).toBeCloseTo(Number(present.total) - Number(bill.total), 6);
  });

  it('by its cost before tax alone has no bill', async () => {
    const { actual, results } = asRecord(
      (await rank({ impuestos: IN_OCTOBER, contrato_actual: { coste_total: 700 } })).body,
    );
    const [first] = arrayOf(results).map(asRecord);
    expect(asRecord(actual).factura_estimada).toBeNull();
    expect(asRecord(first?.ahorro)).toMatchObject({ factura: null, factura_porcentaje: null });
  });
});

describe('A-108: on a day whose rates are undecided', () => {
  const impuestos = { fecha: '2026-11-15', alquiler: 'monofasico' };

  it('a bill is refused with the values that each rate may have', async () => {
    const { status, body } = await rank({ impuestos });
    expect([status, errorsIn(body)]).toEqual([422, ['impuestos.fecha', 'impuestos.fecha']]);
    const [, tax] = arrayOf(asRecord(asRecord(body).detail).errors);
    expect(asRecord(tax).error).toBe(
      'the rate of impuesto_electrico (general) is undecided: RDL 25/2026, art. 20, on the CPI of electricity ' +
        '(04.5.1.0) in September above 15 %, and the validation by Congress; send it in tipos',
    );
    expect(asRecord(asRecord(body).detail).alternativas).toEqual([
      {
        ...{ concepto: 'iva', aplica: 'reducido' },
        valores: [
          { valor: 10, condicion: 'if the condition of RDL 25/2026, art. 18.1 is met' },
          { valor: 21, condicion: 'if the condition of RDL 25/2026, art. 18.1 is not met' },
        ],
      },
      {
        ...{ concepto: 'impuesto_electrico', aplica: 'general' },
        valores: [
          { valor: 0.5, condicion: 'if the condition of RDL 25/2026, art. 20 is met' },
          { valor: 5.11269632, condicion: 'if the condition of RDL 25/2026, art. 20 is not met' },
        ],
      },
    ]);
  });

  it('the refusal has each complete tipos that may be sent, with its condition, and every one is answered', async () => {
    const ask = (tipos?: object) => rank({ impuestos: { ...impuestos, ...(tipos && { tipos }) } });
    const optionsIn = (body: unknown) => arrayOf(asRecord(asRecord(body).detail).opciones).map(asRecord);
    const options = optionsIn((await ask()).body);
    expect(options.map(({ tipos }) => tipos)).toEqual([
      { indirecto: 10, iee: 0.5 },
      { indirecto: 10, iee: 5.11269632 },
      { indirecto: 21, iee: 0.5 },
      { indirecto: 21, iee: 5.11269632 },
    ]);
    expect(options[1]?.condicion).toBe(
      'if the condition of RDL 25/2026, art. 18.1 is met, and if the condition of RDL 25/2026, art. 20 is not met',
    );
    for (const { tipos } of options) expect((await ask(asRecord(tipos))).status).toBe(200);
    // What was sent already stays.
    expect(optionsIn((await ask({ iee: 1, bono_social: 8 })).body).map(({ tipos }) => tipos)).toEqual([
      { iee: 1, bono_social: 8, indirecto: 10 },
      { iee: 1, bono_social: 8, indirecto: 21 },
    ]);
    const customers = [{ ref: 'a', ...QUESTION, impuestos }];
    const [refused] = arrayOf((await world.ask('rankPortfolio', { body: { customers } })).results).map(asRecord);
    expect(asRecord(refused?.error).opciones).toEqual(options);
  });

  it('a day after the last row of the bonus is refused too, and answered with the value in tipos', async () => {
    const ask = (more: object) => rank({ impuestos: { fecha: '2027-02-01', alquiler: 0, ...more } });
    const { status, body } = await ask({});
    const { alternativas, opciones } = asRecord(asRecord(body).detail);
    expect([status, opciones]).toEqual([422, undefined]);
    expect(alternativas).toContainEqual({ concepto: 'financiacion_bono', aplica: 'general', valores: [] });
    const tipos = { iee: 5.11269632, indirecto: 21 };
    expect((await ask({ tipos })).status).toBe(422);
    expect((await ask({ tipos: { ...tipos, bono_social: 9 } })).status).toBe(200);
    expect((await ask({ tipos, financiacion_bono: false })).status).toBe(200);
  });

  it('a bill is answered with the rates that were sent, or that the operator has settled', async () => {
    const sent = await rank({ impuestos: { ...impuestos, tipos: { iee: 0.5, indirecto: 10 } } });
    const dispatch = world.newDispatch(undefined, { rates: withOperatorRates(NOVEMBER_RATES) });
    const settled = await world.call('rankOffers', { body: { ...QUESTION, impuestos } }, dispatch);
    const billsOf = ({ body }: { readonly body: unknown }) =>
      arrayOf(asRecord(body).results).map((result) => asRecord(result).factura_estimada);
    expect(settled.status).toBe(200);
    expect(billsOf(settled)).toEqual(billsOf(sent));
  });

  it('one customer of a portfolio is refused, and the others have their bills', async () => {
    const customer = (ref: string, fecha: string) => ({ ref, ...QUESTION, impuestos: { fecha, alquiler: 0 } });
    const body = { customers: [customer('a', '2026-11-15'), customer('b', '2026-10-15')] };
    const answers = arrayOf((await world.ask('rankPortfolio', { body })).results).map(asRecord);
    expect(asRecord(answers[0]?.error)).toMatchObject({
      code: 'business_rule',
      alternativas: [{ concepto: 'iva' }, { concepto: 'impuesto_electrico' }],
    });
    expect(answers[1]?.impuestos).toMatchObject({ fecha: '2026-10-15' });
    expect(asRecord(arrayOf(answers[1]?.best)[0])).toHaveProperty('factura_estimada.total');
  });

  it('a proposal keeps the rates of the operator, and is verified where they are not known', async () => {
    const dispatch = world.newDispatch(undefined, { rates: withOperatorRates(NOVEMBER_RATES) });
    const request = { ...QUESTION, impuestos };
    const { body } = await world.call('createProposal', { body: { request, offer_ids: [sample.luzId] } }, dispatch);
    const params = { id: String(asRecord(body).id) };
    const { answer } = await world.ask('getProposal', { params });
    expect(asRecord(answer)).toMatchObject({
      impuestos: { tipos: expect.arrayContaining([expect.objectContaining({ valor: 0.5 })]) },
    });
    expect(await world.ask('verifyProposal', { params })).toMatchObject({ reproducible: true, differences: [] });
  });
});

it('A-108: a proposal is verified after a rate that its day lacked was appended to the table', async () => {
  const body = { request: { ...QUESTION, impuestos: { fecha: '2024-02-15', alquiler: 0 } }, offer_ids: [sample.luzId] };
  const { id } = await world.ask('createProposal', { body });
  const [electricityTax] = NOVEMBER_RATES.map((row) => ({ ...row, from: '2024-01-01', to: '2024-12-31', value: 6 }));
  const rates = electricityTax && withOperatorRates([{ ...electricityTax, concept: 'financiacion_bono' }]);
  const later = world.newDispatch(undefined, rates && { rates });
  const { body: ranked } = await world.call('rankOffers', { body: body.request }, later);
  expect(asRecord(arrayOf(asRecord(ranked).results)[0])).toHaveProperty('factura_estimada.financiacion_bono_social', 6);
  const { body: verified } = await world.call('verifyProposal', { params: { id: String(id) } }, later);
  expect(verified).toMatchObject({ reproducible: true, differences: [] });
});

describe('A-120: a price of power below tolls and charges', () => {
  const request = { ...QUESTION, impuestos: IN_OCTOBER };
  const codesIn = (answer: unknown) => arrayOf(asRecord(answer).avisos).map((notice) => asRecord(notice).codigo);

  beforeEach(() => world.ask('updateOffer', { params: { id: String(sample.luzId) }, body: { p1: 0.075901 } }));

  it('is a notice of a ranking and of a portfolio that name a day, and of no other', async () => {
    const { avisos } = await world.ask('rankOffers', { body: request });
    expect(avisos).toContainEqual(
      expect.objectContaining({ codigo: 'potencia_bajo_regulado', total: 1, offer_ids: [sample.luzId] }),
    );
    expect(codesIn((await rank({})).body)).not.toContain('potencia_bajo_regulado');
    const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...request }] } });
    expect(asRecord(arrayOf(results)[0]).avisos).toContain('potencia_bajo_regulado');
  });

  it.each([
    ['with the notice, after it', {}, true],
    ['without it, after the prices of its day became known', { regulatedPrices: [] }, false],
  ])('leaves a proposal that was made %s reproducible', async (_, tables, hasNotice) => {
    const body = { request, offer_ids: [sample.luzId] };
    const made = await world.call('createProposal', { body }, world.newDispatch(undefined, tables));
    const params = { id: String(asRecord(made.body).id) };
    const { answer } = await world.ask('getProposal', { params });
    expect(codesIn(answer).includes('potencia_bajo_regulado')).toBe(hasNotice);
    expect(await world.ask('verifyProposal', { params })).toMatchObject({ reproducible: true });
  });
});
