import { openApiDocument } from '@tarifario/api';
import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** The parts of the document that become types. */
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: object;
}
type Content = Readonly<Record<string, { readonly schema: object }>>;
interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const document: ApiDocument = JSON.parse(JSON.stringify(openApiDocument()));
const rows: readonly Row[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

const BINARY = { type: 'string', format: 'binary' };
const closed = (properties: object, required: readonly string[]) => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
});

/** One schema, or that of any of them. */
function anyOf(schemas: readonly object[]): object {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 ? Object(distinct[0]) : { anyOf: distinct };
}

/** What a method takes: the parameters by their names, and the body beside them. */
function argumentsOf({ parameters = [], requestBody }: DocumentedOperation): object {
  const own = parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));
  const fields = own.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]);
  const body = requestBody && { body: anyOf(Object.values(requestBody.content).map(({ schema }) => schema)) };
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  expect(own.some(({ name }) => name === 'body')).toBe(false);
  return closed({ ...Object.fromEntries(fields), ...body }, [...required, ...(body ? ['body'] : [])]);
}

/** What a method answers: a workbook as bytes. */
function answerOf({ responses }: DocumentedOperation): object {
  const contents = Object.entries(responses).filter(([status]) => status < '300');
  const schemas = contents.map(([, { content = {} }]) => {
    const [[type, { schema }] = ['', { schema: { not: {} } }]] = Object.entries(content);
    return /^$|json|^text/.test(type) ? schema : { ...BINARY, format: 'bytes' };
  });
  return anyOf(schemas);
}

const typeOf = (text: string) => ts.factory.createTypeReferenceNode(text);

/** The types of the document: its schemas, and what each operation takes and answers. */
async function generatedTypes(): Promise<string> {
  const calls = rows.map(({ operation }) => [
    operation.operationId,
    {
      ...closed({ args: argumentsOf(operation), answer: answerOf(operation) }, ['args', 'answer']),
      description: operation.summary,
    },
  ]);
  // A type called `Error` would stand in the way of that of the language.
  const { Error: Refusal, ...others } = document.components.schemas;
  const ids = rows.map(({ operation }) => operation.operationId);
  const schemas = { ...others, Refusal, Operations: closed(Object.fromEntries(calls), ids) };
  const bare = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
  const text = JSON.stringify(bare, (name, value) => {
    // Examples take more lines than they help.
    if (name === 'example') return undefined;
    // Several patterns of one text are no types.
    return value?.type === 'string' ? { ...value, anyOf: undefined } : value;
  });
  const nodes = await openapiTS(JSON.parse(text), {
    ...{ rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false },
    transform: ({ format, not }: SchemaObject & { readonly not?: unknown }) => {
      if (format === 'binary') return typeOf('Blob');
      if (format === 'bytes') return typeOf('Uint8Array<ArrayBuffer>');
      return not ? ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword) : undefined;
    },
  });
  const isOurs = (node: ts.Node) =>
    (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && !UNUSED.has(node.name.text);
  return plainNotes(astToString(nodes.filter(isOurs)));
}

/** Less indentation, and notes that say no more than the type does not. */
function plainNotes(text: string): string {
  return text
    .replaceAll('    ', '  ')
    .replaceAll(/^ *\* (?:@enum|Format:).*\n/gm, '')
    .replaceAll(/^( *)\/\*\*\n *\* (.*)\n *\*\/$/gm, '$1/** $2 */')
    .replaceAll(/^ *\/\*\*\n *\*\/\n|^ *\/\*\* @enum .*\n/gm, '')
    .replaceAll('@description ', '');
}

/** Parts of a document that have nothing here. */
const UNUSED = new Set(['paths', 'webhooks', '$defs', 'operations']);

/** What a client has to know of each operation beside its types. */
function generatedTable(): string {
  const lines = rows.map(({ method, path, operation }) => {
    const { operationId, parameters = [] } = operation;
    const takes = (name: string) => parameters.some((parameter) => 'name' in parameter && parameter.name === name);
    const isReplayable = parameters.some((parameter) => '$ref' in parameter && /IdempotencyKey/.test(parameter.$ref));
    const types = Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      status < '300' ? Object.keys(content) : [],
    );
    const facts = {
      method,
      path,
      ...(types.some((type) => !type.includes('json')) && { isFile: true }),
      ...(isReplayable && { isReplayable }),
      ...(takes('offset') && { list: takes('after_id') ? 'after_id' : 'offset' }),
    };
    return `  ${operationId}: ${JSON.stringify(facts)},\n`;
  });
  return `export const OPERATIONS = {\n${lines.join('')}} as const;\n`;
}

test('the generated file is what the document says', async () => {
  const note = '// Generated from the OpenAPI document: npx vitest run packages/client/src/generated.test.ts -u';
  const text = [note, generatedTable(), await generatedTypes()].join('\n');
  await expect(text).toMatchFileSnapshot('generated.ts');
});
