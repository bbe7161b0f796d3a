import { filledWorld, type Sample } from '@tarifario/testkit/api/sample';
import { callTool, contentOf, toArguments, toolsOf } from '@tarifario/testkit/api/tool-calls';
import type { CallInput, World } from '@tarifario/testkit/api/world';
import { brokenValues } from '@tarifario/testkit/http/fuzz-values';
import { runsOf, shareOf } from '@tarifario/testkit/share';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import { beforeAll, expect, it } from 'vitest';
import { operations } from '../src/index.ts';

// Every argument of every tool gets every value that broke a program before, one at a time, with valid other arguments.

/** The beginnings of messages of zod, ajv, SQLite and V8. */
const NOT_OUR_WORDS =
  /Invalid input|Expected|received|Too (big|small)|must match|SQLITE|Cannot|undefined|at Object|\.ts:/;

let world: World;
let sample: Sample;
let calls: Readonly<Record<string, CallInput>>;

beforeAll(async () => {
  ({ world, sample, calls } = await filledWorld());
});

/** The value as it arrives: with numbers that no program writes, and existing ids. */
function arrived(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(/"@raw:([^"]*)"/g, '$1');
  return JSON.parse(text.replaceAll(/"@\w+:\d+"/g, String(sample.luzId)));
}

const SOUND: Readonly<Record<string, object>> = {
  rank_offers: { supply_type: 'LUZ', energia: { e1: 1000 } },
  recommend_offers: { consumption_mwh: 3 },
  calculate_commission: { consumption_mwh: 3 },
};

it('no arguments make a tool fail, or answer with the text of a library', async () => {
  let [refused, done] = [0, 0];
  for (const tool of await toolsOf(world)) {
    const { id = '' } = operations.find(({ mcp }) => mcp === tool.name) ?? {};
    const { include_inactive: _left, ...call } = toArguments(tool, calls[id] ?? {});
    const sound = { ...call, ...SOUND[tool.name] };
    const properties: Readonly<Record<string, AnySchemaObject>> = Object(tool.inputSchema.properties);
    const fields: readonly [string, AnySchemaObject][] = [
      ...Object.entries(properties),
      ['unknown_one', { type: 'string' }],
    ];
    for (const [turn, [name, schema]] of fields.entries()) {
      for (const value of shareOf(
        brokenValues(schema, (inner) => inner),
        6,
        turn,
      )) {
        const args = { ...sound, [name]: arrived(value) };
        const { result } = await callTool(world, tool.name, args);
        const asked = `${tool.name} ${JSON.stringify(args)}`;
        if (!result.isError) done += 1;
        else {
          const { code, message, errors = [] } = Object(contentOf(result).detail);
          expect(['invalid_request', 'not_found', 'foreign_firm', 'business_rule'], asked).toContain(code);
          // Paths repeat the input; the rest of the text is ours.
          const messages = [message, ...errors.map((each: { error: string }) => each.error)].join(' ');
          expect(messages, asked).not.toMatch(NOT_OUR_WORDS);
          refused += 1;
        }
      }
    }
  }
  expect(world.bugs).toEqual([]);
  expect([refused > runsOf(350, 2000), done > runsOf(30, 200)]).toEqual([true, true]);
});
