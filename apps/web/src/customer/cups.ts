import { replaceCups } from '@tarifario/core';

const GAP = '[^a-z0-9]{0,3}';
/** What is being typed of one, with ES or without: no offer has such a name. */
const BEGUN = new RegExp(`(?:E${GAP}S${GAP}|(?<!\\d)(?=0))(?:\\d${GAP}){8}`, 'i');
const PARAMETER = /([?&](?:amp;)?)cups=[^&#]*/gi;

/** A text without supply points, which never leave the page. */
export const withoutCups = (text: string): string => replaceCups(text, () => '');

/** The digits of the first supply point of a text, to be compared in memory alone. Its letters only check them. */
export function firstCups(text: string): string | null {
  const found: string[] = [];
  replaceCups(text, (cups) => String(found.push(cups)));
  const signs = found[0]?.normalize('NFKC').toUpperCase().match(SIGN)?.join('');
  return signs?.replace(/^ES/, '').slice(0, 16) ?? null;
}

/** What of a typed search may be sent: nothing while it has the beginning of a supply point. */
export function searchWithoutCups(text: string): string {
  const left = withoutCups(text).trim();
  return BEGUN.test(left.normalize('NFKC')) ? '' : left;
}

/** The same of whatever is sent or kept: each text in it, and the names of files. */
export function withoutCupsIn(value: unknown): unknown {
  if (typeof value === 'string') return withoutCups(value);
  if (value instanceof File) return new File([value], withoutCups(value.name), { type: value.type });
  if (value instanceof Blob || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutCupsIn);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutCupsIn(part)]));
}

/**
 * The file of a meter with a number in place of each supply point, so that two of them are still two. Whatever its
 * encoding, all else keeps its bytes, and its name is left out.
 */
export async function curveWithoutCups(file: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const numbered = cupsNumberer();
  try {
    return new Blob([numbered(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))]);
  } catch {
    // One character a byte, so the places in the text are those of the bytes.
    const text = new TextDecoder('windows-1252').decode(bytes);
    const changed = numbered(text);
    for (let at = 0; at < text.length; at++) if (changed[at] !== text[at]) bytes[at] = changed.charCodeAt(at);
    return new Blob([bytes]);
  }
}

/** A cell that is long enough for one. Those of several cells, such as days and hours, are none. */
const CELL = /[^;,\t\r\n|]{10,}/g;
const SIGN = /[\p{L}\p{N}]/gu;

/** Writes into a table a number in place of each supply point, which is as long. */
function cupsNumberer(): (text: string) => string {
  const numbers = new Map<string, number>();
  // Most lines have the same one, and a file may have 100 000 lines.
  const known = new Map<string, string>();
  const numbered = (cups: string) => {
    const signs = (cups.match(SIGN) ?? []).join('');
    const name = signs.normalize('NFKC').toUpperCase();
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    const digits = [...String(number).padStart(signs.length, '0')];
    return cups.replaceAll(SIGN, ({ length }) => digits.splice(0, length).join(''));
  };
  const cellWithout = (cell: string) => {
    const text = known.get(cell) ?? replaceCups(cell, numbered);
    if (text !== cell) known.set(cell, text);
    return text;
  };
  return (text) => text.replaceAll(CELL, cellWithout);
}

/** In a value blanks stand before a unit or within a supply point, and more of the address follows; a line may end behind a `=`. */
const PARAM = /[^\s&=]*(?:=\s*)?[^\s&]*(?:(?:\s+(?:\d[\d.,]*[a-z]{0,2}|[a-z]{1,3})){1,8}(?=\s*&))?/.source;
/** Also with another scheme or none, or written with percent signs. */
const ADDRESS = new RegExp(
  `(?<![^\\s"'<«“(¿])(?:https?[:/%\\da-f]*)?comparador\\.cnmc\\.gob\\.es[^\\s?]*(?:\\?${PARAM}(?:\\s*&${PARAM})*)?`,
  'i',
);
const SCHEME = /^(https?:\/*)?(?=comparador)/i;
const END = /["'<>«»“”).,;]+$/;

/**
 * The address of an invoice's code in a pasted text, without supply points, also where they are written with percent
 * signs; `null`: there is none. The rest, such as the name of a holder, is left out.
 */
export function addressWithoutCups(text: string): string | null {
  const [found] = ADDRESS.exec(text) ?? [];
  if (found === undefined) return null;
  const cleaned = found.replace(END, '').replaceAll(/[^?&#=]+/g, (part) => {
    const plain = decoded(part);
    const rest = withoutCups(plain);
    return rest === plain ? part : rest;
  });
  return cleaned.replace(SCHEME, 'https://').replaceAll(PARAMETER, '$1');
}

/** What is no escape stays as it is. */
export function decoded(text: string): string {
  const plain = text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
  return plain === text ? text : decoded(plain);
}
