import { COST_PARTS } from '@tarifario/core/service';
import { filledWorld, GAS_BODY, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrayOf } from './array-of.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

const rank = (changes: object, key?: string) =>
  world.call('rankOffers', { body: { ...HOUSEHOLD, ...changes }, ...(key === undefined ? {} : { key }) });

function pathsIn(body: unknown): readonly unknown[] {
  const { errors } = asRecord(asRecord(body).detail);
  return Array.isArray(errors) ? errors.map((error) => asRecord(error).path ?? asRecord(error).error) : [];
}

const GAS = { supply_type: 'GAS', consumo_gas: 5000 };

describe('A-71: contrato_actual', () => {
  it('has prices or one total; both together are malformed', async () => {
    const both = await rank({ contrato_actual: { e1: 0.1, coste_total: 500 } });
    expect([both.status, pathsIn(both.body)]).toEqual([400, ['contrato_actual.coste_total']]);
  });

  it.each([
    ['e1', 10.01],
    ['p1', 1.01],
    ['p1', -0.01],
    ['gas_energy', -10.01],
    ['gas_fixed', 100_001],
    ['services_cost', -1],
    ['coste_total', -1],
    ['coste_total', 1_000_000_001],
    ['e7', 1],
  ])('with %s at %d is malformed', async (name, value) => {
    expect((await rank({ contrato_actual: { [name]: value } })).status).toBe(400);
  });

  it('without needed prices is refused, and every missing one is named', async () => {
    const question = {
      energia: { e1: 100, e3: 50 },
      potencia: { p1: 4, p2: 4 },
      contrato_actual: { e1: 0.1, p2: 0.1 },
    };
    const { status, body } = await rank(question);
    expect(status).toBe(422);
    expect(pathsIn(body)).toEqual(['contrato_actual.e3', 'contrato_actual.p1']);
    const gas = await world.call('rankOffers', { body: { ...GAS, contrato_actual: {} } });
    expect(pathsIn(gas.body)).toEqual(['contrato_actual.gas_energy', 'contrato_actual.gas_fixed']);
  });

  it('with a price of the other supply is refused with 422', async () => {
    const prices = { gas_energy: 0.05, gas_fixed: 5, e1: 0.1 };
    const { status, body } = await world.call('rankOffers', { body: { ...GAS, contrato_actual: prices } });
    expect([status, pathsIn(body)]).toEqual([422, ['contrato_actual.e1']]);
  });

  it('with the social bonus adds a warning and nothing else, beside prices, a cost or a bill', async () => {
    const contracts = [{ e1: 0.2, e2: 0.2, e3: 0.2, p1: 0.1, p2: 0.1 }, { coste_total: 700 }];
    for (const prices of contracts) {
      const { avisos: before, ...plain } = asRecord((await rank({ contrato_actual: prices })).body);
      const sent = { ...prices, bono_social: true };
      const { avisos, ...others } = asRecord((await rank({ contrato_actual: sent })).body);
      expect(others).toEqual(plain);
      const added = (Array.isArray(avisos) ? avisos : []).filter(({ codigo }) => codigo === 'bono_social');
      expect(added).toMatchObject([{ total: 0, offer_ids: [] }]);
      expect(avisos).toHaveLength((Array.isArray(before) ? before.length : 0) + 1);
      expect((await rank({ contrato_actual: { ...prices, bono_social: false } })).body).toEqual({
        ...plain,
        avisos: before,
      });
    }
    const gas = await world.call('rankOffers', {
      body: { ...GAS, contrato_actual: { coste_total: 1, bono_social: true } },
    });
    expect([gas.status, pathsIn(gas.body)]).toEqual([422, ['contrato_actual.bono_social']]);
    expect((await rank({ contrato_actual: { coste_total: 1, bono_social: 1 } })).status).toBe(400);
  });

  it('adds savings and changes nothing else', async () => {
    const plain = asRecord((await rank({})).body);
    const { actual, results, ...rest } = asRecord((await rank({ contrato_actual: { coste_total: 700 } })).body);
    const { actual: none, results: before, ...others } = plain;
    expect([rest, none]).toEqual([others, null]);
    const parts = Object.fromEntries(COST_PARTS.map(({ wire }) => [wire, null]));
    expect(actual).toEqual({ cost: { ...parts, total: 700 } });
    const bare = (list: unknown) => (Array.isArray(list) ? list.map(({ ahorro: _saving, ...entry }) => entry) : []);
    expect(bare(results)).toEqual(bare(before));
    for (const result of Array.isArray(results) ? results : []) {
      const eur = Math.round((700 - result.cost.total) * 1e6) / 1e6;
      expect(result.ahorro).toEqual({ eur, eur_anual: eur, porcentaje: Math.floor((eur / 7) * 100 + 0.5) / 100 });
    }
  });
});

