import { describe, expect, test } from 'vitest';
import { adviceTo, answered, type WirePower } from '../../../test/wire-power.ts';
import { plainCurveParts } from '../../../testing/curve-files.ts';
import type { CurveTerms } from '../consumption/curve.ts';
import { DomainError } from '../errors.ts';
import { perPeriod } from '../periods.ts';
import { createDemandReader } from './demand.ts';
import { isBelowLeast } from './least-prices.ts';
import { optimizePower } from './optimize-power.ts';
import {
  leastPowerPrices,
  POWER_TARIFFS,
  powerPeriodsOf,
  pricedConcepts,
  REGULATED_PRICES,
  type RegulatedPrice,
  regulatedPricesOn,
  withOperatorPrices,
} from './regulated-prices.ts';

const flat = (kw: number) => ({ p1: kw, p2: kw, p3: kw, p4: kw, p5: kw, p6: kw });
const SHOP: WirePower = {
  tariff_type: '3.0TD',
  potencia: flat(40),
  fecha: '2026-11-20',
  periodos: [{ mes: 1, dias: 31, maximos: { p1: 31.2, p2: 33, p6: 18.4 } }],
};
const HOME: WirePower = {
  tariff_type: '2.0TD',
  potencia: { p1: 4.6, p2: 4.6 },
  fecha: '2026-11-20',
  periodos: [{ mes: 1, dias: 31, maximos: { p1: 3.2, p2: 3 } }],
};
const QUARTERS = { mes: 1, dias: 31, cuartos: { p1: [60], p6: [20] } };

