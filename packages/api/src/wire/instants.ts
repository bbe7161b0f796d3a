import { monthFor } from '@tarifario/core/service';

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
