import {
  type AnyTier,
  copierOf,
  type FieldName,
  type FieldSection,
  fieldPartsOf,
  fieldsOf,
  type ListedOffer,
  type OfferDetail,
  type OfferRecord,
  recordOf,
  type SupplyType,
  shownUpdatedAt,
  type TermsField,
  type TierHeaders,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Visibility } from '../../wire/answer.ts';
import { count, day, type Frozen, id, instant } from '../../wire/answer.ts';
import { TIER_KEYS } from '../../wire/paths.ts';
import { toWireMonth } from '../../wire/prices.ts';
import { asField, tierBounds, WORDS } from '../../wire/words.ts';
import { imageUrl } from '../clients.ts';
import { logoUrl } from '../companies.ts';

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
  return { ...COMMON_FIELDS, supply_type: supplyOf(supplyType), ...own, ...sparse(supplyType) };
}

/** Only in an offer that has them, so that others are as they were. */
function sparse(supplyType: SupplyType) {
  const fields = Object.entries(ofSupply(supplyType, 'hours'));
  return Object.fromEntries(fields.map(([wire, shape]) => [wire, shape.optional()]));
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

/**
 * An offer on the wire: every key of its supply type, null when unset but for hours, and none of the other.
 *
 * @see docs/assumptions.md, A-26 and A-49
 */
export function toWireOffer({ offer, company, firm }: OfferRecord, { seesCommissions }: Visibility): WireOffer {
  const { blank, writers, visibleWriters, hours } = ANSWERS[offer.supplyType];
  const values: Readonly<Partial<Record<FieldName, unknown>>> = offer;
  const answer = blank();
  answer.id = offer.id;
  answer.supply_type = offer.supplyType;
  answer.is_catalog = company.firmId === null;
  answer.company = {
    id: company.id,
    name: company.name,
    logo_url: company.logoUrl,
    client: firm ? { id: firm.id, name: firm.name, image_url: firm.imageUrl } : null,
  };
  for (const { wire, name, write } of seesCommissions ? writers : visibleWriters) answer[wire] = write(values[name]);
  answer.created_at = offer.createdAt;
  answer.updated_at = shownUpdatedAt(offer, seesCommissions);
  for (const { wire, name } of hours) if ((values[name] ?? null) !== null) answer[wire] = values[name];
  return answer as WireOffer;
}

/** A page of offers on the wire. */
export interface WireOfferPage {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Where the filter asks for a term. */
  readonly unknownTerms?: number;
  readonly results: readonly ListedOffer[];
  /** The cursor of the next page. */
  readonly next?: string;
}

/** The page as a JSON value. */
export function toWireOffers(page: WireOfferPage, visibility: Visibility) {
  const { total, limit, offset, unknownTerms, results, next } = page;
  return {
    ...{ total, limit, offset },
    ...(unknownTerms !== undefined && { terminos_desconocidos: unknownTerms }),
    ...(next !== undefined && { next }),
    results: results.map((listed) => toWireOffer(recordOf(listed), visibility)),
  };
}

/** Its fields are those of the table, each in the form of its kind. */
type WireOffer = Frozen<z.input<typeof offerShape>> & { readonly communities: readonly string[] };

/** Functions that write a value of a field. */
interface Writer {
  readonly wire: string;
  readonly name: FieldName;
  readonly write: (value: unknown) => unknown;
}

function writersOf(field: TermsField): readonly Writer[] {
  const { name } = field;
  const tierKeys = TIER_KEYS[name];
  return fieldPartsOf(field).map(({ wire, part }) => {
    if (part !== null)
      return { wire, name, write: (value) => (value as Readonly<Record<number | string, unknown>>)[part] };
    if (field.kind !== 'tiers' || !tierKeys) return { wire, name, write: (value) => value };
    return { wire, name, write: (value) => (value as readonly AnyTier[]).map((tier) => toWireTier(tier, tierKeys)) };
  });
}

const ANSWERS = { LUZ: answerOf('LUZ'), GAS: answerOf('GAS') };

/** The fields of an answer in their order: the company follows the fields that identify the offer. */
function answerOf(supplyType: SupplyType) {
  const of = (...sections: readonly FieldSection[]) =>
    fieldsOf(...sections).filter(({ supply }) => supply === null || supply === supplyType);
  const [offerName, ...identity] = of('identity').flatMap(writersOf);
  const visible = of('prices', 'options', 'costs').flatMap(writersOf);
  const commissions = of('commissions').flatMap(writersOf);
  const reach = of('reach').flatMap(writersOf);
  const contract = of('contract').flatMap(writersOf);
  const names = offerName ? [offerName, ...identity] : identity;
  const keys = (writers: readonly Writer[]) => writers.map(({ wire }) => wire);
  const order = [
    'id',
    ...keys(names.slice(0, 1)),
    'supply_type',
    ...keys(identity),
    'is_catalog',
    'company',
    ...keys([...visible, ...commissions, ...reach]),
    'created_at',
    'updated_at',
    ...keys(contract),
  ];
  const visibleWriters = [...names, ...visible, ...reach, ...contract];
  const blank = copierOf(Object.fromEntries(order.map((key) => [key, null])));
  return { blank, visibleWriters, writers: [...visibleWriters, ...commissions], hours: of('hours').flatMap(writersOf) };
}

/** As `toWireOffer`, with the monthly history, oldest first, and its length. */
export function toWireOfferDetail({ record, months }: OfferDetail, visibility: Visibility) {
  const history = { indexed_prices: months.map(toWireMonth), indexed_prices_total: months.length };
  return { ...toWireOffer(record, visibility), ...history };
}

export function toWireTier({ from, to, value, type }: AnyTier, keys: TierHeaders) {
  return { [keys.from]: from, [keys.to]: to, [keys.value]: value, [keys.type]: type };
}
