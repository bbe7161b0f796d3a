import {
  type FieldSection,
  fieldPartsOf,
  fieldsOf,
  type SupplyType,
  type TermsField,
  type TierHeaders,
} from '@tarifario/core/service';
import { z } from 'zod';
import { count, day, id, instant } from './answer.ts';
import { imageUrl, logoUrl } from './firm.ts';
import { TIER_KEYS } from './paths.ts';
import { asField, tierBounds, WORDS } from './words.ts';

/** Shapes of offers and their months in answers. They only describe; nothing is converted or refused by them. */

const amount = z.number();

function tierShape({ from, to, value, type }: TierHeaders, types: readonly string[]) {
  const bounds = tierBounds({ from, to }, { from: amount, to: amount.nullable() });
  return z.strictObject({ ...bounds, [value]: asField(value, amount), [type]: asField(type, z.enum(types)) });
}

function answeredField(field: TermsField): z.ZodType {
  const tierKeys = TIER_KEYS[field.name];
  switch (field.kind) {
    case 'id':
      return id;
    case 'text':
      return z.string();
    case 'note':
      return z.string().nullable();
    case 'day':
      return day.nullable();
    case 'flag':
    case 'flags':
      return field.initial === null ? z.boolean().nullable() : z.boolean();
    case 'choice':
      return z.enum(field.names);
    case 'list':
      return z.array(z.enum(field.names));
    case 'tiers':
      return tierKeys ? z.array(tierShape(tierKeys, field.types)) : z.never();
    default:
      return field.initial === null ? amount.nullable() : amount;
  }
}

/** Fields of answers; those about commissions are null for callers who may not see them. */
export function answered(fields: readonly TermsField[]): Readonly<Record<string, z.ZodType>> {
  const shapes = fields.flatMap((field) => {
    const shape = answeredField(field);
    const masked = field.section === 'commissions' && field.initial !== null ? shape.nullable() : shape;
    return fieldPartsOf(field).map(({ wire }) => [wire, asField(wire, masked)] as const);
  });
  return Object.fromEntries(shapes);
}

const ofBoth = (...sections: readonly FieldSection[]) =>
  answered(fieldsOf(...sections).filter(({ supply }) => supply === null));
const ofSupply = (supplyType: SupplyType, ...sections: readonly FieldSection[]) =>
  answered(fieldsOf(...sections).filter(({ supply }) => supply === supplyType));

export const ELECTRICITY_PRICES = ofSupply('LUZ', 'prices');
export const GAS_PRICES = ofSupply('GAS', 'prices');

export const isCatalog = z.boolean().describe('Whether it belongs to the shared catalog.');

const COMMON_FIELDS = {
  id,
  ...ofBoth('identity'),
  is_catalog: isCatalog,
  company: z.strictObject({
    id,
    name: z.string(),
    logo_url: logoUrl,
    client: z
      .strictObject({ id, name: z.string(), image_url: imageUrl })
      .nullable()
      .describe('The advisory firm of the company; null for a company of the catalog.'),
  }),
  ...ofBoth('prices', 'costs', 'options', 'commissions', 'reach'),
  created_at: instant,
  updated_at: instant,
  ...ofBoth('contract'),
};

export const supplyOf = <Supply extends SupplyType>(supply: Supply) => z.literal(supply).describe(WORDS.supply_type);

function offerFields<Supply extends SupplyType>(supplyType: Supply) {
  const own = ofSupply(supplyType, 'identity', 'prices', 'costs', 'options', 'commissions', 'reach', 'contract');
  return { ...COMMON_FIELDS, supply_type: supplyOf(supplyType), ...own };
}

const ELECTRICITY_FIELDS = offerFields('LUZ');
const GAS_FIELDS = offerFields('GAS');

/** Two shapes in the order of the supplies, under a name and under the name of each. */
export function bySupply<Electricity extends z.ZodRawShape, Gas extends z.ZodRawShape>(
  nameOf: (supply: string) => string,
  [electricity, gas]: readonly [Electricity, Gas],
) {
  return [
    z.strictObject(electricity).meta({ id: nameOf('Electricity') }),
    z.strictObject(gas).meta({ id: nameOf('Gas') }),
  ] as const;
}

const reference_month = day.describe(WORDS.reference_month);
const [electricityMonth, gasMonth] = bySupply(
  (supply) => `${supply}Month`,
  [
    { reference_month, ...ELECTRICITY_PRICES },
    { reference_month, ...GAS_PRICES },
  ],
);
export const monthShape = z.union([electricityMonth, gasMonth]).meta({ id: 'MonthlyPrices' });

export const offerShape = z
  .discriminatedUnion(
    'supply_type',
    bySupply((supply) => `${supply}Offer`, [ELECTRICITY_FIELDS, GAS_FIELDS]),
  )
  .meta({ id: 'Offer' });
const historyOf = (month: z.ZodType) => ({
  indexed_prices: z.array(month).describe('All monthly prices, oldest first.'),
  indexed_prices_total: count.describe('How many months are stored.'),
});
export const offerDetailShape = z
  .discriminatedUnion(
    'supply_type',
    bySupply(
      (supply) => `${supply}OfferDetail`,
      [
        { ...ELECTRICITY_FIELDS, ...historyOf(electricityMonth) },
        { ...GAS_FIELDS, ...historyOf(gasMonth) },
      ],
    ),
  )
  .meta({ id: 'OfferDetail' });
