import { readFileSync } from 'node:fs';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerTo, type WireBill, type WireBillAnswer } from '../../../test/wire-bills.ts';
import { TERRITORIES } from '../offers/offer.ts';
import { BILL_LINES } from './bill-lines.ts';

/** The second program: exact fractions, the words of the wire, no code of the engine. */
const oracle: { readonly billOf: (given: WireBill) => WireBillAnswer } = await import(
  '../../../../../test-fixtures/vectors/oracle/bill.mjs' as string
);

const eur = (max: number, digits = 6) => fc.integer({ min: 0, max: max * 10 ** digits }).map((n) => n / 10 ** digits);
const sent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const percent = fc.oneof(eur(100, 2), fc.constantFrom(0.5, 5.11269632, 10, 21));
const DAY = fc
  .date({ min: new Date('2021-01-01'), max: new Date('2027-02-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
/** Days around which rates change or are open. */
const EDGE = fc.constantFrom(
  ...['2021-06-25', '2021-06-26', '2024-06-30', '2024-12-31', '2025-01-01', '2026-03-22', '2026-04-29', '2026-04-30'],
  ...['2026-05-31', '2026-06-26', '2026-08-15', '2026-09-15', '2026-10-31', '2026-11-15', '2026-12-15', '2027-01-01'],
);
const kw = fc.oneof(fc.constantFrom(3.3, 4.6, 9.9, 10, 10.1, 15), eur(40, 2));
const tipos = {
  indirecto: sent(percent),
  indirecto_servicios: sent(percent),
};
const common = {
  territory: fc.constantFrom(...TERRITORIES),
  client_type: fc.constantFrom('dni', 'cif', 'cdad', undefined),
  dias: fc.integer({ min: 1, max: 1100 }),
};
const taxes = { fecha: fc.oneof(DAY, EDGE), vivienda: sent(fc.boolean()) };

const ELECTRICITY: fc.Arbitrary<WireBill> = fc.record({
  ...common,
  client_type: fc.constantFrom('dni', undefined),
  supply_type: fc.constant('LUZ' as const),
  tariff_type: fc.constantFrom('2.0TD', '3.0TD', '6.1TD'),
  potencia: fc.tuple(fc.constantFrom(3.3, 4.6), kw),
  kwh: fc.oneof(fc.constant(0), eur(100_000, 3)),
  cost: fc.record({
    energia: eur(2000),
    potencia: eur(500),
    fijo: fc.constant(0),
    excedentes: eur(1000).map((value) => 0 - value),
    servicios: eur(200),
  }),
  impuestos: fc.record({
    ...taxes,
    uso: fc.constantFrom('general', 'industrial', undefined),
    vulnerable_severo: sent(fc.boolean()),
    alquiler: sent(eur(20, 2)),
    financiacion_bono: sent(fc.boolean()),
    bono_en_iee: sent(fc.boolean()),
    otros: sent(fc.record({ con_iee: sent(eur(50, 3)), sin_iee: sent(eur(50, 3)) })),
    tipos: sent(fc.record({ ...tipos, iee: sent(percent), bono_social: sent(eur(20)) })),
  }),
});
const GAS: fc.Arbitrary<WireBill> = fc.record({
  ...common,
  supply_type: fc.constant('GAS' as const),
  tariff_type: fc.constantFrom('RL.1', 'RL.4'),
  kwh: eur(100_000, 3),
  cost: fc.record({
    energia: eur(2000),
    potencia: fc.constant(0),
    fijo: eur(500),
    excedentes: fc.constant(0),
    servicios: eur(200),
  }),
  impuestos: fc.record({
    ...taxes,
    uso_gas: fc.constantFrom('general', 'profesional', undefined),
    alquiler: sent(eur(20, 2)),
    otros: sent(fc.record({ sin_iee: sent(eur(50, 3)) })),
    tipos: sent(fc.record({ ...tipos, hidrocarburos: sent(eur(1)) })),
  }),
});
const BILL = fc.oneof(ELECTRICITY, GAS);

/** The total, or `null` where rates are open. */
function totalOf(given: WireBill): number | null {
  const answer = answerTo(given);
  return 'factura_estimada' in answer ? (answer.factura_estimada.total ?? null) : null;
}

/** Two bills where the first has more of something. */
function expectNoLess(more: WireBill, less: WireBill): void {
  const [high, low] = [totalOf(more), totalOf(less)];
  expect(high === null).toBe(low === null);
  if (high !== null && low !== null) expect(high).toBeGreaterThanOrEqual(low);
}

const VECTORS: readonly { readonly name: string; readonly given: WireBill; readonly expect: WireBillAnswer }[] =
  JSON.parse(readFileSync(new URL('../../../../../test-fixtures/bills.json', import.meta.url), 'utf8'));

describe('A-107: a vector of bills', () => {
  test.each(VECTORS)('$name, by the definition and by the second program', ({ given, expect: expected }) => {
    expect(oracle.billOf(given)).toEqual(expected);
    expect(sorted(answerTo(given))).toEqual(sorted(expected));
  });
});

/** Open rates in no order. */
function sorted(answer: WireBillAnswer): WireBillAnswer {
  if (!('abiertos' in answer)) return answer;
  return { abiertos: answer.abiertos.toSorted((a, b) => (a.concepto + a.aplica < b.concepto + b.aplica ? -1 : 1)) };
}

test('A-107: a bill is that of exact fractions, on every day and for every supply', () => {
  holds(
    fc.property(BILL, (given) => {
      expect(sorted(answerTo(given))).toEqual(sorted(oracle.billOf(given)));
    }),
    1000,
  );
});

test('A-107: the lines of a bill sum to its total in whole cents', () => {
  holds(
    fc.property(BILL, (given) => {
      const answer = answerTo(given);
      if (!('factura_estimada' in answer)) return;
      const { factura_estimada: bill } = answer;
      expect(Object.keys(bill)).toEqual(BILL_LINES.map(({ wire }) => wire));
      const cents = Object.values(bill).map((value) => Math.round(value * 100));
      expect(cents.map((value) => value / 100)).toEqual(Object.values(bill));
      const lines = BILL_LINES.filter(({ isBeside }) => !isBeside).map(({ wire }) =>
        Math.round((bill[wire] ?? 0) * 100),
      );
      expect(lines.reduce((sum, value) => sum + value, 0) / 100).toBe(bill.total);
    }),
    300,
  );
});

describe('A-107: more never lowers the total', () => {
  test.each(['energia', 'potencia', 'fijo', 'excedentes', 'servicios'] as const)('of %s', (part) => {
    holds(
      fc.property(BILL, eur(500), (given, more) => {
        const cost = { ...given.cost, [part]: given.cost[part] + more };
        expectNoLess({ ...given, cost }, given);
      }),
      200,
    );
  });

  test('of consumption, rental and other lines', () => {
    holds(
      fc.property(BILL, eur(500, 2), fc.constantFrom('kwh', 'alquiler', 'otros'), (given, more, what) => {
        const { impuestos } = given;
        const sums = {
          alquiler: Number(impuestos.alquiler ?? 0) + more,
          sin_iee: (impuestos.otros?.sin_iee ?? 0) + more,
        };
        const bigger: WireBill = {
          ...given,
          kwh: what === 'kwh' ? given.kwh + more : given.kwh,
          impuestos: {
            ...impuestos,
            alquiler: what === 'alquiler' ? sums.alquiler : impuestos.alquiler,
            otros: what === 'otros' ? { ...impuestos.otros, sin_iee: sums.sin_iee } : impuestos.otros,
          },
        };
        expectNoLess(bigger, given);
      }),
      300,
    );
  });
});

test('A-107: without services, bills of one customer have the order of cost, up to two cents', () => {
  const costs = fc.record({ energia: eur(2000), potencia: eur(500), fijo: eur(500) });
  holds(
    fc.property(BILL, costs, costs, (given, a, b) => {
      const billed = [a, b].map((cost) => {
        const parts = given.supply_type === 'LUZ' ? { ...cost, fijo: 0 } : { ...cost, potencia: 0 };
        const whole = { ...parts, excedentes: 0, servicios: 0 };
        return { costEur: whole.energia + whole.potencia + whole.fijo, totalEur: totalOf({ ...given, cost: whole }) };
      });
      const [low, high] = billed.toSorted((one, other) => one.costEur - other.costEur);
      if (low?.totalEur == null || high?.totalEur == null) return;
      expect(high.totalEur - low.totalEur).toBeGreaterThanOrEqual(-0.0201);
    }),
    500,
  );
});
