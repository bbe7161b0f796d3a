import {
  type AnyTier,
  type OfferWithHistory,
  type PerPeriod,
  type PresentContract,
  perPeriod,
  type RankingRequest,
  type SupplyType,
  YEAR,
} from '@tarifario/core/service';
import { arbitraryMonth, arbitraryUniverse } from '@tarifario/core/testing';
import fc, { type Arbitrary } from 'fast-check';
import { calculationPeriod, periodOf } from '../src/ranking/customer.ts';
import { profiledCustomer } from './arbitrary-requests.ts';
import { requestOf } from './simple-offers.ts';

/** A value as the wire has it. */
export type Wire = Readonly<Record<string, unknown>>;

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

export const QUESTION = fc
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
