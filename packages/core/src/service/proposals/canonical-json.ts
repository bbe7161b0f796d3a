/**
 * A JSON value in the one form of RFC 8785: members sorted by name, in code units of UTF-16, and no space.
 * `JSON.stringify` writes numbers and texts, because the RFC uses its rules.
 *
 * @param value - Of JSON: finite numbers and well-formed texts; members that are `undefined` are left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const inOrder = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${inOrder.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}

/** A path at which two JSON values differ; `null` where one of them has no value there. */
export interface JsonDifference {
  /** Names and indexes with points between them. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The paths at which two JSON values differ, in order, each as deep as both have the same kind of value. */
export function differencesBetween(before: unknown, after: unknown, path = ''): readonly JsonDifference[] {
  const [a, b] = [membersOf(before), membersOf(after)];
  if (a === null || b === null || Array.isArray(before) !== Array.isArray(after)) {
    return Object.is(before, after) ? [] : [{ path, before: before ?? null, after: after ?? null }];
  }
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.flatMap((name) => differencesBetween(a.get(name), b.get(name), path === '' ? name : `${path}.${name}`));
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null;
}
