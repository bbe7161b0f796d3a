import { DomainError } from '@tarifario/core/service';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import { operationOf } from '@tarifario/testkit/api/world';
import { inputReader } from '../../src/read-input.ts';
import { isFields, type Json, Refusal, type Request, type Sheets } from './state.ts';

// What can be read as a request is the table's: loops over it, vectors with a program of their own and the contract fuzz
// state it. The model begins with what was read.

function isCell(value: Json): value is null | boolean | number | string {
  return typeof value !== 'object' || value === null;
}

/** The sheets of a body; `null`: it has none, so it is JSON. */
export function sheetsIn(body: Json | undefined): Sheets | null {
  const sheets = isFields(body) ? body.sheets : undefined;
  if (!isFields(sheets)) return null;
  const rows = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
  return Object.fromEntries(
    Object.entries(sheets).map(([name, sheet]) => [name, rows(sheet).map((row) => rows(row).filter(isCell))]),
  );
}

/** JSON as it would come over the wire, without what it cannot say; or the form of a file. */
export function sentBody(body: Json | undefined): unknown {
  const sheets = sheetsIn(body);
  if (body === undefined || sheets === null || !isFields(body)) {
    return body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  }
  const texts = Object.entries(body).filter(([name]) => name !== 'sheets');
  const fields = new URLSearchParams(texts.map(([name, value]): [string, string] => [name, String(value)]));
  return { fields, file: { name: 'hoja.xlsx', bytes: fakeFile(sheets) } };
}

/** A month by itself or by any real day of it, as its first day; `null` when there is no such day. */
export function monthOf(value: string): string | null {
  if (!/^\d{4}-\d{2}(-\d{2})?$/.test(value)) return null;
  const day = value.length === 7 ? `${value}-01` : value;
  const instant = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== day ? null : `${day.slice(0, 7)}-01`;
}

/** The id in a path: text that is none is nobody's, and so is what is too large for a double. */
export function pathId(sent: string | undefined): number {
  return sent !== undefined && /^[1-9]\d*$/.test(sent) && Number.isSafeInteger(Number(sent)) ? Number(sent) : 0;
}

/**
 * The values of the query.
 *
 * @throws Refusal 400 with every place that is wrong, in path, query and body.
 */
export function read({ operation, params, query: sent, body }: Request): Readonly<Record<string, unknown>> {
  const query = Object.entries(sent).flatMap(([name, texts]) =>
    [texts].flat().map((text): [string, string] => [name, text]),
  );
  const { input, bodyCaps } = operationOf(operation);
  try {
    return inputReader(input, bodyCaps).fromRequest({ params, query, body: sentBody(body) }).query;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { issues = [] } = 'issues' in error.details ? error.details : {};
    throw new Refusal(400, 'invalid_request', { wrong: issues.map(({ path }) => path) });
  }
}
