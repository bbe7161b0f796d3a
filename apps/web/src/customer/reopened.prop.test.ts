import type { Proposal } from '@tarifario/client';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { today } from './day.ts';
import { billDayOf, questionOf } from './draft.ts';
import { askedToday, reopened } from './reopened.ts';

const kwh = fc.integer({ min: 1, max: 99_999_999 }).map((value) => value / 1000);
const price = fc.integer({ min: 1, max: 999_999 }).map((value) => value / 1e6);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const definedOf = (value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => [name, typeof part === 'object' && part !== null ? definedOf(part) : part]),
  );

const terms = {
  permanencia_max: optional(fc.integer({ min: 0, max: 60 })),
  precio_fijo_min: optional(fc.integer({ min: 1, max: 120 })),
  energia_verde: optional(fc.boolean()),
};

const electricity = fc.record({
  ...terms,
  supply_type: fc.constant('LUZ'),
  tariff_type: fc.constantFrom('2.0TD', '3.0TD'),
  territory: fc.constantFrom('peninsula', 'canarias'),
  community: optional(fc.constant('madrid')),
  client_type: fc.constantFrom('dni', 'cif'),
  dias: optional(fc.integer({ min: 1, max: 366 })),
  energia: fc.record({ e1: kwh, e2: optional(kwh), e3: optional(kwh) }),
  placas_solares: optional(fc.boolean()),
  potencia: fc.record({ p1: fc.constantFrom(3.45, 4.6, 9.9), p2: optional(fc.constantFrom(3.45, 5.75)) }),
  contrato_actual: optional(
    fc.oneof(
      fc.record({ e1: price, e2: price, p1: price, services_cost: optional(price) }),
      fc.record({ coste_total: kwh }),
      fc.record({ offer_id: fc.integer({ min: 1, max: 999 }) }),
    ),
  ),
  impuestos: optional(
    fc.record({
      fecha: fc.constant('2026-03-01'),
      alquiler: optional(fc.constantFrom('monofasico', 0.81)),
      uso: optional(fc.constantFrom('general', 'industrial')),
      tipos: fc.record({ iee: optional(price), indirecto: optional(price) }),
    }),
  ),
});
const gas = fc.record({
  ...terms,
  supply_type: fc.constant('GAS'),
  tariff_type: fc.constantFrom('RL.1', 'RL.3'),
  territory: fc.constant('baleares'),
  client_type: fc.constantFrom('dni', 'cdad'),
  consumo_gas: kwh,
  contrato_actual: optional(fc.record({ gas_energy: price, gas_fixed: price })),
});

it('a question that is opened again as a study asks the same, in either language', () => {
  const property = fc.property(
    fc.oneof(electricity, gas),
    fc.constantFrom('es' as const, 'en' as const),
    (request, language) => {
      const question = definedOf(request);
      const { typed, missing } = reopened({ ...question, limit: 50, w: 0.3 }, language);
      expect(questionOf(typed, language)).toEqual({ question });
      expect(missing).toEqual([]);
    },
  );
  fc.assert(property, { seed: 134, numRuns: 500 });
});

it('a question with more than the form has says which members are missing, and keeps its preference', () => {
  const request = { supply_type: 'LUZ', energia: { e1: 3 }, potencia: { p1: 4.6 }, mes: '2026-01', fee_energia: 2 };
  expect(reopened({ ...request, tolerancia: 1.5 }, 'es')).toMatchObject({
    missing: ['mes', 'fee_energia'],
    preference: { tolerance: 1.5 },
  });
  expect(reopened({ ...request, w: 1 }, 'es').preference).toEqual({ weight: 1 });
});

it('a proposal that is opened again has bills of today without the rates of its day, or those of the day that was chosen', () => {
  const row = (id: number) => ({ offer_id: id, offer_name: `Oferta ${id}`, cost: { total: 100 * id } });
  const made = { id: 7, nota: null, offer_ids: [3], created_at: '2026-03-01T12:00:00.000Z', pagina: [2, 3].map(row) };
  const openedWith = (fecha: string) => {
    const impuestos = { fecha, tipos: { indirecto: 10 } };
    const request = { supply_type: 'LUZ', energia: { e1: 3 }, potencia: { p1: 4.6 }, client_type: 'dni', impuestos };
    const { typed, missing, ...others } = askedToday({ ...made, request } as unknown as Proposal, 'es');
    expect(others).toMatchObject({ offerIds: [3], comment: '', proposalId: 7 });
    expect(others.proposed).toEqual([row(3)]);
    expect(missing).toEqual([]);
    return [billDayOf(typed), typed.taxDay, typed.values['impuestos.tipos.indirecto']];
  };
  expect(openedWith('2026-03-01')).toEqual([today(), null, undefined]);
  expect(openedWith('2026-02-01')).toEqual(['2026-02-01', '2026-02-01', '10']);
});
