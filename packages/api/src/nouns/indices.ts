import {
  type IndexMonth,
  type IndexSummary,
  listIndexMonths,
  listIndices,
  MEASURED_TARIFFS,
} from '@tarifario/core/service';
import { z } from 'zod';
import { communityField, territoryField } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, day } from '../wire/answer.ts';
import { ENERGY_KEYS } from '../wire/prices.ts';
import { asField, byPeriod } from '../wire/words.ts';

const hours = z.number().min(0);
const indexName = z.string().describe('The name of the index.');
const mean = z.number().describe('EUR/kWh.').nullable();

/** The indices of the installation. */
export const indexList = answer(
  'Indices',
  {
    indices: z
      .array(
        z.strictObject({
          indice: indexName,
          desde: day.describe('The first day with a price, by the clock of the mainland.'),
          hasta: day.describe('The last one.'),
          horas: hours.describe('How many hours have prices.'),
        }),
      )
      .describe('By name.'),
  },
  (indices: readonly IndexSummary[]) => ({
    indices: indices.map((one) => ({ indice: one.index, desde: one.from, hasta: one.to, horas: one.hours })),
  }),
);

/** The plain means of an index. */
const indexMonths = answer(
  'IndexMonths',
  {
    meses: z
      .array(
        z.strictObject({
          reference_month: day.describe('The month as its first day.'),
          ...z
            .strictObject(
              byPeriod(ENERGY_KEYS, mean, (period) => `The plain mean of P${period}, EUR/kWh; null: no price.`),
            )
            .partial({ e4: true, e5: true, e6: true }).shape,
          horas: hours.describe('How many hours have prices.'),
          horas_esperadas: z.int().min(1).describe('The hours of the month.'),
        }),
      )
      .describe('The oldest first.'),
  },
  (months: readonly IndexMonth[]) => ({
    meses: months.map(({ month, means, hours: priced, expectedHours }) => ({
      reference_month: month,
      ...Object.fromEntries(means.map((value, period) => [ENERGY_KEYS[period], value])),
      horas: priced,
      horas_esperadas: expectedHours,
    })),
  }),
);

export const INDICES: readonly Operation[] = [
  defineOperation({
    id: 'listIndices',
    method: 'GET',
    path: '/v1/indices',
    summary: 'List the indices that are loaded',
    description: 'Prices of markets by the hour or quarter-hour, which the operator loads.',
    anyKey: true,
    output: indexList,
    examples: [{ summary: 'All' }],
    answer: ({ deps, caller }, { firmId }) => listIndices(deps, caller, { firmId }),
  }),
  defineOperation({
    id: 'listIndexMonths',
    method: 'GET',
    path: '/v1/indices/{indice}/months',
    summary: 'List the plain means of an index by month',
    description:
      'The plain mean of all hours of a month and period, with 6 decimals, by the clock of the territory: what a month of an ' +
      'offer that passes the index through should be.',
    scopes: ['offers:read'],
    query: {
      tariff_type: asField('tariff_type', z.enum(MEASURED_TARIFFS)),
      territory: territoryField,
      community: communityField.describe('Needed for six periods in `ceuta_melilla`: `ceuta` or `melilla`.').optional(),
    },
    output: indexMonths,
    refusals: ['business_rule'],
    examples: [
      {
        summary: 'By the periods of 2.0TD',
        params: { indice: 'PVPC' },
        query: { tariff_type: '2.0TD', territory: 'peninsula' },
      },
    ],
    answer: (
      { deps, caller },
      { firmId, path: { indice }, query: { tariff_type: tariff, territory, community = null } },
    ) => listIndexMonths(deps, caller, { firmId, index: indice, terms: { tariff, territory, community } }),
  }),
];
