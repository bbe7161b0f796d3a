// deploy/generated.mjs makes the files that are made of the sources and not committed:
//
//   npm run prepare    all of them, as `npm run build` and `npm test` do
//
// Those that are missing are also made by what needs them: the program, the tests and the benchmark.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');

/** What prints each file. */
const PRINTED_BY = {
  'packages/api/dist/openapi-examples.json': 'packages/api/test/print-examples.ts',
  'packages/client/src/generated.ts': 'packages/client/test/print-types.ts',
};

/** Each file at once and whole, also where several processes make it. */
async function make([file, program]) {
  const flags = [
    '--conditions=tarifario-source',
    ...(process.features.typescript ? [] : ['--experimental-strip-types']),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  const place = join(root, file);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(`${place}.${process.pid}`, stdout);
  renameSync(`${place}.${process.pid}`, place);
}

/** Makes what is missing. */
export async function setup() {
  await Promise.all(
    Object.entries(PRINTED_BY)
      .filter(([file]) => !existsSync(join(root, file)))
      .map(make),
  );
}

if (process.argv[1] === import.meta.filename) await Promise.all(Object.entries(PRINTED_BY).map(make));
