import { inflateRawSync } from 'node:zlib';
import type { CellToWrite } from '@tarifario/core/service';
import type { MakeFile } from '../api/workbooks.ts';
import type { SentFormParts } from '../api/world.ts';
import { sheetXml, workbookFile } from '../files/workbook-file.ts';

/** A real workbook, at once and the same every time. */
export const xlsxFile: MakeFile = (sheets) => {
  const parts = Object.entries(sheets).map(([name, rows]) => [name, sheetXml(rows.map(rowXml).join(''))]);
  return new Uint8Array(workbookFile({ sheets: Object.fromEntries(parts) }));
};

function rowXml(cells: readonly CellToWrite[], index: number): string {
  const values = cells.map((value, column) => cellXml(value, `${String.fromCharCode(65 + column)}${index + 1}`));
  return `<row r="${index + 1}">${values.join('')}</row>`;
}

function cellXml(value: CellToWrite, place: string): string {
  if (value === null) return '';
  if (typeof value === 'number') return `<c r="${place}"><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${place}" t="b"><v>${Number(value)}</v></c>`;
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

const BOUNDARY = 'entre-partes-de-prueba';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** The bytes of a form as they go out, the same every time, under `FORM_TYPE`. */
export function formBytes({ fields = {}, fileName = 'hoja.xlsx', bytes }: SentFormParts): Uint8Array<ArrayBuffer> {
  const texts = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((text) => partOf(name, text)));
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;
  const whole = [Buffer.from(texts.join('') + file), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
  return new Uint8Array(Buffer.concat(whole));
}

function partOf(name: string, text: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
}

/** Everything that is packed in a workbook, as text, by the name of its part. */
export function unpacked(file: Buffer): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const end = file.lastIndexOf(Buffer.from('PK\u0005\u0006'));
  let at = file.readUInt32LE(end + 16);
  for (let count = file.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [nameLength, moreLength, noteLength] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset));
    const name = file.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const local = file.readUInt32LE(at + 42);
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const packed = file.subarray(begin, begin + file.readUInt32LE(at + 20));
    const isPacked = file.readUInt16LE(at + 10) !== 0;
    parts.set(name, (isPacked ? inflateRawSync(packed) : packed).toString('utf8'));
    at += 46 + (nameLength ?? 0) + (moreLength ?? 0) + (noteLength ?? 0);
  }
  return parts;
}
