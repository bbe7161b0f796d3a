import { type Line, line } from '../line.ts';

/** What has a goal and cannot be measured yet: named here so that nobody takes its silence for a result. */
export const WAITING_LINES: readonly Line[] = [
  [
    'Ranking in memory, SIMD',
    '<= 3x the memory read and >= 200x naive objects at 5,000 to 10,000 offers',
    'no SIMD kernel',
  ],
  ['Portfolio', '10,000 customers, 5,000 offers: >= 40x DuckDB, two threads >= 1.5x one', 'no ranking of portfolios'],
  ['A workbook to committed rows', '10 MB on SQLite: <= 0.8x of exceljs that only loads it', 'no import of workbooks'],
  ['PostgreSQL store', 'freshness <= 1.2x a bare round trip, bulk replace >= 25x one by one', 'no store on PostgreSQL'],
  ['Answers while a file is imported', 'p99 of GET /v1/offers, idle and while importing', 'no import of workbooks'],
].map(([name = '', about = '', missing = '']) =>
  line({ name, about, run: async () => ({ notRun: `there is ${missing} yet.` }) }),
);
