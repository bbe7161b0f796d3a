import type {
  BulkFormat,
  Caller,
  Cipher,
  Deps,
  FairQueue,
  IdempotencyRequest,
  Revisions,
} from '@tarifario/core/service';
import type { Language } from './messages/words.ts';

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
  /** The language of messages in what is passed on as bytes; English when left out. */
  readonly language?: Language | undefined;
  /** The bulk update from whose limit a point was taken before the file was read; `null` or left out: none. */
  readonly charged?: BulkFormat | null;
  /** For tokens that callers send back; absent: there are none. */
  readonly cipherFor?: (purpose: string) => Cipher;
  /** Under which webhooks that the key registers seal cursors; absent: there are none. */
  readonly cursorSecret?: () => string;
  /** Under which the answer of a write is stored with its effect; absent: it is not stored. */
  readonly idempotencyRequest?: IdempotencyRequest;
  /** Absent: the answer is sent whether or not the caller has it. */
  readonly revalidation?: Revalidation | undefined;
  /** Gives the header `Link` of a list; absent: the answer is no list by pages, or is no answer of HTTP. */
  readonly pageLinks?: ((list: unknown) => string) | undefined;
  /** Absent: answers have no ETags, and no tags are compared. */
  readonly entityTags?: EntityTags | undefined;
}

/** An operation with its input. */
export interface Prepared {
  /** @throws DomainError for every refusal but `invalid_request`. */
  perform(call: Call): Promise<Outcome>;
  /** The answer from what was stored under an idempotency key. */
  replay(stored: string): Outcome;
}

/** The answer of a successful operation. */
export interface Outcome {
  readonly status: number;
  /** Headers of this answer alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON value; `undefined`: no body, or the answer is a text, a file or JSON already. */
  readonly body: unknown;
  /** The body as JSON in UTF-8, only where the call takes that. Sent instead of `body`, if both are there. */
  readonly json?: Uint8Array;
  /**
   * The body in pieces that are generated while they are read, or that were made for this answer; `Content-Type` is among
   * its headers.
   */
  readonly text?: Iterable<string> | readonly Uint8Array[];
  /** The body of an operation that answers a file. */
  readonly bytes?: Uint8Array;
}

/** The tags of the most recent questions that were repeated, with the revisions of the records, by a hash. */
export type TagMemory = Map<string, Revisions & { readonly tag: string }>;

/** The header `If-None-Match` of a read. */
export interface Revalidation {
  /** Every such header as received. */
  readonly ifNoneMatch: readonly string[];
  readonly memory: TagMemory;
  /** The name of the question in the memory. */
  readonly nameOf: () => string;
}

/** Which states of a record a write is meant for: any that exists, or those with one of these tags. */
export type ExpectedTags = '*' | readonly string[];

/** The ETags of the answers of a call, and the content of its header `If-Match`. */
export interface EntityTags {
  /** `null`: the header was not sent. */
  readonly expected: ExpectedTags | null;
  /** The tag of an answer that is sent as this JSON text or these bytes. */
  readonly tagOf: (pieces: Iterable<string | Uint8Array>) => string;
}
