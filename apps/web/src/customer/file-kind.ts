import type { TextName } from '../texts/texts.ts';

/** What a file of a customer is; `other`: what the page reads nowhere. */
export type FileKind = 'empty' | 'photo' | 'pdf' | 'workbook' | 'customers' | 'curve' | 'address' | 'other';

/** A file that is not read, with what to do about it. */
export class Unread extends Error {
  readonly advice: TextName;
  constructor(advice: TextName) {
    super(advice);
    this.advice = advice;
  }
}

const HEAD_BYTES = 4096;
/** Titles may stand above the header of a table. */
const FIRST_LINES = 21;
/** A PDF may begin later than its file. */
const PDF_HEAD_BYTES = 1024;
/** The names of the files in an archive stand at its end. */
const TAIL_BYTES = 65_536;

/** JPEG, PNG, GIF, TIFF. */
const PHOTOS = ['ÿØÿ', '‰PNG\r\n', 'GIF8', 'II*\0', 'MM\0*'];
/** HEIC and AVIF, behind the length of their first part. */
const PHOTO_PART = /^ftyp(?:he[iv]|mi[af]|msf1|avi[fs])/;
/** By the mark in front, which a browser's own `text()` heeds too. */
const ENCODINGS: Readonly<Record<string, string>> = { ÿþ: 'utf-16le', þÿ: 'utf-16be' };
/** HTML and XML, or JSON. */
const MARKUP = /^\s*[<{[]/;
const ADDRESS = /^[\s"'<]*(https?:\/\/)?comparador\.cnmc/i;
/** Columns of which every table of customers has one, and no curve. */
const CUSTOMERS =
  /(^|[;,\t|"])(supply_type|client_type|cliente|suministro|titular|customer|supply|holder)([;,\t|"]|$)/i;
/** A column that every curve has, and another one beside it. */
const CURVE = /^(?=.*[;,\t|])(?:.*[;,\t|])?[ "]*fecha[^;,\t|]{0,20}([;,\t|]|$)/i;

/** Whether a text is the address of an invoice's code. */
export const isInvoiceAddress = (text: string): boolean => ADDRESS.test(text);

/** By its first bytes, since names and types of files are often wrong. What is sent to the service has to look like it. */
export async function kindOf(file: File): Promise<FileKind> {
  if (file.size === 0) return 'empty';
  const head = file.slice(0, HEAD_BYTES);
  const signs = await signsIn(head);
  if (isPhoto(signs)) return 'photo';
  if (signs.slice(0, PDF_HEAD_BYTES).includes('%PDF-')) return 'pdf';
  if (signs.startsWith('PK\x03\x04')) return isWorkbook(await signsIn(file.slice(-TAIL_BYTES))) ? 'workbook' : 'other';
  const [mark = ''] = /^(ÿþ|þÿ)/.exec(signs) ?? [];
  const text = new TextDecoder(ENCODINGS[mark]).decode(await head.arrayBuffer());
  if (isInvoiceAddress(text)) return 'address';
  if (MARKUP.test(text) || text.includes('\0')) return 'other';
  const lines = text.split(/[\r\n]+/).slice(0, FIRST_LINES);
  if (lines.some((line) => CUSTOMERS.test(line))) return 'customers';
  return lines.some((line) => CURVE.test(line)) ? 'curve' : 'other';
}

const isPhoto = (signs: string): boolean =>
  PHOTOS.some((start) => signs.startsWith(start)) ||
  PHOTO_PART.test(signs.slice(4)) ||
  (signs.startsWith('RIFF') && signs.startsWith('WEBP', 8)) ||
  (signs.startsWith('BM') && signs.startsWith('\0\0\0\0', 6));

/** By the list of an archive, where 42 bytes stand between the mark of a file and its name. */
const isWorkbook = (list: string): boolean => list.split('PK\x01\x02').some((file) => file.startsWith('xl/', 42));

/** @throws Unread where a file is no curve of a meter, which alone is sent. */
export async function requireCurve(file: File): Promise<void> {
  if ((await kindOf(file)) !== 'curve') throw new Unread('curveAdvice');
}

/** One character a byte. */
const signsIn = async (bytes: Blob): Promise<string> =>
  new TextDecoder('windows-1252').decode(await bytes.arrayBuffer());
