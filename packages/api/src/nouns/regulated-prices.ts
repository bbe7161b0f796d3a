import {
  listRegulatedPrices,
  POWER_TARIFFS,
  REGULATED_UNITS,
  type RegulatedConcept,
  type RegulatedPrice,
  type SettledRate,
} from '@tarifario/core/service';
import { z } from 'zod';
import { dayField } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import { readJson } from '../read-input.ts';
import { answer, day } from '../wire/answer.ts';
import { POWER_KEYS } from '../wire/prices.ts';
import { byPeriod } from '../wire/words.ts';
import { LAW, powerOf, six, tariffField, toWireLaw, toWirePower } from './power.ts';
import { fromWireRate, fromWireSettled, operatorRate, SETTLED } from './taxes.ts';

/** The query of regulated prices. */
const regulatedQuery = {
  fecha: dayField.describe('The day of the prices.'),
  tariff_type: tariffField.optional(),
};

const CONCEPTS = Object.keys(REGULATED_UNITS) as RegulatedConcept[];

/** The regulated prices of a day. */
export const regulatedPrices = answer(
  'RegulatedPrices',
  {
    fecha: day.describe('The day of the prices.'),
    filas: z
      .array(
        z.strictObject({
          concepto: z.enum(CONCEPTS).describe('Tolls, charges, both together, or excess by types of meters.'),
          tariff_type: tariffField,
          precios: powerOf('In `unidad`, by period.'),
          unidad: z
            .enum(Object.values(REGULATED_UNITS))
            .describe('EUR per kW and year or day; of excess by quarter-hours per kW.'),
          ...LAW,
          seguro: z.boolean().describe('Whether the text of the law was read.'),
        }),
      )
      .describe('A row for each price.'),
  },
  ({ fecha, rows }: { readonly fecha: string; readonly rows: readonly RegulatedPrice[] }) => ({
    fecha,
    filas: rows.map((row) => ({
      concepto: row.concept,
      tariff_type: row.tariff,
      precios: toWirePower(row.prices),
      unidad: REGULATED_UNITS[row.concept],
      ...toWireLaw(row),
      seguro: row.isCertain,
    })),
  }),
);

/** A row with which an operator settles days that are not known. */
const operatorPrice = z.strictObject({
  concepto: z.enum(CONCEPTS),
  tariff_type: z.enum(POWER_TARIFFS),
  precios: z.strictObject(byPeriod(POWER_KEYS, z.number(), (period) => `The price in P${period}.`)).partial(),
  ...SETTLED,
  // As `GET /v1/regulated-prices` answers them, so that its rows can be copied.
  unidad: z.enum(Object.values(REGULATED_UNITS)).optional(),
});

function fromWirePrice(row: z.output<typeof operatorPrice>): RegulatedPrice {
  return { concept: row.concepto, tariff: row.tariff_type, prices: six(row.precios), ...fromWireSettled(row) };
}

const operatorRows = z.array(z.discriminatedUnion('concepto', [operatorRate, operatorPrice]));

/**
 * The rows with which an operator settles open days, in the forms of `GET /v1/taxes` and `GET /v1/regulated-prices`: a
 * list of them, or a whole answer.
 *
 * @throws DomainError `invalid_request` for another form.
 */
export function fromWireRows(json: unknown): {
  readonly rates: readonly SettledRate[];
  readonly prices: readonly RegulatedPrice[];
} {
  const rows = readJson(operatorRows, Array.isArray(json) ? json : (Object(json).filas ?? json));
  return {
    rates: rows.flatMap((row) => ('precios' in row ? [] : [fromWireRate(row)])),
    prices: rows.flatMap((row) => ('precios' in row ? [fromWirePrice(row)] : [])),
  };
}

export const REGULATED_PRICES_OF_DAY = defineOperation({
  id: 'listRegulatedPrices',
  method: 'GET',
  path: '/v1/regulated-prices',
  summary: 'List the regulated prices of power on a day',
  description: 'Tolls, charges and excess of contracted power, each with its law. A day without any is refused.',
  anyKey: true,
  query: regulatedQuery,
  output: regulatedPrices,
  refusals: ['business_rule'],
  examples: [{ summary: 'Those of 2.0TD in 2026', query: { fecha: '2026-06-01', tariff_type: '2.0TD' } }],
  answer: async ({ deps, caller }, { firmId, query: { fecha, tariff_type: tariffType = null } }) => ({
    fecha,
    rows: await listRegulatedPrices(deps, caller, { firmId, day: fecha, tariffType }),
  }),
});
