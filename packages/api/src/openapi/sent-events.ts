import type { ZodOpenApiPathItemObject } from 'zod-openapi';
import { SENT_EVENTS } from '../nouns/webhooks.ts';

const header = (name: string, description: string) =>
  ({ name, description, in: 'header', required: true, schema: { type: 'string' } }) as const;

/** Those of Standard Webhooks 1.0.0. */
const HEADERS = [
  header('webhook-id', 'The same each time an event is sent.'),
  header('webhook-timestamp', 'When it is sent, in seconds since 1970.'),
  header('webhook-signature', '`v1,` and Base64, for each secret in force; a space between two.'),
];

const RESPONSES = {
  '2XX': { description: 'The event is delivered.' },
  '410': { description: 'The webhook is disabled.' },
  default: { description: 'The event is sent again later.' },
};

/** What is sent to webhooks. */
export function sentEvents(): Readonly<Record<string, ZodOpenApiPathItemObject>> {
  const entries = SENT_EVENTS.map(({ type, name, summary, body }) => {
    const requestBody = { required: true, content: { 'application/json': { schema: body } } };
    const described = { operationId: `receive${name}`, summary, tags: ['Webhooks'], security: [] };
    return [type, { post: { ...described, parameters: HEADERS, requestBody, responses: RESPONSES } }] as const;
  });
  return Object.fromEntries(entries);
}
