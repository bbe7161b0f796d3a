import type { Page, PageOf } from '@tarifario/core/service';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** The number of matches, which every row contains. Queried separately only if the page has no rows. */
export async function totalOf(
  rows: readonly { readonly total: number | null }[],
  { offset, afterId = null }: Page,
  counted: { executeTakeFirstOrThrow(): Promise<{ readonly count: number }> },
): Promise<number> {
  const [first] = rows;
  if (first) return first.total ?? 0;
  return offset === 0 && afterId === null ? 0 : (await counted.executeTakeFirstOrThrow()).count;
}

/** A page of records by id. @param matching - A query for all of them, in any order, with the columns to read. */
export async function pageById<Table extends 'firms' | 'companies' | 'proposals' | 'webhooks', Row, Result>(
  matching: SelectQueryBuilder<Schema, Table, Row>,
  page: Page,
  read: (row: NoInfer<Row>) => Result,
): Promise<PageOf<Result>> {
  const { limit, offset, afterId = null } = page;
  const counted = matching.clearSelect().select(({ fn }) => fn.countAll<number>().as('count'));
  const rest = matching.$if(afterId !== null, (query) => query.where(sql.ref<number>('id'), '>', afterId ?? 0));
  const query = rest.select(counted.as('total')).orderBy('id').limit(limit).offset(offset);
  const rows = await query.$castTo<Row & { readonly total: number | null }>().execute();
  return { total: await totalOf(rows, page, counted), results: rows.map((row) => read(row)) };
}
