import {
  COMMISSION_PARTS,
  COST_PARTS,
  type CostPart,
  fieldsOf,
  MAX_NAMED,
  SSAA_PART,
  WARNING_CODES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { commission, count, day, id, inBothViews, instant } from '../../wire/answer.ts';
import { avisosOf } from '../../wire/notices.ts';
import { asField, WORDS } from '../../wire/words.ts';
import { logoUrl } from '../companies.ts';
import { answered, bySupply, ELECTRICITY_PRICES, GAS_PRICES, isCatalog, supplyOf } from '../offers/offer.ts';
import { billShape, taxesShape } from '../taxes.ts';
import { byPart } from './cost.ts';
import { REASONS, RESULT_REASONS } from './reasons.ts';

/** Shapes of rankings in answers. They only describe; nothing is converted or refused by them. */

const amount = z.number();

const RANKED_OFFER_FIELDS = {
  id,
  offer_name: z.string(),
  tariff_type: asField('tariff_type', z.string()),
  is_catalog: isCatalog,
  company: z.strictObject({ id, name: z.string(), logo_url: logoUrl }),
  services_cost: asField('services_cost', amount.nullable()),
  updated_at: instant,
};

/** Absent in other offers. */
const onlyPanels = asField('placas_solares', z.literal(true).optional());

const nota = z.number().min(0).max(10);

const rankedOfferShape = z
  .discriminatedUnion(
    'supply_type',
    bySupply(
      (supply) => `Ranked${supply}Offer`,
      [
        { ...RANKED_OFFER_FIELDS, supply_type: supplyOf('LUZ'), ...ELECTRICITY_PRICES, placas_solares: onlyPanels },
        { ...RANKED_OFFER_FIELDS, supply_type: supplyOf('GAS'), ...GAS_PRICES },
      ],
    ),
  )
  .meta({ id: 'RankedOffer' });

const partOf = ({ sign }: CostPart) => (sign < 0 ? amount.max(0) : amount);
const costOf = <Part extends z.ZodType>(shapeOf: (part: CostPart) => Part) =>
  z
    .strictObject({
      ...byPart(COST_PARTS, (part) => shapeOf(part).describe(`${part.about}, in EUR over the period.`)),
      [SSAA_PART.wire]: amount.describe(`${SSAA_PART.about}, in EUR over the period.`).optional(),
      total: amount.describe('The sum, in EUR over the period: what is compared.'),
    })
    .describe('EUR over the calculation period, without taxes and without the rental of the meter.');

const ofDiscounted = (text: string) =>
  amount
    .nullable()
    .describe(`${text}, in EUR over the period; only where some ranked offer has a discount, null for one without.`)
    .optional();

/** What an offer costs and pays, and its scores. */
export const FIGURES = {
  cost: costOf(partOf),
  por_horas: z
    .strictObject({
      energia: count.describe('Entries with consumption.'),
      excedentes: count.describe('Entries with surplus.'),
    })
    .describe('How many entries of `perfil` are priced by hours; absent where none is.')
    .optional(),
  coste_sin_descuento: ofDiscounted('What cost.total is without its discount'),
  coste_segundo_anio: ofDiscounted('What cost.total is twelve months later'),
  commission: commission(
    z.strictObject({
      ...byPart(COMMISSION_PARTS, ({ about }) => amount.describe(`${about}, in EUR per contract-year.`)),
      total: amount.describe('The sum, in EUR per contract-year.'),
    }),
    'EUR per contract-year, whatever the calculation period; null without `commissions:read`.',
  ),
  nota: inBothViews(
    nota,
    'The score, 0 to 10: price and commission weighed by w.',
    'The score, 0 to 10: 10 is the cheapest offer.',
  ),
  nota_precio: nota.describe('10 is the cheapest offer.'),
  nota_comision: commission(nota, '10 is the best paid offer; null without `commissions:read`.'),
};

const comisionExtra =
  'Commission beyond that of the cheapest offer, in EUR per contract-year. Null without `commissions:read`.';

export const ADVICE = {
  coste_extra: commission(
    amount.min(0),
    'Cost beyond that of the cheapest offer, in EUR over the period. Null without `commissions:read`.',
  ),
  comision_extra: commission(amount, comisionExtra),
  comision_eur_mwh: commission(
    amount.min(0),
    'The commission by annual consumption, in EUR/MWh. Null without `commissions:read` and without consumption.',
  ),
  factura_estimada: billShape.optional(),
  coste_extra_factura: commission(
    amount.min(0),
    'The bill beyond the lowest one, in EUR over the period; only with a bill. Null without `commissions:read`.',
  ).optional(),
  ahorro: z
    .strictObject({
      eur: amount
        .nullable()
        .describe('EUR over the period, before tax; below 0 where the offer costs more. Null beside `factura_total`.'),
      eur_anual: amount.nullable().describe('The same over 365 days.'),
      porcentaje: amount.nullable().describe('Of what is paid today, with 2 decimals; null where that is 0 or less.'),
      factura: amount.nullable().describe('EUR of the bill, with taxes; only with a bill.').optional(),
      factura_porcentaje: amount.nullable().describe('Of the bill of today; only with a bill.').optional(),
    })
    .nullable()
    .describe('What the offer saves beside the present contract; null where none was sent.'),
};

/** The cost of the present contract; the parts are unknown where only its total is given. */
export const presentShape = z
  .strictObject({
    cost: costOf((part) => partOf(part).nullable())
      .nullable()
      .describe('EUR over the calculation period before tax; null beside `factura_total`.'),
    factura_estimada: billShape.nullable().describe('Its bill; null where its parts are not known.').optional(),
  })
  .nullable()
  .describe('What the present contract costs; null where none was sent.');

const EXCLUSION_CODE = z.enum([
  'fuera_de_vigencia',
  'fuera_de_limites',
  'sin_historico',
  'sin_mes',
  'sin_precio_energia',
  'sin_precio_potencia',
  'sin_precio_gas',
]);
export const presentCode = EXCLUSION_CODE.describe(
  'Only where the offer of `contrato_actual.offer_id` has no cost: why.',
).optional();

export const warningsShape = avisosOf(WARNING_CODES, {
  total: count.describe('How many offers it is about; 0 where it is about the request.'),
  offer_ids: z
    .array(id)
    .max(MAX_NAMED)
    .describe('The offers it is about, the first 50 by id; none where it is about the request.'),
  umbral_eur_mwh: amount
    .nullable()
    .describe(
      'Only of `ssaa_mezclados`: the most EUR/MWh that balancing services may cost before another offer is the cheapest; null where none would be.',
    )
    .optional(),
});

const extraShape = z.strictObject({
  offer_id: id,
  coste_extra_anual: amount.min(0).describe('Cost beyond that of the cheapest offer, in EUR of 365 days.'),
  comision_extra: amount.describe(comisionExtra),
});

/** Only of offers that the customer cannot contract, where no tariff is asked for. */
export const impossibleMark = z
  .literal(true)
  .describe('True where the customer cannot contract its access tariff, else absent; only without `tariff_type`.')
  .optional();

const companyName = z.string().describe(WORDS.company_name);
const month = day.nullable();

const rankingResultShape = z
  .strictObject({
    puesto: z.int().min(1).describe('The place among all that are ranked; only with `q`.').optional(),
    offer: rankedOfferShape,
    indexada: z
      .strictObject({
        modo: z
          .enum(['media', 'mes'])
          .describe('`media`: the mean of the last 12 months of the history; `mes`: one month.'),
        ponderado: z
          .boolean()
          .describe(
            'Whether energy was priced by the months of a profile: `precios` is their mean then, and not what each month cost.',
          ),
        meses_historico: z.int().min(1).nullable().describe('How many months were averaged.'),
        desde: month.describe('First month averaged.'),
        hasta: month.describe('Last month averaged.'),
        mes: month.describe('The month that was applied.'),
        precios: z
          .union([z.strictObject(ELECTRICITY_PRICES), z.strictObject(GAS_PRICES)])
          .describe('The prices that were applied.'),
      })
      .nullable()
      .describe('Where the prices of an indexed offer come from; null for other offers.'),
    ...FIGURES,
    is_optimal: z.boolean().describe('True for the first offer, and only for it.'),
    en_frontera: commission(
      z.boolean(),
      'No other offer is at least as cheap and as well paid, and better in one of both.',
    ),
    ...ADVICE,
    peaje_imposible: impossibleMark,
    ...RESULT_REASONS,
  })
  .meta({ id: 'RankingResult' });

/** A row of the page of a proposal without commissions. */
export const pageRowShape = z.strictObject({
  puesto: z.int().min(1).describe('The place among all ranked offers in the order of cost, then id, from 1.'),
  offer_id: id,
  offer_name: z.string(),
  company_name: companyName,
  tariff_type: asField('tariff_type', z.string()),
  cost: FIGURES.cost,
  coste_sin_descuento: FIGURES.coste_sin_descuento,
  coste_segundo_anio: FIGURES.coste_segundo_anio,
  factura_estimada: ADVICE.factura_estimada,
  ahorro: ADVICE.ahorro,
  precio_excedentes: z
    .number()
    .optional()
    .describe(
      'What the surplus of the customer is worth, EUR/kWh; absent where it is worth nothing, or paid by hours.',
    ),
  indice: z.string().optional().describe('The index by whose hours its energy was priced; absent: by none.'),
  indice_excedentes: z.string().optional().describe('The index by whose hours its surplus was paid; absent: by none.'),
  condiciones: z
    .strictObject(answered(fieldsOf('contract')))
    .partial()
    .describe('What the contract of the offer says besides prices; only what is known.')
    .optional(),
  peaje_imposible: impossibleMark,
  ssaa_incluidos: z
    .literal(true)
    .optional()
    .describe('Its prices include balancing services; absent: they do not, or it is not known.'),
});

const weight = z.number().min(0).max(1);

export const asOf = instant.describe(WORDS.as_of).optional();

/** The head of a ranking, in a portfolio too. */
export const HEAD = {
  w: inBothViews(weight, WORDS.w, 'Always 1.'),
  dias: z.int().min(1).describe(WORDS.dias),
  meses: z.number().min(0).describe(WORDS.meses),
  fecha_firma: day.describe(`${WORDS.fecha_firma} Only where it was sent.`).optional(),
};
export const excludedCount = count.describe('How many offers cannot be priced, or are not for the customer.');
export const cheapest = inBothViews(id.nullable(), 'The first offer at w = 1.', 'The cheapest offer.');
export const mostEfficient = inBothViews(id.nullable(), 'The first offer at the weight used.', 'The first offer.');

/** The members about bills: only where they were asked for. */
export const BILLED = {
  mas_barata_factura_id: id.nullable().describe('The offer with the lowest bill; only with a bill.').optional(),
  impuestos: taxesShape.optional(),
};

/** An offer by its names alone. */
export const OFFER_NAMES = { offer_id: id, offer_name: z.string(), company_name: companyName, is_catalog: isCatalog };

export const rankingShape = z
  .strictObject({
    as_of: asOf,
    ...HEAD,
    total: count.describe('How many offers were ranked, of which the results show the first.'),
    excluded_count: excludedCount,
    encontradas: count
      .describe('How many of the ranked ones have the words of `q`; only where it was sent.')
      .optional(),
    excluded: z
      .array(
        z.strictObject({
          ...OFFER_NAMES,
          motivo: z.string().describe('The reason, in Spanish.'),
          codigo: EXCLUSION_CODE.describe('The reason, for machines.'),
          limite: z
            .strictObject({
              campo: z.string().describe('The field of the offer.'),
              valor: amount.min(0).describe('Its value, kW or kWh a year; it is within.'),
            })
            .describe('Only of `fuera_de_limites`: the first limit that excludes the customer.')
            .optional(),
        }),
      )
      .describe('Offers that cannot be priced, or are not for the customer, by id, at most 200.'),
    mas_barata_id: cheapest,
    mas_comision_id: commission(id, 'The first offer at w = 0; null without `commissions:read`.'),
    mas_eficiente_id: mostEfficient,
    ...BILLED,
    escala: z
      .strictObject({
        coste_min: amount.nullable().describe('Lowest cost ranked, in EUR over the period.'),
        coste_max: amount.nullable().describe('Highest cost ranked, in EUR over the period.'),
        comision_min: commission(amount, 'Lowest commission ranked, in EUR per contract-year.'),
        comision_max: commission(amount, 'Highest commission ranked, in EUR per contract-year.'),
      })
      .describe('The extremes that the scores are relative to.'),
    umbrales: commission(
      z.array(
        z.strictObject({
          w_desde: weight.describe('Weight from which it wins, included.'),
          w_hasta: weight.describe('Weight up to which it wins, included.'),
          offer_id: id,
        }),
      ),
      'Which offer wins at which weight, from 0 to 1 without a gap; null without `commissions:read`.',
    ),
    avisos: warningsShape,
    actual: presentShape,
    actual_codigo: presentCode,
    conflicto: commission(
      z.strictObject({
        euros_cliente_por_euro_comision: amount
          .min(0)
          .nullable()
          .describe(
            'What the weight spends of the annual cost of the customer for one EUR of commission; null at w = 0 and where all pay the same.',
          ),
        mas_eficiente: extraShape.describe('The offer with the best nota.'),
        mas_comision: extraShape.describe('The best paid offer.'),
      }),
      'What the commission costs the customer. Null without `commissions:read` and where nothing is ranked.',
    ),
    ...REASONS,
    results: z.array(rankingResultShape),
  })
  .meta({ id: 'Ranking' });
