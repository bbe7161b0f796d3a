import { type HourlyPrices, INDEX_NAME, MAX_INDEX_PRICE, MAX_INDICES, say, YEARS } from '@tarifario/core/service';
import { z } from 'zod';
import { numberBetween } from '../fields.ts';
import { inSchema } from '../messages/in-schema.ts';
import { byPeriod } from '../wire/words.ts';

const KEYS = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'] as const;

const NAME = INDEX_NAME.source.slice(1, -1);
const nameField = z
  .string()
  .regex(INDEX_NAME)
  .meta({ examples: ['PVPC'] });
const priceField = numberBetween(-MAX_INDEX_PRICE, MAX_INDEX_PRICE);

/** The indices to read a curve beside. */
export const indicesField = z
  .string()
  .regex(new RegExp(`^${NAME}(,${NAME}){0,${MAX_INDICES - 1}}$`))
  .refine((text) => new Set(text.split(',')).size === text.split(',').length, inSchema('must be distinct'))
  .transform((text) => text.split(','))
  .describe('Indices to compare each hour with: `PVPC,OMIE`.');

/** The year of an entry of a profile. */
export const yearField = z.int().min(YEARS.min).max(YEARS.max).describe('The year of `mes`.');

/** What indices say of the hours of an entry of a profile. */
export const hourlyField = z
  .record(
    nameField,
    z
      .strictObject({
        ...byPeriod(
          KEYS,
          priceField,
          (period) => `EUR/kWh that the hours in P${period} cost more than its plain mean.`,
        ),
        excedentes: priceField.describe('The price of surplus by its hours, EUR/kWh.'),
      })
      .partial(),
  )
  .refine(
    (indices) => Object.keys(indices).length <= MAX_INDICES,
    inSchema(say('must have at most {max} entries', { max: MAX_INDICES })),
  )
  .describe('By index, how far the hours lie from the plain mean of the month, as a curve is read.');

/** What the hours of an entry say, as it is sent. */
export function fromWireHourly(indices: z.output<typeof hourlyField>): Readonly<Record<string, HourlyPrices>> {
  const entries = Object.entries(indices).map(([name, sent]) => {
    return [name, { differences: KEYS.map((key) => sent[key] ?? null), surplus: sent.excedentes ?? null }] as const;
  });
  return Object.fromEntries(entries);
}

/** The members of an entry for one index. */
export function toWireDifferences({ differences, surplus }: HourlyPrices) {
  return {
    ...Object.fromEntries(differences.flatMap((value, period) => (value === null ? [] : [[KEYS[period], value]]))),
    ...(surplus !== null && { excedentes: surplus }),
  };
}
