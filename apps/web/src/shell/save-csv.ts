import type { Language } from '../texts/common.ts';
import { saveFile } from './file-drop.tsx';

/** As a spreadsheet in the language reads and writes it. */
const SEPARATORS = { es: ';', en: ',' } as const;

/** Gives a table to the user of the page as a CSV. A text that a spreadsheet could run is made harmless. */
export async function saveCsv(
  name: string,
  rows: Iterable<readonly (string | number | boolean | null)[]>,
  language: Language,
): Promise<void> {
  const { csvTables } = await import('@tarifario/sheets/csv');
  saveFile(name, 'text/csv;charset=utf-8', [...csvTables.csv(rows, { separator: SEPARATORS[language] })]);
}
