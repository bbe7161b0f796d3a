/**
 * node test-fixtures/vectors/oracle/write-vectors.mjs           fills in `expect` of every vector that has no `by_hand`
 * node test-fixtures/vectors/oracle/write-vectors.mjs --check   changes nothing; exit status 1 on any difference
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { differencesOf } from './differences.mjs';
import { expectedFor, roundingRisks } from './oracle.mjs';
import { compare, exact } from './rational.mjs';

/**
 * @typedef {import('./oracle.mjs').Given} Given
 * @typedef {import('./oracle.mjs').Expectation} Expectation
 * @typedef {{ name: string, rule: string[], by_hand?: string, given: Given, expect: Expectation }} Vector
 * @typedef {{ file: string, text: string, vectors: Vector[] }} VectorFile
 */

const FOLDER = new URL('../', import.meta.url);
const LEAST_VECTORS = 60;
const LEAST_NUMBERS_BY_HAND = 12;
const KEYS = ['name', 'rule', 'by_hand', 'given', 'expect'];

/** @returns {VectorFile[]} */
function readVectorFiles() {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    return { file, text, vectors: JSON.parse(text) };
  });
}

/** @type {(vector: Vector) => string[]} */
function formProblems(vector) {
  const problems = [];
  const unknown = Object.keys(vector).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) problems.push(`unknown keys ${unknown.join(', ')}`);
  const pinsRules = vector.rule.length > 0 && vector.rule.every((rule) => rule === 'spec' || /^A-\d{2,3}$/.test(rule));
  if (!pinsRules) problems.push('`rule` must name "spec" or assumptions as "A-07"');
  if (vector.expect.status !== 200 && vector.by_hand === undefined) problems.push('a refusal is worked out by hand');
  const unowned = vector.given.offers.filter(
    (offer) => offer.is_indexed !== true && offer.indexed_prices !== undefined,
  );
  if (unowned.length > 0) problems.push('monthly prices on an offer that is not indexed');
  return problems;
}

/** @type {(vector: Vector) => string[]} */
function expectationProblems(vector) {
  const computed = expectedFor(vector.given);
  if (vector.by_hand !== undefined) return differencesOf(vector.expect, computed);
  const both = [
    ...differencesOf(vector.expect, computed, { tolerance: 0 }),
    ...differencesOf(computed, vector.expect, { tolerance: 0 }),
  ];
  return [...new Set(both)];
}

/**
 * Number literals of a JSON text that a double would not give back as written. With none of them, the exact value of a
 * parsed number is the value of its literal.
 *
 * @param {string} text
 * @returns {string[]}
 */
function lossyLiterals(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g) ?? [];
  return tokens.filter((token) => !token.startsWith('"') && compare(exact(token), exact(Number(token))) !== 0);
}

/** @type {(files: readonly VectorFile[]) => string[]} */
function problemsOf(files) {
  const problems = files.flatMap(({ file, text }) =>
    lossyLiterals(text).map((literal) => `${file}: ${literal} is no double`),
  );
  const vectors = files.flatMap(({ file, vectors }) => vectors.map((vector) => ({ file, vector })));
  const names = new Set();
  for (const { file, vector } of vectors) {
    const found = [...formProblems(vector), ...expectationProblems(vector), ...roundingRisks(vector.given)];
    if (names.has(vector.name)) found.push('a vector of this name exists already');
    names.add(vector.name);
    problems.push(...found.map((problem) => `${file} "${vector.name}" ${problem}`));
  }
  const numbersByHand = vectors.filter(({ vector }) => vector.by_hand !== undefined && vector.expect.status === 200);
  if (vectors.length < LEAST_VECTORS) problems.push(`${vectors.length} vectors, at least ${LEAST_VECTORS} wanted`);
  if (numbersByHand.length < LEAST_NUMBERS_BY_HAND) {
    problems.push(`${numbersByHand.length} numeric vectors by hand, at least ${LEAST_NUMBERS_BY_HAND} wanted`);
  }
  return problems;
}

/** @type {(files: readonly VectorFile[]) => void} */
function fillExpectations(files) {
  for (const { file, vectors } of files) {
    const filled = vectors.map((vector) =>
      vector.by_hand === undefined ? { ...vector, expect: expectedFor(vector.given) } : vector,
    );
    writeFileSync(new URL(file, FOLDER), JSON.stringify(filled));
  }
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(FOLDER)], { stdio: 'inherit' });
}

if (!process.argv.includes('--check')) fillExpectations(readVectorFiles());
const files = readVectorFiles();
const problems = problemsOf(files);
for (const problem of problems) console.error(problem);
console.log(`${files.reduce((count, { vectors }) => count + vectors.length, 0)} vectors, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
