import {
  type AnyTier,
  type OfferWithHistory,
  type PerPeriod,
  type PresentContract,
  perPeriod,
  type Ranking,
  type RankingRequest,
  type SupplyType,
  YEAR,
} from '@tarifario/core/service';
import { arbitraryMonth, arbitraryUniverse } from '@tarifario/core/testing';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { profiledCustomer } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { rankEntries, requestOf } from '../../test/simple-offers.ts';
import { calculationPeriod, periodOf } from './customer.ts';

type Wire = Readonly<Record<string, unknown>>;

type Amounts = Readonly<Record<string, number>>;

interface Answer {
  readonly total: number;
  readonly excluded: readonly { readonly offer_id: number; readonly codigo: string }[];
  readonly mas_barata_id: number | null;
  readonly mas_comision_id: number | null;
  readonly mas_eficiente_id: number | null;
  readonly w: number;
  readonly avisos: readonly object[];
  readonly actual: { readonly cost: Amounts } | null;
  readonly conflicto: {
    readonly euros_cliente_por_euro_comision: number | null;
    readonly mas_eficiente: Amounts;
    readonly mas_comision: Amounts;
  } | null;
  readonly umbrales: readonly { w_desde: number; w_hasta: number; offer_id: number }[] | null;
  readonly results: readonly ({
    readonly offer: { readonly id: number };
    readonly indexada: { readonly ponderado?: boolean } | null;
    readonly cost: Amounts;
    readonly commission: Amounts | null;
    readonly en_frontera: boolean | null;
    readonly ahorro: { readonly eur: number; readonly porcentaje: number | null } | null;
  } & { readonly [Figure in 'nota' | 'nota_precio' | Hidden]: number | null })[];
}

type Hidden = 'nota_comision' | 'coste_extra' | 'comision_extra' | 'comision_eur_mwh';

/** The second program: exact fractions, the words of the wire, no code of the engine. */
const oracle: {
  readonly expectedFor: (given: Wire) => { readonly status: number; readonly body: Answer };
  readonly roundingRisks: (given: Wire) => readonly string[];
} = await import(new URL('../../../../test-fixtures/vectors/oracle/oracle.mjs', import.meta.url).href);

/** Six decimals and everyday size: what an exact fraction and a double can agree on to a millionth. */
function everyday(value: number, most = 1): number {
  return Math.round(Math.min(value, most) * 1e6) / 1e6;
}

function keyed(prefix: string, values: PerPeriod<number | null>): Wire {
  return Object.fromEntries(values.map((value, i) => [`${prefix}${i + 1}`, value]));
}

function named(prefix: string, flags: Readonly<Record<string, boolean>>): Wire {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [`${prefix}${name}`, flag]));
}

function tiersToWire(tiers: readonly AnyTier[], kind: string) {
  return tiers.map(({ from, to, value, type }) => ({
    [`${kind}_from`]: from,
    [`${kind}_to`]: to,
    commission: value,
    commission_type: type,
  }));
}

function toWire({ offer, months }: OfferWithHistory): Wire {
  const common = {
    offer_name: offer.offerName,
    supply_type: offer.supplyType,
    tariff_type: offer.tariffType,
    is_indexed: offer.isIndexed,
    services_cost: offer.servicesEurPerMonth,
    ...named('territory_', offer.territories),
    acepta_dni: offer.accepts.dni,
    acepta_cif: offer.accepts.cif,
    acepta_cdad_propietarios: offer.accepts.cdad,
    commission: offer.commissionValue,
    commission_type: offer.commissionType,
    commission_tiers: tiersToWire(offer.consumptionTiers, 'consumption'),
    indexed_prices: months.map((month) =>
      month.supplyType === 'LUZ'
        ? {
            reference_month: month.month,
            ...keyed('e', month.energyEurPerKwh),
            ...keyed('p', month.powerEurPerKwDay),
          }
        : {
            reference_month: month.month,
            gas_energy: month.gasEnergyEurPerKwh,
            gas_fixed: month.gasFixedEurPerMonth,
          },
    ),
  };
  if (offer.supplyType === 'GAS') {
    return { ...common, gas_energy: offer.gasEnergyEurPerKwh, gas_fixed: offer.gasFixedEurPerMonth };
  }
  return {
    ...common,
    ...keyed('e', offer.energyEurPerKwh),
    ...keyed('p', offer.powerEurPerKwDay),
    ssaa_included: offer.ssaaIncluded,
    fee_power: offer.feePowerEurPerMwh,
    placas_solares: offer.hasSolarPanels,
    precio_excedentes: offer.surplusEurPerKwh,
    commission_power_tiers: tiersToWire(offer.powerTiers, 'power'),
  };
}

