import type { Issue } from '../../engine/errors.ts';
import { type Message, say } from '../../engine/messages/message.ts';

/**
 * Bytes of the picture of a firm: room for a logo that is printed 18 mm high with 300 points an inch, and as base64 less
 * than a tenth of the body of a request.
 */
export const MAX_LOGO_BYTES = 64 * 1024;

/** What the content begins with, by its type. No SVG: it may have script, styles and addresses. */
const BEGINNINGS: Readonly<Record<string, (head: string) => boolean>> = {
  png: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  jpeg: (head) => head.startsWith('\xff\xd8\xff'),
  webp: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8),
};

/** The longest of these texts. */
const MAX_LENGTH = 'data:image/jpeg;base64,'.length + 4 * Math.ceil(MAX_LOGO_BYTES / 3);
const DATA_URI = /^data:image\/(png|jpeg|webp);base64,(.*)$/s;
/** Groups of four, of which the last may be filled; the bits that it leaves over are 0. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

declare const atob: (base64: string) => string;

/**
 * What is wrong with the picture of a firm: a data: URI of a PNG, JPEG or WebP in base64 whose content begins as its type
 * does, of at most 64 KiB. It is shown and never fetched; `null` is no picture.
 *
 * @see docs/assumptions.md, A-144
 */
export function checkLogo(path: string, logo: string | null): Issue[] {
  const message = logo === null ? null : faultOf(logo);
  return message === null ? [] : [{ path, message }];
}

function faultOf(logo: string): Message | null {
  const tooLarge = say('must be a picture of at most {max} bytes', { max: MAX_LOGO_BYTES });
  // What is much too long is not searched.
  const [, type = '', content = ''] = DATA_URI.exec(logo.slice(0, MAX_LENGTH + 1)) ?? [];
  const hasBegun = BEGINNINGS[type];
  if (!hasBegun) return 'must be a PNG, JPEG or WebP picture as a data: URI in base64';
  if (logo.length > MAX_LENGTH) return tooLarge;
  if (content === '') return 'must not be empty';
  if (!BASE64.test(content)) return 'must have its content in base64, with its padding';
  if ((content.length / 4) * 3 - (/=*$/.exec(content)?.[0].length ?? 0) > MAX_LOGO_BYTES) return tooLarge;
  return hasBegun(atob(content.slice(0, 16))) ? null : say('must have the content of a {type} picture', { type });
}
