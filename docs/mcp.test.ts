import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@tarifario/api';
import { readConfig } from '@tarifario/runtime';
import { expect, test } from 'vitest';

/** The page about MCP against the table of operations. */
const page = readFileSync(join(import.meta.dirname, 'mcp.md'), 'utf8');

test('A-47: lists every tool with its endpoint and its scopes', () => {
  const listed = page.split('\n').flatMap((line) => {
    const [, scopes = '', tools = ''] = line.split('|');
    return [...tools.matchAll(/`(\w+)`: `(\w+ \/v1\/[^`]+)`/g)].map(([, name, endpoint]) => [
      name,
      endpoint,
      [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope),
    ]);
  });
  const table = operations
    .filter(({ mcp }) => mcp !== null)
    .map(({ mcp, method, path, scopes }) => [mcp, `${method} ${path}`, [...scopes]]);
  const byName = (a: readonly unknown[], b: readonly unknown[]) => String(a[0]).localeCompare(String(b[0]));
  expect(listed.toSorted(byName)).toEqual(table.toSorted(byName));
});

test('names settings that exist', () => {
  for (const name of page.match(/\bMCP_[A-Z_]+\b/g) ?? []) {
    expect(() => readConfig({ [name]: '' })).toThrow(`${name} is empty`);
  }
});
