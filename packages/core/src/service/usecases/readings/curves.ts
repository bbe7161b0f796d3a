import { type Day, dayNumber, dayOf } from '../../../engine/calendar.ts';
import {
  CURVE_NOTICES,
  type Curve,
  type CurveHour,
  type CurveTerms,
  createCurveReader,
} from '../../../engine/consumption/curve.ts';
import { DomainError } from '../../../engine/errors.ts';
import { type IndexReading, readIndex } from '../../../engine/indices/curve-prices.ts';
import type { IndexDay } from '../../../engine/indices/index-days.ts';
import { type Message, say } from '../../../engine/messages/message.ts';
import type { Caller } from '../../access/caller.ts';
import type { Reader } from '../../ports/stores.ts';
import type { Workbooks } from '../../ports/workbooks.ts';
import type { Deps } from '../requests/deps.ts';
import { resolveFirmId } from '../requests/record-access.ts';
import { readParts } from '../uploads/unreadable-files.ts';

/** A curve, and what indices say of its hours. */
export interface IndexedCurve extends Curve {
  /** By name as asked; left out: none was. */
  readonly indices?: readonly IndexReading[];
}

/** Gives the days of an index from one to another, both included. */
type DaysOf = (index: string, from: Day, to: Day) => Promise<readonly IndexDay[]>;

/** The indices that a curve is read beside. */
export interface AskedIndices {
  readonly names: readonly string[];
  readonly daysOf: DaysOf;
}

/**
 * Reads the curve of a meter by period and month. Nothing of it is stored.
 *
 * @param file - A CSV; see `createCurveReader`.
 * @param indices - `null`: none.
 * @throws DomainError `invalid_request` for a file that cannot be read, `too_large`, `unavailable`, and `business_rule`
 *   that names the row and the column of what is wrong with it; with indices also for totals by month.
 * @see docs/assumptions.md, A-80 and A-164
 */
export async function readCurve(
  { workbooks }: { readonly workbooks: Pick<Workbooks, 'read'> },
  file: Uint8Array | string,
  { indices = null, ...terms }: CurveTerms & { readonly indices?: AskedIndices | null },
): Promise<IndexedCurve> {
  const hours: CurveHour[] = [];
  const listeners = indices === null ? {} : { onHour: (hour: CurveHour) => void hours.push(hour) };
  const curve = await readParts(workbooks, createCurveReader(terms, listeners), { bytes: file, form: 'curve' });
  return indices === null ? curve : beside(curve, { ...terms, ...indices, hours });
}

async function beside(
  curve: Curve,
  { names, daysOf, hours, ...terms }: CurveTerms & AskedIndices & { readonly hours: readonly CurveHour[] },
): Promise<IndexedCurve> {
  if (curve.coverage.hours === null) throw refused('totals by month have no hours');
  const days = curve.months.map(({ year, month }) => `${year}-${String(month).padStart(2, '0')}-01`);
  // The last month ends before the next one begins; a local day begins on the day before.
  const [first, last] = [dayNumber(days[0] ?? '') ?? 0, (dayNumber(days.at(-1) ?? '') ?? 0) + 31];
  const readings: IndexReading[] = [];
  for (const index of names) {
    const prices = await daysOf(index, dayOf(first - 1), dayOf(last));
    readings.push(readIndex(curve, { community: null, ...terms, hours, days: prices, index }));
  }
  const isIncomplete = readings.some(({ months }) => months.includes(null));
  const notices = CURVE_NOTICES.filter(
    (code) => curve.notices.includes(code) || (code === 'indice_incompleto' && isIncomplete),
  );
  return { ...curve, indices: readings, notices };
}

function refused(message: Message): DomainError {
  return new DomainError('business_rule', { issues: [{ path: 'indices', message }] });
}

/** A curve that a caller reads. */
interface CurveInput {
  readonly firmId: number | null;
  readonly file: Uint8Array | string;
  readonly terms: CurveTerms;
  /** Names of indices, each once. */
  readonly indices: readonly string[];
}

/** As `readCurve`, for a caller. @throws DomainError also `foreign_firm`, and `business_rule` for an index that is not loaded. */
export async function readCurveForCaller(
  deps: Deps,
  caller: Caller,
  { firmId, file, terms, indices }: CurveInput,
): Promise<IndexedCurve> {
  await deps.store.read(async (reader) => {
    await resolveFirmId(reader, caller, firmId);
    if (indices.length > 0) await refuseUnknown(reader, indices);
  });
  if (indices.length === 0) return readCurve(deps, file, terms);
  const daysOf: DaysOf = async (index, from, to) => {
    await deps.yieldToEventLoop?.(caller.accountId);
    return deps.store.read((reader) => reader.indices.days(index, from, to));
  };
  return readCurve(deps, file, { ...terms, indices: { names: indices, daysOf } });
}

/** @throws DomainError `business_rule` that names those that are loaded. */
export async function refuseUnknown(reader: Pick<Reader, 'indices'>, indices: readonly string[]): Promise<void> {
  const loaded = (await reader.indices.list()).map(({ index }) => index);
  const unknown = indices.find((name) => !loaded.includes(name));
  if (unknown === undefined) return;
  const names = loaded.length === 0 ? '-' : loaded.join(', ');
  throw refused(say('{name} is not loaded; loaded are {names}', { name: unknown.slice(0, 40), names }));
}
