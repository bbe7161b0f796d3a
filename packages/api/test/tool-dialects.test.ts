import { SCOPES } from '@tarifario/core/service';
import { filledWorld } from '@tarifario/testkit/api/sample';
import { callTool, contentOf, toolsOf } from '@tarifario/testkit/api/tool-calls';
import { asRecord, type World } from '@tarifario/testkit/api/world';
import { beforeAll, expect, it } from 'vitest';

// One schema that a dialect refuses makes every request with the list of tools a 400, whatever tool was meant.

let world: World;
let keys: Readonly<Record<string, string>>;

beforeAll(async () => {
  ({ world } = await filledWorld());
  const { id } = world.account;
  keys = {
    full: world.fullKey,
    bot: await world.newKey(id, { scopes: ['offers:read', 'catalog:read'] }),
    internal: await world.newKey(id, { scopes: ['offers:read', 'catalog:read', 'commissions:read'] }),
    blind: await world.newKey(id, { scopes: SCOPES.filter((scope) => scope !== 'commissions:read') }),
    bare: await world.newKey(id, { scopes: [] }),
  };
});

type Node = Readonly<Record<string, unknown>>;
interface Dialect {
  readonly source: string;
  readonly keywords: readonly string[];
  /** What else is wrong with a node; the first of a tool is its root. */
  readonly mistake: (node: Node, depth: number) => string | null;
}

const COMMON = ['type', 'description', 'enum', 'properties', 'required', 'items'];
const BOUNDS = ['pattern', 'minimum', 'maximum', 'minItems', 'maxItems'];

const DIALECTS: Readonly<Record<string, Dialect>> = {
  'OpenAI, strict': {
    source: 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas',
    keywords: [...COMMON, ...BOUNDS, 'additionalProperties', 'format', 'anyOf', '$ref', '$defs', 'multipleOf'],
    // Clients list every property in `required` themselves.
    mistake: (node, depth) => {
      if (depth > 10) return 'nested too deeply';
      return node.type === 'object' && node.additionalProperties !== false ? 'open' : null;
    },
  },
  'Gemini and Vertex': {
    source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/Schema',
    // `additionalProperties` is not in every version; clients leave it out.
    keywords: [...COMMON, ...BOUNDS, 'additionalProperties', 'maxLength', 'minLength', 'nullable', 'title'],
    mistake: ({ type, enum: values, items }) => {
      if (Array.isArray(values) && !(type === 'string' && values.every((value) => typeof value === 'string')))
        return 'an enum of others than texts';
      return type === 'array' && items === undefined ? 'a list of what' : null;
    },
  },
  Anthropic: {
    source: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/strict-tool-use',
    keywords: [...COMMON, ...BOUNDS, 'additionalProperties', 'anyOf', 'format', 'default', '$ref', '$defs'],
    // Combiners at the root are refused, and strict use takes no look-around and no reference in a pattern.
    mistake: (node, depth) => {
      if (depth === 0 && node.type !== 'object') return 'no object';
      return /\(\?[=!<]|\\[1-9bB]/.test(String(node.pattern)) ? 'a pattern' : null;
    },
  },
};

/** Every node of a schema, with its path. */
function nodesOf(node: Node, path: string, depth = 0): [path: string, node: Node, depth: number][] {
  const inner = Object.entries(asRecord(node.properties ?? {})).flatMap(([name, each]) =>
    nodesOf(asRecord(each), `${path}.${name}`, depth + 1),
  );
  return [[path, node, depth], ...inner, ...(node.items ? nodesOf(asRecord(node.items), `${path}[]`, depth + 1) : [])];
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

it.each(Object.entries(DIALECTS))(
  'A-47: the schemas of each key have what the dialect of %s takes alone',
  async (_model, dialect) => {
    for (const [who, key] of Object.entries(keys)) {
      const nodes = (await toolsOf(world, key)).flatMap(({ name, inputSchema }) => nodesOf(inputSchema, name));
      expect(nodes.length).toBeGreaterThan(1);
      const wrong = nodes.flatMap(([path, node, depth]) => {
        const unknown = Object.keys(node).filter((keyword) => !dialect.keywords.includes(keyword));
        const typed = TYPES.includes(String(node.type)) ? null : 'no type';
        return [...unknown, typed, dialect.mistake(node, depth)].flatMap((fault) =>
          fault ? [`${path}: ${fault}`] : [],
        );
      });
      expect(wrong, `${who}, ${dialect.source}`).toEqual([]);
    }
  },
);

it.each([
  ['list_taxes', { fecha: '2026-02-30' }, 'fecha'],
  ['optimize_power', { tipo_medida: 6 }, 'tipo_medida'],
  ['optimize_power', { tipo_medida: 1.5 }, 'tipo_medida'],
  ['rank_offers', { impuestos: { alquiler: 'grande' } }, 'impuestos.alquiler'],
  ['compare_offers', { ids: [1, 1] }, 'ids'],
  ['read_invoice_qr', { url: 'x'.repeat(100_000) }, 'url'],
])('A-47: %s with %j, which the schema cannot refuse, is refused at its path', async (name, args, path) => {
  const { answer, result } = await callTool(world, name, args);
  expect(answer.status).toBe(400);
  const paths = [Object(contentOf(result).detail).errors].flat().map((each) => each.path);
  expect(paths).toContain(path);
});
