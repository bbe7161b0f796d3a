import { type DemandEntry, optimizePower, type PowerQuestion } from '@tarifario/core';
import { line, type Row } from '../line.ts';
import { sideBySide } from '../measure.ts';

const MONTHS = 12;
/** Of a month in one period, where a year has 35 040 in all. */
const QUARTERS = 487;

const six = <T>(make: (period: number) => T) => [make(0), make(1), make(2), make(3), make(4), make(5)] as const;

/** A factory whose load differs by month, period and quarter-hour, the same in every run. */
function entriesOf(loads: number): readonly DemandEntry[] {
  const loadAt = (month: number, period: number, at: number) =>
    100 + 10 * period + ((month * 31 + period * 17 + at * 7919) % 4000) / 100;
  return Array.from({ length: MONTHS }, (_, month) => ({
    month: null,
    days: 30,
    loadsKw: six((period) => Array.from({ length: loads }, (_each, at) => loadAt(month, period, at))),
  }));
}

const FACTORY = { tariff: '6.1TD', powerKw: six((period) => 120 + 10 * period), day: '2026-10-15' } as const;
const QUESTIONS: readonly (readonly [string, PowerQuestion])[] = [
  ['6.1TD, a year of quarter-hours', { ...FACTORY, measured: 'quarter_hours', entries: entriesOf(QUARTERS) }],
  [
    '3.0TD, a year of maxima',
    { ...FACTORY, tariff: '3.0TD', powerKw: six(() => 45), meterType: 4, measured: 'maxima', entries: entriesOf(1) },
  ],
];

/** The optimal contracted power of a customer, against reading its question as JSON. */
export const powerLine = line({
  name: 'Optimal power',
  run: async () => {
    const rows: Row[] = [];
    for (const [what, question] of QUESTIONS) {
      const json = JSON.stringify(question);
      const { ours, read } = await sideBySide(
        { ours: () => optimizePower(question), read: () => JSON.parse(json) },
        { rounds: 11, turnMs: 100 },
      );
      rows.push({
        what,
        oursMicros: ours,
        peer: 'JSON.parse of the question',
        peerMicros: read,
        ratio: 'ours/theirs',
        goal: null,
      });
    }
    return rows;
  },
});
