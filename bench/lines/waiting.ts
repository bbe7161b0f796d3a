import { type Line, line } from '../line.ts';

/** What has a goal and cannot be measured yet: named here so that nobody takes its silence for a result. */
export const WAITING_LINES: readonly Line[] = [
  ['<= 3x the memory read and >= 200x naive objects at 5,000 to 10,000 offers', 'no SIMD kernel'],
  ['Portfolio', '10,000 customers, 5,000 offers: >= 40x DuckDB, two threads >= 1.5x one', 'no ranking of portfolios'],
].map(([name = '', about = '', missing = '']) =>
  line({ name, about, run: async () => ({ notRun: `there is ${missing} yet.` }) }),
);
