import { expect, test } from 'vitest';
import { canonicalJson, differencesBetween } from './canonical-json.ts';
import { cleanNote, noteIssues } from './note.ts';

test('A-90: the example of RFC 8785 (3.2.2 to 3.2.4) gets the form that it shows', () => {
  const value = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '€$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const names = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7, left_out: undefined };
  expect(Object.values(JSON.parse(canonicalJson(names)))).toEqual([4, 2, 6, 7, 1, 5, 3]);
  expect(canonicalJson([-0, { b: [], a: {} }])).toBe('[0,{"a":{},"b":[]}]');
});

test('A-90: differences have their paths, also those of removed members', () => {
  const before = { a: [1, { b: 'x' }], c: null, d: 4 };
  expect(differencesBetween(before, structuredClone(before))).toEqual([]);
  expect(differencesBetween(before, { a: [1, { b: 'y' }, 2], c: [], e: 0 }, 'answer')).toEqual([
    { path: 'answer.a.1.b', before: 'x', after: 'y' },
    { path: 'answer.a.2', before: null, after: 2 },
    { path: 'answer.c', before: null, after: [] },
    { path: 'answer.d', before: 4, after: null },
    { path: 'answer.e', before: null, after: 0 },
  ]);
});

test('A-88: a note has one kind of line ends, is composed, and may not hold invisible characters', () => {
  expect(cleanNote(' a\r\nb\rc e\u0301 ')).toBe('a\nb\nc é');
  for (const hidden of ['\u200b', '\u202e', '\u0007', '\ufeff', '\ud800', '\u2066']) {
    expect(noteIssues({ ref: null, nota: `a${hidden}b`, request: {} })).toMatchObject([{ path: 'nota' }]);
  }
  expect(noteIssues({ ref: null, nota: 'Tarifa 2.0TD,\n\t9 € ñ 😀 desde 2026', request: { es: 1 } })).toEqual([]);
});
