import { z } from 'zod';
import { inSchema } from './messages/in-schema.ts';

/**
 * How a body may be sent: as JSON, as a form of parts (`multipart/form-data`), one of them a file, or as that file alone
 * (`text/csv`).
 */
export type BodyForm = 'json' | 'multipart' | 'csv';

/** A file in a form. */
export interface SentFile {
  /** As sent; never empty. */
  readonly name: string;
  /** In a buffer of its own, so that it can be transferred to another thread. */
  readonly bytes: Uint8Array;
}

/**
 * A form as a transport received it, or a file that was sent alone. It cannot be confused with JSON, which has no
 * bytes.
 */
export interface SentForm {
  /** The parts that are texts. */
  readonly fields: Iterable<[string, string]>;
  /** The one part that is a file; its name is `file`. */
  readonly file: SentFile;
}

export function isSentForm(body: unknown): body is SentForm {
  return typeof body === 'object' && body !== null && 'file' in body && isSentFile(body.file);
}

function isSentFile(value: unknown): value is SentFile {
  return typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;
}

const newFileField = (words: string) =>
  z
    .unknown()
    .transform((value, context): SentFile => {
      if (isSentFile(value)) return value;
      context.issues.push({ code: 'custom', message: inSchema('must be a file'), input: value });
      return z.NEVER;
    })
    .meta({ type: 'string', format: 'binary', description: words });

const fileField = newFileField('An XLSX workbook of at most 10 MB.');
/** For a CSV, which may also be sent alone. */
const csvField = newFileField('The CSV of a meter, of at most 10 MB.');

/** The body of an operation that takes a CSV. */
export const csvForm = z.strictObject({ file: csvField });

/** The same with texts beside it. */
export function csvFormOf<T extends z.ZodRawShape>(fields: T) {
  return z.strictObject({ ...fields, file: csvField });
}

/** The body of an operation that takes a file, and these texts beside it. */
export function formOf<T extends z.ZodRawShape>(fields: T) {
  return z.strictObject({ ...fields, file: fileField });
}

/** A file that is sent alone, as the document shows it. */
const fileText = z.string().meta({ format: 'binary' });

/** The schema of a body that is sent in one way; `null`: it cannot be sent so. Of a union one option takes the file. */
export function bodySchemaFor(body: z.ZodType, form: BodyForm): z.ZodType | null {
  const options = body instanceof z.ZodUnion ? body.options : [body];
  const ofFile = options.find(takesFile);
  if (form === 'multipart') return ofFile instanceof z.ZodType ? ofFile : null;
  if (form === 'csv') return ofFile === csvForm ? fileText : null;
  const other = options.find((option) => option !== ofFile);
  if (ofFile === undefined) return body;
  return other instanceof z.ZodType ? other : null;
}

function takesFile(schema: unknown): boolean {
  return schema instanceof z.ZodObject && (schema.shape.file === fileField || schema.shape.file === csvField);
}

/** The ways in which a body may be sent. */
export function formsOf(body: z.ZodType): readonly BodyForm[] {
  const forms: readonly BodyForm[] = ['json', 'multipart', 'csv'];
  return forms.filter((form) => bodySchemaFor(body, form) !== null);
}
