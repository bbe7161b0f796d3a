import { withoutCups } from '@tarifario/core/service';
import { MAX_OFFSET } from './fields.ts';
import { isJsonObject } from './json.ts';
import { filled } from './location.ts';
import type { Operation } from './operation.ts';
import type { RawInput } from './read-input.ts';

/** Whether an operation answers a list by pages. */
export function hasPages({ method, input }: Pick<Operation, 'method' | 'input'>): boolean {
  return method === 'GET' && 'limit' in input.query.shape && 'offset' in input.query.shape;
}

/** Proxies refuse long headers, so a question with a long query is given fewer links. */
const MAX_LENGTH = 2000;

/** Parameters that say where a page begins; a link has one of them, or none. */
const PLACES: readonly string[] = ['offset', 'after_id', 'after'];

type Place = readonly [relation: string, name?: string, value?: unknown];

/**
 * Gives the header `Link` (RFC 8288) of a list: the pages around it that are known, of the same question. Empty where a supply
 * point would be repeated.
 */
export function createPageLinks(
  path: string,
  { params, query }: Pick<RawInput, 'params' | 'query'>,
): (list: unknown) => string {
  const sent = [...query];
  const kept = sent.filter(([name]) => !PLACES.includes(name));
  const uriWith = (place: readonly [string, string][]) => {
    const parameters = [...kept, ...place].map((parts) => parts.map(encodeURIComponent).join('='));
    return [filled(path, params), ...(parameters.length > 0 ? [parameters.join('&')] : [])].join('?');
  };
  const repeatsCups = kept.some(([, value]) => withoutCups(value) !== value);
  return (list) => {
    if (repeatsCups) return '';
    const places = placesAround(list as Page, new Map(sent));
    let header = '';
    for (const [relation, name, value] of places) {
      const link = `<${uriWith(name === undefined ? [] : [[name, String(value)]])}>; rel="${relation}"`;
      if (header.length + link.length > MAX_LENGTH) break;
      header += header === '' ? link : `, ${link}`;
    }
    return header;
  };
}

/** What every list answers, and an ordered one beside it. */
interface Page {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly results: readonly unknown[];
  readonly next?: string;
}

/** The most useful place first. After a record the page before it is not known, nor the last one. */
function placesAround(
  { total, limit, offset, results, next }: Page,
  sent: ReadonlyMap<string, string>,
): readonly Place[] {
  const onward: readonly Place[] = next === undefined ? [] : [['next', 'after', next]];
  if (sent.has('after')) return [...onward, ['first']];
  if (sent.has('after_id')) {
    const id = idOf(results.at(-1));
    // `total` counts all, so the page after a full one may be empty.
    return [...(id !== null && results.length === limit ? [['next', 'after_id', id] as const] : []), ['first']];
  }
  const last = Math.floor(Math.max(0, total - 1) / limit) * limit;
  const places: readonly (readonly [string, number, boolean])[] = [
    ['next', offset + limit, onward.length === 0 && offset + limit < total],
    ['prev', Math.max(0, Math.min(offset - limit, last)), offset > 0],
    ['first', 0, true],
    ['last', last, true],
  ];
  const known = places.filter(([, value, isKnown]) => isKnown && value <= MAX_OFFSET);
  return [...onward, ...known.map(([relation, value]) => [relation, 'offset', value] as const)];
}

/** A subscription is named by its retailer. */
function idOf(record: unknown): unknown {
  if (!isJsonObject(record)) return null;
  return record.id ?? (isJsonObject(record.company) ? (record.company.id ?? null) : null);
}
