// How fast a ranking is, each figure beside the speed of memory and a plain program in the same run:
// node --conditions=tarifario-source packages/kernel-simd/test/speed/measure.ts 5000
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlainKernel } from '@tarifario/core';
import { createSimdKernel } from '@tarifario/kernel-simd';
import { prepareRankingBench, type RankingBench } from '../../../core/test/speed/ranking-bench.ts';

const ROUNDS = 5;

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Microseconds of processor time that a run takes on average, collecting garbage included: others may be busy too. */
function time(run: (turn: number) => unknown, runs: number): number {
  const start = process.cpuUsage();
  for (let turn = 0; turn < runs; turn++) run(turn);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / runs;
}

/** The median time to read as many bytes, microseconds; `null` without a C compiler. */
function readLimit(bytes: number, runs: number): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-limit-'));
  try {
    const program = join(folder, 'limit');
    const source = join(import.meta.dirname, '../../../core/test/speed/read-limit.c');
    execFileSync('gcc', ['-O3', '-march=native', '-o', program, source], { stdio: 'ignore' });
    return Number(execFileSync(program, [String(bytes), String(runs)], { encoding: 'utf8' }));
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure(bench: RankingBench, offers: number): void {
  const [plain, simd] = [createPlainKernel(), createSimdKernel({ maxBytes: 2 ** 30 })];
  const runs = Math.max(15, Math.round(5_000_000 / offers));
  const bytes = bench.bytesPerOffer * offers;
  const contestants: readonly (readonly [string, (turn: number) => readonly number[], number])[] = [
    ['naive objects', bench.naiveIds, Math.max(3, Math.round(200_000 / offers))],
    ['plain kernel', (turn) => bench.kernelIds(plain, turn), runs],
    ['plain ranking, whole', (turn) => bench.rankingIds(plain, turn), runs],
    ...(simd
      ? ([
          ['SIMD kernel', (turn: number) => bench.kernelIds(simd, turn), runs],
          ['SIMD ranking, whole', (turn: number) => bench.rankingIds(simd, turn), runs],
        ] as const)
      : []),
  ];
  for (const [name, run] of contestants) {
    const isSame = [0, 1].every((turn) => run(turn).join() === bench.naiveIds(turn).join());
    if (!isSame) throw new Error(`${name} ranks otherwise`);
  }
  const limits: number[] = [];
  const rounds = contestants.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    limits.push(readLimit(bytes, runs) ?? Number.NaN);
    contestants.forEach(([, run, times], index) => {
      rounds[index]?.push(time(run, times));
    });
  }
  const limit = medianOf(limits);
  const naive = medianOf(rounds[0] ?? []);
  console.log(`${offers} offers; reading ${bytes} bytes takes ${limit.toFixed(2)} us`);
  contestants.forEach(([name], index) => {
    const took = medianOf(rounds[index] ?? []);
    const ratios = `${(took / limit).toFixed(1)}x the limit, naive / it = ${(naive / took).toFixed(0)}`;
    console.log(`${name.padEnd(22)} ${took.toFixed(1).padStart(12)} us   ${ratios}`);
  });
}

for (const offers of process.argv.slice(2).map(Number)) measure(prepareRankingBench(offers), offers);
