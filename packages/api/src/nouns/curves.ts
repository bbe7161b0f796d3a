import { type IndexedCurve, MEASURED_TARIFFS, readCurveForCaller } from '@tarifario/core/service';
import { z } from 'zod';
import { communityField, territoryField } from '../fields.ts';
import { CURVE_TEXTS } from '../messages/es.ts';
import { defineOperation } from '../operation.ts';
import { csvForm } from '../sent-form.ts';
import { answer } from '../wire/answer.ts';
import { noticesOf, toWireNotices } from '../wire/notices.ts';
import { ENERGY_KEYS, POWER_KEYS } from '../wire/prices.ts';
import { asField, byPeriod, IN_PERIOD, WORDS } from '../wire/words.ts';
import { hourlyField, indicesField, toWireDifferences, yearField } from './hourly.ts';

const kwh = z.number().min(0);
const periods = byPeriod(ENERGY_KEYS, kwh, IN_PERIOD.consumed);
const energy = z.strictObject(periods).partial({ e4: true, e5: true, e6: true }).describe(WORDS.energia);
const powers = byPeriod(POWER_KEYS, kwh, IN_PERIOD.highest);

const HOURS = { beginning: 'inicio', end: 'fin' } as const;

/** A curve by period and month. */
export const curve = answer(
  'Curve',
  {
    tariff_type: asField('tariff_type', z.enum(MEASURED_TARIFFS)),
    zona: territoryField,
    dias: z.int().min(1).describe('Days that the file has.'),
    energia: energy,
    excedentes: kwh.describe(WORDS.excedentes),
    perfil: z
      .array(
        z.strictObject({
          mes: z.int().min(1).max(12).describe(WORDS['perfil.mes']),
          dias: z.int().min(1).describe(WORDS['perfil.dias']),
          energia: energy,
          excedentes: kwh.describe(WORDS['perfil.excedentes']),
          anio: yearField.optional(),
          indices: hourlyField.optional(),
        }),
      )
      .describe(WORDS.perfil),
    maximos: z
      .strictObject(powers)
      .partial({ p3: true, p4: true, p5: true, p6: true })
      .nullable()
      .describe('Highest power by period, kW; null without quarter-hours, because an hour has only a mean.'),
    cobertura: z
      .strictObject({
        horas: z.number().min(0).nullable().describe('Hours that the file has; null: it has totals by month.'),
        horas_esperadas: z.int().min(1).describe('Hours of all days from the first to the last.'),
        estimadas: z.number().min(0).describe('Hours that were estimated and not metered.'),
      })
      .describe('How much of its days the curve has.'),
    lectura: z
      .strictObject({
        horas: z.enum(['inicio', 'fin']).nullable().describe('What the file names of an hour; null: it has totals.'),
        decimales: z.enum([',', '.']).nullable().describe('Its decimal mark; null: it shows none.'),
        lineas_fuera: z.int().min(0).describe('How many lines are no part of the table, such as titles and totals.'),
      })
      .describe('How the file was read, by what all of it shows.'),
    indices: z
      .array(
        z.strictObject({
          indice: z.string().describe('The name of the index.'),
          entradas: z.int().min(0).describe('How many entries of `perfil` have it.'),
          horas_sin_precio: z.number().min(0).describe('Hours of the curve without a price.'),
          efecto: z
            .number()
            .describe('EUR that these hours cost more than the plain means, in all entries that have it.'),
        }),
      )
      .describe('With `indices`: what each says of the hours.')
      .optional(),
    avisos: noticesOf(CURVE_TEXTS),
  },
  ({ tariff, territory, days, coverage, reading, notices, maximaKw, months, indices, ...whole }: IndexedCurve) => ({
    tariff_type: tariff,
    zona: territory,
    dias: days,
    energia: valuesOf(ENERGY_KEYS, whole.consumptionKwh),
    excedentes: whole.exportedKwh,
    perfil: months.map(({ month, year, days: dias, consumptionKwh, exportedKwh }, at) => ({
      mes: month,
      dias,
      energia: valuesOf(ENERGY_KEYS, consumptionKwh),
      excedentes: exportedKwh,
      ...(indices && { anio: year, indices: toWireHourly(indices, at) }),
    })),
    maximos: maximaKw && valuesOf(POWER_KEYS, maximaKw),
    cobertura: {
      horas: coverage.hours,
      horas_esperadas: coverage.expectedHours,
      estimadas: coverage.estimatedHours,
    },
    lectura: {
      horas: reading.hoursNamed && HOURS[reading.hoursNamed],
      decimales: reading.decimalMark,
      lineas_fuera: reading.linesOutside,
    },
    ...(indices && {
      indices: indices.map(({ index, months: entries, unpricedHours, effectEur }) => ({
        indice: index,
        entradas: entries.filter((one) => one !== null).length,
        horas_sin_precio: unpricedHours,
        efecto: effectEur,
      })),
    }),
    avisos: toWireNotices(notices, CURVE_TEXTS),
  }),
);

