import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** The parts of an OpenAPI document that its tests look at. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [part: string]: unknown;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly DocumentedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Referable<DocumentedResponse>>>;
  readonly 'x-scopes': readonly string[];
  readonly 'x-full-access': boolean;
  readonly 'x-rate-limits': readonly { readonly name: string; readonly points: number; readonly per: string }[];
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly schema: AnySchemaObject;
  readonly example?: unknown;
  readonly description?: string;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, Referable<{ readonly required?: boolean }>>>;
  readonly content?: Content;
}

type Content = Readonly<
  Record<string, { readonly schema: AnySchemaObject; readonly examples?: Readonly<Record<string, { value: unknown }>> }>
>;
type Referable<T> = T | { readonly $ref: string };

/** One operation of the document with its place in it. */
export interface Row {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
}

/** What a service answered. `text` is the body as received. */
export interface Received {
  readonly status: number;
  header(name: string): string | null;
  readonly text: string;
}

/** What a document promises, and what an answer breaks of it; a member that it does not name breaks it as well. */
export interface Contract {
  readonly rows: readonly Row[];
  /** The schema that a reference stands for, or the schema itself. */
  resolve(schema: AnySchemaObject): AnySchemaObject;
  /** Differences from the document; empty when there are none. */
  problemsOf(row: Row, received: Received): readonly string[];
}

const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

/** The document without what it leaves to later versions: what answers have today is named in it. */
function closed(document: ApiDocument): ApiDocument {
  return JSON.parse(JSON.stringify(document), (_name, part) =>
    part?.type === 'object' && part.properties ? { additionalProperties: false, ...part } : part,
  );
}

export function readContract(document: ApiDocument): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });
  ajv.addSchema(closed(document), 'api');
  const validators = new Map<string, ValidateFunction>();

  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `api${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

  const problemsOf: Contract['problemsOf'] = ({ method, path, operation }, received) => {
    const { status, text } = received;
    const place = pointerTo('paths', path, method.toLowerCase(), 'responses', String(status));
    const response = operation.responses[String(status)];
    if (response === undefined) return [`the status ${status} is not documented`];
    const pointer = '$ref' in response ? response.$ref : place;
    const { headers = {}, content = {} } = follow<DocumentedResponse>(document, response);
    const missing = Object.entries(headers)
      .filter(([, header]) => follow<{ readonly required?: boolean }>(document, header).required)
      .filter(([name]) => received.header(name) === null)
      .map(([name]) => `the header ${name} is missing`);
    return [...missing, ...bodyProblems({ pointer, content, text, type: received.header('Content-Type') })];
  };

  const bodyProblems = (body: { pointer: string; content: Content; text: string; type: string | null }): string[] => {
    const { pointer, content, text, type } = body;
    const [documented] = Object.keys(content);
    if (documented === undefined) return text === '' ? [] : ['there is a body, which is not documented'];
    if (type?.split(';')[0] !== documented) return [`the content type is ${type}, not ${documented}`];
    if (documented !== 'application/json') return [];
    const validate = validatorAt(`${pointer}${pointerTo('content', documented, 'schema').slice(1)}`);
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  };

  return { rows, resolve: (schema) => follow<AnySchemaObject>(document, schema), problemsOf };
}

function pointerTo(...names: readonly string[]): string {
  return `#${names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
}

/** What a reference stands for, or the thing itself. */
function follow<T extends object>(document: ApiDocument, thing: Referable<T>): T;
function follow(document: ApiDocument, thing: object): object {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing;
  let node: unknown = document;
  for (const name of thing.$ref.slice(2).split('/')) {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    node = typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined;
  }
  if (typeof node !== 'object' || node === null) throw new Error(`${thing.$ref} leads nowhere`);
  return node;
}
