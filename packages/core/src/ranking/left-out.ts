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
  const left = new Int32Array(mask.length);
  let [count, excluded] = [0, 0];
  for (let row = 0; row < left.length; row++) {
    const bits = mask[row] ?? 0;
    const passes = (bits & care) === want;
    if (passes && (bits & needed) === needed) continue;
    left[count++] = row;
    if (passes) excluded++;
  }
  const answer = { care, want, needed, rows: left.slice(0, count), excluded };
  questions.push(answer);
  return answer;
}
