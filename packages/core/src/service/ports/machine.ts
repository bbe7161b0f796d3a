import type { BucketState } from '../../engine/errors.ts';
import type { Bucket } from '../access/buckets.ts';

/** Says that the connection of a caller has closed: an `AbortSignal`. */
export interface Closing {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The current time. Core has no clock of its own. */
export interface Clock {
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  now(): string;
  /** Milliseconds since some moment in the past, with fractions. They never decrease, so they can measure durations. */
  monotonicMs(): number;
}

/** A new API key: shown once, stored as its hash. */
export interface NewKey {
  readonly key: string;
  readonly prefix: string;
  readonly secretHash: string;
}

/** Keys and passwords. */
export interface Secrets {
  /** A key with a 256-bit secret and a checksum. */
  newKey(): NewKey;
  /** The hash under which a key is stored, or `null` for text that cannot be a key of ours (wrong form or checksum). */
  hashFor(key: string): string | null;
  /** 128 random bits, hexadecimal. */
  newSalt(): string;
  /** `whsec_` and 250 random bits in Base64, of letters alone. */
  newWebhookSecret(): string;
  /** The SHA-256 of a text in UTF-8, hexadecimal. */
  sha256(text: string): string;
  /** A PHC string. */
  hashPassword(password: string): Promise<string>;
  verifyPassword(passwordHash: string, password: string): Promise<boolean>;
  /**
   * A keyed hash (HMAC) of the pieces in a row. Without the API key nobody can guess the hashed text, even if it
   * contains a password.
   */
  fingerprint(key: string, pieces: Iterable<string | Uint8Array>): string;
  /** @param purpose - What the tokens are for: those of another purpose are not opened. */
  cipherFor(key: string, purpose: string): Cipher;
}

/** Makes tokens of texts that nobody else can read or make. Equal texts give equal tokens. */
export interface Cipher {
  /** @param text - Without spaces at its end. Up to 90 characters of ASCII give tokens of one length. */
  seal(text: string): string;
  /** `null`: a token of another key, for another purpose, or made up. */
  open(token: string): string | null;
}

/** Tokens of another issuer, in place of API keys. */
export interface Tokens {
  /** Whether a text has the form of a token. */
  isToken(text: string): boolean;
  /**
   * The id of the API key that a token names; `null`: it is not valid, or names none.
   *
   * @throws DomainError `unavailable` when the keys of the issuer cannot be read.
   */
  keyIdOf(token: string): Promise<number | null>;
  /** Replaces the secret of an API key for callers that send tokens, because tokens change. */
  secretFor(keyId: number): string;
  /** Where callers find the metadata about tokens (RFC 9728). */
  readonly metadataUrl: string;
}

/** A value of a table; `null`: an empty cell. */
export type Cell = string | number | boolean | null;

/** The readers of a CSV. */
export interface CsvForm {
  /** `;`: for a spreadsheet in Spanish, with decimal commas and a byte order mark. */
  readonly separator: ',' | ';';
}

/** Tables as files. */
export interface Tables {
  /**
   * RFC 4180 text in UTF-8, in pieces of some rows each, generated while they are read. No text can be run as a formula
   * by a spreadsheet; numbers stay numbers.
   *
   * @param rows - The first one is the header; all are equally long, with at least two cells.
   */
  csv(rows: Iterable<readonly Cell[]>, form: CsvForm): Iterable<string>;
}

/** The result of `take`. */
export interface TakeResult {
  /** `false`: a bucket had too few points, and none were taken from any bucket. */
  readonly accepted: boolean;
  /** In the order of the requested buckets. */
  readonly states: readonly BucketState[];
}

/** Counts calls in fixed time windows, shared by all processes that must respect the same limits. */
export interface RateLimiter {
  /**
   * Takes points from each bucket, or from none when one of them has less. Atomic under concurrent calls.
   *
   * @param points - At least 1; one when left out.
   */
  take(buckets: readonly Bucket[], points?: number): Promise<TakeResult>;
  /** Gives one point back to each bucket. */
  giveBack(buckets: readonly Bucket[]): Promise<void>;
}
