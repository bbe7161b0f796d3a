/** node test-fixtures/vectors/oracle/write-power.mjs   computes `expect` of every vector of test-fixtures/power.json */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { adviceOf } from './power.mjs';

const FILE = new URL('../../power.json', import.meta.url);

/** @type {{ name: string, given: import('./power.mjs').PowerGiven, expect: object }[]} */
const vectors = JSON.parse(readFileSync(FILE, 'utf8'));
writeFileSync(FILE, JSON.stringify(vectors.map(({ name, given }) => ({ name, given, expect: adviceOf(given) }))));
execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(FILE)], { stdio: 'inherit' });
