import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { Line, Row } from './line.ts';

/** What became of a line: its rows, or why there are none. */
export type Outcome =
  | { readonly line: Line; readonly rows: readonly Row[] }
  | { readonly line: Line; readonly reason: string };

export function ratioOf({ oursMicros, peerMicros, ratio }: Row): number {
  return ratio === 'theirs/ours' ? peerMicros / oursMicros : oursMicros / peerMicros;
}

/** The goal of a row, and by how much it is missed. */
function goalText(row: Row): string {
  const { goal } = row;
  if (goal === null) return '';
  const ratio = ratioOf(row);
  const [text, miss] =
    'atMost' in goal ? [`<= ${goal.atMost}x`, ratio / goal.atMost] : [`>= ${goal.atLeast}x`, goal.atLeast / ratio];
  return miss <= 1 ? text : `${text}, missed by ${plain(miss)}x`;
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

/** What stands above all that one run prints. */
export function headOf(facts: readonly string[]): string {
  return `# Benchmarks\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n`;
}

/** The page of a run, in short: the rows by which something is decided, those with a goal. */
export function pageOf(outcomes: readonly Outcome[], facts: readonly string[]): string {
  const sections = outcomes.flatMap((outcome) => {
    const { name } = outcome.line;
    if ('reason' in outcome) return `## ${name}\n\n**${outcome.reason}**\n`;
    const rows = outcome.rows.filter(({ goal }) => goal !== null).map(sentenceOf);
    return rows.length === 0 ? [] : `## ${name}\n\n${rows.join('\n')}\n`;
  });
  return [headOf(facts), ...sections].join('\n');
}

function sentenceOf(row: Row): string {
  const { what, oursMicros, peer, inBytes } = row;
  const ours = (inBytes ? bytesText : timeText)(oursMicros);
  return `- ${what}: ${ours}, ${ratioText(row)} ${row.ratio === 'theirs/ours' ? 'than' : 'of'} ${peer} (${goalText(row)})`;
}

function ratioText(row: Row): string {
  return `${plain(ratioOf(row))}x${row.ratio === 'theirs/ours' ? ' faster' : ''}`;
}

/** A part of a run as it is printed, with all its figures. */
export function tableOf(outcome: Outcome): string {
  const { name } = outcome.line;
  if ('reason' in outcome) return `## ${name}\n\n**${outcome.reason}**\n`;
  const rows = outcome.rows.map((row) => {
    const { what, oursMicros, peer, peerMicros } = row;
    const textOf = row.inBytes ? bytesText : timeText;
    const cells = [what, textOf(oursMicros), peer, textOf(peerMicros), ratioText(row), goalText(row)];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| what | ours | against | theirs | ratio | goal |\n|---|---|---|---|---|---|';
  return `## ${name}\n\n${head}\n${rows.join('\n')}\n`;
}
