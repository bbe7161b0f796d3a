import { deactivateOffer, ROWS_PER_POINT, toggleOffer, updateOffer, updateOffers } from '@tarifario/core/service';
import { z } from 'zod';
import { ID_PATH, idField, ONLY_CLIENT_QUERY } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireOffer } from '../wire/offer.ts';
import { fromWireOffer, offerPatchBody, offerUpdates } from '../wire/offer-body.ts';
import { offerShape } from '../wire/shapes.ts';
import { readOffer, visibilityOf } from './offers.ts';

/** Most offers of one batch. */
const MAX_BATCH = 500;

export const updateOfferOperation = defineOperation({
  id: 'updateOffer',
  method: 'PATCH',
  path: '/v1/offers/{id}',
  summary: 'Change some fields of an offer',
  description:
    'Changes the fields that are sent, null erases one that can be empty, lists of tiers are replaced whole. The ' +
    'supply type never changes; company_id moves the offer to another own retailer.',
  scopes: ['offers:write'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: offerPatchBody },
  output: offerShape,
  refusals: ['not_found', 'business_rule'],
  current: readOffer,
  perform: async ({ deps, caller }, { path, query, body }) => {
    const changes = fromWireOffer(body);
    const record = await updateOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null, changes });
    return { status: 200, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

export const toggleOfferOperation = defineOperation({
  id: 'toggleOffer',
  method: 'PATCH',
  path: '/v1/offers/{id}/toggle',
  summary: 'Activate or deactivate an offer',
  description: 'An active offer becomes inactive, an inactive one active.',
  scopes: ['offers:write'],
  replayable: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: offerShape,
  refusals: ['not_found'],
  current: readOffer,
  perform: async ({ deps, caller }, { path, query }) => {
    const record = await toggleOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

export const deleteOfferOperation = defineOperation({
  id: 'deleteOffer',
  method: 'DELETE',
  path: '/v1/offers/{id}',
  summary: 'Deactivate an offer',
  description: 'The offer is kept, inactive. Also when it already was.',
  scopes: ['offers:write'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: offerShape,
  refusals: ['not_found'],
  current: readOffer,
  perform: async ({ deps, caller }, { path, query }) => {
    const record = await deactivateOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

const batchIds = z
  .array(idField)
  .min(1)
  .max(MAX_BATCH)
  .refine((ids) => new Set(ids).size === ids.length, 'must be distinct')
  .meta({ uniqueItems: true });

export const bulkPatchOffers = defineOperation({
  id: 'bulkPatchOffers',
  method: 'POST',
  path: '/v1/offers/bulk-patch',
  summary: 'Make the same changes to several offers',
  description:
    `Changes up to ${MAX_BATCH} own offers alike, all of them or none: a refusal names every offer that breaks a rule. ` +
    'updates takes what a change of one offer takes, except company_id. The call takes one point of the ceiling of the ' +
    `account for each ${ROWS_PER_POINT} offers begun: the first as any call, the other once the body is read.`,
  scopes: ['offers:write'],
  limits: ['bulk_patch'],
  rowsOf: ({ offer_ids }) => offer_ids.length,
  replayable: true,
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z.strictObject({ offer_ids: batchIds, updates: offerUpdates }),
  },
  output: z.strictObject({ updated: z.int().min(1).max(MAX_BATCH), offer_ids: z.array(z.int().min(1)) }),
  refusals: ['not_found', 'business_rule'],
  perform: async ({ deps, caller }, { query, body }) => {
    const changes = fromWireOffer(body.updates);
    const input = { ids: body.offer_ids, firmId: query.client_id ?? null, changes };
    // Every offer of the batch counts, changed or equal already: the number says nothing about what was stored.
    const records = await updateOffers(deps, caller, input);
    return { status: 200, body: { updated: records.length, offer_ids: records.map(({ offer }) => offer.id) } };
  },
});
