/** The number of a supply point, however it is spaced, also with wrong check letters: none may leave the page. */
const CUPS = /ES[^a-z0-9"]{0,3}(?:\d[^a-z0-9"]{0,3}){16}[a-z][^a-z0-9"]{0,3}[a-z](?:[^a-z0-9"]{0,3}\d[a-z]\b)?/gi;
const PARAMETER = /([?&](?:amp;)?)cups=[^&#]*/gi;

/** A text without supply points, which never leave the page. */
export const withoutCups = (text: string): string => text.replaceAll(CUPS, '');

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
