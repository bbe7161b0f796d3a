import {
  CONTRACT_PRICES,
  CONTRACT_TOTAL,
  type Issue,
  type NamedContract,
  type PresentContract,
  perPeriod,
  type SupplyType,
} from '@tarifario/core/service';
import { z } from 'zod';
import { idField, numberWithin } from '../../fields.ts';
import { inSchema } from '../../messages/in-schema.ts';
import { ENERGY_KEYS, fromWirePeriods, misplacedIn, POWER_KEYS } from '../../wire/prices.ts';
import { asField, asFields, WORDS } from '../../wire/words.ts';

/** What is sent of a contract, but for what has no effect on its cost. */
function namesIn({ bono_social: _bonus, es_tur: _lastResort, ...sent }: Readonly<Record<string, unknown>>) {
  return Object.keys(sent).filter((name) => sent[name] !== undefined);
}

/** The present contract of a customer: prices in the units of an offer, or the whole cost. */
export const contractField = z
  .strictObject({
    ...asFields(ENERGY_KEYS, numberWithin(CONTRACT_PRICES.energyEurPerKwh)),
    ...asFields(POWER_KEYS, numberWithin(CONTRACT_PRICES.powerEurPerKwDay)),
    gas_energy: asField('gas_energy', numberWithin(CONTRACT_PRICES.gasEnergyEurPerKwh)),
    gas_fixed: asField('gas_fixed', numberWithin(CONTRACT_PRICES.gasFixedEurPerMonth)),
    services_cost: numberWithin(CONTRACT_PRICES.servicesEurPerMonth).describe(
      'Extra services, EUR/month; left out: none.',
    ),
    precio_excedentes: numberWithin(CONTRACT_PRICES.surplusEurPerKwh).describe(
      'What exported energy is worth today, EUR/kWh; left out: nothing.',
    ),
    coste_total: numberWithin(CONTRACT_TOTAL).describe(
      'What the present contract costs in EUR over the calculation period, before tax.',
    ),
    factura_total: numberWithin(CONTRACT_TOTAL).describe(
      'What the customer pays in EUR over the calculation period, with taxes; only beside `impuestos`.',
    ),
    offer_id: idField.describe('The offer that the customer has.'),
    es_tur: z.boolean().describe('Whether it is the last-resort tariff of gas (TUR); left out: no.'),
    bono_social: z.boolean().describe('Whether the customer has the social bonus of electricity; left out: no.'),
  })
  .partial()
  .refine((sent) => sent.coste_total === undefined || namesIn(sent).length === 1, {
    error: inSchema('is either prices or coste_total'),
    path: ['coste_total'],
  })
  .refine((sent) => sent.factura_total === undefined || namesIn(sent).length === 1, {
    error: inSchema('is sent without any other member'),
    path: ['factura_total'],
  })
  .refine((sent) => sent.offer_id === undefined || namesIn({ ...sent, services_cost: undefined }).length === 1, {
    error: inSchema('is sent with no other price than services_cost'),
    path: ['offer_id'],
  })
  .describe(WORDS.contrato_actual);

type WireContract = z.output<typeof contractField>;

const OF_ELECTRICITY = [...ENERGY_KEYS, ...POWER_KEYS, 'precio_excedentes', 'bono_social'] as const;
const OF_GAS = ['gas_energy', 'gas_fixed', 'es_tur'] as const;

/** What has no meaning for the supply, by their names in the contract. */
export function misplacedInContract(sent: WireContract, supplyType: SupplyType): readonly Issue[] {
  return misplacedIn(sent, supplyType === 'GAS' ? OF_ELECTRICITY : OF_GAS, supplyType);
}

/** Prices of the other supply are ignored. */
export function fromWireContract(sent: WireContract, supplyType: SupplyType): PresentContract {
  return { ...pricesIn(sent, supplyType), ...kindOf(sent) };
}

/** The offer that is the contract; `null` where none is named. */
export function namedContract(sent: WireContract): NamedContract | null {
  const { offer_id, services_cost = null } = sent;
  return offer_id === undefined ? null : { offerId: offer_id, servicesEurPerMonth: services_cost, ...kindOf(sent) };
}

/** What warnings depend on. */
function kindOf({ bono_social, es_tur }: WireContract) {
  return { hasSocialBonus: bono_social === true, isLastResort: es_tur === true };
}

function pricesIn(sent: WireContract, supplyType: SupplyType): PresentContract {
  const { coste_total, factura_total, services_cost = null } = sent;
  if (factura_total !== undefined) return { billEur: factura_total };
  if (coste_total !== undefined) return { totalEur: coste_total };
  if (supplyType === 'GAS') {
    const { gas_energy = null, gas_fixed = null } = sent;
    const prices = { gasEnergyEurPerKwh: gas_energy, gasFixedEurPerMonth: gas_fixed };
    return { supplyType, ...prices, servicesEurPerMonth: services_cost };
  }
  const inPeriods = (keys: typeof ENERGY_KEYS | typeof POWER_KEYS) => {
    const prices = fromWirePeriods<number | undefined>(keys, sent);
    return perPeriod((period) => prices[period] ?? null);
  };
  return {
    supplyType,
    energyEurPerKwh: inPeriods(ENERGY_KEYS),
    powerEurPerKwDay: inPeriods(POWER_KEYS),
    servicesEurPerMonth: services_cost,
    surplusEurPerKwh: sent.precio_excedentes ?? null,
  };
}
