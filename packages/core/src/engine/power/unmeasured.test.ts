import { describe, expect, test } from 'vitest';
import { answered, type WirePower } from '../../../test/wire-power.ts';
import { DomainError } from '../errors.ts';

const flat = (kw: number) => ({ p1: kw, p2: kw, p3: kw, p4: kw, p5: kw, p6: kw });
const HOME: WirePower = {
  tariff_type: '2.0TD',
  potencia: { p1: 4.65, p2: 4.65 },
  fecha: '2026-11-20',
  periodos: [{ dias: 365, maximos: { p1: 3.2 } }],
};
const SHOP: WirePower = {
  tariff_type: '3.0TD',
  potencia: { ...flat(40.05), p5: 41, p6: 50.15 },
  fecha: '2026-11-20',
  tipo_medida: 4,
  periodos: [{ dias: 365, maximos: { p1: 31.2, p2: 38, p4: 20, p5: 0 } }],
};

describe('A-110: power that nobody measured', () => {
  test('of a period without a maximum is that of today, in the optimum, the covering power and the saving', () => {
    const { periodos_sin_maximos, optima, cubriente, ahorro_anual } = answered(HOME);
    expect(periodos_sin_maximos).toEqual(['p2']);
    expect([optima.potencia, cubriente.potencia]).toEqual(Array(2).fill({ p1: 3.2, p2: 4.65 }));
    // 1.45 kW of P1 at 27.704413 EUR a year.
    expect(ahorro_anual).toBe(40.171399);
  });

  test('a period whose maxima are all 0 has none, also with a margin, and one above 0 is one', () => {
    const zero = { dias: 100, maximos: { p1: 3.2, p2: 0 } };
    expect(answered({ ...HOME, margen_kw: 1, periodos: [zero, zero] }).periodos_sin_maximos).toEqual(['p2']);
    const measured = answered({ ...HOME, periodos: [zero, { dias: 100, maximos: { p1: 3.2, p2: 0.4 } }] });
    expect(measured).not.toHaveProperty('periodos_sin_maximos');
    expect(measured.optima.potencia).toEqual({ p1: 3.2, p2: 0.4 });
  });

  test('stays as it is among six periods, and the others do not fall around it', () => {
    const { periodos_sin_maximos, optima, cubriente, avisos } = answered(SHOP);
    expect(periodos_sin_maximos).toEqual(['p3', 'p5', 'p6']);
    for (const { potencia } of [optima, cubriente]) {
      expect(potencia).toMatchObject({ p3: 40.05, p5: 41, p6: 50.15 });
      const powers = Object.values(potencia);
      expect(powers).toEqual(powers.toSorted((a, b) => a - b));
    }
    // At least 40.1 after P3.
    expect(cubriente.potencia).toEqual({ p1: 31.2, p2: 38, p3: 40.05, p4: 40.1, p5: 41, p6: 50.15 });
    expect(avisos).not.toContain('cabe_en_2_0TD');
  });

  test('rises with a period before it, which the law does not let it be below', () => {
    const { cubriente } = answered({ ...SHOP, periodos: [{ dias: 365, maximos: { p1: 31.2, p2: 45 } }] });
    expect(cubriente).toMatchObject({ excesos: 0, potencia: { p1: 31.2, p2: 45, p3: 45, p4: 45, p5: 45, p6: 50.15 } });
  });

  test('everywhere: nothing is advised and nothing is saved', () => {
    const advice = answered({ ...SHOP, periodos: [{ dias: 365, maximos: {} }] });
    expect(advice.optima).toEqual(advice.actual);
    expect([advice.ahorro_anual, advice.avisos]).toEqual([0, []]);
  });

  test('below a least power that is asked for is raised to it', () => {
    expect(answered({ ...HOME, minimo: { p2: 5 } }).optima.potencia).toEqual({ p1: 3.2, p2: 5 });
  });
});

describe('A-110: maxima far above the power of today', () => {
  const refused = (question: WirePower) => {
    try {
      return answered(question).avisos;
    } catch (error) {
      return error instanceof DomainError && 'issues' in error.details ? error.details.issues : error;
    }
  };
  const at = (p1: number) => refused({ ...HOME, periodos: [{ dias: 365, maximos: { p1, p2: 2 } }] });

  test.each([
    [1395, '300 times', [{ path: 'power.entries.0.loadsKw.0', message: expect.anything() }]],
    [1394.9, 'less', expect.arrayContaining(['maximos_improbables'])],
    [46.5, '10 times', expect.arrayContaining(['maximos_improbables'])],
    [46.4, 'less', expect.not.arrayContaining(['maximos_improbables'])],
  ])('%d kW, %s', (kw, _times, expected) => {
    expect(at(kw)).toEqual(expected);
  });
});

describe('A-110: a power of today far above every maximum', () => {
  const at = (kw: number) =>
    answered({ ...SHOP, tipo_medida: 4, potencia: flat(kw), periodos: [{ dias: 365, maximos: flat(25) }] }).avisos;

  test.each([
    [2500, '100 times', true],
    [2499.9, 'less', false],
  ])('%d kW, %s: is asked about', (kw, _times, expected) => {
    expect(at(kw).includes('maximos_improbables')).toBe(expected);
  });
});

test('A-110: a price of power that is sent is at most 1 EUR/kW and day, as those of offers', () => {
  const priced = (p1: number) => answered({ ...HOME, precios: { p1, p2: 1 } });
  expect(priced(1).actual.fijo).toBeGreaterThan(0);
  expect(() => priced(1.01)).toThrow(DomainError);
});
