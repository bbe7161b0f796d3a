import type { Cell } from '@tarifario/core/service';
import { describe, expect, it } from 'vitest';
import { csvTables } from './csv.ts';

const written = (rows: readonly (readonly Cell[])[], separator: ',' | ';' = ',') =>
  [...csvTables.csv(rows, { separator })].join('');
const oneCell = (cell: Cell, separator: ',' | ';' = ',') => {
  const file = written([[cell, 'x']], separator).slice(separator === ';' ? 1 : 0);
  return file.slice(0, -`${separator}x\r\n`.length);
};

describe('A-35: a CSV file', () => {
  it('A-35: follows RFC 4180: lines end in CRLF, what needs quotes has them, a quote is doubled', () => {
    const rows = [
      ['id', 'name', 'note'],
      [1, 'a,b', 'say "hi"'],
      [2, 'two\nlines', null],
      [3, true, false],
    ];
    expect(written(rows)).toBe('id,name,note\r\n1,"a,b","say ""hi"""\r\n2,"two\nlines",\r\n3,true,false\r\n');
  });

  it('A-35: for a spreadsheet in Spanish has a byte order mark, semicolons and decimal commas, in numbers only', () => {
    const rows = [
      ['e1', 'name'],
      [-0.125, '2.0TD; a, b'],
      [3, '1.5'],
    ];
    expect(written(rows, ';')).toBe('\uFEFFe1;name\r\n-0,125;"2.0TD; a, b"\r\n3;1.5\r\n');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+34 600', "'+34 600"],
    ['-5 %', "'-5 %"],
    ['@sum', "'@sum"],
    ['  =1', "'  =1"],
    ['\tA', "'\tA"],
    ['\0=1', "'\0=1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠a', "'＠a"],
    ['﹦1', "'﹦1"],
    ['\u200b=1', "'\u200b=1"],
    ["'=1", "''=1"],
    ["'t Huis", "''t Huis"],
  ])('A-35: makes %j harmless', (text, expected) => {
    expect(oneCell(text)).toBe(expected);
  });

  it.each(['\rA', '\nA', '=1\nA', '\n=1', '\uFEFF=1', ' \r\n=HYPERLINK("https://example.com")'])(
    'makes %j harmless, in quotes',
    (text) => {
      expect(oneCell(text)).toBe(`"'${text.replaceAll('"', '""')}"`);
    },
  );

  it.each(['Luz Clara', '2.0TD', 'a=b', 'a - b', '1-2', '[{"a":-1}]', 'ñ', ''])(
    'leaves the text %j as it is',
    (text) => {
      expect(oneCell(text)).toBe(/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    },
  );

  it.each([-1, -0.5, 0, 12.25, 1e-7])('leaves the number %d a number', (value) => {
    expect(oneCell(value)).toBe(String(value));
    expect(oneCell(value, ';')).toBe(String(value).replace('.', ','));
  });

  it('is generated piece by piece while it is read', () => {
    let taken = 0;
    const rows = function* (): Generator<readonly Cell[]> {
      for (let row = 0; row < 2000; row += 1) {
        taken += 1;
        yield [row, 'Luz'];
      }
    };
    const pieces = csvTables.csv(rows(), { separator: ',' })[Symbol.iterator]();
    expect(taken).toBe(0);
    expect(pieces.next().done).toBe(false);
    expect(taken).toBeLessThanOrEqual(100);
    let count = 1;
    while (!pieces.next().done) count += 1;
    expect({ taken, count }).toEqual({ taken: 2000, count: 20 });
  });
});
