import { HOSTILE_FILES, xmlAttacks } from '@tarifario/testkit/files/hostile-files';
import { sheetXml, workbookParts } from '@tarifario/testkit/files/workbook-file';
import { zipFile } from '@tarifario/testkit/files/zip-file';
import { describe, expect, test } from 'vitest';
import { outcomeOf, readAsBrowser, readHere, wholeOf } from './whole-files.ts';

// What the same files do to the process that asks is in `hostile.long.test.ts`.
describe('a hostile file ends with its fault', () => {
  test.each([...HOSTILE_FILES, ...xmlAttacks('http://127.0.0.1:9')])('$name: $outcome', async ({ bytes, outcome }) => {
    const [fault] = (await outcomeOf(readHere(bytes()))).split(' ');
    expect(fault).toBe(outcome);
    expect(await outcomeOf(readAsBrowser(bytes())), 'in a browser').toMatch(new RegExp(`^${outcome}( |$)`));
  });
});

test.each([true, false])('a workbook in Zip64 (%s) is read in a process and in a browser', async (isZip64) => {
  const parts = workbookParts({ sheets: { ofertas: sheetXml('<row><c><v>1</v></c></row>') } });
  const bytes = zipFile(parts.map((part) => ({ ...part, isZip64 })));
  const whole = await wholeOf(readHere(bytes));
  expect(whole[0]?.rows).toHaveLength(1);
  expect(await wholeOf(readAsBrowser(bytes))).toEqual(whole);
});

test('a merged range over empty rows gives 524,288 cells at most', async () => {
  const rows = `<row r="1"><c r="A1"><f>A2</f></c></row>${'<row/>'.repeat(10_000)}`;
  const behind = '<mergeCells><mergeCell ref="A1:CV1048576"/></mergeCells>';
  const bytes = zipFile(workbookParts({ sheets: { ofertas: sheetXml(rows, behind) } }));
  for (const parts of [readHere(bytes), readAsBrowser(bytes)]) {
    let cells = 0;
    const count = async () => {
      for await (const part of parts) for (const row of part.rows) cells += row.cells.length;
    };
    await expect(count()).rejects.toMatchObject({ fault: 'too_large_unpacked' });
    expect(cells).toBeGreaterThan(500_000);
    expect(cells).toBeLessThanOrEqual(524_289);
  }
});