describe('A-73: tolerancia', () => {
  it('together with w is malformed, and so is a value out of 0 to 100', async () => {
    expect(pathsIn((await rank({ w: 0.5, tolerancia: 1 })).body)).toEqual(['tolerancia']);
    for (const tolerancia of [-0.1, 100.1, '1']) expect((await rank({ tolerancia })).status).toBe(400);
  });

  it('above 0 needs commissions:read, as a w below 1 does', async () => {
    const blind = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    expect(await rank({ tolerancia: 0.01 }, blind)).toMatchObject({
      status: 403,
      body: { detail: { code: 'weight_needs_commissions' } },
    });
    const { status, body } = await rank({ tolerancia: 0 }, blind);
    expect([status, asRecord(body).w, asRecord(body).conflicto]).toEqual([200, 1, null]);
  });

  it('is answered as the weight that was used, not rounded', async () => {
    const { w, escala, conflicto } = asRecord((await rank({ tolerancia: 1.5 })).body);
    const { coste_min, coste_max, comision_min, comision_max } = asRecord(escala);
    const cost = Number(coste_max) - Number(coste_min);
    const pay = Number(comision_max) - Number(comision_min);
    expect(w).toBeCloseTo(cost / (cost + 1.5 * pay), 9);
    expect(asRecord(conflicto).euros_cliente_por_euro_comision).toBeCloseTo(1.5, 6);
  });
});

describe('A-74: where answers have advice', () => {
  it('a portfolio has codes, savings and extra costs of each customer, and no conflict', async () => {
    const question = { ...HOUSEHOLD, contrato_actual: { coste_total: 700 } };
    const body = {
      customers: [
        { ref: 'a', ...question },
        { ref: 'b', ...HOUSEHOLD, contrato_actual: {} },
      ],
      top: 2,
    };
    const { results } = await world.ask('rankPortfolio', { body });
    const [first, second] = (Array.isArray(results) ? results : []).map(asRecord);
    const alone = asRecord((await rank(question)).body);
    const list = Array.isArray(alone.avisos) ? alone.avisos : [];
    expect(first?.avisos).toEqual(list.map(({ codigo }) => codigo));
    expect(first?.actual).toEqual(alone.actual);
    expect(first).not.toHaveProperty('conflicto');
    const names = ['ahorro', 'coste_extra', 'comision_extra', 'comision_eur_mwh', 'cost'] as const;
    const pick = (entry: object) => names.map((name) => asRecord(entry)[name]);
    const best = Array.isArray(first?.best) ? first.best : [];
    expect(best.map(pick)).toEqual((Array.isArray(alone.results) ? alone.results : []).slice(0, 2).map(pick));
    expect(asRecord(second?.error)).toMatchObject({ code: 'business_rule' });
  });

  it('a recommendation has warnings about tariffs of all matching offers and an improbable use, whatever the page', async () => {
    const body = { company_id: sample.companyId, supply_type: 'LUZ', offer_name: 'Grande', tariff_type: '3.0TD' };
    const open = { acepta_dni: true, territory_peninsula: true, commission: 1, commission_type: 'fixed' };
    const { id } = await world.ask('createOffer', { body: { ...body, ...open } });
    const ask = async (query: Record<string, string>) => {
      const { avisos } = await world.ask('recommendOffers', { query: { consumption_mwh: '3', ...query } });
      return (Array.isArray(avisos) ? avisos : []).map(({ codigo, offer_ids }) => [codigo, offer_ids]);
    };
    const expected = [
      ['peaje_imposible', [id]],
      ['peajes_mezclados', [id]],
    ];
    expect(await ask({ power_kw: '4.6' })).toEqual(expected);
    expect(await ask({ power_kw: '4.6', limit: '1', offset: '1' })).toEqual(expected);
    expect(await ask({})).toEqual(expected.slice(1));
    expect(await ask({ power_kw: '4.6', tariff_type: '2.0TD' })).toEqual([]);
    // kWh in place of MWh: more than 4.6 kW can draw in a year.
    const improbable = [['consumo_improbable', []]];
    expect(await ask({ power_kw: '4.6', tariff_type: '2.0TD', consumption_mwh: '3000' })).toEqual(improbable);
  });
});