const NUMBERED = new Set(['value', 'commissionValue', 'servicesEurPerMonth', 'gasFixedEurPerMonth']);

/** Every number of an offer made everyday; ids become 1 to n, as the oracle numbers offers. */
function tamed<T>(value: T, key?: string): T;
function tamed(value: unknown, key = ''): unknown {
  if (typeof value === 'number') return value < 0 ? 0 - everyday(-value) : everyday(value, capOf(key));
  if (Array.isArray(value)) return value.map((part) => tamed(part, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, tamed(part, name)]));
}

function capOf(key: string): number {
  if (key === 'from' || key === 'to') return 1e6;
  return NUMBERED.has(key) ? 300 : 1;
}

interface Question {
  readonly entries: readonly OfferWithHistory[];
  readonly request: RankingRequest;
  readonly given: Wire;
}

const KWH = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 200_000 }).map((n) => n / 10),
);
const KW = fc.oneof(
  fc.constant(0),
  fc.constantFrom(3.45, 4.6, 10, 15.001),
  fc.integer({ min: 1, max: 500 }).map((n) => n / 10),
);
const SIX = (value: Arbitrary<number>) => fc.tuple(value, value, value, value, value, value);
const FEE = fc.option(
  fc.integer({ min: 10, max: 300 }).map((n) => n / 10),
  { nil: undefined },
);

const MES = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined });
const DAYS = fc.integer({ min: 1, max: 91 });
const PARTS = { minLength: 1, maxLength: 12 };

const drawnOf = (supplyType: SupplyType) =>
  fc.record({
    universe: arbitraryUniverse({ supplyType, maxLength: 14 }),
    energy: SIX(KWH),
    power: SIX(KW),
    exported: fc.option(KWH, { nil: undefined }),
    dias: fc.option(fc.integer({ min: 1, max: 1100 }), { nil: undefined }),
    meses: fc.option(fc.integer({ min: 1, max: 36 }), { nil: undefined }),
    mes: fc.option(arbitraryMonth(), { nil: undefined, freq: 2 }),
    feeEnergy: FEE,
    feePower: FEE,
    weight: fc.nat({ max: 100 }).map((n) => n / 100),
    tolerance: fc.option(fc.constantFrom(0, 0.5, 1, 3.25, 100), { nil: undefined, freq: 2 }),
    // The price of everything that is paid today, or the whole.
    contract: fc.option(fc.tuple(fc.constantFrom(0.12, 0.05, -0.02), fc.constantFrom(undefined, 0, 850.5)), {
      nil: undefined,
      freq: 2,
    }),
    sees: fc.boolean(),
    // Half of the questions are asked by parts.
    parts: fc.option(fc.array(fc.record({ mes: MES, dias: DAYS, energy: SIX(KWH), exported: KWH }), PARTS), {
      nil: undefined,
      freq: 2,
    }),
  });

const QUESTION = fc
  .constantFrom<SupplyType>('LUZ', 'GAS')
  .chain((supplyType) => drawnOf(supplyType).map(questionOf(supplyType)));

type Drawn = ReturnType<typeof drawnOf> extends Arbitrary<infer T> ? T : never;
type Part = NonNullable<Drawn['parts']>[number];

/** A question asked by parts, as the wire and as core have it. */
function askedByParts(parts: readonly Part[], { given, request, entries }: Question): Question {
  const isLuz = request.customer.supplyType === 'LUZ';
  const {
    dias: _,
    meses: __,
    mes: ___,
    energia: ____,
    consumo_gas: _____,
    excedentes: ______,
    ...rest
  } = bodyOf(given);
  const perfil = parts.map(({ mes, dias, energy, exported }) => ({
    ...(mes === undefined ? {} : { mes }),
    dias,
    ...(isLuz ? { energia: keyed('e', energy), excedentes: exported } : { consumo_gas: energy[0] + 1 }),
  }));
  const profile = parts.map(({ mes = null, dias, energy, exported }) => ({
    month: mes,
    days: dias,
    consumptionKwh: isLuz ? energy : [energy[0] + 1],
    exportedKwh: isLuz ? exported : 0,
  }));
  const customer = profiledCustomer(request.customer, profile);
  return {
    entries,
    request: { ...request, customer, period: periodOf(customer, {}), month: null },
    given: { ...given, request: { operation: 'rankOffers', body: { ...rest, perfil } } },
  };
}

function bodyOf(given: Wire): Wire {
  return (given.request as { readonly body: Wire }).body;
}

