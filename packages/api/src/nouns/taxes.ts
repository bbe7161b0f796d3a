import {
  BILL_BOUNDS,
  BILL_LINES,
  type Bill,
  type BillDefinition,
  type BilledRanking,
  type BilledResult,
  hasIndustrialUse,
  listTaxes,
  type OpenRate,
  type PlacedRate,
  RATE_KINDS,
  RATE_UNITS,
  type Ranking,
  type RankingQuestion,
  type RateOption,
  type RowByDay,
  type SettledRate,
  type Taxes,
} from '@tarifario/core/service';
import { z } from 'zod';
import { dayField, numberWithin, supplyTypeField, territoryField } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, day, messageShape } from '../wire/answer.ts';
import { toWireEur, toWirePercent } from '../wire/numbers.ts';
import { byPart } from './ranking/cost.ts';

const { rental, other, rates } = BILL_BOUNDS;

/** What bills depend on. */
export const taxesField = z
  .strictObject({
    fecha: dayField.describe('The day on which the bills fall due.'),
    vivienda: z.boolean().describe('A dwelling (IGIC); default: client_type `dni`.').optional(),
    uso: z
      .enum(['general', 'industrial'])
      .describe('The use of electricity; default: `industrial` for 6.x.')
      .optional(),
    uso_gas: z.enum(['general', 'profesional']).describe('The use of gas; default `general`.').optional(),
    vulnerable_severo: z.boolean().describe('Reduced VAT at any power.').optional(),
    alquiler: z
      .union([z.enum(['monofasico', 'trifasico']), numberWithin(rental)])
      .describe('The regulated rental of the meter, or EUR a month; default 0.')
      .optional(),
    financiacion_bono: z
      .boolean()
      .describe('Whether the social bonus is billed beside the prices; default true.')
      .optional(),
    bono_en_iee: z.boolean().describe('Whether that bears electricity tax; default true.').optional(),
    otros: z
      .strictObject({
        con_iee: numberWithin(other.otherTaxedEur).describe('With electricity tax, EUR.').optional(),
        sin_iee: numberWithin(other.otherUntaxedEur).describe('Without it, EUR.').optional(),
      })
      .describe('Excess of power, reactive energy, EUR over the period.')
      .optional(),
    tipos: z
      .strictObject({
        iee: numberWithin(rates.electricityTaxPercent).describe('Electricity tax, %.').optional(),
        indirecto: numberWithin(rates.indirectPercent).describe('VAT, IGIC or IPSI, %.').optional(),
        indirecto_servicios: numberWithin(rates.servicesPercent).describe('Of services, %.').optional(),
        hidrocarburos: numberWithin(rates.hydrocarbonEurPerKwh).describe('Of gas, EUR/kWh.').optional(),
        bono_social: numberWithin(rates.socialBonusEurPerYear).describe('EUR a year.').optional(),
      })
      .describe('Rates in place of those of the law.')
      .optional(),
  })
  .describe('Asks for bills with taxes; needs territory.');

export function fromWireTaxes({ tipos, otros, ...sent }: z.output<typeof taxesField>): BillDefinition {
  return {
    day: sent.fecha,
    isDwelling: sent.vivienda,
    use: sent.uso,
    gasUse: sent.uso_gas,
    isSeverelyVulnerable: sent.vulnerable_severo,
    rental: sent.alquiler,
    paysSocialBonus: sent.financiacion_bono,
    isSocialBonusTaxed: sent.bono_en_iee,
    other: otros && { otherTaxedEur: otros.con_iee, otherUntaxedEur: otros.sin_iee },
    rates: tipos && {
      electricityTaxPercent: tipos.iee,
      indirectPercent: tipos.indirecto,
      servicesPercent: tipos.indirecto_servicios,
      hydrocarbonEurPerKwh: tipos.hidrocarburos,
      socialBonusEurPerYear: tipos.bono_social,
    },
  };
}

/** Where issues about bills are on the wire, and how their messages name fields, by the names in core. */
export const BILL_PATHS: readonly (readonly [string, string])[] = [
  ['bill', 'impuestos'],
  ['rates', 'tipos'],
  ['bill.day', 'impuestos.fecha'],
  ['bill.use', 'impuestos.uso'],
  ['bill.gasUse', 'impuestos.uso_gas'],
  ['bill.isSeverelyVulnerable', 'impuestos.vulnerable_severo'],
  ['bill.rental', 'impuestos.alquiler'],
  ['bill.paysSocialBonus', 'impuestos.financiacion_bono'],
  ['bill.isSocialBonusTaxed', 'impuestos.bono_en_iee'],
  ['bill.other.otherTaxedEur', 'impuestos.otros.con_iee'],
  ['bill.other.otherUntaxedEur', 'impuestos.otros.sin_iee'],
  ['bill.rates.electricityTaxPercent', 'impuestos.tipos.iee'],
  ['bill.rates.indirectPercent', 'impuestos.tipos.indirecto'],
  ['bill.rates.servicesPercent', 'impuestos.tipos.indirecto_servicios'],
  ['bill.rates.hydrocarbonEurPerKwh', 'impuestos.tipos.hidrocarburos'],
  ['bill.rates.socialBonusEurPerYear', 'impuestos.tipos.bono_social'],
];