describe('A-110: a question about power', () => {
  test.each<[string, WirePower, readonly string[]]>([
    ['without a period of its tariff', { ...SHOP, potencia: { p1: 20 } }, [1, 2, 3, 4, 5].map((n) => `powerKw.${n}`)],
    ['with a period that 2.0TD does not have', { ...HOME, potencia: { p1: 4, p2: 4, p3: 4 } }, ['powerKw.2']],
    ['with power that falls', { ...SHOP, potencia: { ...flat(40), p4: 39 } }, ['powerKw.3']],
    ['above 15 kW in 2.0TD', { ...HOME, potencia: { p1: 15, p2: 15.1 } }, ['powerKw.1']],
    ['without a price of its tariff', { ...HOME, precios: { p2: 0.01 } }, ['pricesEurPerKwDay.0']],
    [
      'without the maximum of a period of its month',
      { ...SHOP, periodos: [{ mes: 1, dias: 31, maximos: { p1: 31.2, p6: 18 } }] },
      ['entries.0.loadsKw.1'],
    ],
    [
      'with a maximum that its month does not have',
      { ...SHOP, periodos: [{ mes: 3, dias: 31, maximos: { p2: 29, p3: 30, p4: 30, p6: 16 } }] },
      ['entries.0.loadsKw.3'],
    ],
    [
      'with a maximum of P3 in 2.0TD',
      { ...HOME, periodos: [{ dias: 10, maximos: { p1: 3, p3: 30 } }] },
      ['entries.0.loadsKw.2'],
    ],
    [
      'with other days than its month',
      { ...HOME, periodos: [{ mes: 4, dias: 31, maximos: { p1: 1, p2: 1 } }] },
      ['entries.0.days'],
    ],
    [
      'with 30 days of February',
      { ...HOME, periodos: [{ mes: 2, dias: 30, maximos: { p1: 1, p2: 1 } }] },
      ['entries.0.days'],
    ],
    ['with a least power of P3 in 2.0TD', { ...HOME, minimo: { p3: 1 } }, ['leastKw.2']],
    ['with a least power above 15 kW in 2.0TD', { ...HOME, minimo: { p1: 15.1 } }, ['leastKw.0']],
    ['with a least power above the rights', { ...SHOP, minimo: { p2: 30.1 }, derechos_kw: 30 }, ['leastKw.1']],
    ['with rights below the least that is allowed', { ...SHOP, derechos_kw: 15 }, ['rightsKw']],
    ['of 50.1 kW without quarter-hours', { ...SHOP, potencia: flat(50.1) }, ['entries']],
    ['of a meter of type 3 without quarter-hours', { ...SHOP, tipo_medida: 3 }, ['entries']],
    ['of 6.1TD with a meter of type 4', { ...SHOP, tariff_type: '6.1TD' }, ['day']],
    ['on a day whose prices are not known', { ...SHOP, fecha: '2027-01-01' }, ['day', 'day', 'day']],
    ['on a day whose tolls and charges are not known', { ...SHOP, fecha: '2025-06-01' }, ['day', 'day']],
    [
      'of excess by the quarter-hour in 2025',
      { ...SHOP, fecha: '2025-06-01', tipo_medida: 3, precios: flat(0.1), periodos: [QUARTERS] },
      ['day'],
    ],
  ])('%s is refused', (_, given, paths) => {
    expect(adviceTo(given)).toEqual(paths.map((path) => `power.${path}`));
  });

  test.each<[string, WirePower]>([
    [
      'of 28 and of 29 days of February',
      { ...HOME, periodos: [28, 29].map((dias) => ({ mes: 2, dias, maximos: { p1: 1, p2: 1 } })) },
    ],
    ['of a part of a month in any periods', { ...SHOP, periodos: [{ dias: 12, maximos: { p4: 20 } }] }],
    ['of 50 kW from maxima', { ...SHOP, potencia: flat(50) }],
    ['of 2.0TD that falls from P1 to P2', { ...HOME, potencia: { p1: 5, p2: 3 } }],
    [
      'of 2.0TD at sent prices on a day that is not known',
      { ...HOME, fecha: '2030-01-01', precios: { p1: 0.1, p2: 0.01 } },
    ],
    ['of a meter of type 2 from quarter-hours', { ...SHOP, tipo_medida: 2, periodos: [QUARTERS] }],
  ])('%s is answered', (_, given) => {
    expect(adviceTo(given)).toHaveProperty('optima');
  });

  test.each<[string, WirePower, string, boolean]>([
    ['15 kW at most', { ...SHOP, periodos: [{ dias: 9, maximos: { ...flat(0.1), p6: 15 } }] }, 'cabe_en_2_0TD', true],
    [
      'more than 15 kW',
      { ...SHOP, periodos: [{ dias: 9, maximos: { ...flat(0.1), p6: 15.001 } }] },
      'cabe_en_2_0TD',
      false,
    ],
    ['nothing known of P1', { ...SHOP, periodos: [{ dias: 9, maximos: { p6: 15 } }] }, 'cabe_en_2_0TD', false],
    ['15 kW in 2.0TD', { ...HOME, periodos: [{ dias: 9, maximos: { p1: 15 } }] }, 'necesita_3_0TD', false],
    ['more than 15 kW in 2.0TD', { ...HOME, periodos: [{ dias: 9, maximos: { p1: 15.001 } }] }, 'necesita_3_0TD', true],
    ['a margin above 15 kW', { ...HOME, margen_kw: 11.801 }, 'necesita_3_0TD', true],
    ['the right power today', { ...HOME, potencia: { p1: 3.2, p2: 3 } }, 'un_cambio_al_ano', false],
    ['another power today', { ...HOME, potencia: { p1: 3.2, p2: 3.1 } }, 'un_cambio_al_ano', true],
    ['rights to the highest maximum', { ...SHOP, derechos_kw: 33 }, 'derechos_insuficientes', false],
    ['less rights', { ...SHOP, derechos_kw: 32.9 }, 'derechos_insuficientes', true],
    ['350 days', { ...HOME, periodos: [{ dias: 350, maximos: { p1: 3, p2: 3 } }] }, 'menos_de_un_ano', false],
    ['349 days', { ...HOME, periodos: [{ dias: 349, maximos: { p1: 3, p2: 3 } }] }, 'menos_de_un_ano', true],
  ])('with %s has the notice of its bound, or not', (_, given, code, holds) => {
    expect(answered(given).avisos.includes(code)).toBe(holds);
  });

  test.each([
    [15, 15],
    [15.001, 15.1],
    [15.1, 15.1],
  ])('with a maximum of %s kW in P6 alone is covered by %s kW', (maximum, covering) => {
    const { cubriente, optima } = answered({
      ...SHOP,
      periodos: [{ dias: 9, maximos: { ...flat(0.1), p6: maximum } }],
    });
    expect(cubriente.potencia.p6).toBe(covering);
    // Nine days do not pay for a kW of a whole year, but the law asks for 15.1 kW above 15.
    expect(optima.potencia.p6).toBeLessThanOrEqual(covering);
    expect((optima.potencia.p6 ?? 0) >= 15.1).toBe(maximum > 15);
  });

  test('on a day that does not exist is a mistake of the program', () => {
    expect(() => adviceTo({ ...SHOP, fecha: '2026-02-30' })).toThrow(RangeError);
  });

  test('of hours says that a maximum is a mean', () => {
    const entries = [{ month: 1, days: 31, loadsKw: perPeriod((period) => (period < 2 ? [3.21, 2] : null)) }];
    const powerKw = perPeriod((period) => (period < 2 ? 5 : null));
    const advice = optimizePower({ tariff: '2.0TD', powerKw, day: '2026-01-01', measured: 'hours', entries });
    expect(advice.notices).toEqual(['un_cambio_al_ano', 'maximos_por_hora', 'menos_de_un_ano']);
    expect(advice.optimum.powerKw).toEqual([3.3, 3.3]);
  });
});

