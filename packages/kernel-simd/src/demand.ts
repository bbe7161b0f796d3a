import { type Demand, type KernelTask, PERIOD_COUNT, TERM } from '@tarifario/core';
import type { Arena } from './arena.ts';
import { COLUMN_BYTES, DEMAND, DEMAND_INTEGERS, USED, USED_BYTES } from './layout.ts';

/** A column of a group and what a customer multiplies it with. */
export interface Use {
  readonly term: number;
  readonly quantity: number;
}

/** What a demand asks of the columns: those of energy, then the others; columns of nothing are left out. */
export interface Uses {
  readonly energy: readonly Use[];
  readonly rest: readonly Use[];
  readonly exportedKwh: number;
}

export function usesOf({ customer, period }: Demand): Uses {
  const services = { term: TERM.servicesPerMonth, quantity: period.months };
  if (customer.supplyType === 'GAS') {
    const energy = [{ term: TERM.energy, quantity: customer.consumptionKwh }];
    const fixed = { term: TERM.fixedPerMonth, quantity: period.months };
    return { energy, rest: [fixed, services], exportedKwh: 0 };
  }
  const energy: Use[] = [];
  const rest: Use[] = [];
  for (let i = 0; i < PERIOD_COUNT; i++) {
    const kwh = customer.consumptionKwh[i] ?? 0;
    if (kwh !== 0) energy.push({ term: TERM.energy + i, quantity: kwh });
    const kw = customer.powerKw[i] ?? 0;
    if (kw !== 0) rest.push({ term: TERM.power + i, quantity: kw * period.days });
  }
  rest.push(services);
  return { energy, rest, exportedKwh: customer.exportedKwh };
}

/** The customer as the module reads it. */
export function writeDemand(arena: Arena, { demand, neededPrices, withCommissions }: KernelTask, uses: Uses): void {
  const { floats, integers } = arena.views();
  const at = arena.fixed.demand >> 2;
  floats[at + DEMAND.exportedKwh] = uses.exportedKwh;
  floats[at + DEMAND.fees] = demand.energyFeeEur + demand.powerFeeEur;
  floats[at + DEMAND.annualMwh] = demand.annualMwh;
  floats[at + DEMAND.powerKw] = demand.highestPowerKw ?? 0;
  floats[at + DEMAND.feesPerYear] = demand.energyFeeEurPerYear + demand.powerFeeEurPerYear;
  let used = USED;
  const write = ({ term, quantity }: Use) => {
    integers[at + (used >> 2)] = term * COLUMN_BYTES;
    floats[at + (used >> 2) + 1] = quantity;
    used += USED_BYTES;
  };
  uses.energy.forEach(write);
  integers[at + DEMAND_INTEGERS.energyEnd] = used;
  uses.rest.forEach(write);
  integers[at + DEMAND_INTEGERS.usedEnd] = used;
  integers[at + DEMAND_INTEGERS.exports] = uses.exportedKwh === 0 ? 0 : 1;
  integers[at + DEMAND_INTEGERS.needed] = neededPrices;
  integers[at + DEMAND_INTEGERS.commissions] = withCommissions ? 1 : 0;
}
