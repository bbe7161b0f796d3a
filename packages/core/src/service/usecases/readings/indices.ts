import { type Day, dayNumber, dayOf } from '../../../engine/calendar.ts';
import type { CurveTerms } from '../../../engine/consumption/curve.ts';
import { DomainError } from '../../../engine/errors.ts';
import {
  createMonthMeans,
  type IndexDay,
  type IndexMonth,
  type IndexSummary,
  incompleteDays,
  indexPrices,
  mergedDays,
  pricedHours,
  spanOf,
} from '../../../engine/indices/index-days.ts';
import type { Caller } from '../../access/caller.ts';
import type { Store, Writer } from '../../ports/stores.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, resolveFirmId } from '../requests/record-access.ts';

/** What an import has done. */
export interface IndexImport extends IndexSummary {
  readonly newHours: number;
  readonly changedHours: number;
  /** Days of the span that lack an hour once it is stored. */
  readonly incompleteDays: readonly Day[];
}

/**
 * Stores the prices of some files, all or none. What a file has replaces what is there, later files earlier ones; other
 * hours stay.
 *
 * @param files - At least one, each as `createIndexFileReader` answers it.
 */
export function importIndex(
  { store, at }: { readonly store: Store; readonly at: string },
  index: string,
  files: readonly (readonly IndexDay[])[],
): Promise<IndexImport> {
  return store.write({ keyId: null, at, concerns: ['catalog'] }, (writer) => importIndexBy(writer, index, files));
}

/** The same as part of a unit of work. */
export async function importIndexBy(
  writer: Writer,
  index: string,
  files: readonly (readonly IndexDay[])[],
): Promise<IndexImport> {
  const put = files.reduce<readonly IndexDay[]>((before, next) => {
    const { days } = mergedDays(before, next);
    const replaced = new Set(days.map(({ day }) => day));
    return [...before.filter(({ day }) => !replaced.has(day)), ...days];
  }, []);
  const inOrder = put.toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const span = spanOf(inOrder);
  if (span === null) throw new DomainError('business_rule', { issues: [{ path: 'file', message: 'it has no price' }] });
  // A local day begins on the day before.
  const stored = await writer.indices.days(index, dayBefore(span.from), span.to);
  const { days, ...counts } = mergedDays(stored, inOrder);
  await writer.indices.put(days);
  const prices = indexPrices([...stored, ...days]);
  const hours = inOrder.reduce((sum, one) => sum + pricedHours(one), 0);
  return { index, ...span, hours, ...counts, incompleteDays: incompleteDays(span, prices) };
}

const dayBefore = (day: Day): Day => dayOf((dayNumber(day) ?? 0) - 1);

/** The indices of the installation. @throws DomainError `foreign_firm`. */
export function listIndices(
  { store }: Pick<Deps, 'store'>,
  caller: Caller,
  { firmId }: FirmChoice,
): Promise<readonly IndexSummary[]> {
  return store.read(async (reader) => {
    await resolveFirmId(reader, caller, firmId);
    return reader.indices.list();
  });
}

/**
 * The plain means of an index by month and period.
 *
 * @throws DomainError `foreign_firm`; `not_found` for an index that is not loaded; `business_rule` as `tariffCalendar`.
 */
export function listIndexMonths(
  { store, yieldToEventLoop }: Pick<Deps, 'store' | 'yieldToEventLoop'>,
  caller: Caller,
  { firmId, index, terms }: FirmChoice & { readonly index: string; readonly terms: CurveTerms },
): Promise<readonly IndexMonth[]> {
  const means = createMonthMeans({ community: null, ...terms });
  return store.read(async (reader) => {
    await resolveFirmId(reader, caller, firmId);
    const span = (await reader.indices.list()).find((one) => one.index === index);
    if (!span) throw new DomainError('not_found');
    // By the year, so that no turn of the event loop has all of them.
    for (let year = Number(span.from.slice(0, 4)) - 1; year <= Number(span.to.slice(0, 4)); year++) {
      await yieldToEventLoop?.(caller.accountId);
      for (const day of await reader.indices.days(index, `${year}-01-01`, `${year}-12-31`)) means.add(day);
    }
    return means.months();
  });
}
