import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { further } from '@tarifario/testkit/share';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiDocument } from '../src/index.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin/cli.js');
/** No usage report and no check for a newer version, so no connection is opened. */
const ENV = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tarifario-openapi-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Rules that a document breaks. */
async function lint(document: object): Promise<readonly string[]> {
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const args = [PROGRAM, 'lint', file, '--config', join(ROOT, 'redocly.yaml'), '--format=json', '--max-problems=1000'];
  const options = { cwd: folder, env: ENV, timeout: 600_000 };
  const { stdout } = await run(process.execPath, args, options).catch((error) => {
    // A document with problems ends the program with 1, and these are on stdout.
    if (error.code === 1) return error;
    throw error;
  });
  const { problems }: { problems: { ruleId: string; message: string; location: { pointer: string }[] }[] } =
    JSON.parse(stdout);
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

it('breaks no rule of the linter', async () => {
  expect(await lint(openApiDocument())).toEqual([]);
});

further('has a linter that finds a wrong example, a missing summary and a broken reference', async () => {
  const text = JSON.stringify(openApiDocument())
    .replace('"summary":"List own offers",', '')
    .replace('#/components/schemas/GasOffer"', '#/components/schemas/NoOffer"')
    .replaceAll('"value":{"supply_type":"LUZ"', '"value":{"supply_type":7');
  const rules = (await lint(JSON.parse(text))).map((problem) => problem.split(' ')[0]);
  expect(rules).toEqual(
    expect.arrayContaining(['operation-summary', 'no-unresolved-refs', 'no-invalid-media-type-examples']),
  );
});
