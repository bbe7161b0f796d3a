import type { SheetPart } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { partsOf } from './sheet-parts.ts';

const SHEET = '{"kind":"sheet","name":"a","dates1904":false}';

async function partsIn(...lines: readonly string[]): Promise<SheetPart[]> {
  const parts: SheetPart[] = [];
  for await (const part of partsOf(ReadableStream.from(lines))) parts.push(part);
  return parts;
}

test.each([
  'null',
  '[]',
  '{}',
  '{"kind":"rows"}',
  '{"kind":"rows","rows":[1]}',
  '{"kind":"rows","rows":[["1",0,"a"]]}',
  '{"kind":"rows","rows":[[1,0]]}',
  '{"kind":"rows","rows":[[1,"0","a"]]}',
  '{"kind":"rows","rows":[[1,0,2]]}',
  '{"kind":"rows","rows":[[1,-1,"a"]]}',
  '{"kind":"rows","rows":[[1,0.5,"a"]]}',
  '{"kind":"sheet","name":1,"dates1904":false}',
  '{"kind":"sheet","name":"a"}',
  '{"kind":"fault","fault":1,"sheet":null,"row":null}',
  '{"kind":"fault","fault":"else","sheet":"a","row":7}',
  '{"kind":"fault","fault":"doctype","sheet":1,"row":null}',
  '{"kind":"else"}',
  '{"kind":"end"',
  'ES0021000000000001AB0F',
  '{"kind":"rows","rows":[[1,0,"ES0021000000000001AB',
  '{"kind":"ES00210"}',
])('a process that sends %s is ended as faulty, and the error does not repeat it', async (line) => {
  await expect(partsIn(SHEET, line)).rejects.toThrow(/^the process that reads files sent something that is no frame$/);
});

test('rows belong to the sheet before them, and none come before a sheet', async () => {
  const rows = '{"kind":"rows","rows":[[1,0,"x"],[2,5,"y"]]}';
  await expect(partsIn(rows)).rejects.toThrow('no frame');
  const parts = await partsIn(SHEET, rows, SHEET.replace('"a"', '"b"'), rows, '{"kind":"end"}');
  expect(parts.map(({ sheet, name, rows }) => [sheet, name, rows.map(({ row }) => row)])).toEqual([
    [0, 'a', []],
    [0, 'a', [1, 2]],
    [1, 'b', []],
    [1, 'b', [1, 2]],
  ]);
});

test('a fault has its position', async () => {
  const fault = '{"kind":"fault","fault":"doctype","sheet":"a","row":7}';
  await expect(partsIn(fault)).rejects.toMatchObject({ fault: 'doctype', sheet: 'a', row: 7 });
});
