import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { childrenMs, ownMs } from './processor-time.ts';

/** The first that fits a file is its kind. */
const KINDS: readonly (readonly [kind: string, files: RegExp])[] = [
  ['contract', /contract\.test|packages\/store\/test\/(?!.*integration)/],
  ['property', /\.prop\.test/],
  ['browser', /^apps\/web\/test\//],
  ['command line', /^apps\/cli\/test\//],
  ['docs', /^docs\//],
  ['sockets and databases', /\.integration\.test|^packages\/runtime\/test\//],
  ['api over stores', /^packages\/api\/test\//],
  ['unit', /./],
];
/** The first store of a title is the one it is about. */
const STORE = /\b(SQLite|PostgreSQL)\b/;

interface Sum {
  processorMs: number;
  tests: number;
  processes: number;
  servers: number;
}

function add(sums: Map<string, Sum>, key: string, more: Partial<Sum>): void {
  const sum = sums.get(key) ?? { processorMs: 0, tests: 0, processes: 0, servers: 0 };
  sums.set(key, {
    processorMs: sum.processorMs + (more.processorMs ?? 0),
    tests: sum.tests + (more.tests ?? 0),
    processes: sum.processes + (more.processes ?? 0),
    servers: sum.servers + (more.servers ?? 0),
  });
}

function table(title: string, sums: Map<string, Sum>): string {
  const total = [...sums.values()].reduce((sum, { processorMs }) => sum + processorMs, 0);
  const lines = [...sums]
    .toSorted(([, a], [, b]) => b.processorMs - a.processorMs)
    .map(([name, { processorMs, tests, processes, servers }]) => {
      const seconds = (processorMs / 1000).toFixed(1);
      const share = `${((100 * processorMs) / total).toFixed(1)} %`;
      return [seconds, share, tests, processes, servers]
        .map((cell) => String(cell).padStart(9))
        .concat(name)
        .join('  ');
    });
  const head = ['seconds', 'share', 'tests', 'processes', 'servers'].map((cell) => cell.padStart(9)).concat(title);
  return [head.join('  '), ...lines].join('\n');
}

/** Prints what files and kinds of tests took of the processors, which `measure.ts` has measured. */
export class SecondsReporter implements Reporter {
  onTestRunEnd(files: readonly TestModule[]): void {
    const byFile = new Map<string, Sum>();
    const byKind = new Map<string, Sum>();
    for (const file of files) {
      const path = relative(process.cwd(), file.moduleId);
      const { processorMs = 0, processes = 0, servers = 0 } = file.meta();
      const kind = KINDS.find(([, fits]) => fits.test(path))?.[0] ?? '';
      let rest = processorMs;
      for (const test of file.children.allTests()) {
        const store = STORE.exec(test.fullName)?.[1];
        const ms = test.meta().processorMs ?? 0;
        rest -= ms;
        add(byKind, store === undefined ? kind : `${kind}, ${store}`, { processorMs: ms, tests: 1 });
        add(byFile, path, { tests: 1 });
      }
      add(byFile, path, { processorMs, processes, servers });
      add(byKind, kind, { processorMs: rest, processes, servers });
    }
    add(byKind, 'the process that starts all others, and compiles', { processorMs: ownMs() });
    add(byKind, 'the PostgreSQL that they share', { processorMs: childrenMs(/^postgres$/) });
    console.log(`\n${table('kind', byKind)}\n\n${table('file', byFile)}`);
  }
}
