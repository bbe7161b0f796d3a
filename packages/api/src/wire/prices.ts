import {
  type AppliedPrices,
  type FieldName,
  fieldPartsOf,
  fieldsOf,
  fieldsOfSupply,
  type Issue,
  type MonthlyPrice,
  type Offer,
  perPeriod,
  type SupplyType,
  say,
} from '@tarifario/core/service';

export const ENERGY_KEYS = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6'] as const;
export const POWER_KEYS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'] as const;
export type PeriodKey = (typeof ENERGY_KEYS)[number] | (typeof POWER_KEYS)[number];

type SixKeys = typeof ENERGY_KEYS | typeof POWER_KEYS;

const PRICES = { LUZ: priceParts('LUZ'), GAS: priceParts('GAS') };

function priceParts(supplyType: SupplyType) {
  return fieldsOfSupply(supplyType, fieldsOf('prices')).flatMap(fieldPartsOf);
}

/** Prices of one supply type, by period or for gas: the keys of the other supply type are absent. */
export function toWirePrices(prices: AppliedPrices | MonthlyPrice | Offer): Record<string, number | null> {
  const values: Readonly<Partial<Record<FieldName, unknown>>> = prices;
  const answer: Record<string, number | null> = {};
  for (const { field, part, wire } of PRICES[prices.supplyType]) {
    const value = values[field.name] as Readonly<Record<number | string, number | null>> | number | null;
    answer[wire] = part !== null && typeof value === 'object' ? (value?.[part] ?? null) : (value as number | null);
  }
  return answer;
}

/** One month of an indexed offer. */
export function toWireMonth(price: MonthlyPrice) {
  return { reference_month: price.month, ...toWirePrices(price) };
}

/** Values sent by period, in order; a missing one is `undefined`. */
export function fromWirePeriods<T>(keys: SixKeys, sent: { readonly [Key in PeriodKey]?: T | undefined }) {
  return perPeriod<T | undefined>((index) => {
    const key = keys[index];
    return key === undefined ? undefined : sent[key];
  });
}

/** Quantities sent by period, in order; a missing one is 0. */
export function fromWireQuantities(keys: SixKeys, sent: { readonly [Key in PeriodKey]?: number | undefined } = {}) {
  return fromWirePeriods(keys, sent).map((quantity) => quantity ?? 0);
}

/** The fields of these that were sent and have no meaning for the supply: well-formed, but against the rules. */
export function misplacedIn<Field extends string>(
  sent: { readonly [Name in Field]?: unknown },
  fields: readonly Field[],
  supply: SupplyType,
): readonly (Issue & { readonly path: Field })[] {
  const message = say('is not allowed for {supply}', { supply });
  return fields.flatMap((path) => (sent[path] === undefined ? [] : [{ path, message }]));
}
