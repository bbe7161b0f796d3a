import assert from 'node:assert';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setup } from '../deploy/generated.mjs';
import { type Line, VoidRow } from './line.ts';
import { accountsLine } from './lines/accounts.ts';
import { adviceLine } from './lines/advice.ts';
import { asOfLine } from './lines/as-of.ts';
import { bulkWriteLine } from './lines/bulk-write.ts';
import { databasesLine } from './lines/databases.ts';
import { firstCallsLine } from './lines/first-calls.ts';
import { freshOffersLine } from './lines/fresh-offers.ts';
import { freshnessLine } from './lines/freshness.ts';
import { growthLine } from './lines/growth.ts';
import { httpLine } from './lines/http.ts';
import { importLine } from './lines/import.ts';
import { importRowsLine } from './lines/import-rows.ts';
import { oneNodeLine } from './lines/one-node.ts';
import { portfolioLine } from './lines/portfolio.ts';
import { postgresStoreLine } from './lines/postgres-store.ts';
import { powerLine } from './lines/power.ts';
import { questionsLine } from './lines/questions.ts';
import { rankingLine } from './lines/ranking.ts';
import { readsLine } from './lines/reads.ts';
import { replicasLine } from './lines/replicas.ts';
import { upkeepLine } from './lines/upkeep.ts';
import { inPairs } from './pairs.ts';
import { circumstances, headOf, type Outcome, pageOf, tableOf } from './report.ts';
import { workAsAService } from './service-work.ts';

const LINES: readonly Line[] = [
  rankingLine,
  growthLine,
  freshOffersLine,
  firstCallsLine,
  databasesLine,
  adviceLine,
  questionsLine,
  powerLine,
  httpLine,
  upkeepLine,
  accountsLine,
  readsLine,
  asOfLine,
  freshnessLine,
  bulkWriteLine,
  postgresStoreLine,
  importLine,
  importRowsLine,
  portfolioLine,
  replicasLine,
  oneNodeLine,
];

const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));

/** Peers are installed only here, and only on request. */
function peersAreInstalled(): boolean {
  const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(new URL('package.json', import.meta.url), 'utf8'),
  );
  return Object.keys(dependencies).every((name) =>
    existsSync(new URL(`node_modules/${name}/package.json`, import.meta.url)),
  );
}

async function outcomeOf(line: Line): Promise<Outcome> {
  const started = performance.now();
  try {
    const rows = await line.run();
    return 'notRun' in rows ? { line, reason: `Not run: ${rows.notRun}` } : { line, rows };
  } catch (error) {
    if (error instanceof VoidRow) return { line, reason: `Void: ${error.message}` };
    throw new Error(`the line "${line.name}" failed`, { cause: error });
  } finally {
    process.stderr.write(`${line.name}: ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  }
}

/**
 * Runs every line, or those whose names contain a word, and prints each as it is done; only a whole run is written to
 * `docs/benchmarks.md`, without rows that have no goal. With BENCH_PEER, the folder of another checkout, lines are run there too.
 */
async function main(words: readonly string[]): Promise<void> {
  if (!peersAreInstalled()) {
    process.stderr.write('the peers of the benchmark are not installed: run "npm ci --prefix bench" first\n');
    process.exitCode = 1;
    return;
  }
  await setup();
  const peer = process.env.BENCH_PEER;
  if (peer) {
    assert(words.length > 0, 'BENCH_PEER compares the lines of a word');
    process.stdout.write(inPairs(peer, words));
    return;
  }
  const startedAt = new Date();
  const lines = LINES.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word.toLowerCase())));
  await workAsAService();
  const facts = circumstances(['npm run bench', ...words].join(' '), startedAt);
  process.stdout.write(headOf(facts));
  const outcomes: Outcome[] = [];
  for (const line of lines) {
    const outcome = await outcomeOf(line);
    outcomes.push(outcome);
    process.stdout.write(`\n${tableOf(outcome)}`);
  }
  if (words.length === 0) writeFileSync(PAGE, pageOf(outcomes, facts));
}

await main(process.argv.slice(2));
