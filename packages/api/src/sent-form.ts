import { z } from 'zod';

/** How a body may be sent: as JSON, or as a form of parts (`multipart/form-data`), one of them a file. */
export type BodyForm = 'json' | 'multipart';

/** A file out of a form. */
export interface SentFile {
  /** As sent; never empty. */
  readonly name: string;
  /** The owner of its memory, so that it can be handed to another thread. */
  readonly bytes: Uint8Array;
}

/** A form as a door received it. No JSON value is one: JSON has no bytes. */
export interface SentForm {
  /** The parts that are texts. */
  readonly fields: Iterable<[string, string]>;
  /** The one part that is a file; it is called `file`. */
  readonly file: SentFile;
}

export function isSentForm(body: unknown): body is SentForm {
  return typeof body === 'object' && body !== null && 'file' in body && isSentFile(body.file);
}

function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
}

const fileField = z
  .unknown()
  .transform((value, context): SentFile => {
    if (isSentFile(value)) return value;
    context.issues.push({ code: 'custom', message: 'must be a file', input: value });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'binary' });

/** The body of an operation that takes a file, and these texts beside it. */
export function formOf<T extends z.ZodRawShape>(fields: T) {
  return z.strictObject({ ...fields, file: fileField });
}

/** The schema of a body that is sent in one way; `null`: it cannot be sent so. Of a union one option takes the file. */
export function bodySchemaFor(body: z.ZodType, form: BodyForm): z.ZodType | null {
  const options = body instanceof z.ZodUnion ? body.options : [body];
  const ofFile = options.find(takesFile);
  if (form === 'multipart') return ofFile instanceof z.ZodType ? ofFile : null;
  const other = options.find((option) => option !== ofFile);
  if (ofFile === undefined) return body;
  return other instanceof z.ZodType ? other : null;
}

function takesFile(schema: unknown): boolean {
  return schema instanceof z.ZodObject && schema.shape.file === fileField;
}

/** The ways in which a body may be sent. */
export function formsOf(body: z.ZodType): readonly BodyForm[] {
  const forms: readonly BodyForm[] = ['json', 'multipart'];
  return forms.filter((form) => bodySchemaFor(body, form) !== null);
}
