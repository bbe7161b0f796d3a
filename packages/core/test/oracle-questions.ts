import { arbitraryDay, arbitraryMonth, arbitraryUniverse } from '@tarifario/core/testing';
import { arbitraryHours, profiledCustomer } from '@tarifario/testkit/core/arbitrary-requests';
import { requestOf } from '@tarifario/testkit/core/simple-offers';
import fc, { type Arbitrary } from 'fast-check';
import { powerTiersOf } from '../src/engine/commission/commission.ts';
import type { AnyTier } from '../src/engine/commission/tier.ts';
import {
  FIELD_LIST,
  fieldPartsOf,
  fieldsOf,
  fieldsOfSupply,
  type TermsField,
} from '../src/engine/offers/field-parts.ts';
import type { MonthlyPrice, OfferTerms, OfferWithHistory, SupplyType } from '../src/engine/offers/offer.ts';
import { type PerPeriod, perPeriod } from '../src/engine/periods.ts';
import { type Customer, type Demand, demandOf, periodOf } from '../src/engine/price/customer.ts';
import type { PresentContract } from '../src/engine/rank/present-contract.ts';
import type { RankingRequest } from '../src/engine/rank/ranking.ts';

/** A value as the wire has it. */
export type Wire = Readonly<Record<string, unknown>>;

/** Six decimals and everyday size: what an exact fraction and a double can agree on to a millionth. */
function everyday(value: number, most = 1): number {
  return Math.round(Math.min(value, most) * 1e6) / 1e6;
}

function keyed(prefix: string, values: PerPeriod<number | null>): Wire {
  return Object.fromEntries(values.map((value, i) => [`${prefix}${i + 1}`, value]));
}

function tiersToWire(tiers: readonly AnyTier[], kind: string) {
  return tiers.map(({ from, to, value, type }) => ({
    [`${kind}_from`]: from,
    [`${kind}_to`]: to,
    commission: value,
    commission_type: type,
  }));
}

/** The values of some fields by their names on the wire. */
function valuesToWire(fields: readonly TermsField[], terms: OfferTerms | MonthlyPrice): Wire {
  const parts = fieldsOfSupply(terms.supplyType, fields).flatMap(fieldPartsOf);
  return Object.fromEntries(
    parts.map(({ field, part, wire }) => {
      const value = Reflect.get(terms, field.name);
      return [wire, part === null ? value : value[part]];
    }),
  );
}

function toWire({ offer, months }: OfferWithHistory): Wire {
  return {
    supply_type: offer.supplyType,
    ...valuesToWire(FIELD_LIST, offer),
    commission_tiers: tiersToWire(offer.consumptionTiers, 'consumption'),
    commission_power_tiers: tiersToWire(powerTiersOf(offer), 'power'),
    indexed_prices: months.map((month) => ({
      reference_month: month.month,
      ...valuesToWire(fieldsOf('prices'), month),
    })),
  };
}

const LIMITS = new Set(['minPowerKw', 'maxPowerKw', 'minAnnualKwh', 'maxAnnualKwh']);
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
  if (key === 'from' || key === 'to' || LIMITS.has(key)) return 1e6;
  if (key === 'discountMonths' || key.endsWith('Percent')) return 100;
  return NUMBERED.has(key) ? 300 : 1;
}

export interface Question {
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
const PART = { mes: MES, dias: DAYS, energy: SIX(KWH), exported: KWH };

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
    ssaa: fc.option(fc.constantFrom(0, 4.5, 200), { nil: undefined, freq: 2 }),
    seesCommissions: fc.boolean(),
    signingDay: fc.option(arbitraryDay(), { nil: undefined, freq: 2 }),
    // In half of the questions limits are near or at the figures of the customer.
    limitsOff: fc.option(fc.constantFrom(-1, -0.001, 0, 0.001, 1), { nil: undefined, freq: 2 }),
    // Half of the questions are asked by parts.
    parts: fc.option(fc.array(fc.record({ ...PART, hours: arbitraryHours() }), PARTS), {
      nil: undefined,
      freq: 2,
    }),
  });

/** The limits of an offer, moved to so much beside the figures of a customer. */
function limitsAt(offer: OfferTerms, { annualMwh, highestPowerKw }: Demand, off: number | undefined) {
  if (off === undefined) return {};
  const near = (figure: number) => Math.max(0, Math.round((figure + off) * 1e6) / 1e6);
  const moved = (limit: number | null, figure: number) => (limit === null ? null : near(figure));
  const [kw, kwh] = [highestPowerKw ?? 10, annualMwh * 1000];
  return {
    minAnnualKwh: moved(offer.minAnnualKwh, kwh),
    maxAnnualKwh: moved(offer.maxAnnualKwh, kwh),
    ...(offer.supplyType === 'LUZ' && {
      minPowerKw: moved(offer.minPowerKw, kw),
      maxPowerKw: moved(offer.maxPowerKw, kw),
    }),
  };
}