function questionOf(supplyType: SupplyType) {
  return ({
    universe,
    energy,
    power,
    exported,
    dias,
    meses,
    mes,
    feeEnergy,
    feePower,
    weight,
    tolerance,
    contract,
    sees,
    parts,
  }: Drawn): Question => {
    const entries = tamed(universe).map(({ offer, months }, i) => ({
      offer: { ...offer, id: i + 1, isActive: true },
      months,
    }));
    const isLuz = supplyType === 'LUZ';
    const body = {
      supply_type: supplyType,
      ...(isLuz ? { energia: keyed('e', energy), potencia: keyed('p', power) } : { consumo_gas: energy[0] + 1 }),
      ...(isLuz && exported !== undefined ? { excedentes: exported } : {}),
      ...(dias === undefined ? {} : { dias }),
      ...(meses === undefined ? {} : { meses }),
      ...(mes === undefined ? {} : { mes }),
      ...(feeEnergy === undefined ? {} : { fee_energia: feeEnergy }),
      ...(isLuz && feePower !== undefined ? { fee_potencia: feePower } : {}),
      ...(sees ? (tolerance === undefined ? { w: weight } : { tolerancia: tolerance }) : {}),
      ...(contract === undefined ? {} : { contrato_actual: wireContract(supplyType, ...contract) }),
      limit: 200,
    };
    const request = requestOf({
      customer: isLuz
        ? { supplyType: 'LUZ', consumptionKwh: energy, powerKw: power, exportedKwh: exported ?? 0 }
        : { supplyType: 'GAS', consumptionKwh: energy[0] + 1 },
      period: dias === undefined && meses === undefined ? YEAR : calculationPeriod({ days: dias, months: meses }),
      fees: { energyEurPerMwh: feeEnergy ?? 0, powerEurPerMwh: isLuz ? (feePower ?? 0) : 0 },
      weight,
      tolerance: tolerance ?? null,
      contract: contract === undefined ? null : presentContract(supplyType, ...contract),
      month: mes ?? null,
      seesCommissions: sees,
    });
    const caller = sees ? 'full' : 'no-commissions';
    const question = {
      entries,
      request,
      given: { offers: entries.map(toWire), caller, request: { operation: 'rankOffers', body } },
    };
    return parts ? askedByParts(parts, question) : question;
  };
}

function wireContract(supplyType: SupplyType, price: number, total: number | undefined): Wire {
  if (total !== undefined) return { coste_total: total };
  if (supplyType === 'GAS') return { gas_energy: price, gas_fixed: price };
  const each = perPeriod(() => price);
  return { ...keyed('e', each), ...keyed('p', each), services_cost: 3.5, precio_excedentes: 0.07 };
}

function presentContract(supplyType: SupplyType, price: number, total: number | undefined): PresentContract {
  if (total !== undefined) return { totalEur: total };
  if (supplyType === 'GAS') return { supplyType, gasEnergyEurPerKwh: price, gasFixedEurPerMonth: price };
  const each = perPeriod(() => price);
  const others = { servicesEurPerMonth: 3.5, surplusEurPerKwh: 0.07 };
  return { supplyType, energyEurPerKwh: each, powerEurPerKwDay: each, ...others };
}

function expectClose(actual: number | undefined | null, expected: number | undefined | null, tolerance: number): void {
  if (typeof expected !== 'number') expect(actual ?? null).toBe(expected ?? null);
  else expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(tolerance);
}

function expectSameAnswer(ranking: Ranking, answer: Answer): void {
  expect(ranking.excluded.map(({ offer, exclusion }) => [offer.id, exclusion.code])).toEqual(
    answer.excluded.map(({ offer_id, codigo }) => [offer_id, codigo]),
  );
  expect(ranking.rankedCount).toBe(answer.total);
  expect([ranking.cheapestId, ranking.bestPaidId]).toEqual([answer.mas_barata_id, answer.mas_comision_id]);
  expect(ranking.mostEfficientId).toBe(answer.mas_eficiente_id);
  expect(ranking.results.map(({ offer }) => offer.id)).toEqual(answer.results.map(({ offer }) => offer.id));
  ranking.results.forEach((result, place) => {
    const wire = answer.results[place];
    const { cost, commission } = result;
    const amounts = [cost.energyEur, cost.powerEur, cost.fixedEur, cost.surplusEur, cost.servicesEur, cost.totalEur];
    const keys = ['energia', 'potencia', 'fijo', 'excedentes', 'servicios', 'total'];
    keys.forEach((key, i) => {
      expectClose(amounts[i], wire?.cost[key], 1e-6);
    });
    const paid = [commission?.energyEur, commission?.powerEur, commission?.totalEur];
    ['energia', 'potencia', 'total'].forEach((key, i) => {
      expectClose(paid[i], wire?.commission?.[key], 1e-6);
    });
    expectClose(result.score, wire?.nota, 0.6e-4);
    expectClose(result.priceScore, wire?.nota_precio, 0.6e-4);
    expectClose(result.commissionScore, wire?.nota_comision, 0.6e-4);
    expect(result.isOnFrontier).toBe(wire?.en_frontera);
    const { ponderado } = wire?.indexada ?? {};
    if (ponderado !== undefined) expect(result.origin).toMatchObject({ isWeighted: ponderado });
  });
  expectSameAdvice(ranking, answer);
  expect(ranking.winners?.map(({ offerId }) => offerId)).toEqual(answer.umbrales?.map(({ offer_id }) => offer_id));
  ranking.winners?.forEach(({ fromWeight, toWeight }, i) => {
    expectClose(fromWeight, answer.umbrales?.[i]?.w_desde, 1e-6);
    expectClose(toWeight, answer.umbrales?.[i]?.w_hasta, 1e-6);
  });
}

