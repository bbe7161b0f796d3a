import { type ListedOffer, recordOf } from '@tarifario/core/service';
import { sharedFragments } from './fragments.ts';
import { utf8 } from './json-bytes.ts';
import { toWireOffer, type Visibility } from './offer.ts';

/** A page of offers on the wire. */
export interface WireOfferPage {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Where the filter asks for a term. */
  readonly unknownTerms?: number;
  readonly results: readonly ListedOffer[];
  /** The cursor of the next page. */
  readonly next?: string;
}

/** The page as a JSON value. */
export function toWireOffers({ results, ...page }: WireOfferPage, visibility: Visibility) {
  return { ...headOf(page), results: results.map((listed) => toWireOffer(recordOf(listed), visibility)) };
}

const headOf = ({ total, limit, offset, unknownTerms, next }: Omit<WireOfferPage, 'results'>) => ({
  ...{ total, limit, offset },
  ...(unknownTerms === undefined ? {} : { terminos_desconocidos: unknownTerms }),
  ...(next === undefined ? {} : { next }),
});

/** A page in bytes, made of pieces: an offer has the same piece in each page. */
export interface OfferListJson {
  readonly json: Uint8Array;
  readonly pieces: readonly Uint8Array[];
}

const COMMA = 44;
const END = utf8(']}');

/**
 * A writer of pages of offers: the very bytes of `JSON.stringify(toWireOffers(page, visibility))`. The piece of a stored
 * offer is written once and cached until others replace it; an offer without a key is not cached.
 */
export function createOfferListJson({
  byNumber,
} = sharedFragments): (page: WireOfferPage, visibility: Visibility) => OfferListJson {
  const [whole, masked] = [byNumber(), byNumber()];
  return ({ results, ...page }, visibility) => {
    const fragments = visibility.seesCommissions ? whole : masked;
    const texts = results.map((listed) => {
      const make = () => JSON.stringify(toWireOffer(recordOf(listed), visibility));
      const { key, company, firm } = listed;
      return key === null ? utf8(make()) : fragments(key, [company, firm], make);
    });
    const head = utf8(`${JSON.stringify(headOf(page)).slice(0, -1)},"results":[`);
    const commas = Math.max(0, texts.length - 1);
    const bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.length, head.length + commas + END.length));
    bytes.set(head);
    let at = head.length;
    for (const [index, text] of texts.entries()) {
      if (index > 0) bytes[at++] = COMMA;
      bytes.set(text, at);
      at += text.length;
    }
    bytes.set(END, at);
    return { json: bytes, pieces: [head, ...texts] };
  };
}
