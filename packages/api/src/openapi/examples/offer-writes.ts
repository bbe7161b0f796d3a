import type { Examples } from '../example.ts';
import { electricityOffer, gasOffer, OFFERED_BY_BRISA } from './records.ts';

export const OFFER_WRITE_EXAMPLES: Examples = {
  updateOffer: [
    {
      summary: 'New prices of energy, and no services',
      params: { id: 4 },
      body: { e1: 0.127, e2: 0.127, e3: 0.127, services_cost: null },
      status: 200,
      answer: electricityOffer({
        id: 4,
        offer_name: 'Brisa Plana',
        company: OFFERED_BY_BRISA,
        e1: 0.127,
        e2: 0.127,
        e3: 0.127,
        p1: 0.0921,
        p2: 0.0121,
        commission: 85,
        created_at: '2026-01-01T00:00:19.000Z',
      }),
    },
  ],
  toggleOffer: [{ summary: 'An active offer becomes inactive', params: { id: 4 }, status: 200 }],
  deleteOffer: [
    {
      summary: 'The offer is kept, inactive',
      params: { id: 2 },
      status: 200,
      answer: gasOffer({
        id: 2,
        offer_name: 'Alba Gas',
        gas_energy: 0.0612,
        gas_fixed: 5.85,
        commission: 25,
        is_active: false,
        created_at: '2026-01-01T00:00:11.000Z',
      }),
    },
  ],
  bulkPatchOffers: [
    {
      summary: 'Two offers get the same commission',
      body: { offer_ids: [1, 4], updates: { commission: 50, commission_type: 'fixed' } },
      status: 200,
      answer: { updated: 2, offer_ids: [1, 4] },
    },
  ],
};
