import { type ZipPart, zipFile } from './zip-file.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** The parts of a workbook by hand. Whatever is not said is as plain as it can be. */
export interface WorkbookByHand {
  /** The part of each sheet, whole. */
  readonly sheets: Readonly<Record<string, string>>;
  /** The part of the shared texts, root included. */
  readonly sharedStrings?: string;
  /** The workbook part before and after its sheets. */
  readonly beforeSheets?: string;
  readonly behindSheets?: string;
  readonly more?: readonly ZipPart[];
}

export function workbookFile(workbook: WorkbookByHand): Buffer {
  return zipFile(workbookParts(workbook));
}

export function workbookParts({
  sheets,
  sharedStrings,
  beforeSheets = '',
  behindSheets = '',
  more = [],
}: WorkbookByHand): ZipPart[] {
  const names = Object.keys(sheets);
  const entries = names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`);
  const targets = names.map((_, index) => relation(`r${index}`, 'worksheet', `worksheets/sheet${index + 1}.xml`));
  if (sharedStrings !== undefined) targets.push(relation('shared', 'sharedStrings', '/xl/sharedStrings.xml'));
  return [
    { name: '_rels/.rels', data: relations([relation('r', 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      data: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${beforeSheets}<sheets>${entries.join('')}</sheets>${behindSheets}</workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', data: relations(targets) },
    ...(sharedStrings === undefined ? [] : [{ name: 'xl/sharedStrings.xml', data: sharedStrings }]),
    ...names.map((name, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, data: sheets[name] ?? '' })),
    ...more,
  ];
}

/** A sheet part with this inside `sheetData`, and this behind it. */
export function sheetXml(rows: string, behind = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData>${behind}</worksheet>`;
}

export function relations(inside: readonly string[]): string {
  return `<Relationships xmlns="${PACKAGE}">${inside.join('')}</Relationships>`;
}

export function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
}
