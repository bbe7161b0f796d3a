import { updateOffers } from '@tarifario/core/service';
import { z } from 'zod';
import { idsField } from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { id } from '../../wire/answer.ts';
import { fromWireOffer, offerUpdates } from './body.ts';

/** Most offers of one batch. */
const MAX_BATCH = 500;
const CHANGED = 'The offers that are changed.';

export const BULK_PATCH = defineOperation({
  id: 'bulkPatchOffers',
  method: 'POST',
  path: '/v1/offers/bulk-patch',
  summary: 'Make the same changes to several offers',
  description:
    `Changes up to ${MAX_BATCH} own offers alike, all of them or none: a refusal names every offer that breaks a rule. ` +
    'updates takes what a change of one offer takes, except company_id.',
  scopes: ['offers:write'],
  limits: ['bulk_patch'],
  replayable: true,
  body: z.strictObject({ offer_ids: idsField(1, MAX_BATCH).describe(CHANGED), updates: offerUpdates }),
  refusals: ['not_found', 'storage_full', 'business_rule'],
  examples: [
    {
      summary: 'Two offers get the same commission',
      body: { offer_ids: [1, 4], updates: { commission: 50, commission_type: 'fixed' } },
    },
  ],
  command: updateOffers,
  input: ({ firmId, body: { offer_ids: ids, updates } }) => ({ ids, firmId, changes: fromWireOffer(updates) }),
  output: {
    shape: z.strictObject({ updated: z.int().min(1).max(MAX_BATCH), offer_ids: z.array(id).describe(CHANGED) }),
    // Every offer of the batch counts, changed or not, so the number reveals nothing about the stored values.
    toWire: (records) => ({ updated: records.length, offer_ids: records.map(({ offer }) => offer.id) }),
  },
});