export const QUESTION = fc
  .constantFrom<SupplyType>('LUZ', 'GAS')
  .chain((supplyType) => drawnOf(supplyType).map(questionOf(supplyType)));

type Drawn = ReturnType<typeof drawnOf> extends Arbitrary<infer T> ? T : never;

function questionOf(supplyType: SupplyType) {
  return ({ universe, energy, power, exported, dias, meses, mes, parts, ...drawn }: Drawn): Question => {
    const { feeEnergy, feePower, weight, tolerance, contract, ssaa, seesCommissions, signingDay } = drawn;
    const isLuz = supplyType === 'LUZ';
    const amounts = (of: Drawn['energy'], surplus: number | undefined) =>
      isLuz ? { energia: keyed('e', of), excedentes: surplus } : { consumo_gas: of[0] + 1 };
    const body = {
      supply_type: supplyType,
      potencia: isLuz ? keyed('p', power) : undefined,
      fee_energia: feeEnergy,
      fee_potencia: isLuz ? feePower : undefined,
      ssaa_eur_mwh: isLuz ? ssaa : undefined,
      w: seesCommissions && tolerance === undefined ? weight : undefined,
      tolerancia: seesCommissions ? tolerance : undefined,
      contrato_actual: contract && wireContract(supplyType, ...contract),
      limit: 200,
      fecha_firma: signingDay,
      ...(parts
        ? {
            perfil: parts.map((part) => ({
              ...{ mes: part.mes, dias: part.dias, ...amounts(part.energy, part.exported) },
              ...(isLuz && wireHours(part)),
            })),
          }
        : { ...amounts(energy, exported), dias, meses, mes }),
    };
    const whole: Customer = isLuz
      ? { supplyType: 'LUZ', consumptionKwh: energy, powerKw: power, exportedKwh: exported ?? 0 }
      : { supplyType: 'GAS', consumptionKwh: energy[0] + 1 };
    const profile = parts?.map((part) => ({
      month: part.mes ?? null,
      days: part.dias,
      consumptionKwh: isLuz ? part.energy : [part.energy[0] + 1],
      exportedKwh: isLuz ? part.exported : 0,
      ...(isLuz && part.hours.indices && { indices: part.hours.indices }),
      ...(isLuz && part.mes !== undefined && part.hours.year !== undefined && { year: part.hours.year }),
    }));
    const customer = profile ? profiledCustomer(whole, profile) : whole;
    const request = requestOf({
      customer,
      period: periodOf(customer, profile ? {} : { days: dias, months: meses }),
      fees: { energyEurPerMwh: feeEnergy ?? 0, powerEurPerMwh: isLuz ? (feePower ?? 0) : 0 },
      ...(isLuz && ssaa !== undefined && { ssaaEurPerMwh: ssaa }),
      weight,
      tolerance: tolerance ?? null,
      contract: contract === undefined ? null : presentContract(supplyType, ...contract),
      month: profile ? null : (mes ?? null),
      seesCommissions,
      ...(signingDay !== undefined && { signingDay }),
    });
    const figures = demandOf(customer, request.period);
    const entries = tamed(universe).map(({ offer, months }, i) => ({
      offer: { ...offer, ...limitsAt(offer, figures, drawn.limitsOff), id: i + 1, isActive: true },
      months,
    }));
    const caller = seesCommissions ? 'full' : 'no-commissions';
    // As JSON, in which what is undefined is left out.
    const sent = JSON.parse(JSON.stringify({ operation: 'rankOffers', body }));
    return { entries, request, given: { offers: entries.map(toWire), caller, request: sent } };
  };
}

/** The same hours by their names on the wire. */
function wireHours({ mes, hours: { year, indices = {} } }: Pick<NonNullable<Drawn['parts']>[number], 'mes' | 'hours'>) {
  if (year === undefined) return {};
  const said = Object.entries(indices).map(([name, { differences, surplus }]) => {
    const own = differences.flatMap((value, period) => (value === null ? [] : [[`d${period + 1}`, value]]));
    return [name, { ...Object.fromEntries(own), ...(surplus !== null && { excedentes: surplus }) }];
  });
  return { indices: Object.fromEntries(said), ...(mes !== undefined && { anio: year }) };
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
