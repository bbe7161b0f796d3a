import { Fault } from './fault.ts';
import { createPath, readXml, unescapeText } from './xml.ts';
import type { ZipParts } from './zip-parts.ts';

export interface WorkbookMap {
  readonly dates1904: boolean;
  /** The part with the shared strings; `null`: there is none. */
  readonly sharedStrings: string | null;
  /** The part with formats; `null`: there is none. */
  readonly styles: string | null;
  /** In the order of the tabs. `part` is `null` for a chart sheet. */
  readonly sheets: readonly { readonly name: string; readonly part: string | null }[];
}

interface Relationship {
  readonly id: string;
  /** The last part of the type, which is the same in both variants of the standard (transitional and strict). */
  readonly type: string;
  readonly part: string;
}

/** Finds the sheets of a package by its relationships, because the names of parts are not fixed. */
export async function readWorkbookMap(zip: ZipParts): Promise<WorkbookMap> {
  if (!zip.has('_rels/.rels')) throw new Fault(zip.has('content.xml') ? 'ods' : 'not_a_workbook');
  const package_ = await readRelationships(zip, '_rels/.rels', '');
  const workbook = package_.find(({ type }) => type === 'officeDocument')?.part;
  if (workbook === undefined || !zip.has(workbook)) throw new Fault('not_a_workbook');
  if (workbook.endsWith('.bin')) throw new Fault('xlsb');
  const { dates1904, entries } = await readWorkbook(zip, workbook);
  const at = workbook.lastIndexOf('/') + 1;
  const [folder, file] = [workbook.slice(0, at), workbook.slice(at)];
  const relationships = await readRelationships(zip, partIn(folder, `_rels/${file}.rels`), folder);
  const byId = new Map(relationships.map((relationship) => [relationship.id, relationship]));
  const sheets = entries.map(({ name, id }) => {
    const relationship = byId.get(id);
    if (!relationship) throw new Fault('damaged');
    return { name, part: relationship.type === 'worksheet' ? relationship.part : null };
  });
  const partOf = (wanted: string) => relationships.find(({ type }) => type === wanted)?.part ?? null;
  return { dates1904, sharedStrings: partOf('sharedStrings'), styles: partOf('styles'), sheets };
}

async function readRelationships(zip: ZipParts, part: string, folder: string): Promise<Relationship[]> {
  const relationships: Relationship[] = [];
  const path = createPath();
  await readXml(zip.read(part), {
    open(name, { Id, Type, Target, TargetMode }, depth) {
      if (!path.enter(depth, name === (depth === 1 ? 'Relationships' : 'Relationship')) || depth !== 2) return;
      if (TargetMode === 'External') return;
      if (Id === undefined || Type === undefined || Target === undefined) throw new Fault('damaged');
      relationships.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), part: partIn(folder, Target) });
    },
    close: path.leave,
    text() {},
  });
  return relationships;
}

/** The part of a target. An absolute one stays absolute, and none leads out of the package. */
function partIn(folder: string, target: string): string {
  const steps: string[] = [];
  for (const step of (target.startsWith('/') ? target : `${folder}/${target}`).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

async function readWorkbook(zip: ZipParts, part: string) {
  const entries: { readonly name: string; readonly id: string }[] = [];
  const path = createPath();
  let dates1904 = false;
  await readXml(zip.read(part), {
    open(name, attributes, depth) {
      if (depth === 1 && name !== 'workbook') throw new Fault('not_a_workbook');
      if (depth === 2 && name === 'workbookPr') dates1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      const next = depth === 1 ? 'workbook' : depth === 2 ? 'sheets' : 'sheet';
      if (!path.enter(depth, name === next) || depth !== 3) return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      if (attributes.name === undefined || id === undefined) throw new Fault('damaged');
      entries.push({ name: unescapeText(attributes.name), id });
    },
    close: path.leave,
    text() {},
  });
  return { dates1904, entries };
}
