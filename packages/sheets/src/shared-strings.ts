import { withinCell } from './fault.ts';
import { createPath, readXml, unescapeText } from './xml.ts';

/**
 * The shared strings, to which cells refer by number. For rich text only the characters, without formatting or phonetic
 * hints.
 */
export async function readSharedStrings(bytes: AsyncIterable<Uint8Array>, cellBytes: number): Promise<string[]> {
  const texts: string[] = [];
  const path = createPath();
  let text = '';
  let isWanted = false;
  await readXml(bytes, {
    shortcut: {
      behind: '</si>',
      plain: PLAIN_ITEM,
      take: ([_, shared = '']) => void texts.push(unescapeText(withinCell(shared, cellBytes))),
    },
    open(name, _, depth) {
      isWanted = path.enter(depth, isOnPath(name, depth)) && name === 't';
    },
    close(depth) {
      isWanted = false;
      const isItem = path.leave(depth) && depth === 2;
      if (isItem) {
        texts.push(unescapeText(text));
        text = '';
      }
      return isItem;
    },
    text(piece) {
      if (isWanted) text = withinCell(text + piece, cellBytes);
    },
  });
  return texts;
}

/**
 * A string in the form that spreadsheets use for nearly all of them: without anything that XML escapes or forbids, or
 * that ends a line in XML 1.1, such as U+2028.
 */
const PLAIN_ITEM =
  /<si><t(?: xml:space="preserve")?>([ -%'-;=?-~\u00a0-\u2027\u2029-\ud7ff\ue000-\ufffd]*)<\/t><\/si>/y;

function isOnPath(name: string, depth: number): boolean {
  if (depth === 1) return name === 'sst';
  if (depth === 2) return name === 'si';
  // Phonetic hints (`rPh`) contain texts too, but are not on this path.
  return depth === 3 ? name === 't' || name === 'r' : name === 't';
}
