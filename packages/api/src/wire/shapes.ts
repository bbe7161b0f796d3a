import {
  CONSUMPTION_COMMISSION_TYPES,
  type CostPart,
  type FieldSection,
  fieldPartsOf,
  fieldsOf,
  MAX_NAMED,
  POWER_COMMISSION_TYPES,
  REFUSAL_CODES,
  type SupplyType,
  type TermsField,
  TIER_HEADERS,
  type TierHeaders,
  WARNING_CODES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { byCostPart } from './cost.ts';
import { TIER_KEYS } from './paths.ts';

/** Shapes of answers. They only describe; nothing is converted or refused by them. */

/** A file, not JSON. */
export const fileShape = z.string().meta({ format: 'binary' });

const id = z.int().min(1);
const amount = z.number();
const instant = z.iso.datetime({ precision: 3 });
const month = z.iso.date();

const consumptionType = z.enum(CONSUMPTION_COMMISSION_TYPES);
const powerType = z.enum(POWER_COMMISSION_TYPES);

function tierShape({ from, to, value, type }: TierHeaders, types: readonly string[]) {
  return z.strictObject({ [from]: amount, [to]: amount.nullable(), [value]: amount, [type]: z.enum(types) });
}

function answeredField(field: TermsField): z.ZodType {
  const tierKeys = TIER_KEYS[field.name];
  switch (field.kind) {
    case 'id':
      return id;
    case 'text':
      return z.string();
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
function answered(fields: readonly TermsField[]): Readonly<Record<string, z.ZodType>> {
  const shapes = fields.flatMap((field) => {
    const shape = answeredField(field);
    const masked = field.section === 'commissions' && field.initial !== null ? shape.nullable() : shape;
    return fieldPartsOf(field).map(({ wire }) => [wire, masked] as const);
  });
  return Object.fromEntries(shapes);
}

const ofBoth = (...sections: readonly FieldSection[]) =>
  answered(fieldsOf(...sections).filter(({ supply }) => supply === null));
const ofSupply = (supplyType: SupplyType, ...sections: readonly FieldSection[]) =>
  answered(fieldsOf(...sections).filter(({ supply }) => supply === supplyType));

const ELECTRICITY_PRICES = ofSupply('LUZ', 'prices');
const GAS_PRICES = ofSupply('GAS', 'prices');

const COMMON_FIELDS = {
  id,
  ...ofBoth('identity'),
  is_catalog: z.boolean(),
  company: z.strictObject({
    id,
    name: z.string(),
    logo_url: z.string().nullable(),
    client: z.strictObject({ id, name: z.string(), image_url: z.string().nullable() }).nullable(),
  }),
  ...ofBoth('prices', 'costs', 'options', 'commissions', 'reach'),
  created_at: instant,
  updated_at: instant,
};

function offerFields<Supply extends SupplyType>(supplyType: Supply) {
  const own = ofSupply(supplyType, 'identity', 'prices', 'costs', 'options', 'commissions', 'reach');
  return { ...COMMON_FIELDS, supply_type: z.literal(supplyType), ...own };
}

const ELECTRICITY_FIELDS = offerFields('LUZ');
const GAS_FIELDS = offerFields('GAS');

const electricityMonth = z.strictObject({ reference_month: month, ...ELECTRICITY_PRICES });
const gasMonth = z.strictObject({ reference_month: month, ...GAS_PRICES });
export const monthShape = z.union([electricityMonth, gasMonth]);

export const offerShape = z.discriminatedUnion('supply_type', [
  z.strictObject(ELECTRICITY_FIELDS),
  z.strictObject(GAS_FIELDS),
]);
const count = z.int().min(0);
export const offerDetailShape = z.discriminatedUnion('supply_type', [
  z.strictObject({ ...ELECTRICITY_FIELDS, indexed_prices: z.array(electricityMonth), indexed_prices_total: count }),
  z.strictObject({ ...GAS_FIELDS, indexed_prices: z.array(gasMonth), indexed_prices_total: count }),
]);

export const offerEventShape = z.strictObject({
  changed_at: instant,
  key_id: id.nullable(),
  fields: z.array(z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() })),
});

const commissionShape = (type: z.ZodType, { from, to }: TierHeaders) =>
  z.strictObject({
    value: amount,
    commission_type: type,
    matched_tier: z.strictObject({ [from]: amount, [to]: amount.nullable() }).nullable(),
  });
const COMMISSIONS = {
  consumption_commission: commissionShape(consumptionType, TIER_HEADERS.tramos_consumo),
  power_commission: commissionShape(powerType.nullable(), TIER_HEADERS.tramos_potencia),
};

export const calculationShape = z.strictObject({
  offer_id: id,
  consumption_mwh: amount,
  power_kw: amount.nullable(),
  ...COMMISSIONS,
});

export const recommendationShape = z.strictObject({
  offer: offerShape,
  ...COMMISSIONS,
  total_commission: amount,
});

const RANKED_OFFER_FIELDS = {
  id,
  offer_name: z.string(),
  tariff_type: z.string(),
  is_catalog: z.boolean(),
  company: z.strictObject({ id, name: z.string(), logo_url: z.string().nullable() }),
  services_cost: amount.nullable(),
  updated_at: instant,
};

const nota = z.number().min(0).max(10);

export const rankedOfferShape = z.discriminatedUnion('supply_type', [
  z.strictObject({ ...RANKED_OFFER_FIELDS, supply_type: z.literal('LUZ'), ...ELECTRICITY_PRICES }),
  z.strictObject({ ...RANKED_OFFER_FIELDS, supply_type: z.literal('GAS'), ...GAS_PRICES }),
]);

/** What an offer costs and pays, and its scores. */
const partOf = ({ sign }: CostPart) => (sign < 0 ? amount.max(0) : amount);

const FIGURES = {
  cost: z.strictObject({ ...byCostPart(partOf), total: amount }),
  commission: z.strictObject({ energia: amount, potencia: amount, total: amount }).nullable(),
  nota,
  nota_precio: nota,
  nota_comision: nota.nullable(),
};

const ADVICE = {
  coste_extra: amount.min(0).nullable(),
  comision_extra: amount.nullable(),
  comision_eur_mwh: amount.min(0).nullable(),
  ahorro: z.strictObject({ eur: amount, porcentaje: amount.nullable() }).nullable(),
};

/** The cost of the present contract; the parts are unknown where only its total is given. */
const presentShape = z
  .strictObject({ cost: z.strictObject({ ...byCostPart((part) => partOf(part).nullable()), total: amount }) })
  .nullable();

const warningCode = z.enum(WARNING_CODES);

export const warningsShape = z.array(
  z.strictObject({
    codigo: warningCode,
    mensaje: z.string(),
    total: count,
    offer_ids: z.array(id).max(MAX_NAMED),
  }),
);

const extraShape = z.strictObject({ offer_id: id, coste_extra_anual: amount.min(0), comision_extra: amount });

export const rankingResultShape = z.strictObject({
  offer: rankedOfferShape,
  indexada: z
    .strictObject({
      modo: z.enum(['media', 'mes']),
      ponderado: z.boolean(),
      meses_historico: z.int().min(1).nullable(),
      desde: month.nullable(),
      hasta: month.nullable(),
      mes: month.nullable(),
      precios: z.union([z.strictObject(ELECTRICITY_PRICES), z.strictObject(GAS_PRICES)]),
    })
    .nullable(),
  ...FIGURES,
  is_optimal: z.boolean(),
  en_frontera: z.boolean().nullable(),
  ...ADVICE,
});

/** A row of the page of a proposal without commissions. */
export const pageRowShape = z.strictObject({
  puesto: z.int().min(1),
  offer_id: id,
  offer_name: z.string(),
  company_name: z.string(),
  tariff_type: z.string(),
  cost: FIGURES.cost,
  ahorro: ADVICE.ahorro,
});

const weight = z.number().min(0).max(1);

export const rankingShape = z.strictObject({
  as_of: instant.optional(),
  w: weight,
  dias: z.int().min(1),
  meses: z.number().min(0),
  total: z.int().min(0),
  excluded_count: z.int().min(0),
  excluded: z.array(
    z.strictObject({
      offer_id: id,
      offer_name: z.string(),
      company_name: z.string(),
      is_catalog: z.boolean(),
      motivo: z.string(),
      codigo: z.enum(['sin_historico', 'sin_mes', 'sin_precio_energia', 'sin_precio_potencia', 'sin_precio_gas']),
    }),
  ),
  mas_barata_id: id.nullable(),
  mas_comision_id: id.nullable(),
  mas_eficiente_id: id.nullable(),
  escala: z.strictObject({
    coste_min: amount.nullable(),
    coste_max: amount.nullable(),
    comision_min: amount.nullable(),
    comision_max: amount.nullable(),
  }),
  umbrales: z.array(z.strictObject({ w_desde: weight, w_hasta: weight, offer_id: id })).nullable(),
  avisos: warningsShape,
  actual: presentShape,
  conflicto: z
    .strictObject({
      euros_cliente_por_euro_comision: amount.min(0).nullable(),
      mas_eficiente: extraShape,
      mas_comision: extraShape,
    })
    .nullable(),
  results: z.array(rankingResultShape),
});

const ref = z.string().min(1).max(100);

export const portfolioAnswerShape = z.strictObject({
  ref,
  w: weight,
  dias: z.int().min(1),
  meses: z.number().min(0),
  total: count,
  excluded_count: count,
  mas_barata_id: id.nullable(),
  mas_eficiente_id: id.nullable(),
  avisos: z.array(warningCode),
  peajes_parecidos: z.array(z.string()).min(1).max(3).optional(),
  actual: presentShape,
  best: z
    .array(
      z.strictObject({
        offer_id: id,
        offer_name: z.string(),
        company_name: z.string(),
        is_catalog: z.boolean(),
        ...FIGURES,
        ...ADVICE,
      }),
    )
    .max(10),
});

export const portfolioRefusalShape = z.strictObject({
  ref: ref.nullable(),
  error: z.strictObject({
    code: z.enum([...REFUSAL_CODES, 'internal_error']),
    message: z.string(),
    errors: z
      .array(z.strictObject({ path: z.string(), error: z.string() }))
      .max(100)
      .optional(),
  }),
});

export const portfolioShape = z.strictObject({
  as_of: instant.optional(),
  total: z.int().min(1),
  top: z.int().min(1).max(10),
  results: z.array(z.union([portfolioAnswerShape, portfolioRefusalShape])),
});
