import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkbookReader } from '@tarifario/sheets';
import { createSheetWriting } from '../../packages/sheets/src/sheet-writing.ts';
import { startChild } from '../child.ts';
import { line, VoidRow } from '../line.ts';
import { chances } from '../market.ts';
import { medianOf, wallMicros } from '../measure.ts';

const COLUMNS = 17;
const SHEETS = { ofertas: 17_000, precios: 20_500, consumo: 20_500, potencia: 20_500 };
const CELLS = COLUMNS * (Object.values(SHEETS).reduce((sum, count) => sum + count, 0) + Object.keys(SHEETS).length);
const ROUNDS = 3;

/** A workbook as a large firm sends it, a little under 10 MB. */
function largeWorkbook(): Promise<Uint8Array> {
  const chance = chances(11);
  const writing = createSheetWriting();
  const columns = Array.from({ length: COLUMNS }, (_, index) => ({ header: `column_${index}`, width: 12 }));
  for (const [name, count] of Object.entries(SHEETS)) {
    writing.sheet({ kind: 'table', name, columns });
    for (let row = 0; row < count; row += 1) {
      const prices = Array.from({ length: 9 }, () => Math.round(chance() * 1e6) / 1e6);
      const names = [`Cliente ${row % 50}`, `Comercializadora ${row % 40}`, `Oferta plana ${row}`];
      writing.rows([[1000 + row, ...names, ...prices, row % 2 === 0, 'si', '2.0TD', 'peninsula,baleares']]);
    }
  }
  return writing.finish();
}

/**
 * Four sheets, 78,500 rows of 17 columns: read cell by cell, in a process of its own that is started for the file,
 * against exceljs that loads the same file, in a process that is there already. Wall clock.
 */
export const importLine = line({
  name: 'A workbook of 10 MB',
  run: async () => {
    const bytes = await largeWorkbook();
    const folder = mkdtempSync(join(tmpdir(), 'tarifario-workbook-'));
    const file = join(folder, 'large.xlsx');
    writeFileSync(file, bytes);
    const reader = createWorkbookReader();
    const exceljs = startChild('exceljs-load');
    const ours: number[] = [];
    const theirs: number[] = [];
    try {
      for (let round = 0; round < ROUNDS; round++) {
        let cells = 0;
        const read = async () => {
          for await (const { rows } of reader.read(bytes, 'xlsx')) for (const row of rows) cells += row.cells.length;
        };
        ours.push(await wallMicros(read));
        const loaded = await exceljs.ask<{ readonly cells: number; readonly micros: number }>('load', file);
        if (cells !== CELLS || loaded.cells !== CELLS)
          throw new VoidRow(`${cells}, ${loaded.cells} and not ${CELLS} cells`);
        theirs.push(loaded.micros);
      }
    } finally {
      reader.close();
      await exceljs.end();
      rmSync(folder, { recursive: true, force: true });
    }
    const what = `read ${(bytes.length / 1e6).toFixed(1)} MB`;
    return [
      {
        what,
        oursMicros: medianOf(ours),
        peer: 'exceljs load',
        peerMicros: medianOf(theirs),
        ratio: 'ours/theirs',
        goal: { atMost: 0.6 },
      },
    ];
  },
});
