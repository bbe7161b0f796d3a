import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { medianOf } from './measure.ts';

/** Each begins with the other checkout than the last one. */
const PAIRS = 8;
const ROW = /^\| (?<what>.+?) \| (?<ours>[\d.,]+ \S+) \| (?<peer>.+?) \| (?<theirs>[\d.,]+ \S+) \|/gm;
const MICROS: Readonly<Record<string, number>> = { s: 1_000_000, ms: 1_000, us: 1, bytes: 1 };

/** What one checkout printed for a row, run after run. */
interface Figures {
  readonly ours: number[];
  readonly theirs: number[];
}

/**
 * Runs lines in this checkout and in another one in turns, each by its own bench in processes of its own.
 *
 * @returns A table of the rows that both have: their figure as a multiple of the other checkout's, the median and the
 *   range of the pairs. The last column is the same of what the row compares with: how much the machine alone makes.
 */
export function inPairs(peer: string, words: readonly string[]): string {
  const own = fileURLToPath(new URL('..', import.meta.url));
  const runs = { own: new Map<string, Figures>(), peer: new Map<string, Figures>() };
  for (let pair = 0; pair < PAIRS; pair++) {
    const turns = [() => addRun(runs.own, own, words), () => addRun(runs.peer, peer, words)];
    for (const turn of pair % 2 === 0 ? turns : turns.toReversed()) turn();
  }
  const rows = [...runs.own].flatMap(([name, ours]) => {
    const theirs = runs.peer.get(name);
    return theirs ? [`| ${name} | ${ratios(ours.ours, theirs.ours)} | ${ratios(ours.theirs, theirs.theirs)} |`] : [];
  });
  return ['| what | here / there | compared with, here / there |', '|---|---|---|', ...rows, ''].join('\n');
}

function addRun(figures: Map<string, Figures>, folder: string, words: readonly string[]): void {
  const args = ['--conditions=tarifario-source', 'bench/run.ts', ...words];
  const { BENCH_PEER: _, ...env } = process.env;
  const page = execFileSync(process.execPath, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  });
  for (const { groups: { what = '', ours = '', peer = '', theirs = '' } = {} } of page.matchAll(ROW)) {
    const name = `${what}, against ${peer}`;
    const row = figures.get(name) ?? { ours: [], theirs: [] };
    figures.set(name, row);
    row.ours.push(microsIn(ours));
    row.theirs.push(microsIn(theirs));
  }
}

function microsIn(text: string): number {
  const [figure = '', unit = ''] = text.split(' ');
  return Number(figure.replaceAll(',', '')) * (MICROS[unit] ?? Number.NaN);
}

function ratios(here: readonly number[], there: readonly number[]): string {
  const each = here.map((figure, pair) => figure / (there[pair] ?? Number.NaN));
  return `${medianOf(each).toFixed(2)} (${Math.min(...each).toFixed(2)} to ${Math.max(...each).toFixed(2)})`;
}
