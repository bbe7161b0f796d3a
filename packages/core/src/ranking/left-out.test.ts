import { expect, test } from 'vitest';
import type { KernelBlock } from './kernel.ts';
import { leftOutOf } from './left-out.ts';

// Bits 1 and 2 are a filter, 4 and 8 are prices: every combination of them, and some once more.
const mask = Int32Array.from({ length: 21 }, (_, row) => row % 16);

function blockOf(care: number, want: number, bits: KernelBlock['mask'] = mask): KernelBlock {
  return { terms: new Float64Array(0), mask: bits, care, want, consumption: null, power: null };
}

/** The same said row by row. */
function expected(care: number, want: number, needed: number) {
  const rows = [...mask.keys()];
  const passes = rows.filter((row) => ((mask[row] ?? 0) & care) === want);
  const priced = passes.filter((row) => ((mask[row] ?? 0) & needed) === needed);
  return { rows: rows.filter((row) => !priced.includes(row)), excluded: passes.length - priced.length };
}

const QUESTIONS = [0, 1, 2, 3].flatMap((care) =>
  [0, 1, 2, 3].flatMap((want) => [0, 4, 8, 12].map((needed) => ({ care, want, needed }))),
);

test('each of many questions about one mask is told who does not take part, asked in any order and again', () => {
  for (const questions of [QUESTIONS, QUESTIONS.toReversed(), QUESTIONS.slice(0, 8), QUESTIONS.slice(0, 8)]) {
    for (const { care, want, needed } of questions) {
      const { rows, excluded } = leftOutOf(blockOf(care, want), needed);
      expect({ rows: [...rows], excluded }).toEqual(expected(care, want, needed));
    }
  }
});

test('the answers to eight questions a mask are kept, and the oldest makes room', () => {
  const ask = (needed: number, bits: KernelBlock['mask']) => leftOutOf(blockOf(3, 3, bits), needed);
  const bits = mask.slice();
  const answers = [1, 2, 3, 4, 5, 6, 7, 8].map((needed) => ask(needed, bits));
  answers.forEach((answer, index) => {
    expect(ask(index + 1, bits)).toBe(answer);
  });
  expect(ask(1, mask.slice())).not.toBe(answers[0]);
  const ninth = ask(9, bits);
  expect(ask(2, bits)).toBe(answers[1]);
  expect(ask(9, bits)).toBe(ninth);
  expect(ask(1, bits)).not.toBe(answers[0]);
});
