import type { BulkFormat, Caller, Deps, FairQueue } from '@tarifario/core/service';

/** What the service behind the doors is made of. */
export interface ApiDeps extends Deps {
  /** Told about every error that is no refusal; the caller only learns that something failed. */
  readonly reportBug: (error: unknown) => void;
  /** Where long reads wait, one of an account at a time; left out, none waits. */
  readonly longReads?: Readonly<Record<LongRead, Pick<FairQueue, 'run'>>>;
}

/**
 * What makes a read long: many rows, a workbook that is made of them, or a page of offers with the number of all, which is
 * short unless there are very many.
 */
export type LongRead = 'rows' | 'workbook' | 'page';

/** Who calls, and what the use cases need. */
export interface Call {
  readonly deps: ApiDeps;
  readonly caller: Caller;
  /** `true`: who asks sends bytes of JSON on and has no use for the value they stand for. */
  readonly takesJson?: boolean;
  /** The bulk update of whose limit a point was taken before the file was read; `null` or left out: of none. */
  readonly charged?: BulkFormat | null;
  /** Left out: answers have no tags, and nothing is expected. */
  readonly tagging?: Tagging | undefined;
}

/** The answer of an operation that was done. */
export interface Outcome {
  readonly status: number;
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON value; `undefined`: no body, or the answer is a text, a file or JSON already. */
  readonly body: unknown;
  /** The body as JSON in UTF-8, only where the call takes that. */
  readonly json?: Uint8Array;
  /** The body of an operation that does not answer JSON, in pieces that are made as they are taken. */
  readonly text?: Iterable<string>;
  /** The body of an operation that answers a file. */
  readonly bytes?: Uint8Array;
}

/** Which states of a record a write is meant for: any that exists, or those with one of these tags. */
export type ExpectedTags = '*' | readonly string[];

/** How the answers of a call are tagged, and what its header `If-Match` says. */
export interface Tagging {
  /** `null`: the header was not sent. */
  readonly expected: ExpectedTags | null;
  /** The tag of a record as it is answered to this caller, quotation marks included. */
  readonly tagOf: (body: unknown) => string;
}
