// Work in steps, between which other work may run.

/** With more rows than this a question lets other work run in between. */
export const LONG = 20_000;
/** Rows of one piece of work that goes over all. */
export const PIECE_ROWS = 4096;

/** Whether so many rows are long enough for a pause. */
export function isLong(rowCount: number): boolean {
  return rowCount > LONG;
}

/** Runs all steps at once. */
export function finish<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
