import type { Issue } from '@tarifario/core/service';
import { z } from 'zod';
import { bodyIssues, type InputSchemas, malformed, refuseTooManyValues, toIssues } from './read-input.ts';
import { bodySchemaFor } from './sent-form.ts';

/** Path, query and body in one flat object of JSON values, as a tool is called. */
export type JsonArguments = Readonly<Record<string, unknown>>;

/** What tools do not take: a model that talks to customers has no use for deactivated records. */
const NOT_AN_ARGUMENT = 'include_inactive';

/** The fields of an operation that are arguments of its tool. One that path, query or body share is one argument. */
export function argumentFields(input: {
  readonly path: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: unknown;
}) {
  const asJson = input.body instanceof z.ZodType ? bodySchemaFor(input.body, 'json') : null;
  const body: z.ZodRawShape = asJson instanceof z.ZodObject ? asJson.shape : {};
  const query = Object.entries(input.query.shape).filter(
    ([name]) => name !== NOT_AN_ARGUMENT && !Object.hasOwn(body, name),
  );
  return { path: input.path.shape, query: Object.fromEntries(query), body };
}

/**
 * The typed input of an operation from flat arguments, checked as strictly as a request: an argument that the operation
 * does not have is refused, and values are of their JSON type, so a number in quotation marks is none.
 *
 * @throws DomainError `invalid_request` with every finding.
 * @see docs/assumptions.md, A-47
 */
export function readArguments<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType>(
  schemas: InputSchemas<P, Q, B>,
  args: JsonArguments,
): { path: z.output<P>; query: z.output<Q>; body: z.output<B> } {
  refuseTooManyValues(args);
  const fields = argumentFields(schemas);
  // Of a body that may also be a file a tool sends the other form.
  const bodySchema = bodySchemaFor(schemas.body, 'json') ?? schemas.body;
  const among = (shape: z.ZodRawShape) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(shape, name)));
  const sent = {
    path: among(fields.path),
    query: among(fields.query),
    body: bodySchema instanceof z.ZodObject ? among(fields.body) : undefined,
  };
  const isKnown = (name: string) => Object.values(fields).some((shape) => Object.hasOwn(shape, name));
  const unknown = Object.keys(args)
    .filter((name) => !isKnown(name))
    .map((path): Issue => ({ path, message: 'unknown argument' }));
  const path = schemas.path.safeParse(sent.path);
  const query = schemas.query.safeParse(sent.query);
  const body = schemas.body.safeParse(sent.body);
  if (unknown.length === 0 && path.success && query.success && body.success) {
    return { path: path.data, query: query.data, body: body.data };
  }
  const messages = { unknownKey: 'unknown field' };
  throw malformed([
    ...(path.success ? [] : toIssues(path.error, schemas.path, { input: sent.path, ...messages })),
    ...(query.success ? [] : toIssues(query.error, schemas.query, { input: sent.query, ...messages })),
    ...(body.success ? [] : bodyIssues(bodySchema, sent.body)),
    ...unknown,
  ]);
}
