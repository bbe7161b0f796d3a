import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerTo, operations } from '@tarifario/api';
import { DomainError } from '@tarifario/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/** The table of translation against the shapes that the operations take and answer. */
const root = join(import.meta.dirname, '..');

interface Row {
  readonly wireNames: readonly string[];
  readonly coreNames: readonly string[];
}

const rows: readonly Row[] = readFileSync(join(root, 'docs/glossary.md'), 'utf8')
  .split(/^## /m)
  .filter((section) => section.includes('\n| wire | core | unit | meaning |\n'))
  .flatMap((section) => section.split('\n').filter((line) => line.startsWith('| `')))
  .map((line) => {
    const [, wire = '', core = ''] = line.split('|');
    const names = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    return { wireNames: names(wire), coreNames: names(core) };
  });
const tableNames = rows.flatMap((row) => row.wireNames);

/** Names in a JSON schema as `parent.name`, `.name` at the top; a list hands its own name to its elements. */
function namesIn(schema: unknown, parent = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((part) => namesIn(part, parent));
  return Object.entries(schema).flatMap(([keyword, part]) => {
    if (keyword !== 'properties') return namesIn(part, parent);
    const properties = Object.entries(typeof part === 'object' && part !== null ? part : {});
    return properties.flatMap(([name, inner]) => [`${parent}.${name}`, ...namesIn(inner, name)]);
  });
}

/** The shape of refusals, from refusals. */
const refusals = [
  new DomainError('missing_scope', { missingScope: 'offers:read' }),
  new DomainError('business_rule', { issues: [{ path: 'offerName', message: 'x' }] }),
].map((error) => answerTo(error).body);

function namesOfValue(value: unknown, parent = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((part) => namesOfValue(part, parent));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [`${parent}.${name}`, ...namesOfValue(inner, name)]);
}

const schemas = operations.flatMap(({ input, output }) =>
  [input.path, input.query, input.body, output]
    .filter((schema) => schema !== null)
    .map((schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() })),
);
const codes = [...new Set(JSON.stringify(schemas).match(/"sin_(?!filtro_)\w+"/g))].map((code) => JSON.parse(code));
const wireNames = new Set([
  ...schemas.flatMap((schema) => namesIn(schema)),
  ...refusals.flatMap((b) => namesOfValue(b)),
]);

describe('the table of translation', () => {
  test('is found, and so are the shapes', () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(wireNames.size).toBeGreaterThan(150);
    expect(codes).toContain('sin_historico');
  });

  test('has every name that an operation takes or answers', () => {
    const missing = [...wireNames].filter((name) => {
      const [, plain = ''] = name.split('.');
      return !tableNames.includes(name) && !tableNames.includes(plain);
    });
    expect(missing).toEqual([]);
  });

  test('has every code of an exclusion', () => {
    expect(codes.filter((code) => !tableNames.includes(code))).toEqual([]);
  });

  test('has no name that no operation has', () => {
    const plain = new Set([...wireNames].map((name) => name.split('.')[1]));
    const stray = tableNames.filter((name) =>
      name.includes('.') ? !wireNames.has(name) : !plain.has(name) && !codes.includes(name),
    );
    expect(stray).toEqual([]);
  });

  test('has each name once', () => {
    expect(tableNames.filter((name, index) => tableNames.indexOf(name) !== index)).toEqual([]);
  });

  test('names code of core that exists', () => {
    const files = readdirSync(join(root, 'packages/core/src'), { recursive: true, encoding: 'utf8' });
    const text = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, 'packages/core/src', file), 'utf8'))
      .join('\n');
    const words = new Set(text.match(/\w+/g));
    expect(rows.flatMap((row) => row.coreNames).filter((name) => !words.has(name))).toEqual([]);
  });

  test('agrees with the api about the names of fields in refusals', () => {
    const translated = new Map(rows.flatMap((row) => row.coreNames).map((name) => [name, wireNameOf(name)]));
    for (const [coreName, wireName] of translated) {
      if (wireName === coreName) continue;
      const wireNames = rows.filter((row) => row.coreNames.includes(coreName)).flatMap((row) => row.wireNames);
      expect(wireNames, coreName).toContain(wireName);
    }
    expect([translated.get('offerName'), translated.get('gasFixedEurPerMonth')]).toEqual(['offer_name', 'gas_fixed']);
  });
});

const refusalShape = z.object({ detail: z.object({ errors: z.array(z.object({ path: z.string() })) }) });

/** The wire name under which a refusal shows a field of core; the same name when it is no field. */
function wireNameOf(coreName: string): string | undefined {
  const issue = (path: string) => ({ issues: [{ path, message: 'x' }] });
  const [whole, first] = [coreName, `${coreName}.0`].map(
    (path) => refusalShape.parse(answerTo(new DomainError('business_rule', issue(path))).body).detail.errors[0]?.path,
  );
  return whole === coreName && first !== `${coreName}.0` ? first : whole;
}