/** When and by which law a row of an operator holds. */
export const SETTLED = {
  desde: dayField,
  hasta: dayField.nullable(),
  norma: z.string().min(1),
  url: z.string().nullable(),
  seguro: z.boolean(),
};

export function fromWireSettled(row: z.output<z.ZodObject<typeof SETTLED>>): RowByDay {
  return { from: row.desde, to: row.hasta, law: row.norma, url: row.url, isCertain: row.seguro };
}

const concepts = Object.keys(RATE_UNITS) as (keyof typeof RATE_UNITS)[];

/** A row of the table of rates, but for where it applies. */
const RATE_FIELDS = {
  concepto: z.enum(concepts).describe('What the rate is of.'),
  aplica: z.enum(RATE_KINDS).describe('To what it applies.'),
  unidad: z.enum(Object.values(RATE_UNITS)),
  desde: day.describe('First day.'),
  hasta: day.nullable().describe('Last day; null: it holds until the law changes.'),
  norma: z.string().describe('The law.'),
  url: z.string().nullable().describe('Its text.'),
  seguro: z.boolean().describe('Whether the text of the law was read for every day.'),
};
const { concepto, aplica, ...REST } = RATE_FIELDS;
const valor = z.number().describe('%, or EUR/MWh, EUR/kWh, EUR a month or a year.');

/** The rates of a day. */
export const taxTable = answer(
  'Taxes',
  {
    fecha: day.describe('The day.'),
    filas: z
      .array(
        z.strictObject({
          concepto,
          supply_type: supplyTypeField,
          territorio: territoryField,
          aplica,
          valor: valor.optional(),
          valores: z
            .array(z.strictObject({ valor, condicion: messageShape }))
            .min(2)
            .describe('In place of `valor`, where the rate is undecided: what it may be.')
            .optional(),
          ...REST,
          condicion: messageShape
            .nullable()
            .describe('What decides an undecided rate; null: the article says, or it is decided.'),
        }),
      )
      .describe('The rates; what is missing is not known.'),
  },
  ({ day: fecha, rows }: Taxes) => ({ fecha, filas: rows.map(toWireRow) }),
);

function toWireRow(row: PlacedRate) {
  const { concept, kind, supplyType, territory, from, to, law, url, isCertain } = row;
  return {
    ...{ concepto: concept, supply_type: supplyType, territorio: territory, aplica: kind },
    ...('values' in row ? { valores: row.values.map(toWireValue) } : { valor: row.value }),
    ...{ unidad: RATE_UNITS[concept], desde: from, hasta: to, norma: law, url, seguro: isCertain },
    condicion: 'values' in row ? row.condition : null,
  };
}

function toWireValue({ value, condition }: OpenRate['values'][number]) {
  return { valor: value, condicion: condition };
}

/** A row with which an operator settles open days. */
export const operatorRate = z.strictObject({
  concepto,
  supply_type: supplyTypeField,
  territorio: territoryField,
  aplica,
  valor: z.number(),
  ...SETTLED,
  // As `GET /v1/taxes` answers them, so that its rows can be copied.
  unidad: RATE_FIELDS.unidad.optional(),
  condicion: z.null().optional(),
});

export function fromWireRate(row: z.output<typeof operatorRate>): SettledRate {
  return {
    ...{ concept: row.concepto, kind: row.aplica, supplyTypes: [row.supply_type], territories: [row.territorio] },
    ...{ ...fromWireSettled(row), value: row.valor },
  };
}

/** The rates that bills were computed with. */
export const taxesShape = z
  .strictObject({
    fecha: day.describe('The day of the rates.'),
    tipos: z
      .array(z.strictObject({ concepto, aplica, valor, ...REST }))
      .describe('The rates of the law that were used.'),
  })
  .describe('Only where bills were asked for.');

function toWireRate({ concept, kind, value, from, to, law, url, isCertain }: SettledRate) {
  return {
    ...{ concepto: concept, aplica: kind, valor: value, unidad: RATE_UNITS[concept] },
    ...{ desde: from, hasta: to, norma: law, url, seguro: isCertain },
  };
}

const storedRates = z.object({ impuestos: taxesShape });

/** The rates that an answer names, as they hold for its question; none where it has no bill. */
export function ratesIn(answer: unknown, { request }: RankingQuestion): readonly SettledRate[] {
  const { territory, supplyType } = request.filter;
  const stored = storedRates.safeParse(answer);
  if (!stored.success || territory === null) return [];
  return stored.data.impuestos.tipos.map((row) => ({
    ...{ concept: row.concepto, kind: row.aplica, supplyTypes: [supplyType], territories: [territory] },
    ...{ from: row.desde, to: row.hasta, value: row.valor, law: row.norma, url: row.url, isCertain: row.seguro },
  }));
}

