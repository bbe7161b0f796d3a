import { REVIEWED_VALUES, reviewedOf } from '../../../../test-fixtures/reviewed-fields.ts';
import { clean, type Fields, isName, type Json, type ModelOffer } from './state.ts';

// What an offer may be, on the names of the wire: written down a second time. Names,
// defaults and bounds are those that a person reviewed.

const flagsOf = (group: string) =>
  REVIEWED_VALUES.filter(({ path }) => path.startsWith(`${group}.`)).map(({ wire }) => wire);
const FLAGS = flagsOf('accepts');
const TERRITORIES = flagsOf('territories');

/** An offer of which nothing was said yet: every field that its supply has. */
function blankOf(supply: ModelOffer['supply']): Fields {
  const values = reviewedOf(supply).filter(({ section }) => section !== 'owner');
  return Object.fromEntries(values.map(({ wire, initial }) => [wire, initial as Json]));
}

export const BLANK: Readonly<Record<ModelOffer['supply'], Fields>> = { LUZ: blankOf('LUZ'), GAS: blankOf('GAS') };

const pricesOf = (supply: ModelOffer['supply']) =>
  reviewedOf(supply).flatMap(({ section, wire }) => (section === 'prices' ? [wire] : []));
export const PRICES: Readonly<Record<ModelOffer['supply'], readonly string[]>> = {
  LUZ: pricesOf('LUZ'),
  GAS: pricesOf('GAS'),
};

/** What only one supply has, and cannot be without: null says nothing of it on the other alone. */
export const NEVER_NULL = REVIEWED_VALUES.flatMap(({ supply, initial, wire }) =>
  supply !== null && initial !== null ? [wire] : [],
);

const BOUNDS = new Map(REVIEWED_VALUES.map((value) => [value.wire, value]));

/** Highest and lowest value of each number. */
function boundsOf(name: string, inMonth: boolean): readonly [number, number] | null {
  return BOUNDS.get(name)?.[inMonth ? 'monthlyBounds' : 'bounds'] ?? null;
}

export function outOfBounds(fields: Fields, { inMonth }: { readonly inMonth: boolean }): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const bounds = boundsOf(name, inMonth);
    return typeof value === 'number' && bounds && (value < bounds[0] || value > bounds[1]) ? [name] : [];
  });
}

/** Fields of the other supply that say something. */
export function misplaced(supply: ModelOffer['supply'], sent: Fields): string[] {
  return Object.entries(sent)
    .filter(([name]) => !Object.hasOwn(BLANK[supply], name))
    .filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([name]) => name);
}

type TierList = 'commission_tiers' | 'commission_power_tiers';
const QUANTITY: Readonly<Record<TierList, string>> = {
  commission_tiers: 'consumption',
  commission_power_tiers: 'power',
};
const TIER_TYPES: Readonly<Record<TierList, readonly string[]>> = {
  commission_tiers: ['fixed', 'per_mwh'],
  commission_power_tiers: ['fixed', 'per_kw'],
};

interface Tier {
  readonly from: number;
  readonly to: number;
  readonly fields: Fields;
}

/** A list of tiers with what was left out. */
export function tiersOf(list: TierList, sent: Json | undefined): readonly Tier[] {
  const quantity = QUANTITY[list];
  return (Array.isArray(sent) ? sent : []).map((tier: Fields): Tier => {
    const fields = { [`${quantity}_to`]: null, commission_type: 'fixed', ...tier };
    const to = fields[`${quantity}_to`];
    return {
      from: Number(tier[`${quantity}_from`]),
      to: typeof to === 'number' ? to : Number.POSITIVE_INFINITY,
      fields,
    };
  });
}

function wrongTiers(list: TierList, sent: Json | undefined): string[] {
  const tiers = tiersOf(list, sent).map((tier, index) => ({ ...tier, place: `${list}.${index}` }));
  const quantity = QUANTITY[list];
  const sorted = tiers.toSorted((a, b) => a.from - b.from);
  return [
    ...tiers.flatMap(({ from, to, fields, place }) => [
      ...(from < 0 ? [`${place}.${quantity}_from`] : []),
      ...(from >= to ? [`${place}.${quantity}_to`] : []),
      ...(TIER_TYPES[list].includes(String(fields.commission_type)) ? [] : [`${place}.commission_type`]),
      ...outOfBounds(fields, { inMonth: false }).map((name) => `${place}.${name}`),
    ]),
    ...sorted.flatMap(({ from, place }, index) => {
      const below = sorted[index - 1];
      return below && from < below.to ? [`${place}.${quantity}_from`] : [];
    }),
  ];
}

/** Everything that forbids to keep an offer with these fields. */
function wrongIn(fields: Fields): string[] {
  const isText = (name: string, longest: number) => (isName(String(fields[name]), longest) ? [] : [name]);
  return [
    ...isText('offer_name', 200),
    ...isText('tariff_type', 32),
    ...(fields.commission_type === 'fixed' || fields.commission_type === 'per_mwh' ? [] : ['commission_type']),
    ...outOfBounds(fields, { inMonth: false }),
    ...wrongTiers('commission_tiers', fields.commission_tiers),
    ...wrongTiers('commission_power_tiers', fields.commission_power_tiers),
    ...(typeof fields.precio_excedentes === 'number' && fields.placas_solares !== true ? ['precio_excedentes'] : []),
    ...(TERRITORIES.some((name) => fields[name] === true) ? [] : ['territory_peninsula']),
    ...(FLAGS.some((name) => fields[name] === true) ? [] : ['acepta_dni']),
  ];
}

/** An offer's fields with others over them, and every place that is wrong then. */
export function written(
  supply: ModelOffer['supply'],
  before: Fields,
  sent: Fields,
): { readonly fields: Fields; readonly wrong: readonly string[] } {
  const own = Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(BLANK[supply], name)));
  const erased = NEVER_NULL.filter((name) => own[name] === null);
  const others = Object.fromEntries(Object.entries(own).filter(([name]) => !erased.includes(name)));
  const fields = { ...before, ...others };
  return { fields: inOrder(supply, fields), wrong: [...misplaced(supply, sent), ...erased, ...wrongIn(fields)] };
}

/** The stored form of fields. */
function inOrder(supply: ModelOffer['supply'], fields: Fields): Fields {
  const sorted = (list: TierList) =>
    tiersOf(list, fields[list])
      .toSorted((a, b) => a.from - b.from)
      .map((tier) => tier.fields);
  const communities = Array.isArray(fields.communities) ? [...new Set(fields.communities)].sort() : [];
  return {
    ...fields,
    offer_name: clean(String(fields.offer_name)),
    tariff_type: clean(String(fields.tariff_type)),
    communities,
    commission_tiers: sorted('commission_tiers'),
    ...(supply === 'LUZ' ? { commission_power_tiers: sorted('commission_power_tiers') } : {}),
  };
}
