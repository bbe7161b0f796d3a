import type { KernelBlock } from './kernel.ts';

/** Questions about one mask whose answers are kept: filters, and which periods are used. */
const KEPT_QUESTIONS = 8;

/** The rows of a block that are no candidates. */
export interface LeftOut {
  /** Ascending. */
  readonly rows: Int32Array;
  /** How many of them pass the filter and lack a price. */
  readonly excluded: number;
}

interface Known extends LeftOut, Pick<KernelBlock, 'care' | 'want'> {
  readonly needed: number;
}

/** By mask, which is never changed. */
const known = new WeakMap<Int32Array, Known[]>();

/** Who does not take part. Customers of one kind ask the same, and those who take part are many more as a rule. */
export function leftOutOf({ mask, care, want }: KernelBlock, needed: number): LeftOut {
  const questions = known.get(mask) ?? [];
  for (const question of questions) {
    if (question.needed === needed && question.care === care && question.want === want) return question;
  }
  if (questions.length === 0) known.set(mask, questions);
  if (questions.length === KEPT_QUESTIONS) questions.shift();
  const rows: number[] = [];
  let excluded = 0;
  mask.forEach((bits, row) => {
    const passes = (bits & care) === want;
    if (passes && (bits & needed) === needed) return;
    rows.push(row);
    if (passes) excluded++;
  });
  const answer = { care, want, needed, rows: Int32Array.from(rows), excluded };
  questions.push(answer);
  return answer;
}
