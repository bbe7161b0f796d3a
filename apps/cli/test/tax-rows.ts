import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file for `TAX_ROWS`: a household on the mainland in November 2026. */
export async function novemberRows(folder: string): Promise<string> {
  const file = join(folder, 'tax-rows.json');
  const row = { supply_type: 'LUZ', territorio: 'peninsula', desde: '2026-11-01', hasta: '2026-11-30' };
  const rows = [
    {
      ...row,
      concepto: 'impuesto_electrico',
      aplica: 'general',
      valor: 0.5,
      norma: 'Acuerdo',
      url: null,
      seguro: true,
    },
    { ...row, concepto: 'iva', aplica: 'reducido', valor: 10, norma: 'Acuerdo', url: null, seguro: true },
  ];
  await writeFile(file, JSON.stringify(rows));
  return file;
}
