import type { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiOverride,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { portfolioCustomer } from './nouns/ranking/question.ts';
import { openAnswers, sayDefaultsOfRequests } from './openapi/bodies.ts';
import { HEADERS, headersOf, SENT_HEADERS } from './openapi/headers.ts';
import { errorShape, refusalResponses, sharedResponses } from './openapi/refusals.ts';
import { sentEvents } from './openapi/sent-events.ts';
import { addBounds } from './openapi/stored-bounds.ts';
import { ABOUT, describe, limitFacts, TAGS, tagOf } from './openapi/texts.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations.ts';
import { type BodyForm, bodySchemaFor } from './sent-form.ts';

type Document = ReturnType<typeof createDocument>;

const METHOD_KEYS = { GET: 'get', POST: 'post', PATCH: 'patch', PUT: 'put', DELETE: 'delete' } as const;
const BODY_TYPES: Readonly<Record<BodyForm, string>> = {
  json: 'application/json',
  multipart: 'multipart/form-data',
  csv: 'text/csv',
};
const SUCCESSES: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Queued.',
  204: 'Done; there is no body.',
  304: 'The caller has this answer already; there is no body.',
};

/**
 * Programs that import the document, such as Postman, send requests to the first server, and cannot if its address is
 * relative.
 */
const SERVERS = [
  { url: 'http://127.0.0.1:3000', description: 'A service on this machine.' },
  { url: '/', description: 'The service that the document comes from.' },
];

/** Each installation has its own. */
const CONTACT = { name: 'Who operates this service, and where errors are reported', url: '/v1/about' };

/** Where the answers are that the document leaves out. */
const EXAMPLES = {
  description: 'Examples of answers, by operationId, and of refusals, by code',
  url: '/openapi-examples.json',
};

/** The OpenAPI 3.1 document, generated from the table of operations; the same on every call. */
export function openApiDocument(): Document {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Tarifario', version: '1.0.0', description: ABOUT, contact: CONTACT },
      externalDocs: EXAMPLES,
      servers: SERVERS,
      security: [{ ApiKey: [] }, { Bearer: [] }],
      tags: tagsInUse().map(([name, description]) => ({ name, description })),
      paths: Object.fromEntries([...Map.groupBy(operations, ({ path }) => path)].map(pathItem)),
      webhooks: sentEvents(),
      components: {
        // The others have their names in their shapes. These are referred to by name.
        schemas: { Error: errorShape, PortfolioCustomer: portfolioCustomer },
        headers: HEADERS,
        parameters: SENT_HEADERS,
        responses: sharedResponses(operations),
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of the account.' },
          Bearer: { type: 'http', scheme: 'bearer', description: 'The same key, in `Authorization`; never both.' },
        },
      },
    },
    { override: inPlainTerms },
  );
  for (const operation of operations) completeParameters(document, operation);
  openAnswers(document);
  addBounds(document.components?.schemas ?? {});
  sayDefaultsOfRequests(document);
  return document;
}

function tagsInUse(): [string, string][] {
  const used = new Set<string>(operations.map(({ path }) => tagOf(path)));
  return Object.entries(TAGS).filter(([name]) => used.has(name));
}

/** Corrects three results of the generator that would confuse readers. */
const inPlainTerms: ZodOpenApiOverride = ({ jsonSchema }) => {
  // Which members are about commissions is said in words.
  delete jsonSchema.masked;
  // Removes the bounds of safe integers.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // A record of a closed list of keys is an object with these properties.
  const { propertyNames, additionalProperties, required } = jsonSchema;
  if (propertyNames === undefined || required === undefined || typeof additionalProperties !== 'object') return;
  jsonSchema.properties = Object.fromEntries(required.map((name) => [name, { ...additionalProperties }]));
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
};

function pathItem([path, rows]: [string, readonly Operation[]]) {
  return [path, Object.fromEntries(rows.map((row) => [METHOD_KEYS[row.method], operationObject(row)]))];
}

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const { id, path, summary, scopes, fullAccess, replayable, conditional, revalidated, limits, input, takesFields } =
    operation;
  const headers = [
    ...(replayable ? [{ $ref: '#/components/parameters/IdempotencyKey' } as const] : []),
    ...(conditional ? [{ $ref: '#/components/parameters/IfMatch' } as const] : []),
    ...(takesFields ? [{ $ref: '#/components/parameters/Fields' } as const] : []),
    ...(revalidated ? [{ $ref: '#/components/parameters/IfNoneMatch' } as const] : []),
  ];
  return {
    operationId: id,
    tags: [tagOf(path)],
    summary,
    description: describe(operation),
    ...(operation.deprecated === null ? {} : { deprecated: true }),
    'x-scopes': [...scopes],
    'x-full-access': fullAccess,
    'x-rate-limits': limits.map(limitFacts),
    ...(headers.length > 0 ? { parameters: headers } : {}),
    requestParams: { path: input.path, query: withoutFields(input.query) },
    ...(input.body === null ? {} : { requestBody: requestBody(operation, input.body) }),
    responses: { ...successResponses(operation), ...refusalResponses(operation) },
  };
}

/** `fields` is described once for all. */
function withoutFields(query: z.ZodObject) {
  return 'fields' in query.shape ? query.omit({ fields: true }) : query;
}

/** Shows how each parameter of an operation is written, and that one with several values is repeated. */
function completeParameters({ paths }: Document, { path, method, examples: [example] }: Operation): void {
  const values = { ...example?.params, ...example?.query };
  const key = METHOD_KEYS[method];
  for (const parameter of paths?.[path]?.[key]?.parameters ?? []) {
    if ('$ref' in parameter) continue;
    // The generator leaves the words of a parameter that may be absent in its schema.
    const { description, ...schema } = Object(parameter.schema);
    if (description !== undefined) Object.assign(parameter, { schema, description });
    if (Object.hasOwn(values, parameter.name)) parameter.example = values[parameter.name];
    const isList = typeof parameter.schema === 'object' && 'items' in parameter.schema;
    if (isList) Object.assign(parameter, { style: 'form', explode: true });
  }
}

function requestBody({ examples, input }: Operation, body: z.ZodType) {
  const content = input.sentAs.map((form) => {
    const sent = examples.map(({ summary, body: value }) => ({ summary, value }));
    return [BODY_TYPES[form], { schema: bodySchemaFor(body, form) ?? body, ...(form === 'json' ? shown(sent) : {}) }];
  });
  return { required: true, content: Object.fromEntries(content) };
}

function successResponses({ output, ...operation }: Operation): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    [...operation.success, ...(operation.revalidated ? [304] : [])].map((status) => {
      const content = output && { [operation.contentType]: { schema: output } };
      const facts = { description: SUCCESSES[status] ?? 'Done.', headers: headersOf(status, operation) };
      return [String(status), content && status < 204 ? { ...facts, content } : facts];
    }),
  );
}

function shown(examples: readonly { readonly summary: string; readonly value: unknown }[]) {
  const present = examples.filter(({ value }) => value !== undefined);
  if (present.length === 0) return {};
  return { examples: Object.fromEntries(present.map((example, index) => [`example${index + 1}`, example])) };
}
