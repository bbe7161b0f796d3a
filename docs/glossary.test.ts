import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '@tarifario/api';
import { expect, test } from 'vitest';
import { z } from 'zod';

const FIRST = '\n- `';

/** The members of a schema that have words, as lines of a list; the six periods of a quantity are one line. */
function linesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as {
    readonly properties?: Readonly<Record<string, z.core.JSONSchema.BaseSchema>>;
  };
  const own = Object.entries(properties).flatMap(([name, { description }]) => {
    if (description === undefined) return [];
    const [shown, words] = /^[ep][1-6]$/.test(name)
      ? [`${name[0]}1..${name[0]}6`, description.replace(/\bP\d/, 'P1..P6')]
      : [name, description];
    return [`- \`${shown}\`: ${words}`];
  });
  return [...own, ...Object.values(schema).flatMap(linesIn)];
}

test('the list of fields has the words of every member that operations answer', async () => {
  const schemas = operations.flatMap(({ output }) =>
    output === null ? [] : [z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' })],
  );
  const lines = [...new Set(schemas.flatMap(linesIn))].sort();
  expect(lines.length).toBeGreaterThan(150);
  const [byHand] = readFileSync(join(import.meta.dirname, 'glossary.md'), 'utf8').split(FIRST);
  await expect(`${byHand?.trimEnd()}\n\n${lines.join('\n')}\n`).toMatchFileSnapshot('glossary.md');
});
