import { readFileSync } from 'node:fs';
import { BY_HAND } from './by-hand.ts';
import { EQUIVALENTS } from './equivalents.ts';

/** The files whose every decision is put to the test, under `packages/core/src`. */
export const MUTATED_FILES = [
  'numbers.ts',
  'calendar.ts',
  'periods.ts',
  'bulk/kept-digits.ts',
  'bulk/read-cell.ts',
  'commission/tier.ts',
  'commission/commission.ts',
  'offers/offer-filter.ts',
  'offers/offer-rules.ts',
  'ranking/applied-price.ts',
  'ranking/best.ts',
  'ranking/candidates.ts',
  'ranking/commission-columns.ts',
  'ranking/conclude.ts',
  'ranking/cost.ts',
  'ranking/customer.ts',
  'ranking/describe.ts',
  'ranking/envelope.ts',
  'ranking/exclusions.ts',
  'ranking/frontier.ts',
  'ranking/kernel.ts',
  'ranking/lanes.ts',
  'ranking/left-out.ts',
  'ranking/masks.ts',
  'ranking/near-figures.ts',
  'ranking/near-filter.ts',
  'ranking/plain-kernel.ts',
  'ranking/portfolio.ts',
  'ranking/prepare.ts',
  'ranking/rank.ts',
  'ranking/rank-offers.ts',
  'ranking/recommend.ts',
  'ranking/rows.ts',
  'ranking/scales.ts',
  'ranking/score.ts',
  'ranking/selection.ts',
  'ranking/settle.ts',
  'ranking/shortlist.ts',
  'ranking/universe.ts',
] as const;
export type MutatedFile = (typeof MUTATED_FILES)[number];

/** One small change of one file. */
export interface Mutant {
  /** What was changed where, for people: `ranking/score.ts:20 " > " becomes " >= "`. */
  readonly name: string;
  readonly file: MutatedFile;
  /** The line that changes, without outer space. */
  readonly line: string;
  readonly change: string;
  /** The whole file after the change. */
  readonly text: string;
  /** Why no test can tell it from the original; `null`: a test must. */
  readonly proof: string | null;
}

interface Rule {
  readonly pattern: RegExp;
  readonly replace: (found: string) => readonly string[];
}

const to =
  (...replacements: readonly string[]) =>
  () =>
    replacements;

// Operators stand between spaces (the formatter sees to it), so a `<` of a type is none.
const RULES: readonly Rule[] = [
  { pattern: / < /g, replace: to(' <= ') },
  { pattern: / <= /g, replace: to(' < ') },
  { pattern: / > /g, replace: to(' >= ') },
  { pattern: / >= /g, replace: to(' > ') },
  { pattern: / === /g, replace: to(' !== ') },
  { pattern: / !== /g, replace: to(' === ') },
  { pattern: / && /g, replace: to(' || ') },
  { pattern: / \|\| /g, replace: to(' && ') },
  { pattern: / \+ /g, replace: to(' - ') },
  { pattern: / - /g, replace: to(' + ') },
  { pattern: / \* /g, replace: to(' / ') },
  { pattern: / \/ /g, replace: to(' * ') },
  { pattern: / << /g, replace: to(' >> ') },
  { pattern: /Math\.(min|max)/g, replace: (found) => [found === 'Math.min' ? 'Math.max' : 'Math.min'] },
  { pattern: /Number\.(POSITIVE|NEGATIVE)_INFINITY/g, replace: to('0') },
  { pattern: /!(?=[\w(])/g, replace: to('') },
  {
    pattern: /(?<=\bif \().+(?=\) (return|continue|break|points|best|issues|flags|bits)\b)/g,
    replace: to('false'),
  },
  { pattern: /\bcontinue;/g, replace: to(';') },
  { pattern: /\b(true|false)\b/g, replace: (found) => [found === 'true' ? 'false' : 'true'] },
  // Not the default of a list element: the compiler asks for one where the index is always in range.
  {
    pattern: /(?<![\w.$'])(?<!\] \?\? )\d[\d_]*(\.\d+)?(e-?\d+)?(?![\w.'])/g,
    replace: (found) => [String(Number(found.replaceAll('_', '')) + 1)],
  },
];

/** The text with comments and the contents of strings blanked, and every other character in its place. */
function codeOf(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, '_');
  return text
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, blank)
    .replace(/'[^'\n]*'/g, (found) => `'${blank(found.slice(1, -1))}'`)
    .replace(/^import [\s\S]*?;$/gm, blank)
    .replace(/^\s*(readonly \w+\??: |export type |type |\| \{).*$/gm, blank);
}

export function sourceOf(file: MutatedFile): string {
  return readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
}

function lineAt(text: string, index: number): { readonly number: number; readonly line: string } {
  const number = text.slice(0, index).split('\n').length;
  return { number, line: (text.split('\n')[number - 1] ?? '').trim() };
}

interface Place {
  readonly file: MutatedFile;
  readonly line: string;
  readonly change: string;
  /** 1 for the first change of that kind on the line. */
  readonly occurrence: number;
}

function proofFor({ file, line, change, occurrence }: Place): string | null {
  const known = EQUIVALENTS.find(
    (candidate) =>
      candidate.file === file &&
      line.startsWith(candidate.line) &&
      candidate.changes.includes(change) &&
      (candidate.occurrence ?? occurrence) === occurrence,
  );
  return known?.proof ?? null;
}

/** How many changes the rules find in a text. */
export function countChanges(text: string): number {
  const code = codeOf(text);
  return RULES.reduce((sum, { pattern }) => sum + [...code.matchAll(pattern)].length, 0);
}

/** Every change that the rules make to a file, one at a time. */
function mutantsByRule(file: MutatedFile): readonly Mutant[] {
  const text = sourceOf(file);
  const code = codeOf(text);
  return RULES.flatMap(({ pattern, replace }) => {
    const matches = [...code.matchAll(pattern)];
    return matches.flatMap(({ 0: found, index }) => {
      const { number, line } = lineAt(text, index);
      const lineStart = text.lastIndexOf('\n', index) + 1;
      const occurrence = matches.filter((match) => match.index >= lineStart && match.index <= index).length;
      const original = text.slice(index, index + found.length);
      return replace(found).map((replacement) => {
        const change = `${original.trim()} -> ${replacement.trim()}`;
        const changed = text.slice(0, index) + replacement + text.slice(index + found.length);
        const name = `${file}:${number}:${index - lineStart + 1} ${change}`;
        return { name, file, line, change, text: changed, proof: proofFor({ file, line, change, occurrence }) };
      });
    });
  });
}

/** The changes that were thought of by hand. @throws Error when one does not apply exactly once. */
function mutantsByHand(): readonly Mutant[] {
  return BY_HAND.map(({ id, file, find, replace }) => {
    const text = sourceOf(file);
    const times = text.split(find).length - 1;
    if (times !== 1) throw new Error(`mutant "${id}" applies ${times} times in ${file}`);
    return { name: `${file} ${id}`, file, line: id, change: id, text: text.replace(find, () => replace), proof: null };
  });
}

export function allMutants(): readonly Mutant[] {
  return [...mutantsByHand(), ...MUTATED_FILES.flatMap(mutantsByRule)];
}
