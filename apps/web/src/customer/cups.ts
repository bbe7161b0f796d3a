/** The number of a supply point, however it is spaced. Also one that no letters check: none may leave the page. */
const CUPS = /ES[^a-z0-9"]{0,3}(?:\d[^a-z0-9"]{0,3}){16}[a-z][^a-z0-9"]{0,3}[a-z](?:[^a-z0-9"]{0,3}\d[a-z]\b)?/gi;
const PARAMETER = /([?&](?:amp;)?)cups=[^&#]*/gi;

/** A text without supply points, which never leave the page. */
export const withoutCups = (text: string): string => text.replaceAll(CUPS, '');

/** A pasted address without supply points, also where they are written with percent signs. */
export function addressWithoutCups(address: string): string {
  const known = address.trim().replaceAll(/[^?&#=]+/g, (part) => {
    const plain = decoded(part);
    const left = withoutCups(plain);
    return left === plain ? part : left;
  });
  return known.replaceAll(PARAMETER, '$1');
}

function decoded(text: string): string {
  try {
    const plain = decodeURIComponent(text);
    return plain === text ? text : decoded(plain);
  } catch {
    return text;
  }
}
