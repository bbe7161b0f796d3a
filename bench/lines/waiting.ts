import { type Line, line } from '../line.ts';

/** What has a goal and is not measured yet: named here so that nobody takes its silence for a result. */
export const WAITING_LINES: readonly Line[] = [
  line({
    name: 'Portfolio',
    about: '10,000 customers, 5,000 offers: >= 40x DuckDB, two threads >= 1.5x one',
    run: async () => ({ notRun: 'nobody has written this line yet.' }),
  }),
];
