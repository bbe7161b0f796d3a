/**
 * The number of a supply point, however it is spaced, also with wrong check letters: none may leave the page. In UTF-16 a
 * NUL stands between any two characters.
 */
const CUPS =
  /E[^a-z0-9"]{0,3}S[^a-z0-9"]{0,3}(?:\d[^a-z0-9"]{0,3}){16}[a-z][^a-z0-9"]{0,3}[a-z](?:[^a-z0-9"]{0,3}\d\0?[a-z]\b)?/gi;
/** What is being typed of one: no offer has such a name. */
const BEGUN = /E[^a-z0-9]{0,3}S[^a-z0-9]{0,3}(?:\d[^a-z0-9]{0,3}){8}/i;
const PARAMETER = /([?&](?:amp;)?)cups=[^&#]*/gi;

/** A text without supply points, which never leave the page. */
export const withoutCups = (text: string): string => text.replaceAll(CUPS, '');

/** What of a typed search may be sent: nothing while it has the beginning of a supply point. */
export function searchWithoutCups(text: string): string {
  const left = withoutCups(text).trim();
  return BEGUN.test(left) ? '' : left;
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
  // One character a byte, so the places in the text are those of the bytes.
  const text = new TextDecoder('windows-1252').decode(bytes);
  const numbers = new Map<string, number>();
  // Most lines have the same one, and a file may have 100 000 lines.
  const numbered = new Map<string, Uint8Array>();
  for (const { 0: found, index } of text.matchAll(CUPS)) {
    const known = numbered.get(found) ?? bytes.slice(index, index + found.length);
    if (!numbered.has(found)) {
      const signs = [...found.matchAll(/[a-z0-9]/gi)];
      const name = signs.join('').toUpperCase();
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      const digits = String(number).padStart(signs.length, '0');
      for (const [at, sign] of signs.entries()) known[sign.index] = digits.charCodeAt(at);
      numbered.set(found, known);
    }
    bytes.set(known, index);
  }
  return new Blob([bytes]);
}

const QUOTES = /^[\s"'<«“]+|[\s"'>»”]+$/g;
const SCHEME = /^(https?:\/*)?(?=comparador\.cnmc\.gob\.es)/i;

/**
 * A pasted address without supply points, also where they are written with percent signs. It may have quotes around it,
 * and another scheme or none.
 */
export function addressWithoutCups(address: string): string {
  const whole = address.replaceAll(QUOTES, '').replace(SCHEME, 'https://');
  const cleaned = whole.replaceAll(/[^?&#=]+/g, (part) => {
    const plain = decoded(part);
    const rest = withoutCups(plain);
    return rest === plain ? part : rest;
  });
  return cleaned.replaceAll(PARAMETER, '$1');
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text);
    return plain === text ? text : decoded(plain);
  } catch {
    return text;
  }
}
