/** One call with its answer, shown in the document and made as it stands by a test, over the records of that test. */
export interface Example {
  readonly summary: string;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly number[]>>;
  readonly body?: unknown;
  readonly status: number;
  /** The whole answer; ids and instants are those of the test's records. Left out where it is too long to help. */
  readonly answer?: unknown;
}

/** By the id of the operation; the first one also fills in the parameters. */
export type Examples = Readonly<Record<string, readonly Example[]>>;