describe('A-111: the regulated prices of power', () => {
  test('are known for every tariff on each day of 2026, but excess of 6.1TD by the day', () => {
    for (const day of ['2026-01-01', '2026-07-01', '2026-12-31']) {
      for (const tariff of POWER_TARIFFS) {
        const excess = {
          '2.0TD': [],
          '3.0TD': ['exceso_tipos_4_5', 'exceso_tipos_1_3'],
          '6.1TD': ['exceso_tipos_1_3'],
        };
        expect(regulatedPricesOn(day, tariff).map(({ concept }) => concept)).toEqual([
          ...pricedConcepts(tariff),
          ...excess[tariff],
        ]);
      }
    }
    expect(regulatedPricesOn('2025-12-31').map(({ concept }) => concept)).toEqual(['exceso_tipos_4_5']);
    expect(regulatedPricesOn('2025-03-31')).toEqual([]);
    expect(regulatedPricesOn('2027-01-01')).toEqual([]);
  });

  test('have one price in each period of the tariff, and a page in the gazette', () => {
    for (const { tariff, prices, url } of REGULATED_PRICES) {
      expect(prices.flatMap((price, period) => (price === null ? [] : [period]))).toEqual(powerPeriodsOf(tariff));
      expect(url).toMatch(/\?id=BOE-A-\d{4}-\d+$/);
    }
  });

  const OWN: RegulatedPrice = {
    ...{ concept: 'peajes', tariff: '3.0TD', prices: [1, 1, 1, 1, 1, 1], from: '2027-01-01', to: '2027-12-31' },
    ...{ law: 'Resolución de 2027', url: null, isCertain: true },
  };

  test('of an operator hold on days that are not known here', () => {
    const rows = [OWN, { ...OWN, concept: 'exceso_tipos_4_5', tariff: '6.1TD' } as const];
    expect(regulatedPricesOn('2027-06-01', null, withOperatorPrices(rows))).toEqual(rows);
  });

  test.each<[string, Partial<RegulatedPrice>, string]>([
    ['on days that are known', { from: '2026-12-31' }, 'is settled already'],
    ['without an end before a known row', { from: '2020-01-01', to: null }, 'is settled already'],
    ['of days that do not exist', { from: '2027-02-30' }, 'has no days'],
    ['of a price that the tariff does not have', { tariff: '2.0TD' }, 'does not exist'],
    ['without a period', { prices: [1, 1, 1, 1, 1, null] }, 'has a price from 0 to 1000'],
    ['below zero', { prices: [1, 1, 1, 1, 1, -1] }, 'has a price from 0 to 1000'],
  ])('of an operator %s are refused', (_, changes, text) => {
    expect(() => withOperatorPrices([{ ...OWN, ...changes }])).toThrow(text);
  });
});

