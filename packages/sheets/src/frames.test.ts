import type { SheetPart } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame, type Frame } from './frames.ts';
import { partsOf } from './sheet-parts.ts';

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
  '{"kind":"fault","fault":"doctype","sheet":1,"row":null}',
  '{"kind":"else"}',
  '{"kind":"end"',
])('a process that sends %s is ended as faulty', (line) => {
  expect(() => decodeFrame(line)).toThrow();
});

async function partsFrom(frames: readonly Frame[]): Promise<SheetPart[]> {
  const sent = async function* () {
    yield* frames;
  };
  const parts: SheetPart[] = [];
  for await (const part of partsOf(sent())) parts.push(part);
  return parts;
}

const sheet = (name: string): Frame => ({ kind: 'sheet', name, dates1904: false });
const rows = (...packed: (number | string)[][]): Frame => decodeFrame(encodeFrame({ kind: 'rows', rows: packed }));

test('a row split over several frames is one row', async () => {
  const parts = await partsFrom([
    sheet('a'),
    rows([1, 0, 'x'], [2, 0, 'y']),
    rows([2, 5, 'z']),
    rows([2, 10, 'u'], [3, 0, 'v']),
    sheet('b'),
    rows([3, 0, 'w']),
    { kind: 'end' },
  ]);
  const cells = parts.flatMap(({ name, rows }) =>
    rows.map((row) => [name, row.row, row.cells.map(({ column }) => column)]),
  );
  expect(cells).toEqual([
    ['a', 1, [0]],
    ['a', 2, [0, 1, 2]],
    ['a', 3, [0]],
    ['b', 3, [0]],
  ]);
  expect(parts.map(({ sheet, name }) => `${sheet} ${name}`)).toEqual(['0 a', '0 a', '0 a', '0 a', '1 b', '1 b']);
});

test('an unknown fault is a bug, and a known one has its position', async () => {
  const fault = (fault: string): Frame => ({ kind: 'fault', fault, sheet: 'a', row: 7 });
  await expect(partsFrom([fault('doctype')])).rejects.toMatchObject({ fault: 'doctype', sheet: 'a', row: 7 });
  await expect(partsFrom([fault('else')])).rejects.toThrow('unknown fault');
});

test('a line that is no frame is not repeated in the error', () => {
  for (const line of [
    'ES0021000000000001AB0F',
    '{"kind":"rows","rows":[[1,0,"ES0021000000000001AB',
    '{"kind":"ES00210"}',
  ]) {
    expect(() => decodeFrame(line)).toThrow(/^the process that reads files sent something that is no frame$/);
  }
});
