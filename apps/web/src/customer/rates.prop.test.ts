import { bodyIn, fromWireEfficient, taxTable } from '@tarifario/api';
import { type BilledSupply, billTerms, DomainError, RATES } from '@tarifario/core';
import { ratesInForce } from '@tarifario/core/service';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CustomerQuestion } from './draft.ts';
import { keepRates, openRatesOf } from './rates.ts';

const kw = fc.constantFrom(0, 3.45, 9.9, 10, 10.001, 15, 50);
const month = fc
  .integer({ min: 0, max: 47 })
  .map((at) => `${2024 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-15`);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const territory = fc.constantFrom('peninsula', 'baleares', 'canarias', 'ceuta_melilla');

const electricity = fc.record({
  supply_type: fc.constant('LUZ'),
  tariff_type: fc.constantFrom('2.0TD', '3.0TD', '6.1TD'),
  territory,
  client_type: fc.constantFrom('dni', 'cif', 'cdad'),
  energia: fc.constant({ e1: 100 }),
  potencia: fc.tuple(kw, kw).map(([p1, p2]) => ({ p1: Math.min(p1, p2), p2: Math.max(p1, p2) })),
  impuestos: fc.record({
    fecha: month,
    vivienda: optional(fc.boolean()),
    uso: optional(fc.constantFrom('general', 'industrial')),
    vulnerable_severo: optional(fc.boolean()),
    financiacion_bono: optional(fc.boolean()),
  }),
});
const gas = fc.record({
  ...{ supply_type: fc.constant('GAS'), tariff_type: fc.constant('RL.4'), territory },
  ...{ client_type: fc.constantFrom('dni', 'cif'), consumo_gas: fc.constant(9000) },
  impuestos: fc.record({ fecha: month, uso_gas: optional(fc.constantFrom('general', 'profesional')) }),
});
const question = fc.oneof(electricity, gas).map((one) => JSON.parse(JSON.stringify(one)) as CustomerQuestion);

/** A service that answers the rates of its table. */
const api = {
  listTaxes: async ({
    fecha,
    territory: place,
    supply_type,
  }: {
    fecha: string;
    territory: never;
    supply_type: never;
  }) =>
    bodyIn(
      taxTable.toWire({
        day: fecha,
        rows: ratesInForce(RATES, { day: fecha, territory: place, supplyType: supply_type }),
      }),
    ),
};
const session = { api, accountId: 1 } as unknown as Parameters<typeof openRatesOf>[0];

/** What the service refuses the bills of a question for. */
function refusedFor(asked: CustomerQuestion): readonly string[] {
  try {
    const { bill, request } = fromWireEfficient(asked);
    if (bill) billTerms(bill, { ...request, ...request.filter } as unknown as BilledSupply);
  } catch (error) {
    if (!(error instanceof DomainError && 'openRates' in error.details)) return [];
    return (error.details.openRates ?? []).map(({ concept, kind }) => `${concept} ${kind}`);
  }
  return [];
}

const kept = new Map<string, string>();
beforeAll(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'es' } });
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => kept.set(name, text),
  });
});
beforeEach(() => kept.clear());
afterAll(() => vi.unstubAllGlobals());

describe('the rates that the page asks for', () => {
  it('are those for which the service would refuse the bills of the same question', async () => {
    let open = 0;
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const rates = await openRatesOf(session, asked);
        open += rates.length;
        expect(rates.map(({ concepto, aplica }) => `${concepto} ${aplica}`)).toEqual(refusedFor(asked));
      }),
    );
    expect(open).toBeGreaterThan(10);
  });

  it('are none of them open once all are chosen, for the account that chose them and until the day after', async () => {
    const asked = {
      ...{ supply_type: 'LUZ', tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni' },
      ...{ energia: { e1: 100 }, potencia: { p1: 4.6, p2: 4.6 }, impuestos: { fecha: '2026-11-15' } },
    } as CustomerQuestion;
    const chosenBy = async (accountId: number, fecha = '2026-11-15') =>
      (await openRatesOf({ ...session, accountId }, { ...asked, impuestos: { fecha } })).map(({ chosen }) => chosen);
    const rates = await openRatesOf(session, asked);
    keepRates(
      1,
      rates.map((rate) => ({ ...rate, chosen: rate.row?.valores?.[0]?.valor ?? null })),
      '2026-11-15',
    );
    expect(await chosenBy(1)).toEqual([10, 0.5]);
    expect(await chosenBy(1, '2026-11-20')).toEqual([10, 0.5]);
    // Another article of the law.
    expect(await chosenBy(1, '2026-12-15')).not.toContain(10);
    expect(await chosenBy(2)).toEqual([null, null]);
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] });
    expect(await chosenBy(1)).toEqual([null, null]);
    vi.useRealTimers();
  });
});
