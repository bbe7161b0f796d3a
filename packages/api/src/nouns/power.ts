import {
  MAX_KW,
  MAX_PROFILE_ENTRIES,
  METER_TYPES,
  optimizePowerForCaller,
  type PerPeriod,
  POWER_NOTICES,
  type PowerAdvice,
  type PowerCost,
  type PowerInput,
  perPeriod,
  type RegulatedPrice,
  SENT_POWER_PRICE,
  say,
  territoryOf,
} from '@tarifario/core/service';
import { z } from 'zod';
import {
  communityField,
  dayField,
  idField,
  numberBetween,
  numberWithin,
  tariffTypeFilter,
  territoryField,
} from '../fields.ts';
import { POWER_TEXTS } from '../messages/es.ts';
import { inSchema } from '../messages/in-schema.ts';
import { defineOperation } from '../operation.ts';
import { readJson } from '../read-input.ts';
import { csvFormOf } from '../sent-form.ts';
import { answer, day } from '../wire/answer.ts';
import { avisosOf } from '../wire/notices.ts';
import { fromWirePeriods, type PeriodKey, POWER_KEYS } from '../wire/prices.ts';
import { byPeriod, IN_PERIOD } from '../wire/words.ts';
import { daysField } from './ranking/profile.ts';

// Bounds of A-02, both included.
const kw = numberBetween(0, MAX_KW);

/** Values for some periods. */
const some = <Shape extends z.ZodType>(shape: Shape, words: (period: number) => string) =>
  z.strictObject(byPeriod(POWER_KEYS, shape, words)).partial();

export const tariffField = tariffTypeFilter.describe('`2.0TD`, `3.0TD` or `6.1TD`.');

const QUESTION_FIELDS = {
  tariff_type: tariffField,
  potencia: some(kw, IN_PERIOD.contracted).describe('Power contracted today, in every period of the tariff.'),
  tipo_medida: z
    .literal(METER_TYPES)
    .describe('The type of the meter; left out: that of the highest power of today.')
    .optional(),
  fecha: dayField.describe('The day whose regulated prices apply.'),
  precios: some(numberWithin(SENT_POWER_PRICE), (period) => `Price of power in P${period}, EUR/kW and day.`)
    .describe('Prices in place of the regulated ones: one in every period.')
    .optional(),
  offer_id: idField.describe('An offer whose prices of power apply, in place of `precios`.').optional(),
  minimo: some(kw, (period) => `Least power in P${period}, kW.`)
    .describe('The least power to advise.')
    .optional(),
  margen_kw: kw.describe('kW added to every maximum; 0 when left out.').optional(),
  derechos_kw: kw.describe('The rights of extension, kW: no more is advised.').optional(),
  territory: territoryField.optional(),
  community: communityField
    .describe('Says where the supply is in place of territory, and tells Ceuta from Melilla.')
    .optional(),
};

const periodsField = z
  .array(
    z.strictObject({
      mes: z.int().min(1).max(12).describe('The month, 1 to 12; left out for a part of one.').optional(),
      dias: daysField.describe('Days of the entry; of a month all of them.'),
      maximos: some(kw, IN_PERIOD.highest).describe('Highest power: in every period that the month has.'),
    }),
  )
  .min(1)
  .max(MAX_PROFILE_ENTRIES)
  .describe('Maxima by month, as bills print them: 1 to 36.');

/** With one source of prices. */
const questionOf = <T extends z.ZodRawShape>(more: T) =>
  z.strictObject({ ...QUESTION_FIELDS, ...more }).refine(
    (sent) => {
      const { precios, offer_id } = sent as z.output<z.ZodObject<typeof QUESTION_FIELDS>>;
      return precios === undefined || offer_id === undefined;
    },
    { path: ['offer_id'], error: inSchema(say('must not be sent together with {field}', { field: 'precios' })) },
  );

const ofMaxima = questionOf({ periodos: periodsField });
const ofCurve = questionOf({});

/** A text of JSON, read by a schema. */
const questionField = z
  .string()
  .max(4000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: inSchema('must be JSON') });
      return z.NEVER;
    }
  })
  .pipe(ofCurve)
  .describe('The question as JSON, without `periodos`.');

/** A question with maxima, or a form with a curve. */
const powerBody = z.union([questionOf({ periodos: periodsField }), csvFormOf({ question: questionField })]);

type Sent = { readonly [Key in PeriodKey]?: number | undefined };

