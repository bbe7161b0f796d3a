import type { Operation } from './operation.ts';

/**
 * Checks the table of operations before the service starts, so that no operation is served without an access rule.
 *
 * @throws RangeError with every finding: an operation that needs no scope and does not say that any key, or only one
 *   with full access, may call it; one that says more than one of these; a path outside /v1; an id, or a method and
 *   path, or a tool, that occurs twice; a tool that does more than read, or whose call costs more than one point.
 */
export function checkOperations(operations: readonly Operation[]): void {
  const findings = [
    ...operations.filter((row) => accessRules(row) !== 1).map(({ id }) => `${id} does not say once who may call it`),
    ...operations.filter(({ path }) => !path.startsWith('/v1/')).map(({ id }) => `${id} is outside /v1`),
    ...repeated(operations.map(({ id }) => id)).map((id) => `the id ${id} comes twice`),
    ...repeated(operations.map(routeOf)).map((route) => `${route} comes twice`),
    ...repeated(operations.flatMap(({ mcp }) => mcp ?? [])).map((tool) => `the tool ${tool} comes twice`),
    ...operations
      .filter((row) => row.mcp !== null && !isFitForTool(row))
      .map(({ id }) => `${id} is not fit for a tool`),
  ];
  if (findings.length > 0) throw new RangeError(`operations: ${findings.join('; ')}`);
}

function accessRules({ scopes, anyKey, fullAccess }: Operation): number {
  return [scopes.length > 0, anyKey, fullAccess].filter(Boolean).length;
}

/** A tool only reads or computes, costs one point and answers JSON. */
function isFitForTool({ scopes, anyKey, replayable, limits, output, contentType }: Operation): boolean {
  const isReading = !replayable && (anyKey || scopes.length > 0) && scopes.every((scope) => scope.endsWith(':read'));
  return isReading && limits.length === 0 && output !== null && contentType === 'application/json';
}

/** Routes differ by their fixed segments; the names of parameters do not matter. */
function routeOf({ method, path }: Operation): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
