import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations, toolsFor } from '@tarifario/api';
import { QUOTAS } from '@tarifario/core/service';
import { readConfig } from '@tarifario/runtime';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';

/** The page about the MCP door against the table of operations. */
const page = readFileSync(join(import.meta.dirname, 'mcp.md'), 'utf8');

test('A-47: lists every tool with its endpoint and its scopes', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \| `(\w+ \/v1\/\S+)` \| (.*) \|$/gm)].map((match) => [
    match[1],
    match[2],
    [...(match[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, scope]) => scope),
  ]);
  const table = operations
    .filter(({ mcp }) => mcp !== null)
    .map(({ mcp, method, path, scopes }) => [mcp, `${method} ${path}`, [...scopes]]);
  const byName = (a: readonly unknown[], b: readonly unknown[]) => String(a[0]).localeCompare(String(b[0]));
  expect(listed.toSorted(byName)).toEqual(table.toSorted(byName));
});

test('shows settings of clients that are JSON and send the key in its header', () => {
  const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json]) => json ?? '');
  expect(blocks).toHaveLength(3);
  for (const block of blocks) {
    expect(() => JSON.parse(block)).not.toThrow();
    expect(block).toContain('X-API-Key');
    expect(block).toContain('/mcp"');
  }
});

test('asks tools what their schemas allow', () => {
  const rights = { accountId: 1, keyId: 1, firmId: null, isCatalogEditor: false, firmLimit: 1 };
  const rates = { callsPerMinute: 1, firmCallsPerMinute: 1, plan: 'free', quotas: QUOTAS.free } as const;
  const tools = toolsFor({ ...rights, ...rates, fullAccess: true, scopes: new Set() });
  const curl = /-d '(\{"jsonrpc".*\})'/.exec(page)?.[1] ?? '';
  const { name, arguments: args } = JSON.parse(curl).params;
  const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
  expect(new Ajv2020({ strict: false }).validate(schema, args)).toBe(true);
});

test('names settings that exist', () => {
  for (const name of page.match(/\bMCP_[A-Z_]+\b/g) ?? []) {
    expect(() => readConfig({ [name]: '' })).toThrow(`${name} is empty`);
  }
});