/** What the indices say of an entry; those that lack it are left out. */
function toWireHourly(indices: NonNullable<IndexedCurve['indices']>, at: number) {
  const own = indices.flatMap(({ index, months }) =>
    months[at] ? [[index, toWireDifferences(months[at])] as const] : [],
  );
  return Object.fromEntries(own);
}

/** Three periods or six of energy, two or six of power. */
function valuesOf<Key extends string>(keys: readonly Key[], values: readonly number[]) {
  return Object.fromEntries(values.map((value, index) => [keys[index], value])) as Record<Key, number>;
}

/** Characters that a model can still send: some two months by the hour. */
const MAX_TEXT = 100_000;
const csv = z
  .string()
  .max(MAX_TEXT)
  .describe(
    'The file as a text, at most 100 000 characters. Leave the column with the CUPS out, or as it is: it is neither answered nor kept.',
  );

export const CURVE_READING = defineOperation({
  id: 'readConsumption',
  method: 'POST',
  path: '/v1/consumption/periods',
  summary: 'Read the curve of a meter by period and month',
  description:
    'Reads the CSV that Datadis and distributors give to every customer, by the hour, the quarter-hour or the month: up ' +
    'to 10 MB and 40 000 rows, as `text/csv`, as a form with a part `file`, or as a short text in JSON. It answers ' +
    'kWh by period of the access tariff, and `perfil`, the same by month. Sums are those of the file; more ' +
    'than 5 % of the hours missing, an hour twice, and more than one supply point are refused. `lectura` says ' +
    'how the file was read, by what all of it shows: beginnings or ends of hours, its decimal mark, lines around it. With ' +
    '`indices` entries say how far their hours lie from the mean. Nothing is ' +
    'kept, and whose supply point it is (`CUPS`) is not answered.',
  scopes: ['offers:read'],
  longRead: 'curve',
  query: {
    tariff_type: asField('tariff_type', z.enum(MEASURED_TARIFFS)),
    territory: territoryField,
    community: communityField.describe('Needed for six periods in `ceuta_melilla`: `ceuta` or `melilla`.').optional(),
    indices: indicesField.optional(),
  },
  body: z.union([z.strictObject({ csv }), csvForm]),
  output: curve,
  refusals: ['business_rule', 'too_large'],
  mcp: 'read_curve',
  examples: [
    {
      summary: 'Totals of two months',
      query: { tariff_type: '2.0TD', territory: 'peninsula' },
      body: {
        csv: [
          'CUPS;Fecha;Valle;Llano;Punta;Energia_vertida_kWh',
          'ES0021000000000001AB0F;2026/01;110;70;90,5;0',
          'ES0021000000000001AB0F;2026/02;95;64;80;12',
        ].join('\n'),
      },
    },
  ],
  answer: ({ deps, caller }, { firmId, query, body }) => {
    const { tariff_type: tariff, territory, community = null, indices = [] } = query;
    const file = 'file' in body ? body.file.bytes : body.csv;
    return readCurveForCaller(deps, caller, { firmId, file, terms: { tariff, territory, community }, indices });
  },
});
