/** The time, from outside: core has no clock of its own. */
export interface Clock {
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  now(): string;
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
  /** A PHC string. */
  hashPassword(password: string): Promise<string>;
  verifyPassword(passwordHash: string, password: string): Promise<boolean>;
}
