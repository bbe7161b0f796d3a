import { DomainError, REFUSAL_CODES, type RefusalCode, type RefusalDetails, say } from '@tarifario/core/service';
import { z } from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { answerTo, statusOf } from '../errors.ts';
import { bodyIn } from '../messages/words.ts';
import { rowErrorShape } from '../nouns/bulk-files.ts';
import { alternativesShape, optionsShape } from '../nouns/taxes.ts';
import { errorCount, missingScope } from '../nouns/uploads.ts';
import { COMMON_REFUSALS, type Operation } from '../operation.ts';
import { headersOf } from './headers.ts';

type FailureCode = RefusalCode | 'internal_error';

/** A wrong field of a request; in a batch with its offer. */
const fieldErrorShape = z.strictObject({ path: z.string(), error: z.string(), offer_id: z.int().min(1).optional() });

/** The one shape of every refusal and failure. */
export const errorShape = z.strictObject({
  detail: z.strictObject({
    code: z.enum([...REFUSAL_CODES, 'internal_error']),
    message: z.string(),
    missing_scope: missingScope.optional(),
    errors: z
      .array(z.union([fieldErrorShape, rowErrorShape]))
      .max(1000)
      .optional(),
    error_count: errorCount.optional(),
    alternativas: alternativesShape.optional(),
    opciones: optionsShape.optional(),
  }),
});

/** The details of an example of a refusal, besides its code and message. */
const EXAMPLE_DETAILS: Readonly<Partial<Record<RefusalCode, RefusalDetails>>> = {
  invalid_request: { issues: [{ path: 'limit', message: say('must be at most {max}', { max: 200 }) }] },
  business_rule: { issues: [{ path: 'territories', message: 'at least one territory must be active' }] },
  missing_scope: { missingScope: 'offers:read' },
  rate_limited: { retryAfterSeconds: 12 },
};

/** The example where a spreadsheet is sent. */
const FILE_EXAMPLE_DETAILS: typeof EXAMPLE_DETAILS = {
  business_rule: {
    message: say('nothing was changed: the file has {count} error', { count: 1 }),
    rowErrors: {
      format: 'own',
      errors: [
        {
          sheet: 'ofertas',
          row: 7,
          id: 15,
          column: 'e1',
          message: 'must be a number, such as 1234,56, without unit or thousands separators',
        },
      ],
      errorCount: 1,
    },
  },
};

/**
 * Every way in which an operation may be refused or fail: its own, those of all operations, and those of every body.
 */
function codesOf({ input, refusals, scopes }: Operation): readonly FailureCode[] {
  const common = COMMON_REFUSALS.filter((code) => code !== 'missing_scope' || scopes.length > 0);
  const ofBody: readonly RefusalCode[] =
    input.body === null ? [] : ['request_timeout', 'too_large', 'unsupported_media_type'];
  return [...new Set<FailureCode>([...common, ...ofBody, ...refusals, 'internal_error'])];
}

function statusFor(code: FailureCode): number {
  return code === 'internal_error' ? 500 : statusOf(code);
}

function bodyFor(code: FailureCode, details = EXAMPLE_DETAILS): z.output<typeof errorShape> {
  const error = code === 'internal_error' ? null : new DomainError(code, details[code]);
  return errorShape.parse(bodyIn(answerTo(error).body));
}

/** The response of one status, which may have several codes. */
function responseFor(
  status: number,
  codes: readonly FailureCode[],
  details = EXAMPLE_DETAILS,
): ZodOpenApiResponseObject {
  const bodies = codes.map((code) => ({ code, body: bodyFor(code, details) }));
  const examples = Object.fromEntries(bodies.map(({ code, body }) => [code, { value: body }]));
  const lines = bodies.map(({ code, body }) => `- \`${code}\`: ${body.detail.message}`);
  const ofCodes = { properties: { detail: { properties: { code: { enum: [...codes] } } } } };
  return {
    description: [codes.length === 1 ? 'Refused:' : 'Refused for one of these:', '', ...lines].join('\n'),
    headers: headersOf(status),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, ofCodes] },
        // Several are at the address of the examples: every operation has most of them.
        ...((bodies.length === 1 || details === FILE_EXAMPLE_DETAILS) && { examples }),
      },
    },
  };
}

/** An example of each refusal, by its code. */
export function refusalExamples(): Readonly<Record<string, z.output<typeof errorShape>>> {
  const codes: readonly FailureCode[] = [...REFUSAL_CODES, 'internal_error'];
  return Object.fromEntries(codes.map((code) => [code, bodyFor(code)]));
}

/** Refusals of such an operation name rows of a spreadsheet. */
function isOnlyOfFiles({ input }: Operation): boolean {
  return input.sentAs.includes('multipart') && !input.sentAs.includes('json');
}

/** `not_found` as the name of a component: `NotFound`. */
function componentName(code: FailureCode): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function refTo(name: string): { readonly $ref: `#/components/responses/${string}` } {
  return { $ref: `#/components/responses/${name}` };
}

function codesByStatus(operation: Operation): readonly [number, readonly FailureCode[]][] {
  return [...Map.groupBy(codesOf(operation), statusFor)].sort(([a], [b]) => a - b);
}

/** Every status with which an operation may be refused or fail. A status of one code refers to a component. */
export function refusalResponses(operation: Operation): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    codesByStatus(operation).map(([status, codes]) => {
      const [only] = codes;
      const isOfRows = only === 'business_rule' && isOnlyOfFiles(operation);
      if (isOfRows) return [String(status), responseFor(status, codes, FILE_EXAMPLE_DETAILS)];
      const isShared = codes.length === 1 && only !== undefined;
      return [String(status), isShared ? refTo(componentName(only)) : responseFor(status, codes)];
    }),
  );
}

/** The components that `refusalResponses` of these operations refer to. */
export function sharedResponses(rows: readonly Operation[]): Readonly<Record<string, ZodOpenApiResponseObject>> {
  const shared = rows.flatMap(codesByStatus).flatMap(([, codes]) => (codes.length === 1 ? codes : []));
  const names = [...new Set(shared)].sort();
  return Object.fromEntries(names.map((code) => [componentName(code), responseFor(statusFor(code), [code])]));
}
