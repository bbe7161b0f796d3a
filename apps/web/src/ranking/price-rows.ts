import type { Translation } from '../texts/texts.ts';

/** The prices of an offer in the order in which they are shown. */
const PRICES = [
  ...['e1', 'e2', 'e3', 'e4', 'e5', 'e6'].map((field) => ({ field, text: 'priceEnergy', unit: '€/kWh' }) as const),
  ...['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map((field) => ({ field, text: 'pricePower', unit: '€/kW·d' }) as const),
  { field: 'gas_energy', text: 'priceEnergy', unit: '€/kWh' },
  { field: 'gas_fixed', text: 'gasFixed', unit: 'eurPerMonth' },
  { field: 'services_cost', text: 'services', unit: 'eurPerMonth' },
  { field: 'precio_excedentes', text: 'priceSurplus', unit: '€/kWh' },
] as const;

/** The prices that at least one of some offers has, each with one number or `null` for each offer. */
export function priceRows(offers: readonly (object | undefined)[], { say }: Translation) {
  const known = offers.map((offer) => new Map<string, unknown>(Object.entries(offer ?? {})));
  return PRICES.flatMap(({ field, text, unit }) => {
    const prices = known.map((offer) => {
      const price = offer.get(field);
      return typeof price === 'number' ? price : null;
    });
    if (prices.every((price) => price === null)) return [];
    const period = /^[ep]\d$/.test(field) ? ` P${field[1]}` : '';
    // A price of a kWh has as many decimals as others beside it.
    const least = unit === 'eurPerMonth' ? 2 : 4;
    return [{ name: say(text) + period, unit: unit === 'eurPerMonth' ? say(unit) : unit, least, prices }];
  });
}
