import { withOperatorRates } from '@tarifario/core';
import { CURVE_DIALECTS, curveText, madeUpHours } from '@tarifario/core/testing';
import { LUZ_BODY, MONTHLY_CURVE, NOVEMBER_RATES, QR_ADDRESS } from '@tarifario/testkit/api/sample';
import { asRecord, createWorld, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../src/index.ts';
import { arrayOf } from './array-of.ts';

const CUPS = 'ES0021000000000001AB0F';
const CURVE = { tariff_type: '2.0TD', territory: 'peninsula' };

/** A world in which an offer can be ranked. */
async function marketWorld(): Promise<World> {
  const world = await createWorld();
  const company_id = await newCompany(world, await newClient(world, 'Asesoría'), 'Comercializadora');
  idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id } }));
  return world;
}

describe('an invoice', () => {
  it('A-76: gives a question that can be ranked unchanged, whatever the address omits', async () => {
    const world = await marketWorld();
    const optional = ['cp', 'iniA', 'finF', 'iniF', 'tc', 'cups', 'impPot', 'prP1', 'prE1'];
    for (const name of ['', ...optional]) {
      const url = name === '' ? QR_ADDRESS : QR_ADDRESS.replace(new RegExp(`(?<=[?&])${name}=[^&]*&?`), '');
      const { efficient } = await world.ask('readInvoice', { body: { url } });
      const { status, body } = await world.call('rankOffers', { body: asRecord(efficient) });
      expect({ name, status, total: asRecord(body).total }).toEqual({ name, status: 200, total: 1 });
    }
  });

  it('A-77, A-78: says highest power, services and the contract, and what the prices of today cost can be asked', async () => {
    const world = await marketWorld();
    const url = `${QR_ADDRESS}&pmaxP1=3kW&impSA=6.2&verde=1&rev=12`;
    const reading = await world.ask('readInvoice', { body: { url } });
    expect(reading).toMatchObject({
      contrato_actual: { e1: 0.18, services_cost: 6.08 },
      factura: { potencia_maxima: { p1: 3, p2: null } },
      contrato: { verde: true, revision_meses: 12 },
    });
    const body = { ...asRecord(reading.efficient), contrato_actual: reading.contrato_actual };
    expect(await world.ask('rankOffers', { body })).toMatchObject({ actual: { cost: { servicios: 72.96 } } });
  });

  it('A-109: has its total computed again with the rates of the operator too, where the code has every line', async () => {
    const world = await createWorld();
    const lines = '&cfP1=100&cfP2=75&cfP3=116&impEner=15.00&finBS=0.72&impOtrosSinIE=0.77&imp=26.35';
    const urlOn = (day: string) => `${QR_ADDRESS.replace('12.84', '4.30')}${lines}&fFact=${day}`;
    const settled = world.newDispatch(undefined, { rates: withOperatorRates(NOVEMBER_RATES) });
    const checkOf = async (url: string, dispatch = world.dispatch) => {
      const { body } = await world.call('readInvoice', { body: { url } }, dispatch);
      return asRecord(asRecord(body).factura).comprobacion;
    };
    expect(await checkOf(urlOn('2026-09-20'))).toEqual({ total_calculado: 26.35, diferencia: 0, bono_en_iee: false });
    expect([await checkOf(QR_ADDRESS), await checkOf(urlOn('2026-11-20'))]).toEqual([null, null]);
    // 0.29 of the least tax on 291 kWh, and 10 % of 21.08.
    const inNovember = { total_calculado: 23.19, diferencia: 3.16, bono_en_iee: null };
    expect(await checkOf(urlOn('2026-11-20'), settled)).toEqual(inNovember);
  });

  it('A-95: has its warnings in Spanish, in both languages', async () => {
    const world = await createWorld();
    const url = `${QR_ADDRESS}&dtoBS=-3`;
    const mensaje = 'El cliente tiene el bono social, que se pierde en el mercado libre';
    for (const language of ['es', 'en']) {
      const ask = { headers: { 'accept-language': language }, body: { url } };
      expect(await world.ask('readInvoice', ask)).toMatchObject({ avisos: [{ codigo: 'bono_social', mensaje }] });
    }
    const { avisos } = await world.ask('readConsumption', { query: CURVE, body: { csv: MONTHLY_CURVE } });
    expect(arrayOf(avisos)).toMatchObject([
      { mensaje: 'El archivo es de menos de un año: lo que falta puede ser otra estación' },
      { mensaje: 'El archivo tiene totales por mes: no hay máximos, y no se sabe si faltan horas' },
    ]);
  });

  it.each([
    ['without a parameter', QR_ADDRESS.replace(/&caP2=\d+/, ''), 400, 'url.caP2', 'is missing'],
    ['with one twice', `${QR_ADDRESS}&PP1=4.6`, 400, 'url.pP1', 'stands twice'],
    ['of a correction', `${QR_ADDRESS}&tf=R`, 422, 'url.tf', expect.stringContaining('corrects')],
    ['of another host', QR_ADDRESS.replace('cnmc', 'cmnc'), 400, 'url', expect.stringContaining('must be the address')],
    ['of 2 049 characters', QR_ADDRESS.padEnd(2049, '&'), 400, 'url', 'must have at most 2048 characters'],
  ])('A-76: %s is refused, and the wrong part is named', async (_, url, status, path, error) => {
    const world = await createWorld();
    const answer = await world.call('readInvoice', { body: { url } });
    expect(answer).toMatchObject({ status, body: { detail: { errors: [{ path, error }] } } });
    expect(JSON.stringify(answer)).not.toContain('ES0021');
  });

  it("A-76: of another account's firm is refused after malformed input and before a broken rule", async () => {
    const world = await createWorld();
    const query = { client_id: '99' };
    const statusFor = async (url: string) => (await world.call('readInvoice', { query, body: { url } })).status;
    expect(await statusFor('x')).toBe(400);
    expect(await statusFor(`${QR_ADDRESS}&tf=R`)).toBe(403);
    expect(await statusFor(QR_ADDRESS)).toBe(403);
  });
});

