import { roundHalfUp } from '../numbers.ts';
import { NO_QUANTITIES } from '../periods.ts';
import type { Demand } from './customer.ts';
import { APPLIES_BIT, type Block, ENERGY_BIT, FIXED_BIT, POWER_BIT, type PriceColumns } from './universe.ts';

/**
 * The bits of `PriceColumns.present` without which an offer cannot be priced for this customer: prices that apply at
 * all, and a price for every period in which something is consumed or contracted; for gas always both prices.
 *
 * @see docs/assumptions.md, A-10
 */
export function neededPrices({ customer }: Demand): number {
  if (customer.supplyType === 'GAS') return ENERGY_BIT | FIXED_BIT;
  const bits = (quantities: readonly number[], first: number) =>
    quantities.reduce((sum, quantity, period) => (quantity > 0 ? sum | (first << period) : sum), 0);
  return APPLIES_BIT | bits(customer.consumptionKwh, ENERGY_BIT) | bits(customer.powerKw, POWER_BIT);
}

/**
 * What every offer of a block costs the customer, EUR, rounded to 6 decimals. Rows that lack a price get a number
 * without meaning: `neededPrices` says which.
 *
 * Every row goes through the operations of `priceOffer`, in the same order, so both give the same bits; a period in
 * which nothing is consumed is left out because adding 0 changes no sum.
 */
export function blockCostsEur(block: Block, prices: PriceColumns, demand: Demand): Float64Array {
  const { customer, period } = demand;
  const electric = customer.supplyType === 'LUZ' ? customer : null;
  const rows = block.ids.length;
  const energyEur = weightedSum(prices.energy, electric?.consumptionKwh ?? [gasKwh(demand)], rows);
  const dailyEur = weightedSum(prices.power, electric?.powerKw ?? NO_QUANTITIES, rows);
  const { energyFeeEur, powerFeeEur } = demand;
  const { days, months } = period;
  const exportedKwh = electric?.exportedKwh ?? 0;
  const { fixed } = prices;
  const { servicesEurPerMonth, surplusEurPerKwh } = block;
  const costEur = energyEur;
  for (let row = 0; row < rows; row++) {
    const energy = energyEur[row] ?? 0;
    const surplus = Math.max(0, Math.min(exportedKwh * (surplusEurPerKwh[row] ?? 0), energy));
    const total =
      energy +
      energyFeeEur +
      ((dailyEur[row] ?? 0) * days + powerFeeEur) +
      (fixed[row] ?? 0) * months +
      (0 - surplus) +
      (servicesEurPerMonth[row] ?? 0) * months;
    costEur[row] = roundHalfUp(total, 6);
  }
  return costEur;
}

function gasKwh({ customer }: Demand): number {
  return customer.supplyType === 'GAS' ? customer.consumptionKwh : 0;
}

/** Quantity times price, added over the columns in order; columns without quantity are left out. */
function weightedSum(columns: readonly Float64Array[], quantities: readonly number[], rows: number): Float64Array {
  const sum = new Float64Array(rows);
  columns.forEach((column, index) => {
    const quantity = quantities[index] ?? 0;
    if (quantity === 0) return;
    for (let row = 0; row < rows; row++) sum[row] = (sum[row] ?? 0) + quantity * (column[row] ?? 0);
  });
  return sum;
}

/**
 * What every offer of a block pays per contract-year, EUR, fees included, rounded to 6 decimals: the operations of
 * `commissionOf`, in the same order.
 */
export function blockCommissionsEur(block: Block, demand: Demand): Float64Array {
  const { annualMwh, highestPowerKw, energyFeeEurPerYear, powerFeeEurPerYear } = demand;
  const consumption = block.commissions.atConsumption(annualMwh);
  const power = block.commissions.atPower(highestPowerKw);
  const powerKw = highestPowerKw ?? 0;
  const commissionEur = new Float64Array(block.ids.length);
  for (let row = 0; row < commissionEur.length; row++) {
    const energyEur = (consumption.fixed[row] ?? 0) + (consumption.perUnit[row] ?? 0) * annualMwh + energyFeeEurPerYear;
    const powerEur = (power.fixed[row] ?? 0) + (power.perUnit[row] ?? 0) * powerKw + powerFeeEurPerYear;
    commissionEur[row] = roundHalfUp(energyEur + powerEur, 6);
  }
  return commissionEur;
}
