import {
  assert,
  type OfferOrder,
  type OfferPage,
  type OrderName,
  type OrderPlace,
  rightsOf,
  say,
  unknownCursor,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call } from '../../call.ts';
import { notSent } from '../../fields.ts';
import type { WireOfferPage } from './offer.ts';

const NAMES = { company_name: 'companyName', offer_name: 'offerName', updated_at: 'updatedAt' } as const;
const SORTS = Object.entries<OrderName>(NAMES).flatMap(([name, by]) => [
  { name, by, isDescending: false },
  { name: `-${name}`, by, isDescending: true },
]);

/** A cursor has at most 100 characters of two names, in four bytes each. */
const MAX_CURSOR_LENGTH = 2000;

/** The order of a list of offers. */
export const ORDER_QUERY = {
  sort: z
    .enum(SORTS.map(({ name }) => name))
    .describe('The order; left out: by id. A minus reverses it. `company_name`: then by `offer_name`.')
    .optional(),
  after: z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .describe('With `sort`: the `next` of the page before, for the same question.')
    .optional(),
};

interface OrderQuery {
  readonly sort?: string | undefined;
  readonly after?: string | undefined;
  readonly after_id?: number | undefined;
  readonly offset?: number | undefined;
}

/** A page whose `next` is a cursor. */
type SealedPage = Pick<WireOfferPage, 'total' | 'unknownTerms' | 'results' | 'next'>;

/** Parameters that say which page, and not of what. `client_id` is in the name of the question by itself. */
const OF_PAGES: readonly string[] = ['limit', 'offset', 'after', 'fields', 'client_id'];

/**
 * The order that a query names, and the function that makes a cursor of the next place of its page.
 *
 * @throws DomainError `invalid_request` for parameters that exclude each other, `unknown_cursor` for the cursor of another question or
 *   key.
 */
export function orderOf(
  { caller, cipherFor }: Call,
  { list, firmId, query }: { readonly list: string; readonly firmId: number | null; readonly query: OrderQuery },
): { readonly order: OfferOrder | null; readonly sealed: (page: OfferPage) => SealedPage } {
  const { sort, after, after_id: afterId, offset } = query;
  if (after !== undefined && sort === undefined)
    throw notSent('after', say('is only sent with {name}', { name: 'sort' }));
  if (after !== undefined && offset !== undefined) {
    throw notSent('after', say('is not sent beside {name}', { name: 'offset' }));
  }
  if (afterId !== undefined && sort !== undefined) {
    throw notSent('after_id', say('is not sent beside {name}', { name: 'sort' }));
  }
  const sorted = SORTS.find(({ name }) => name === sort);
  if (!sorted) return { order: null, sealed: ({ next: _none, ...page }) => page };
  assert(cipherFor !== undefined, 'a request has a cipher');
  const question = Object.entries(query).filter(([name]) => !OF_PAGES.includes(name));
  const cipher = cipherFor(`${list} ${firmId} ${rightsOf(caller)} ${JSON.stringify(question)}`);
  const place = after === undefined ? null : placeIn(cipher.open(after));
  return {
    order: { by: sorted.by, isDescending: sorted.isDescending, after: place },
    sealed: ({ next, ...page }) => ({
      ...page,
      ...(next ? { next: cipher.seal(`${next.key}\n${next.id}`) } : {}),
    }),
  };
}

/** @throws DomainError `unknown_cursor`. */
function placeIn(text: string | null): OrderPlace {
  if (text === null) throw unknownCursor();
  const end = text.lastIndexOf('\n');
  return { key: text.slice(0, end), id: Number(text.slice(end + 1)) };
}