/** The members of a ranking about bills, but for those of results; none where no bill was asked for. */
export function toWireBilled({ billed, results }: Pick<Ranking, 'billed' | 'results'>) {
  if (billed === undefined) return {};
  const { day: fecha } = billed.terms;
  const tariffs = results.map(({ offer }) => offer.tariffType);
  return {
    mas_barata_factura_id: billed.cheapestId,
    impuestos: { fecha, tipos: ratesBorne(toWireRates(billed), tariffs) },
  };
}

/** All rates of the terms: with them a bill of any tariff can be computed again. */
export function toWireRates({ terms }: BilledRanking) {
  return terms.rows.map(toWireRate);
}

/** Without the least electricity tax that offers of none of some tariffs bear. @see docs/assumptions.md, A-140 */
export function ratesBorne<Row extends Pick<ReturnType<typeof toWireRate>, 'concepto' | 'aplica'>>(
  tipos: readonly Row[],
  tariffTypes: readonly string[],
): readonly Row[] {
  const least = tipos.filter(({ concepto }) => concepto === 'impuesto_electrico_minimo');
  const borne = new Set<string>(tariffTypes.map((tariff) => (hasIndustrialUse(tariff) ? 'industrial' : 'general')));
  // Of a use that the question names there is one, whatever the tariff.
  return tipos.filter((row) => least.length < 2 || !least.includes(row) || borne.has(row.aplica));
}

const eur = z.number();

export const billShape = z
  .strictObject(
    byPart(BILL_LINES, ({ sign = 1, about }) =>
      (sign < 0 ? eur.max(0) : eur).describe(`${about}, in EUR over the period.`),
    ),
  )
  .describe('The estimated bill with taxes, in whole cents; only where bills were asked for.');

/** The member of the present contract about its bill. */
export function toWirePresentBill(billed: BilledRanking | undefined) {
  return billed && { factura_estimada: billed.present && toWireLines(billed.present) };
}

export function toWireLines(bill: Bill) {
  return byPart(BILL_LINES, ({ name }) => bill[name]);
}

/** The members of a result about its bill. */
export function toWireBill(billed: BilledResult | undefined) {
  if (billed === undefined) return {};
  const { bill, extraEur } = billed;
  return {
    factura_estimada: toWireLines(bill),
    coste_extra_factura: extraEur === null ? null : toWireEur(extraEur),
  };
}

/** What is saved on the bill, beside what is saved before tax. */
export function toWireBillSaving(billed: BilledResult | undefined) {
  if (billed === undefined) return {};
  const { saving } = billed;
  return {
    factura: saving && toWireEur(saving.eur),
    factura_porcentaje: saving && saving.percent !== null ? toWirePercent(saving.percent) : null,
  };
}

/** Rates that are open, in a refusal. */
export const alternativesShape = z.array(
  z.strictObject({
    concepto: z.string(),
    aplica: z.string(),
    valores: z.array(z.strictObject({ valor, condicion: messageShape })),
  }),
);

/** What may be sent for them, in a refusal. */
export const optionsShape = z
  .array(
    z.strictObject({
      tipos: z.record(z.string(), z.number()).describe('A complete `impuestos.tipos`.'),
      condicion: messageShape.describe('When these are the rates of the law.'),
    }),
  )
  .describe('Each `impuestos.tipos` that may be sent; absent where a value is not known.');

const RATE_PATHS: ReadonlyMap<string, string> = new Map(BILL_PATHS);

export function toWireOptions(options: readonly RateOption[]) {
  return options.map(({ rates, condition }) => ({
    tipos: Object.fromEntries(
      Object.entries(rates).flatMap(([name, value]) =>
        value === undefined ? [] : [[RATE_PATHS.get(`bill.rates.${name}`)?.split('.').at(-1) ?? name, value] as const],
      ),
    ),
    condicion: condition,
  }));
}

export function toWireAlternatives(openRates: readonly OpenRate[]) {
  return openRates.map(({ concept, kind, values }) => ({
    concepto: concept,
    aplica: kind,
    valores: values.map(toWireValue),
  }));
}

export const TAXES: readonly Operation[] = [
  defineOperation({
    id: 'listTaxes',
    method: 'GET',
    path: '/v1/taxes',
    summary: 'List the rates of taxes',
    description:
      'The rates with which the bills of a day are computed, with laws and dates: taxes, the financing of the social ' +
      'bonus and the rental of meters. A rate that a law leaves open has `valores`: what it may be.',
    anyKey: true,
    query: {
      fecha: dayField.describe('The day; left out: today, in UTC.').optional(),
      territory: territoryField.optional(),
      supply_type: supplyTypeField.optional(),
    },
    output: taxTable,
    mcp: 'list_taxes',
    examples: [
      {
        summary: 'Electricity on the mainland, in a month that is undecided',
        query: { fecha: '2026-11-15', territory: 'peninsula', supply_type: 'LUZ' },
      },
    ],
    answer: ({ deps, caller }, { firmId, query }) =>
      listTaxes(deps, caller, {
        firmId,
        day: query.fecha ?? null,
        territory: query.territory ?? null,
        supplyType: query.supply_type ?? null,
      }),
  }),
];
