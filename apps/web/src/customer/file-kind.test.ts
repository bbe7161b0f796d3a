import { expect, it } from 'vitest';
import { kindOf } from './file-kind.ts';

const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

it.each([
  ['a JPEG', 'photo', latin('\xff\xd8\xff\xe0\0\x10JFIF')],
  ['a PNG', 'photo', latin('\x89PNG\r\n\x1a\n')],
  ['a GIF', 'photo', latin('GIF89a')],
  ['a WebP', 'photo', latin('RIFF\x10\0\0\0WEBPVP8 ')],
  ['a HEIC', 'photo', latin('\0\0\0\x18ftypheic\0\0\0\0')],
  ['an AVIF', 'photo', latin('\0\0\0\x18ftypavif\0\0\0\0')],
  ['a film', 'other', latin('\0\0\0\x18ftypisom\0\0\0\0')],
  ['a PDF that begins late', 'pdf', latin('\n\n%PDF-1.7')],
  ['an archive of another program', 'other', latin(`PK\x03\x04 xl/ PK\x01\x02${'-'.repeat(42)}word/document.xml`)],
  ['a workbook', 'workbook', latin(`PK\x03\x04${'-'.repeat(9000)}PK\x01\x02${'-'.repeat(42)}xl/workbook.xml`)],
  ['an old workbook', 'other', latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
  ['a BMP', 'photo', latin('BM\x10\x20\0\0\0\0\0\0\x36')],
  ['a page with the name of a column', 'other', latin('<p>Ana; Fecha; Hora</p>')],
  ['an SVG', 'other', latin('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an object', 'other', latin('{"fecha":1}')],
  ['a letter', 'other', latin('Fecha 3 de mayo\nAna; Ruiz')],
  ['a curve of UTF-16', 'curve', latin(`\xff\xfe${'Fecha;Hora;Consumo_kWh\n'.split('').join('\0')}\0`)],
  ['a text of UTF-16 without its mark', 'other', latin('Fecha;Hora;Consumo_kWh\n'.replaceAll(/./g, '$&\0'))],
  ['a curve of a distributor', 'curve', latin('CUPS;Fecha;Hora;Consumo_kWh;Metodo_obtencion\nES00')],
  ['a curve in quotes behind empty lines', 'curve', latin('\xef\xbb\xbf\r\n \r\n"CUPS","Fecha","Hora","AE_kWh"\r\n')],
  ['a curve below titles', 'curve', latin('sep=;\r\nConsumos\r\n;;\r\nCUPS;Fecha;Hora;AE_kWh\r\n')],
  ['a curve with tabs', 'curve', latin('Fecha y hora\tConsumo (kWh)\r\n')],
  ['a curve of months', 'curve', latin('FECHA;Punta;Llano;Valle\n')],
  ['a table of customers', 'customers', latin('ref;supply_type;fecha_firma\n')],
  ['a table of customers in Spanish', 'customers', latin('Tarifa;Titular;Fecha\n')],
  ['a link', 'address', latin('https://comparador.cnmc.gob.es/comparador/QRE?cp=28013')],
  ['nothing', 'empty', latin('')],
] as const)('%s is of the kind %s, whatever its name and type', async (_, kind, bytes) => {
  expect(await kindOf(new File([bytes], 'x.csv', { type: 'text/csv' }))).toBe(kind);
  expect(await kindOf(new File([bytes], 'x.jpg', { type: 'image/jpeg' }))).toBe(kind);
});
