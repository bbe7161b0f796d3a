import { readFileSync } from 'node:fs';
import ExcelJS from 'exceljs';
import { answerParent } from '../child.ts';
import { wallMicros } from '../measure.ts';

answerParent({
  load: async (file: string) => {
    const bytes = new Uint8Array(readFileSync(file));
    const workbook = new ExcelJS.Workbook();
    const before = process.cpuUsage();
    const micros = await wallMicros(() => workbook.xlsx.load(bytes.buffer));
    const { user, system } = process.cpuUsage(before);
    let cells = 0;
    workbook.eachSheet((sheet) => {
      sheet.eachRow((row) => {
        row.eachCell(() => {
          cells += 1;
        });
      });
    });
    return { cells, micros, cpuMicros: user + system };
  },
});
