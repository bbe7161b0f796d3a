import { watched } from '@tarifario/testkit/loop-watch';
import ExcelJS from 'exceljs';
import { afterAll, expect, test } from 'vitest';
import { createSheetWriting } from '../src/sheet-writing.ts';
import { createWorkbookReader } from '../src/workbook-reader.ts';

const reader = createWorkbookReader();
afterAll(() => reader.close());

/** A workbook as a large firm sends it: four sheets, 78 500 rows, 17 columns, a little under 10 MB. */
function largeWorkbook(): Promise<Uint8Array<ArrayBuffer>> {
  let state = 1;
  const chance = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const writing = createSheetWriting();
  const columns = Array.from({ length: 17 }, (_, index) => ({ header: `column_${index}`, width: 12 }));
  for (const [name, count] of Object.entries({ ofertas: 17_000, precios: 20_500, consumo: 20_500, potencia: 20_500 })) {
    writing.sheet({ kind: 'table', name, columns });
    for (let row = 0; row < count; row += 1) {
      const prices = Array.from({ length: 9 }, () => Math.round(chance() * 1e6) / 1e6);
      const names = [`Cliente ${row % 50}`, `Comercializadora ${row % 40}`, `Oferta plana ${row}`];
      writing.rows([[1000 + row, ...names, ...prices, row % 2 === 0, 'si', '2.0TD', 'peninsula,baleares']]);
    }
  }
  return writing.finish();
}

test('10 MB are read in at most 0.6 of the time that exceljs takes to load them', { timeout: 300_000 }, async () => {
  const bytes = await largeWorkbook();
  expect(bytes.length).toBeGreaterThan(9_000_000);
  const ours = await watched(async () => {
    let cells = 0;
    for await (const { rows } of reader.read(bytes, 'xlsx')) for (const row of rows) cells += row.cells.length;
    return cells;
  });
  expect(ours.value).toBe(17 * (78_500 + 4));
  expect(ours.blockedMs).toBeLessThan(50);
  const theirs = await watched(async () => {
    await new ExcelJS.Workbook().xlsx.load(bytes.buffer);
  });
  const ratio = ours.wallMs / theirs.wallMs;
  console.info(
    `read ${Math.round(ours.wallMs)} ms, exceljs ${Math.round(theirs.wallMs)} ms, ratio ${ratio.toFixed(2)}; ` +
      `longest work at a stretch ${ours.blockedMs.toFixed(1)} ms, exceljs ${theirs.blockedMs.toFixed(0)} ms; ` +
      `memory +${ours.grownMb.toFixed(0)} MB, exceljs +${theirs.grownMb.toFixed(0)} MB`,
  );
  expect(ratio).toBeLessThan(0.6);
});
