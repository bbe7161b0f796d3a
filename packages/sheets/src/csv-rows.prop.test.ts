import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRow, csvRows } from './csv-rows.ts';

async function rowsOf(pieces: Iterable<string>): Promise<readonly CsvRow[]> {
  const rows: CsvRow[] = [];
  for await (const row of csvRows(piecewise(pieces))) rows.push(row);
  return rows;
}

async function* piecewise(pieces: Iterable<string>): AsyncGenerator<string> {
  yield* pieces;
}

const cell = fc.string({ unit: fc.constantFrom('a', 'ñ', '"', ',', ';', '\n', ' ', '1') });
const table = fc.array(fc.tuple(cell, cell), { maxLength: 8 });

describe('the rows of a CSV', () => {
  it('are the written cells, each at its line, wherever the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.constantFrom(',', ';'),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(60)),
        async (cells, separator, lineBreak, cuts) => {
          const rows = [['x', 'y'], ...cells];
          const lines = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator));
          const text = lines.map((line) => line + lineBreak).join('');
          const places = [0, ...cuts.toSorted((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
          let line = 1;
          const expected = rows.flatMap((row, at) => {
            const cells = row.flatMap((one, column) =>
              one === '' ? [] : [{ column, value: { kind: 'text', text: one } }],
            );
            const here = { row: line, cells, hasCommas: separator === ',' };
            line += lines[at]?.split('\n').length ?? 0;
            return cells.length > 0 ? [here] : [];
          });
          expect(await rowsOf(pieces)).toEqual(expected);
        },
      ),
      { seed: 20_261_122, numRuns: 300 },
    );
  });

  it.each([
    ['a,b\n"x"y,1\n2,3\n', 'line 2, column 4: text after a closing quote'],
    ['a,b\n1,2\n3,"x\n4,5\n', 'line 3, column 3: a quote that is never closed'],
    ['a,b\n"1\n2",3\n"x"y"z",4\n', 'line 4, column 4: text after a closing quote'],
    [`a,b\n"x"y,${'1'.repeat(1_100_000)}`, 'line 2, column 4: text after a closing quote'],
    [`a,b\n"${'1'.repeat(1_100_000)}`, 'line 2, column 1: a quote that is never closed'],
    [`a,b\n${'1'.repeat(1_100_000)}`, 'line 2, column 1000000: a row of more than 1000000 characters'],
  ])('of %j end with the position of the error, at once and in pieces', async (text, message) => {
    await expect(rowsOf([text])).rejects.toThrow(message);
    await expect(rowsOf(text.match(/[\s\S]{1,65536}/g) ?? [])).rejects.toThrow(message);
    if (text.length < 100) await expect(rowsOf(['a,b\n', ...text.slice(4)])).rejects.toThrow(message);
  });

  it.each([
    ['sep=;\r\na;b\r\n1,5;2\r\n', 2, ['1,5', '2']],
    ['"sep=,"\na,b\n1,2\n', 2, ['1', '2']],
    ['\n\na\tb\n1,5\t2\n', 3, ['1,5', '2']],
    ['ref;note\nsep=;;x\n', 1, ['sep=', 'x']],
    ['sep=;;;\na;b\n1;2\n', 2, ['1', '2']],
    ['e1;p1\n0,1;0,2\n0,3;0,4\n', 1, ['0,1', '0,2']],
    ['ref,community\n1,madrid;galicia\n2,madrid;galicia\n', 1, ['1', 'madrid;galicia']],
    ['a|b\n1,5|2\n', 1, ['1,5', '2']],
    ['a;b;c;d;e\n1,5;2,5;;\n1,5;2,5;;;\n1,5;2,5;\n', 1, ['1,5', '2,5']],
    ['a\tb\n1,5\t2;\n1,5\t2;\n', 1, ['1,5', '2;']],
  ])('of %j are those below its hint, by its separator', async (text, line, cells) => {
    const [header, row] = await rowsOf([text]);
    const texts = row?.cells.map(({ value }) => 'text' in value && value.text);
    expect([header?.row, texts]).toEqual([line, cells]);
  });

  it('are returned while the file is read', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        read += 1;
        yield 'a,b\n';
      }
    }
    for await (const { row } of csvRows(endless())) if (row === 100) break;
    expect(read).toBeLessThan(110);
  });
});
