import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BY_HAND } from './by-hand.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { allMutants, countChanges, MUTATED_FILES, sourceOf } from './mutants.ts';

const mutants = allMutants();

test('every change thought of by hand applies exactly once and has a name of its own', () => {
  // Applying was checked when the list was made: it throws otherwise.
  const names = BY_HAND.map(({ id, file }) => `${file} ${id}`);
  expect(new Set(names).size).toBe(names.length);
  expect(BY_HAND.length).toBeGreaterThan(120);
});

test('every file is changed, by rule and by hand, and every change changes it', () => {
  for (const file of MUTATED_FILES) expect(mutants.filter((mutant) => mutant.file === file).length).toBeGreaterThan(3);
  for (const { name, file, text } of mutants) expect(text === sourceOf(file), name).toBe(false);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test('every file of the ranking and of commissions that decides anything is changed', () => {
  const numbersAlone = ['ranking/ranking.ts']; // limits and defaults, held by the tests of the doors that tell them
  const cwd = join(import.meta.dirname, '../../src');
  const files = globSync('{commission,ranking}/*.ts', { cwd }).filter((file) => !file.endsWith('.test.ts'));
  const deciding = files.filter((file) => countChanges(readFileSync(join(cwd, file), 'utf8')) > 3);
  expect(deciding.length).toBeGreaterThan(20);
  expect(deciding.filter((file) => !MUTATED_FILES.some((known) => known === file))).toEqual(numbersAlone);
});

test('every proof is about changes that exist: code that moved needs its proofs read again', () => {
  for (const { file, line, changes, proof } of EQUIVALENTS) {
    for (const change of changes) {
      const found = mutants.filter((mutant) => mutant.file === file && mutant.line.startsWith(line));
      const excused = found.filter((mutant) => mutant.change === change && mutant.proof === proof);
      expect(excused.length, `${file}: ${line}: ${change}`).toBeGreaterThan(0);
      expect(new Set(found.map((mutant) => mutant.line)).size, `${file}: ${line}: several lines`).toBe(1);
    }
  }
});
