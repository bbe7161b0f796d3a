/** node test-fixtures/vectors/oracle/write-bills.mjs   computes `expect` of every vector of test-fixtures/bills.json */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { billOf } from './bill.mjs';

const FILE = new URL('../../bills.json', import.meta.url);

/** @type {{ name: string, given: import('./bill.mjs').BillGiven, expect: object }[]} */
const vectors = JSON.parse(readFileSync(FILE, 'utf8'));
writeFileSync(FILE, JSON.stringify(vectors.map(({ name, given }) => ({ name, given, expect: billOf(given) }))));
execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(FILE)], { stdio: 'inherit' });
