import { withOperatorRates } from '@tarifario/core';
import { asRecord, createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrayOf } from './array-of.ts';

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

const rowsOf = async (query: Readonly<Record<string, string>>) =>
  arrayOf((await world.ask('listTaxes', { query })).filas).map(asRecord);

describe('A-108: the list of rates', () => {
  it('has the rows of a day, supply and territory, with laws', async () => {
    const rows = await rowsOf({ fecha: '2026-10-15', territory: 'canarias', supply_type: 'GAS' });
    expect(rows).toEqual([
      {
        ...{ concepto: 'igic', supply_type: 'GAS', territorio: 'canarias', aplica: 'general', valor: 3, unidad: '%' },
        ...{ desde: '2020-01-01', hasta: null, norma: 'Ley 4/2012, art. 54.1.a', seguro: false, condicion: null },
        url: 'https://www.boe.es/buscar/act.php?id=BOE-A-2012-9282',
      },
      expect.objectContaining({ concepto: 'igic', aplica: 'servicios', valor: 7 }),
    ]);
  });

  it('has the values of a rate that is undecided, and what decides it, in the language of the caller', async () => {
    const rows = await rowsOf({ fecha: '2026-11-15', territory: 'peninsula', supply_type: 'LUZ' });
    const [tax] = rows.filter(({ concepto, aplica }) => concepto === 'impuesto_electrico' && aplica === 'general');
    expect(tax).toMatchObject({
      valores: [{ valor: 0.5 }, { valor: 5.11269632 }],
      condicion: 'the CPI of electricity (04.5.1.0) in September above 15 %, and the validation by Congress',
    });
    expect(tax).not.toHaveProperty('valor');
  });

  it('is that of today where no day is sent, and of all supplies and territories', async () => {
    const { fecha, filas } = await world.ask('listTaxes');
    expect(fecha).toBe('2026-01-01');
    expect(new Set(arrayOf(filas).map((row) => asRecord(row).territorio)).size).toBe(4);
  });

  it('has the rows of the operator', async () => {
    const law = { law: 'Acuerdo', url: null, isCertain: true };
    const days = { from: '2027-01-01', to: null, value: 21 };
    const vat = { concept: 'iva', kind: 'reducido', supplyTypes: ['LUZ'], territories: ['peninsula'] } as const;
    const dispatch = world.newDispatch(undefined, { rates: withOperatorRates([{ ...vat, ...days, ...law }]) });
    const { body } = await world.call('listTaxes', { query: { fecha: '2027-01-01' } }, dispatch);
    expect(arrayOf(asRecord(body).filas)).toContainEqual(expect.objectContaining({ norma: 'Acuerdo', valor: 21 }));
  });

  it.each(['2026-02-30', '2026', 'hoy'])('of the day %s is malformed', async (fecha) => {
    expect((await world.call('listTaxes', { query: { fecha } })).status).toBe(400);
  });
});
