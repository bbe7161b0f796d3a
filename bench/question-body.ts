import type { Customer } from '@tarifario/core/service';

/** The body of a request that asks what `questionFor` asks. */
export function toBody(customer: Customer): Record<string, unknown> {
  const common = {
    supply_type: customer.supplyType,
    w: 0.5,
    territory: 'peninsula',
    client_type: 'cif',
    fee_energia: 2,
  };
  if (customer.supplyType === 'GAS') return { ...common, consumo_gas: customer.consumptionKwh };
  const byPeriod = (letter: string, values: readonly number[]) =>
    Object.fromEntries(values.map((value, index) => [`${letter}${index + 1}`, value]));
  return {
    ...common,
    energia: byPeriod('e', customer.consumptionKwh),
    potencia: byPeriod('p', customer.powerKw),
    excedentes: customer.exportedKwh,
  };
}
