import { readFileSync } from 'node:fs';
import { holds } from '@tarifario/testkit/core/laws';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answered, type WireAdvice, type WirePower } from '../../../test/wire-power.ts';

/** The second program: exact fractions, every power of the grid, no code of the engine. */
const oracle: { readonly adviceOf: (given: WirePower) => WireAdvice } = await import(
  '../../../../../test-fixtures/vectors/oracle/power.mjs' as string
);

const KEYS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'] as const;
const kw = (max: number, digits: number) =>
  fc.integer({ min: 0, max: max * 10 ** digits }).map((n) => n / 10 ** digits);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const six = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.tuple(arbitrary, arbitrary, arbitrary, arbitrary, arbitrary, arbitrary);
const byKey = <T>(values: readonly T[]) => Object.fromEntries(values.map((value, index) => [KEYS[index], value]));
/** Powers that do not fall. */
const powers = (max: number, digits: number) =>
  six(kw(max, digits)).map((values) => byKey(values.toSorted((a, b) => a - b)));
/** Some periods, at least the last one. */
const inSome = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc
    .tuple(six(fc.option(arbitrary, { nil: undefined, freq: 2 })), arbitrary)
    .map(([values, last]) =>
      Object.fromEntries(
        KEYS.flatMap((key, index) =>
          index === 5 ? [[key, last]] : values[index] === undefined ? [] : [[key, values[index]]],
        ),
      ),
    );
const days = fc.constantFrom(1, 28, 30, 31, 73, 365);
const byDay = (max: number) => fc.record({ dias: days, maximos: inSome(fc.oneof(kw(max, 1), kw(max, 3))) });
const byQuarter = (max: number) =>
  fc.record({ dias: days, cuartos: inSome(fc.array(kw(max, 2), { minLength: 1, maxLength: 5 })) });
/** Round prices, so that many powers cost the same, and others. */
const price = fc.oneof(fc.constantFrom(0, 0.001, 0.002), kw(1, 4));

function question(max: number): fc.Arbitrary<WirePower> {
  const terms = {
    tariff_type: fc.constantFrom('3.0TD' as const, '6.1TD' as const),
    potencia: powers(max, 2),
    fecha: fc.constant('2026-06-01'),
    precios: maybe(six(price).map(byKey)),
    excesos: maybe(six(price).map(byKey)),
    margen_kw: maybe(kw(1, 1)),
  };
  const tipo = (type: 3 | 4) => fc.constant(type);
  const maxima = fc.record({
    ...{ ...terms, tipo_medida: tipo(4), excesos: six(price).map(byKey) },
    periodos: fc.array(byDay(max), { minLength: 1, maxLength: 3 }),
  });
  const quarters = fc.record({
    ...{ ...terms, tipo_medida: tipo(3) },
    periodos: fc.array(byQuarter(max), { minLength: 1, maxLength: 2 }),
  });
  const bounded = fc.tuple(fc.oneof(maxima, quarters), maybe(powers(max / 2, 2)), maybe(kw(max / 2, 1)));
  return bounded.map(([given, minimo, more]) => ({
    ...given,
    minimo,
    derechos_kw:
      more === undefined ? undefined : Math.round((Math.max(15.1, minimo?.p6 ?? 0) + 0.1 + more) * 100) / 100,
  }));
}

const QUESTION = fc.oneof(question(3), question(6), question(16));
/** With a load in every period: a power that nobody measured is not advised. */
const measured = (given: WirePower): WirePower => ({
  ...given,
  periodos: given.periodos.map(({ maximos, cuartos, ...entry }, index) => ({
    ...entry,
    ...(maximos && { maximos: { ...(index === 0 && byKey(Array(6).fill(0.1))), ...maximos } }),
    ...(cuartos && { cuartos: { ...(index === 0 && byKey(Array(6).fill([0.1]))), ...cuartos } }),
  })),
});
const isMeasured = (given: WirePower) => answered(given).periodos_sin_maximos === undefined;
const MEASURED = QUESTION.map(measured).filter(isMeasured);
/** Without bounds: laws of the cost alone. */
const FREE = MEASURED.map(({ minimo, derechos_kw, ...given }): WirePower => given);

const VECTORS: readonly { readonly name: string; readonly given: WirePower; readonly expect: WireAdvice }[] =
  JSON.parse(readFileSync(new URL('../../../../../test-fixtures/power.json', import.meta.url), 'utf8'));

describe('A-110: a vector of power', () => {
  test.each(VECTORS)('$name, by the definition and by the second program', ({ given, expect: expected }) => {
    expect(oracle.adviceOf(given)).toEqual(expected);
    expect(answered(given)).toEqual(expected);
  });
});

const [SHOP] = VECTORS;

test('A-110: a shop of 40 kW saves 296.61 EUR a year with 29.5 kW', () => {
  expect(SHOP && answered(SHOP.given)).toMatchObject({
    actual: { total: 1732.74212 },
    optima: { potencia: byKey(Array(6).fill(29.5)), fijo: 1277.897314, excesos: 158.239001, total: 1436.136314 },
    cubriente: { potencia: byKey(Array(6).fill(38.4)), total: 1663.432435 },
    ahorro_anual: 296.605806,
  });
});

test('A-110: an advice is that of all powers of the grid, priced with exact fractions', () => {
  holds(
    fc.property(QUESTION, (given) => {
      expect(answered(given)).toEqual(oracle.adviceOf(given));
    }),
    runsOf(125, 1000),
  );
});