describe('a mistake in a question', () => {
  it.each([
    [{ supply_type: 'GAS', energia: { e1: 9 } }, 400, 'energia', 'is not allowed for GAS: its kWh go into consumo_gas'],
    [{ ...GAS, energia: { e1: 9 } }, 422, 'energia', 'is not allowed for GAS: its kWh go into consumo_gas'],
    [{ supply_type: 'LUZ', consumo_gas: 9 }, 400, 'consumo_gas', 'is not allowed for LUZ: its kWh go into energia'],
    [{ ...GAS, potencia: { p1: 4 } }, 422, 'potencia', 'is not allowed for GAS'],
  ])('%j names the wrong field and the right one', async (body, status, path, error) => {
    const refused = await world.call('rankOffers', { body });
    expect(refused.status).toBe(status);
    expect(asRecord(asRecord(refused.body).detail).errors).toContainEqual({ path, error });
  });

  it.each([
    ['2.0', ['2.0TD', '3.0TD', '6.1TD']],
    ['3,0td', ['3.0TD', '2.0TD', '6.1TD']],
    ['2.0TD', null],
  ])('A-69: a tariff_type %s that no offer has gets the most similar tariffs', async (tariffType, near) => {
    const { companyId } = sample;
    for (const tariff_type of ['3.0TD', '6.1TD', 'Otra cosa muy distinta'])
      await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: companyId, tariff_type } });
    const mensaje = expect.stringMatching(new RegExp(`: ${near?.join(', ')}$`));
    const query = { consumption_mwh: '3.5', tariff_type: tariffType };
    for (const { body } of [await rank({ tariff_type: tariffType }), await world.call('recommendOffers', { query })]) {
      const { avisos } = asRecord(body);
      const warnings = Array.isArray(avisos) ? avisos.filter(({ codigo }) => codigo === 'peaje_sin_ofertas') : [];
      expect(warnings).toEqual(near ? [{ codigo: 'peaje_sin_ofertas', mensaje, total: 0, offer_ids: [] }] : []);
    }
    const customers = [{ ref: 'one', ...HOUSEHOLD, tariff_type: tariffType }];
    const [answer] = arrayOf((await world.ask('rankPortfolio', { body: { customers } })).results).map(asRecord);
    expect(answer?.avisos).toEqual(near ? expect.arrayContaining(['peaje_sin_ofertas']) : expect.any(Array));
    expect(answer?.peajes_parecidos).toEqual(near ?? undefined);
  });

  it('A-69: a tariff that only offers out of reach have is not named', async () => {
    const { id } = await world.ask('createClient', { body: { name: 'Asesoría ajena' } });
    const company = await world.ask('createCompany', { body: { client_id: id, name: 'Ajena' } });
    const body = { ...LUZ_BODY, company_id: company.id, tariff_type: '2.0X' };
    await world.ask('createOffer', { body });
    const bound = await world.newKey(world.account.id, { firmId: sample.clientId });
    expect(JSON.stringify((await rank({ tariff_type: '2.0' })).body)).toContain('2.0X');
    expect(JSON.stringify((await rank({ tariff_type: '2.0' }, bound)).body)).not.toContain('2.0X');
  });
});

