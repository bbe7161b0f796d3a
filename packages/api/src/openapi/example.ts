import type { CellToWrite } from '@tarifario/core/service';

/**
 * One call that the document shows with its answer (`/openapi-examples.json`). A test sends it unchanged, over its own records.
 */
export interface Example {
  readonly summary: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  readonly body?: unknown;
  /**
   * In place of `body`: a form whose file is a workbook with these rows. The document cannot show it; a test sends it.
   */
  readonly form?: {
    readonly fields?: Readonly<Record<string, string>>;
    /** Rows by the name of the sheet, the header first. */
    readonly sheets: Readonly<Record<string, readonly (readonly CellToWrite[])[]>>;
  };
  /** `true`: its answer is too long to be shown. */
  readonly isLong?: boolean;
}