/** A figure of a year, or one that is divided by MWh or by a commission: the millionth of its total is enlarged. */
function expectNear(actual: number | undefined | null, expected: number | undefined | null): void {
  if (typeof expected !== 'number') expect(actual ?? null).toBe(expected ?? null);
  else
    expect((actual ?? Number.NaN) / Math.max(1, Math.abs(expected))).toBeCloseTo(
      expected / Math.max(1, Math.abs(expected)),
      5,
    );
}

function expectSameAdvice(ranking: Ranking, answer: Answer): void {
  expectClose(ranking.weight, answer.w, 1e-9);
  expect(ranking.warnings.map(({ code, total, offerIds }) => ({ codigo: code, total, offer_ids: offerIds }))).toEqual(
    answer.avisos,
  );
  expectClose(ranking.presentCost?.totalEur, answer.actual?.cost.total, 1e-6);
  expectClose(ranking.presentCost?.surplusEur, answer.actual?.cost.excedentes, 1e-6);
  expectNear(ranking.conflict?.customerEurPerCommissionEur, answer.conflicto?.euros_cliente_por_euro_comision);
  for (const [own, wire] of [
    [ranking.conflict?.mostEfficient, answer.conflicto?.mas_eficiente],
    [ranking.conflict?.bestPaid, answer.conflicto?.mas_comision],
  ] as const) {
    expect(own?.offerId).toBe(wire?.offer_id);
    expectNear(own?.costEur, wire?.coste_extra_anual);
    expectClose(own?.commissionEur, wire?.comision_extra, 1e-6);
  }
  ranking.results.forEach(({ extraCostEur, extraCommissionEur, commissionEurPerMwh, saving }, place) => {
    const wire = answer.results[place];
    expectClose(extraCostEur, wire?.coste_extra, 1e-6);
    expectClose(extraCommissionEur, wire?.comision_extra, 1e-6);
    expectNear(commissionEurPerMwh, wire?.comision_eur_mwh);
    expectClose(saving?.eur, wire?.ahorro?.eur, 1e-6);
    expectClose(saving?.percent, wire?.ahorro?.porcentaje, 0.006);
  });
}

/** The winner of a tolerance has the most of tolerance times commission less annual cost, up to the rounding of notas. */
function expectMostGained(answer: Answer, tolerance: number, days: number): void {
  const gains = answer.results.map(({ cost, commission }) => {
    return tolerance * (commission?.total ?? 0) - ((cost.total ?? 0) * 365) / days;
  });
  const { coste_extra_anual: extra = 0 } = answer.conflicto?.mas_comision ?? {};
  const size = Math.max(1, Math.abs(extra), ...gains.map(Math.abs));
  if (gains.length > 0) expect(gains[0]).toBeGreaterThanOrEqual(Math.max(...gains) - 1e-8 * size);
}

test('A-08, A-72, A-73, A-81, A-82: the engine and exact fractions give the same ranking, part by part to a millionth', () => {
  let compared = 0;
  let ranked = 0;
  const warned = new Set<string>();
  holds(
    fc.property(QUESTION, ({ entries, request, given }) => {
      const { status, body } = oracle.expectedFor(given);
      if (status !== 200) return;
      if (oracle.roundingRisks(given).length > 0) return;
      const ranking = rankEntries(entries, request);
      const range = ranking.costRangeEur;
      // Over a range of a few millionths the last bit of a cost moves a score.
      if (range && range.max > range.min && range.max - range.min < 1e-3) return;
      expectSameAnswer(ranking, body);
      const { tolerance = null, period } = request;
      if (tolerance !== null && request.seesCommissions) expectMostGained(body, tolerance, period.days);
      for (const { code } of ranking.warnings) warned.add(code);
      compared++;
      ranked += ranking.rankedCount;
    }),
    600,
  );
  expect(compared).toBeGreaterThan(300);
  expect(ranked).toBeGreaterThan(600);
  // Those that need a filter or powers that fall have examples of their own.
  expect(warned.size).toBeGreaterThan(8);
});