describe('A-69: the month of the question', () => {
  const codes = async (body: object, key?: string) => {
    const { avisos } = asRecord((await world.call('rankOffers', { body, ...(key === undefined ? {} : { key }) })).body);
    return (Array.isArray(avisos) ? avisos : []).map(({ codigo }) => codigo);
  };

  it('decides whether a history is kept up, now and as of an instant, and in the proof of a proposal', async () => {
    const question = { ...HOUSEHOLD, tariff_type: '2.0TD' };
    const then = world.instant();
    expect(await codes(question)).not.toContain('historico_sin_actualizar');
    const made = await world.ask('createProposal', { body: { request: question, offer_ids: [sample.luzId] } });
    world.passTime(60 * 24 * 3600);
    expect(await codes(question)).toContain('historico_sin_actualizar');
    expect(await codes({ ...question, mes: '2025-12' })).not.toContain('historico_sin_actualizar');
    expect(await codes({ ...question, as_of: then })).not.toContain('historico_sin_actualizar');
    const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...question }] } });
    expect(asRecord((results as unknown[])[0]).avisos).toContain('historico_sin_actualizar');
    const params = { id: String(made.id) };
    expect(await world.ask('verifyProposal', { params })).toMatchObject({ reproducible: true });
  });

  it('decides whether the debt of the TUR is owed, which is of gas alone', async () => {
    const question = { ...GAS, contrato_actual: { coste_total: 400, es_tur: true } };
    expect(await codes(question)).not.toContain('salir_de_la_tur');
    world.passTime(365 * 24 * 3600);
    expect(await codes(question)).toContain('salir_de_la_tur');
    const refused = await rank({ contrato_actual: { coste_total: 400, es_tur: true } });
    expect([refused.status, pathsIn(refused.body)]).toEqual([422, ['contrato_actual.es_tur']]);
  });
});

describe('A-139: an offer for customers with panels', () => {
  it('is marked in a ranking, as JSON and as bytes, and not in the answer of a proposal; no other offer is', async () => {
    const plain = await rank({});
    expect(JSON.stringify(plain.body)).not.toContain('placas_solares');
    const company_id = sample.companyId;
    const made = await world.ask('createOffer', { body: { ...LUZ_BODY, company_id, placas_solares: true } });
    const { id } = asRecord(made);
    const { results } = asRecord((await rank({})).body);
    const marked = arrayOf(results).map((result) => asRecord(asRecord(result).offer));
    expect(marked.filter(({ placas_solares }) => placas_solares === true).map((offer) => offer.id)).toEqual([id]);
    expect(marked.filter((offer) => 'placas_solares' in offer)).toHaveLength(1);
    const { json } = await world.call('rankOffers', { body: HOUSEHOLD, takesJson: true });
    expect(JSON.parse(new TextDecoder().decode(json)).results).toEqual(results);
    const proposal = await world.ask('createProposal', { body: { request: HOUSEHOLD, offer_ids: [id] } });
    const detail = await world.ask('getProposal', { params: { id: String(asRecord(proposal).id) } });
    expect(JSON.stringify(asRecord(detail).answer)).not.toContain('"placas_solares"');
  });
});

it('A-116: an offer to compare with that is not ranked is refused by its field', async () => {
  const { status, body } = await rank({ frente_a: 999_999 });
  expect([status, asRecord(body).detail]).toMatchObject([
    422,
    { code: 'business_rule', errors: [{ path: 'frente_a', error: 'is not ranked' }] },
  ]);
});

describe('A-116: porque_texto', () => {
  /** Of the offer of the sample, which costs 5000 * 0.05 + 12 * 5, and of another one. */
  const explained = async (gas_energy: number, gas_fixed: number) => {
    const other = { ...GAS_BODY, company_id: sample.companyId, offer_name: 'Otra', gas_energy, gas_fixed };
    await world.ask('createOffer', { body: other });
    const { results } = await world.ask('rankOffers', { body: { ...GAS, w: 1, explicar: true } });
    return arrayOf(results).map((result) => asRecord(result).porque_texto);
  };

  it('rounds half a cent up, in the sum and in its parts', async () => {
    // 5000 * 0.006705 is 33.525, and 12 * 1.38 is 16.56.
    const [, text] = await explained(0.056705, 6.38);
    expect(text).toBe('50,09 € más: +33,53 € por la energía, +16,56 € por el término fijo');
  });

  it('of the offer that the others are compared with says so, and of one like it that it costs the same', async () => {
    expect(await explained(0.05, 5)).toEqual(['Con ella se comparan las demás', 'Cuesta lo mismo']);
  });
});