describe('A-120: the least price of power', () => {
  test('is tolls and charges by the day, without the decimals behind the sixth', () => {
    expect(leastPowerPrices('2026-07-01')).toEqual({
      // 27.704413 / 365 = 0.07590250...
      '2.0TD': [0.075902, 0.001987, null, null, null, null],
      '3.0TD': [0.055827, 0.029089, 0.012278, 0.010647, 0.006887, 0.003951],
      '6.1TD': [0.081083, 0.042506, 0.018635, 0.014777, 0.005822, 0.002751],
    });
  });

  test('is not known on a day without tolls or charges', () => {
    expect(leastPowerPrices('2025-06-01')).toEqual({});
    const tolls = REGULATED_PRICES.filter(({ concept }) => concept !== 'cargos');
    expect(Object.keys(leastPowerPrices('2026-07-01', tolls))).toEqual(['2.0TD']);
  });

  test.each(['2026-13-05', '2026-02-30', '2026-07', '', 'today'])('is refused for %j, which is no day', (day) => {
    expect(() => leastPowerPrices(day)).toThrow(RangeError);
  });

  test.each<[string, string, readonly (number | null)[], boolean]>([
    ['at it', '2.0TD', [0.075902, 0.001987], false],
    ['below it in P1', '2.0TD', [0.075901, 0.001987], true],
    ['below it in P2', '2.0TD', [0.075902, 0.001986], true],
    ['of 0', '2.0TD', [0.1, 0], true],
    ['that is missing', '2.0TD', [null, 0.1], false],
    ['of a period that the tariff does not have', '2.0TD', [0.1, 0.1, 0], false],
    ['below it in P6', '3.0TD', [0.1, 0.1, 0.1, 0.1, 0.1, 0.00395], true],
    ['of a tariff without known tolls', '3.0TDVE', [0, 0], false],
  ])('a price %s of %s is told apart', (_, tariffType, prices, isBelow) => {
    const powerEurPerKwDay = perPeriod((period) => prices[period] ?? null);
    expect(isBelowLeast({ tariffType, powerEurPerKwDay }, leastPowerPrices('2026-07-01'))).toBe(isBelow);
  });
});

function demandIn(text: string, terms: CurveTerms) {
  const reader = createDemandReader(terms);
  for (const part of plainCurveParts(text)) reader.take(part);
  return reader.finish();
}

describe('A-110: the demand of a curve', () => {
  const mainland: CurveTerms = { tariff: '3.0TD', territory: 'peninsula' };
  const rowsOf = (times: readonly string[]) =>
    ['Fecha;Hora;Consumo_kWh', ...times.map((time, index) => `15/01/2026;${time};${index + 1}`)].join('\n');
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour + 1));
  const quarters = Array.from({ length: 96 }, (_, n) => {
    const minute = (n + 1) * 15;
    return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  });

  test('by the quarter-hour is each quarter-hour in kW, by period', () => {
    const { measured, entries } = demandIn(rowsOf(quarters), mainland);
    expect(measured).toBe('quarter_hours');
    expect(entries).toMatchObject([{ month: 1, days: 1 }]);
    const loads = entries[0]?.loadsKw;
    expect(loads?.map((own) => own?.length ?? null)).toEqual([36, 28, null, null, null, 32]);
    // The first quarter of P2, from 8:00 on, is the 33rd of the day.
    expect(loads?.[1]?.[0]).toBe(33 * 4);
  });

  test('by the hour has the mean of each hour', () => {
    const { measured, entries } = demandIn(rowsOf(hours), mainland);
    expect(measured).toBe('hours');
    expect(entries[0]?.loadsKw[5]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('of totals by month is refused', () => {
    const text = 'Fecha;Valle;Llano;Punta\n2026/01;110;70;90,5';
    expect(() => demandIn(text, { tariff: '2.0TD', territory: 'peninsula' })).toThrow(DomainError);
  });
});
