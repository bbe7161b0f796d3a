import { type AnyTier, type OfferEvent, offerHistory } from '@tarifario/core/service';
import { z } from 'zod';
import { listAnswer, PAGE_QUERY, pageOf } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { answer, id, instant } from '../../wire/answer.ts';
import { TIER_KEYS } from '../../wire/paths.ts';
import { toWireMonth } from '../../wire/prices.ts';
import { toWireTier } from './offer.ts';

/** A change of an offer, with the names and values of its answers. */
const offerEvent = answer(
  'OfferEvent',
  {
    changed_at: instant.describe('When it was done.'),
    key_id: id
      .nullable()
      .describe(
        'The key that did it; null: the command line, or a key of somebody else where the offer is of the catalog.',
      ),
    fields: z
      .array(
        z.strictObject({
          field: z
            .string()
            .describe('What was changed: a field of the offer, or `indexed_prices` for one of its months.'),
          before: z.unknown().describe('The same before it.'),
          after: z.unknown().describe('The value, or for `indexed_prices` the month, after the change; null: none.'),
        }),
      )
      .describe('What was changed; empty: the offer was created.'),
  },
  ({ changedAt, keyId, change }: OfferEvent) => ({
    changed_at: changedAt,
    key_id: keyId,
    fields: toWireChanges(change),
  }),
);

function toWireChanges(change: OfferEvent['change']) {
  if (change.kind === 'created') return [];
  if (change.kind === 'month') {
    const [before, after] = [change.before, change.after].map((price) => price && toWireMonth(price));
    return [{ field: 'indexed_prices', before, after }];
  }
  return change.values.map(({ part: { field, wire }, before, after }) => {
    const keys = TIER_KEYS[field.name];
    const toWire = (value: unknown) =>
      keys ? (value as readonly AnyTier[]).map((tier) => toWireTier(tier, keys)) : value;
    return { field: wire, before: toWire(before), after: toWire(after) };
  });
}

export const OFFER_HISTORY = defineOperation({
  id: 'getOfferHistory',
  method: 'GET',
  path: '/v1/offers/{id}/history',
  summary: 'List what was done to an offer',
  description:
    'Each change of a visible offer, the newest first, with the values before and after. The last one, whose fields are ' +
    'an empty list, is its creation; for a firm, its last move there. Without commissions:read changes of commissions are ' +
    'left out.',
  scopes: ['offers:read'],
  query: PAGE_QUERY,
  tagged: true,
  output: listAnswer(offerEvent),
  examples: [
    { summary: 'A new price and the creation', params: { id: 1 } },
    { summary: 'Page 2', params: { id: 1 }, query: { limit: 1, offset: 1 }, isLong: true },
  ],
  answer: ({ deps, caller }, { path: { id }, firmId, query }) =>
    offerHistory(deps, caller, { id, firmId, page: pageOf(query) }),
});