export function six(sent: Sent): PerPeriod<number | null> {
  const values = fromWirePeriods(POWER_KEYS, sent);
  return perPeriod((period) => values[period] ?? null);
}

/** The input of core, without the firm. */
function toPowerInput(body: z.output<typeof powerBody>): Omit<PowerInput, 'firmId'> {
  const sent = 'file' in body ? body.question : body;
  const { potencia, fecha, tipo_medida, precios, offer_id, minimo, margen_kw, derechos_kw, community } = sent;
  return {
    question: {
      powerKw: six(potencia),
      meterType: tipo_medida,
      day: fecha,
      pricesEurPerKwDay: precios && six(precios),
      leastKw: minimo && six(minimo),
      marginKw: margen_kw,
      rightsKw: derechos_kw,
    },
    tariffType: sent.tariff_type,
    territory: sent.territory ?? (community ? territoryOf(community) : 'peninsula'),
    community: community ?? null,
    offerId: offer_id ?? null,
    readings:
      'file' in body
        ? body.file.bytes
        : body.periodos.map(({ mes = null, dias, maximos }) => {
            const maxima = six(maximos);
            const loadsKw = perPeriod((period) => (maxima[period] == null ? null : [maxima[period]]));
            return { month: mes, days: dias, loadsKw };
          }),
  };
}

/**
 * The same of a JSON value, with the curve beside it or its maxima inside.
 *
 * @throws DomainError `invalid_request` with every finding.
 */
export function fromWirePower(json: unknown, bytes: Uint8Array | null): Omit<PowerInput, 'firmId'> {
  if (bytes === null) return toPowerInput(readJson(ofMaxima, json));
  return toPowerInput({ question: readJson(ofCurve, json), file: { name: '', bytes } });
}

/** Where issues are on the wire, by the parts of their paths in core. */
const PARTS: Readonly<Record<string, string>> = {
  powerKw: 'potencia',
  pricesEurPerKwDay: 'precios',
  leastKw: 'minimo',
  marginKw: 'margen_kw',
  rightsKw: 'derechos_kw',
  entries: 'periodos',
  loadsKw: 'maximos',
  month: 'mes',
  days: 'dias',
  day: 'fecha',
  offerId: 'offer_id',
};

/** The wire path of an issue about power: `power.entries.0.loadsKw.2` is `periodos.0.maximos.p3`. */
export function toPowerPath(path: string): string {
  const [, ...parts] = path.split('.');
  return parts
    .map((part, index) =>
      /^\d$/.test(part) && parts[index - 1] !== 'entries' ? POWER_KEYS[Number(part)] : (PARTS[part] ?? part),
    )
    .join('.');
}

const eur = z.number().describe('EUR over the days sent.');
export const powerOf = (words: string) =>
  z
    .strictObject(byPeriod(POWER_KEYS, z.number().min(0), IN_PERIOD.contracted))
    .partial({ p3: true, p4: true, p5: true, p6: true })
    .describe(words);
const costShape = z.strictObject({
  potencia: powerOf('kW by period: a `potencia` of questions to rank.'),
  fijo: eur.describe('Price of the power, EUR over the days sent.'),
  excesos: eur.describe('Excess of power, EUR over the days sent.'),
  total: eur,
});
const periodShape = z.enum(POWER_KEYS).describe('The period.');
export const LAW = {
  norma: z.string().describe('The law.'),
  url: z.string().nullable().describe('Its text.'),
  desde: day.describe('First day.'),
  hasta: day.nullable().describe('Last day; null: it holds until the law changes.'),
};

