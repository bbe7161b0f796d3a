import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { Goal, Line, Row } from './line.ts';

/** What became of a line: its rows, or why there are none. */
export type Outcome =
  | { readonly line: Line; readonly rows: readonly Row[] }
  | { readonly line: Line; readonly reason: string };

export function ratioOf({ oursMicros, peerMicros, ratio }: Row): number {
  return ratio === 'theirs/ours' ? peerMicros / oursMicros : oursMicros / peerMicros;
}

/** Whether a row reaches its goal, and by how much it does not. */
export function verdictOf(row: Row): string {
  const { goal } = row;
  if (goal === null) return '';
  const ratio = ratioOf(row);
  if ('atMost' in goal) return ratio <= goal.atMost ? 'reached' : `missed by ${plain(ratio / goal.atMost)}x`;
  return ratio >= goal.atLeast ? 'reached' : `missed by ${plain(goal.atLeast / ratio)}x`;
}

function goalText(goal: Goal | null): string {
  if (goal === null) return '';
  return 'atMost' in goal ? `<= ${goal.atMost}x` : `>= ${goal.atLeast}x`;
}

/** Three digits that count. */
function plain(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function bytesText(bytes: number): string {
  return `${plain(bytes)} bytes`;
}

export function timeText(micros: number): string {
  if (micros < 1_000) return `${plain(micros)} us`;
  return micros < 1_000_000 ? `${plain(micros / 1_000)} ms` : `${plain(micros / 1_000_000)} s`;
}

/** Where and when: what all figures of one run have in common. */
export function circumstances(command: string, at: Date): readonly string[] {
  const [cpu] = cpus();
  const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', '.', ':!docs/benchmarks.md') === '' ? '' : ' with changes';
  return [
    `command: \`${command}\``,
    `date: ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `commit: ${git('rev-parse', '--short', 'HEAD')}${changed}`,
    `machine: ${cpu?.model.trim() ?? 'unknown'}, ${cpus().length} processors, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}`,
    `Node ${process.version}`,
  ];
}

/** The whole page. */
export function pageOf(outcomes: readonly Outcome[], facts: readonly string[]): string {
  const tables = outcomes.map(tableOf).join('\n');
  return `# Benchmarks

Written by \`npm run bench\`, which measures all of it side by side in one run. Times are of that machine on that day;
what counts is the ratio, because both sides of a row ran next to each other. Medians of several rounds. "3x" is our time
as a multiple of theirs, "100x faster" theirs as a multiple of ours. A peer that does not give the same ids, bytes or
cells makes its row void. What was tried where a goal is
missed, and what stands in the way, is said in [performance.md](performance.md).

${facts.map((fact) => `- ${fact}`).join('\n')}

${tables}`;
}

function tableOf(outcome: Outcome): string {
  const { name, about } = outcome.line;
  if ('reason' in outcome) return `## ${name}\n\n${about}\n\n**${outcome.reason}**\n`;
  const rows = outcome.rows.map((row) => {
    const { what, oursMicros, peer, peerMicros, goal } = row;
    const textOf = row.inBytes ? bytesText : timeText;
    const cells = [
      what,
      textOf(oursMicros),
      peer,
      textOf(peerMicros),
      `${plain(ratioOf(row))}x${row.ratio === 'theirs/ours' ? ' faster' : ''}`,
      goalText(goal),
      verdictOf(row),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| what | ours | against | theirs | ratio | goal | |\n|---|---|---|---|---|---|---|';
  return `## ${name}\n\n${about}\n\n${head}\n${rows.join('\n')}\n`;
}