describe('a curve', () => {
  it.each(CURVE_DIALECTS)('A-81: as %s gives a profile that can be ranked unchanged', async (dialect) => {
    const world = await marketWorld();
    const hours = madeUpHours(['2026-01-31', '2026-02-01', '2026-02-02'], () => 24);
    const csv = curveText(hours, dialect);
    const { zona, perfil, dias, energia, excedentes } = await world.ask('readConsumption', {
      query: CURVE,
      body: { csv },
    });
    const body = { supply_type: 'LUZ', tariff_type: '2.0TD', territory: zona, perfil, dias, energia, excedentes };
    expect(arrayOf(perfil)).toMatchObject([
      { mes: 1, dias: 1 },
      { mes: 2, dias: 2 },
    ]);
    expect(await world.ask('rankOffers', { body })).toMatchObject({ total: 1, dias: 3 });
  });

  it('A-81: gives a profile that can be ranked unchanged, with or without its sums', async () => {
    const world = await marketWorld();
    const {
      avisos: _,
      maximos: __,
      cobertura: ___,
      lectura: ____,
      zona,
      perfil,
      ...sums
    } = await world.ask('readConsumption', {
      query: CURVE,
      body: { csv: MONTHLY_CURVE },
    });
    const alone = { supply_type: 'LUZ', tariff_type: '2.0TD', territory: zona, perfil };
    const answer = await world.ask('rankOffers', { body: alone });
    expect(answer).toMatchObject({ total: 1, dias: 59 });
    expect(await world.ask('rankOffers', { body: { ...alone, ...sums } })).toEqual(answer);
  });

  it('A-80: gives the same answer as a form, as a text in JSON and by the tool', async () => {
    const world = await createWorld();
    const asText = await world.ask('readConsumption', { query: CURVE, body: { csv: MONTHLY_CURVE } });
    const bytes = new TextEncoder().encode(MONTHLY_CURVE);
    expect(await world.ask('readConsumption', { query: CURVE, form: { bytes } })).toEqual(asText);
    expect(asText).toMatchObject({ dias: 59, energia: { e1: 170, e2: 134, e3: 205.5 } });
    expect(JSON.stringify(asText)).not.toContain(CUPS);
  });

  it.each([
    [
      'with a wrong cell',
      MONTHLY_CURVE.replace('95,5', 'x'),
      CURVE,
      422,
      'row 3, column 3 (valle): must be kWh from 0 to 200000, such as 0,123',
    ],
    [
      'of six periods in Ceuta or Melilla',
      MONTHLY_CURVE,
      { tariff_type: '6.1TD', territory: 'ceuta_melilla' },
      422,
      'ceuta and melilla have different hours: name one of them',
    ],
    [
      'of a tariff that is none',
      MONTHLY_CURVE,
      { ...CURVE, tariff_type: '2.1TD' },
      400,
      expect.stringContaining('must be one of: 2.0TD'),
    ],
    ['of 100 001 characters', MONTHLY_CURVE.padEnd(100_001), CURVE, 400, 'must have at most 100000 characters'],
  ])('A-80: %s is refused, and the wrong part is named', async (_, csv, query, status, error) => {
    const world = await createWorld();
    const answer = await world.call('readConsumption', { query, body: { csv } });
    expect(answer).toMatchObject({ status, body: { detail: { errors: [{ error }] } } });
    expect(JSON.stringify(answer)).not.toContain('ES0021');
  });

  it('A-79: of six periods is read in Melilla where the community names it', async () => {
    const world = await createWorld();
    const csv = curveText(
      madeUpHours(['2026-02-04'], () => 24),
      'datadis',
    );
    const query = { tariff_type: '6.1TD', territory: 'ceuta_melilla', community: 'melilla' };
    const { energia } = await world.ask('readConsumption', { query, body: { csv } });
    expect(energia).toMatchObject({ e1: 0, e2: expect.any(Number), e4: 0, e5: 0 });
    const elsewhere = await world.call('readConsumption', { query: { ...query, community: 'madrid' }, body: { csv } });
    expect(elsewhere).toMatchObject({ status: 422, body: { detail: { errors: [{ path: 'community' }] } } });
  });

  it("A-80: of another account's firm is refused", async () => {
    const world = await createWorld();
    const query = { ...CURVE, client_id: '99' };
    expect((await world.call('readConsumption', { query, body: { csv: MONTHLY_CURVE } })).status).toBe(403);
  });
});

it('an unexpected error shows nothing of the input', () => {
  expect(JSON.stringify(answerTo(new RangeError(CUPS)))).not.toContain(CUPS);
});