/** The right contracted power. */
export const powerAdvice = answer(
  'PowerAdvice',
  {
    actual: costShape.describe('The power of today.'),
    optima: costShape.describe('The power that costs least; of equally cheap ones the highest.'),
    cubriente: costShape.describe('The least power without excess.'),
    ahorro_anual: z.number().describe('What the optimum saves in 365 days, EUR; below 0 it costs more.'),
    detalle: z
      .array(
        z.strictObject({
          periodo: periodShape,
          potencia: z.number().describe('Contracted today, kW.'),
          optima: z.number().describe('The power that costs least, kW.'),
          fijo: eur,
          excesos: eur,
          dias_rentables: z
            .number()
            .nullable()
            .describe('A kW pays if it is used on more days of the entries; null where excess is not paid by the day.'),
          dias_del_periodo: z.int().min(0).describe('Days of the entries that have the period.'),
          maximos_por_encima: z.int().min(0).describe('Maxima above the optimum.'),
        }),
      )
      .describe('The optimum by period.'),
    excesos_hoy: z
      .array(
        z.strictObject({
          mes: z.int().min(1).max(12).nullable().describe('The month, 1 to 12; null where none was sent.'),
          periodo: periodShape,
          kw: z.number().describe('kW of the maximum above the power of today.'),
          eur: z.number().describe('What that costs, EUR.'),
        }),
      )
      .describe('What is above the power of today.'),
    periodos_sin_maximos: z
      .array(periodShape)
      .describe('Those without a maximum above 0: their power stays that of today. Absent where there are none.')
      .optional(),
    tarifas: z.array(z.strictObject(LAW)).describe('The laws whose prices were used.'),
    avisos: avisosOf(POWER_NOTICES, {}),
  },
  ({
    present,
    optimum,
    covering,
    yearlySavingEur,
    periods,
    presentExcesses,
    unmeasuredPeriods,
    rows,
    notices,
  }: PowerAdvice) => ({
    actual: toWireCost(present),
    optima: toWireCost(optimum),
    cubriente: toWireCost(covering),
    ahorro_anual: yearlySavingEur,
    detalle: periods.map((own) => ({
      periodo: keyOf(own.period),
      potencia: own.powerKw,
      optima: own.optimumKw,
      fijo: own.fixedEur,
      excesos: own.excessEur,
      dias_rentables: own.breakEvenDays,
      dias_del_periodo: own.days,
      maximos_por_encima: own.maximaAbove,
    })),
    excesos_hoy: presentExcesses.map(({ month, period, excessKw, excessEur }) => ({
      mes: month,
      periodo: keyOf(period),
      kw: excessKw,
      eur: excessEur,
    })),
    ...(unmeasuredPeriods.length > 0 && { periodos_sin_maximos: unmeasuredPeriods.map(keyOf) }),
    tarifas: [...new Map(rows.map((row) => [`${row.law} ${row.from}`, toWireLaw(row)])).values()],
    avisos: notices.map((codigo) => ({ codigo, mensaje: POWER_TEXTS[codigo] })),
  }),
);

function keyOf(period: number) {
  return POWER_KEYS[period] ?? 'p1';
}

function toWireCost({ powerKw, fixedEur, excessEur, totalEur }: PowerCost) {
  return { potencia: toWirePower(powerKw), fijo: fixedEur, excesos: excessEur, total: totalEur };
}

/** Two periods or six. */
export function toWirePower(values: readonly (number | null)[]) {
  const own = values.flatMap((value, period) => (value === null ? [] : [[keyOf(period), value] as const]));
  return Object.fromEntries(own) as Record<(typeof POWER_KEYS)[number], number>;
}

export function toWireLaw({ law, url, from, to }: RegulatedPrice) {
  return { norma: law, url, desde: from, hasta: to };
}

const MAXIMA = { p1: 31.2, p2: 33, p6: 18.4 };

export const POWER_ADVICE = defineOperation({
  id: 'optimizePower',
  method: 'POST',
  path: '/v1/power/optimize',
  summary: 'Find the right contracted power',
  description:
    'Says at which contracted power price and excess cost least, by the regulated prices of `fecha` or those of an ' +
    'offer, beside the power of today and the least one without excess. It takes maxima by month and period, as bills ' +
    'print them, or a form with the curve of a meter (`file`, a CSV) and the question (`question`, JSON without ' +
    '`periodos`). Meters of types 1 to 3, above 50 kW, pay excess by the quarter-hour and need a curve of them. ' +
    'Prices that are not known on that day are refused: none is assumed. Nothing is kept.',
  scopes: ['offers:read'],
  longRead: 'curve',
  body: powerBody,
  output: powerAdvice,
  refusals: ['not_found', 'business_rule', 'too_large'],
  mcp: 'optimize_power',
  examples: [
    {
      summary: 'A shop with 40 kW and the maxima of a month',
      body: {
        tariff_type: '3.0TD',
        potencia: { p1: 40, p2: 40, p3: 40, p4: 40, p5: 40, p6: 40 },
        fecha: '2026-06-01',
        periodos: [{ mes: 1, dias: 31, maximos: MAXIMA }],
      },
    },
  ],
  answer: async ({ deps, caller }, { firmId, body }) =>
    optimizePowerForCaller(deps, caller, { firmId, ...toPowerInput(body) }),
});
