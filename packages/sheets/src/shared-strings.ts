import { withinCell } from './fault.ts';
import { createPath, readXml, unescapeText } from './xml.ts';

/** The texts that cells refer to by number: of rich text the words, without how they look or sound. */
export async function readSharedStrings(bytes: AsyncIterable<Uint8Array>, cellBytes: number): Promise<string[]> {
  const texts: string[] = [];
  const path = createPath();
  let text = '';
  let isWanted = false;
  await readXml(bytes, {
    open(name, _, depth) {
      isWanted = path.enter(depth, isOnPath(name, depth)) && name === 't';
    },
    close(depth) {
      isWanted = false;
      if (!path.leave(depth) || depth !== 2) return;
      texts.push(unescapeText(text));
      text = '';
    },
    text(piece) {
      if (isWanted) text = withinCell(text + piece, cellBytes);
    },
  });
  return texts;
}

function isOnPath(name: string, depth: number): boolean {
  if (depth === 1) return name === 'sst';
  if (depth === 2) return name === 'si';
  // What says how a text sounds (`rPh`) has texts too, and is no step of this path.
  return depth === 3 ? name === 't' || name === 'r' : name === 't';
}
