import type { Issue } from '../errors.ts';
import { inWords, say } from '../messages/message.ts';
import { meantAs } from '../plausible.ts';
import { OFFER_FIELDS } from './offer-fields.ts';

// What is within the bounds, and most likely meant otherwise.

/** Above its bounds a price is refused by these. */
const { max, unit } = OFFER_FIELDS.energyEurPerKwh.bounds;
/** The fields with such a price. */
const ENERGY_PRICES = ['energyEurPerKwh', 'gasEnergyEurPerKwh', 'surplusEurPerKwh'] as const;

/** The prices of energy that are cents, with what they are in EUR. */
export function centsIn(given: object): readonly Issue[] {
  return ENERGY_PRICES.flatMap((name) => {
    const value: unknown = Reflect.get(given, name);
    const prices = Array.isArray(value)
      ? value.map((one, at) => [`${name}.${at}`, one] as const)
      : [[name, value] as const];
    return prices.flatMap(([path, price]) => {
      const meant = typeof price === 'number' && Math.abs(price) <= max ? meantAs(unit, price) : null;
      return meant
        ? [{ path, message: say('is too high for EUR/kWh: is {price} meant?', { price: meant.right }) }]
        : [];
    });
  });
}

/** @throws RangeError for the first of them. @param at - What stands before its name. */
export function checkEnergyPrices(at: string, given: object): void {
  const [issue] = centsIn(given);
  if (issue) throw new RangeError(`${at}${issue.path} ${inWords(issue.message)}`);
}

/** The names of access tariffs, as `TARIFFS` has them. */
const TARIFF = /^(?:2\.0TD|[36]\.[01]TD(?:VE)?|6\.[234]TD|RL\.(?:\d|1[01]))$/;

/** The access tariff that a text stands for which has other spaces or letters: `2.0 td`; `null`: it is one, or like none. */
export function tariffMeantBy(text: string): string | null {
  const plain = text.replaceAll(/\s/g, '').toUpperCase();
  return plain !== text && TARIFF.test(plain) ? plain : null;
}