/** Rounding of two figures. */
const ROUNDING = 2e-6;

/** Powers of the grid between two answers' bounds, that do not fall. */
const onGrid = (max: number) =>
  six(fc.integer({ min: 1, max: max * 10 })).map((steps) => byKey(steps.toSorted((a, b) => a - b).map((n) => n / 10)));

describe('A-110: the cost of power', () => {
  test('is least at the optimum, among all powers of the grid that are allowed', () => {
    holds(
      fc.property(FREE, onGrid(17), (given, potencia) => {
        const { optima } = answered(given);
        // The least of P6 in 3.0TD.
        const allowed = { ...potencia, p6: Math.max(potencia.p6 ?? 0, optima.potencia.p6 === 15.1 ? 15.1 : 0) };
        expect(optima.total).toBeLessThanOrEqual(answered({ ...given, potencia: allowed }).actual.total + ROUNDING);
      }),
      runsOf(60, 500),
    );
  });

  test('of the optimum is at most that of the covering power, which has no excess', () => {
    holds(
      fc.property(MEASURED, (given) => {
        const { optima, cubriente, avisos } = answered(given);
        expect(optima.total).toBeLessThanOrEqual(cubriente.total);
        for (const key of KEYS) expect(optima.potencia[key]).toBeLessThanOrEqual(cubriente.potencia[key] ?? 0);
        if (!avisos.includes('derechos_insuficientes')) expect(cubriente.excesos).toBe(0);
      }),
      runsOf(40, 300),
    );
  });

  test('never falls when a maximum rises', () => {
    holds(
      fc.property(question(6), kw(3, 1), fc.nat(2), fc.nat(5), (free, more, at, period) => {
        const { minimo, derechos_kw, ...sent } = free;
        const given = measured(sent);
        fc.pre(isMeasured(given));
        const key = KEYS[period] ?? 'p6';
        const raised = given.periodos.map((entry, index) => {
          if (index !== at % given.periodos.length) return entry;
          const { maximos, cuartos } = entry;
          const [load = 0, ...others] = cuartos?.[key] ?? [];
          return cuartos
            ? { ...entry, cuartos: { ...cuartos, [key]: [load + more, ...others] } }
            : { ...entry, maximos: { ...maximos, [key]: (maximos?.[key] ?? 0) + more } };
        });
        const [before, after] = [answered(given), answered({ ...given, periodos: raised })];
        for (const part of ['actual', 'optima', 'cubriente'] as const) {
          expect(after[part].total).toBeGreaterThanOrEqual(before[part].total - ROUNDING);
        }
      }),
      runsOf(40, 300),
    );
  });

  test('of equal entries is that of one times their number, at the same powers', () => {
    holds(
      fc.property(QUESTION, fc.integer({ min: 2, max: 12 }), (given, times) => {
        const one = { ...given, periodos: given.periodos.slice(0, 1) };
        const [single, many] = [answered(one), answered({ ...one, periodos: Array(times).fill(one.periodos[0]) })];
        for (const part of ['actual', 'optima', 'cubriente'] as const) {
          expect(many[part].potencia).toEqual(single[part].potencia);
          expect(many[part].total).toBeCloseTo(single[part].total * times, 4);
        }
      }),
      runsOf(25, 200),
    );
  });

  test('is k times as high for k times the kW', () => {
    holds(
      fc.property(FREE, fc.integer({ min: 2, max: 9 }), (given, times) => {
        const scaled = (values: Readonly<Record<string, number>>) =>
          Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value * times]));
        const larger: WirePower = {
          ...given,
          potencia: scaled(given.potencia),
          margen_kw: (given.margen_kw ?? 0) * times,
          periodos: given.periodos.map(({ maximos, cuartos, ...entry }) => ({
            ...entry,
            ...(maximos && { maximos: scaled(maximos) }),
            ...(cuartos && {
              cuartos: Object.fromEntries(
                Object.entries(cuartos).map(([key, loads]) => [key, loads.map((load) => load * times)]),
              ),
            }),
          })),
        };
        expect(answered(larger).actual.total).toBeCloseTo(answered(given).actual.total * times, 4);
      }),
      runsOf(25, 200),
    );
  });

  test('of the periods sums to the total', () => {
    holds(
      fc.property(QUESTION, (given) => {
        const { optima, detalle } = answered(given);
        expect(detalle.reduce((sum, { fijo }) => sum + fijo, 0)).toBeCloseTo(optima.fijo, 5);
        expect(detalle.reduce((sum, { excesos }) => sum + excesos, 0)).toBeCloseTo(optima.excesos, 5);
        expect(optima.fijo + optima.excesos).toBeCloseTo(optima.total, 5);
      }),
      runsOf(25, 200),
    );
  });
});

const priced = { ...SHOP?.given, precios: byKey(Array(6).fill(0.05)) } as WirePower;

test.each([
  [
    'the least that is allowed where excess costs nothing',
    0,
    { p1: 0.1, p2: 0.1, p3: 0.1, p4: 0.1, p5: 0.1, p6: 15.1 },
  ],
  ['the covering power where excess costs very much', 1e6, byKey(Array(6).fill(38.4))],
])('A-110: the optimum is %s', (_, excess, potencia) => {
  expect(answered({ ...priced, excesos: byKey(Array(6).fill(excess)) }).optima.potencia).toEqual(potencia);
});
