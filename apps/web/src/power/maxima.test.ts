import { expect, it } from 'vitest';
import { readMaxima } from './maxima.ts';

it('maxima are read with a month in any form that people type, and another line is named', () => {
  const january = { mes: 1, dias: 31, maximos: { p1: 3.1, p2: 2.2 } };
  for (const line of ['1 3,1 2,2', '01 3,1 2,2', '1: 3,1 2,2', '1. 3,1 2,2', '1\t3,1\t2,2', '1;3,1;2,2']) {
    expect(readMaxima(line, '2.0TD', 'es'), line).toEqual([january]);
  }
  expect(readMaxima('1: 3,1 2,2\n13: 3,1', '2.0TD', 'es')).toBe(2);
});
