import { describe, expect, it } from 'vitest';
import { createProgress, type ProgressStream } from './progress.ts';

/** The text that progress writes when it gets these shares at these milliseconds. */
function written(
  stream: Pick<ProgressStream, 'isTerminal' | 'isAsked'>,
  steps: readonly (readonly [number, number])[],
) {
  let at = 0;
  let text = '';
  const write = (piece: string) => {
    text += piece;
  };
  const progress = createProgress({ ...stream, write, now: () => at });
  for (const [ms, share] of steps) {
    at = ms;
    progress.tell(share, `${share * 1000} customers`);
  }
  progress.end();
  return text;
}

describe('progress', () => {
  it('is a bar on a terminal, redrawn at most ten times a second, and removed at the end', () => {
    const text = written({ isTerminal: true, isAsked: false }, [
      [0, 0],
      [50, 0.1],
      [100, 0.5],
      [200, 0.01],
    ]);
    const [, first = '', second = '', third = '', cleared = '', end] = text.split('\r');
    expect(first).toBe(`[${' '.repeat(30)}] 0 %, 0 customers`);
    expect(second).toBe(`[${'#'.repeat(15)}${' '.repeat(15)}] 50 %, 500 customers`);
    expect(third.trimEnd()).toBe(`[${' '.repeat(30)}] 1 %, 10 customers`);
    expect([cleared.trim(), cleared.length, third.length, end]).toEqual(['', second.length, second.length, '']);
  });

  it('is nothing elsewhere, or one line every five seconds with --progress', () => {
    const steps = [
      [0, 0],
      [4999, 0.1],
      [5000, 1.5],
    ] as const;
    expect(written({ isTerminal: false, isAsked: false }, steps)).toBe('');
    expect(written({ isTerminal: false, isAsked: true }, steps)).toBe('0 %, 0 customers\n100 %, 1500 customers\n');
  });
});
