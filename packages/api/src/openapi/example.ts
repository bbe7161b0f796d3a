import type { CellToWrite } from '@tarifario/core/service';

/** One call with its answer, shown in the document and made as it stands by a test, over the records of that test. */
export interface Example {
  readonly summary: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  readonly body?: unknown;
  /** In place of `body`: a form whose file is a workbook with these rows. A document cannot show it; a test sends it. */
  readonly form?: {
    readonly fields?: Readonly<Record<string, string>>;
    /** By the name of the sheet, the header first. */
    readonly sheets: Readonly<Record<string, readonly (readonly CellToWrite[])[]>>;
  };
  readonly status: number;
  /** The whole answer; ids and instants are those of the test's records. Left out where it is too long to help. */
  readonly answer?: unknown;
}

/** By the id of the operation; the first one also fills in the parameters. */
export type Examples = Readonly<Record<string, readonly Example[]>>;
