import { monthFor } from '@tarifario/core/service';
import { z } from 'zod';
import { inSchema } from '../messages/in-schema.ts';
import { WORDS } from './words.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

/**
 * The instant that a text of ISO 8601 names, in UTC and to the millisecond; `null` when it names none (2026-02-30 is
 * not a day). A time without a zone is UTC, wherever this machine stands.
 *
 * @param timeOfDay - `HH:mm:ss.sss`, in UTC: what a day without a time stands for.
 */
export function fromWireInstant(text: string, timeOfDay: string): string | null {
  const [, dayOfTime, , , , zone] = INSTANT.exec(text) ?? [];
  const day = dayOfTime ?? (DAY.test(text) ? text : null);
  if (day === null || monthFor(day) === null) return null;
  if (text === day) return `${day}T${timeOfDay}Z`;
  const instant = new Date(zone === undefined ? `${text}Z` : text).toISOString();
  // Beyond the year 9999, and before the year 0, the order of texts is not the order of time.
  return DAY.test(instant.slice(0, 10)) ? instant : null;
}

/** ISO 8601 without a zone means UTC; the format date-time always has a zone. */
const LOCAL_TIME = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?$';

/** An instant, or a day, which means the instant that `fromWireInstant` says. */
export function instantField(timeOfDay: string) {
  return z
    .string()
    .refine(
      (text) => fromWireInstant(text, timeOfDay) !== null,
      inSchema('must be an instant such as 2026-01-31T08:00:00Z'),
    )
    .transform((text) => fromWireInstant(text, timeOfDay) ?? text)
    .meta({ anyOf: [{ format: 'date-time' }, { format: 'date' }, { pattern: LOCAL_TIME }] });
}

const AS_OF = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{3})?Z)?$/;
const END_OF_DAY = '23:59:59.999';

/** An instant in UTC, or a day, which means its last millisecond. */
export const asOfField = z
  .string()
  .refine((text) => AS_OF.test(text) && fromWireInstant(text, END_OF_DAY) !== null, {
    error: inSchema('must be an instant such as 2026-01-31T08:00:00Z, or a day'),
  })
  .transform((text) => fromWireInstant(text, END_OF_DAY) ?? text)
  .meta({ type: 'string', pattern: AS_OF.source, description: WORDS.as_of });
