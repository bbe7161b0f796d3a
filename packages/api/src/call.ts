import type { BulkFormat, Caller, Deps, FairQueue } from '@tarifario/core/service';
import type { Cursors } from './cursors.ts';

export interface ApiDeps extends Deps {
  /** Called with every error that is not a refusal; the caller only learns that something failed. */
  readonly reportBug: (error: unknown) => void;
  /** Queues of long reads, one of an account at a time; absent: no read waits. */
  readonly longReads?: Readonly<Record<LongRead, Pick<FairQueue, 'run'>>>;
}

/**
 * Why a read is long: it has many rows, makes a workbook of them, is a page of offers with the number of all, which is
 * short unless there are very many, or reads the curve of a meter, which is a file.
 */
export type LongRead = 'rows' | 'workbook' | 'page' | 'curve';

/** The caller and the dependencies of the use cases. */
export interface Call {
  readonly deps: ApiDeps;
  readonly caller: Caller;
  /** `true`: the transport passes JSON bytes on and does not need the value. */
  readonly takesJson?: boolean;
  /** The bulk update from whose limit a point was taken before the file was read; `null` or left out: none. */
  readonly charged?: BulkFormat | null;
  /** For tokens that callers send back; absent: there are none. @param about - What they are for. */
  readonly cursorsFor?: (about: string) => Cursors;
  /** Absent: answers have no ETags, and no tags are compared. */
  readonly entityTags?: EntityTags | undefined;
}

/** The answer of a successful operation. */
export interface Outcome {
  readonly status: number;
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON value; `undefined`: no body, or the answer is a text, a file or JSON already. */
  readonly body: unknown;
  /** The body as JSON in UTF-8, only where the call takes that. */
  readonly json?: Uint8Array;
  /** The pieces of `json`, some of them shared with other answers. Its tag is made of these. */
  readonly pieces?: readonly Uint8Array[];
  /**
   * The body of an operation that does not answer JSON, in pieces that are generated while they are read, or that were
   * made for this answer.
   */
  readonly text?: Iterable<string> | readonly Uint8Array[];
  /** The body of an operation that answers a file. */
  readonly bytes?: Uint8Array;
}

/** Which states of a record a write is meant for: any that exists, or those with one of these tags. */
export type ExpectedTags = '*' | readonly string[];

/** The ETags of the answers of a call, and the content of its header `If-Match`. */
export interface EntityTags {
  /** `null`: the header was not sent. */
  readonly expected: ExpectedTags | null;
  /** The tag of a record as it is answered to this caller, quotation marks included. */
  readonly tagOf: (body: unknown) => string;
  /** The tag of an answer that is sent as these bytes. */
  readonly tagOfBytes: (pieces: Iterable<string | Uint8Array>) => string;
  /** The same for pieces that other answers share. */
  readonly tagOfShared: (pieces: readonly Uint8Array[]) => string;
}
