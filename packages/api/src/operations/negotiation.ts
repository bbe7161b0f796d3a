import { DomainError, negotiationForCaller, takeMorePoints } from '@tarifario/core/service';
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { rateHeaders } from '../rate-headers.ts';
import { id } from '../wire/answer.ts';
import { type NegotiatedCustomer, negotiation } from '../wire/negotiation.ts';
import { BODY_CAPS, customersField, GAS_MONTH, HOUSEHOLD, inPieces, pointsOf, readCustomer } from './portfolio.ts';

export const negotiate = defineOperation({
  id: 'negotiateOffer',
  method: 'POST',
  path: '/v1/offers/efficient/negotiate',
  summary: 'Say what an offer has to come down to win customers',
  description:
    'For up to 1 000 customers, by how much the prices of energy of one offer would have to fall, in EUR/MWh, for it to be ' +
    'the first of their ranking, and how many customers and MWh each fall wins: what an advisor takes to the retailer. ' +
    'Customers are those of `POST /v1/offers/efficient/batch`, for the same points, without `tolerancia`; `impuestos` neither ' +
    'counts nor costs; `w` is 1 unless ' +
    'sent, so the cheapest offer is the first. An offer that is the first already has the gap 0.',
  scopes: ['offers:read'],
  bodyCaps: BODY_CAPS,
  body: z.strictObject({ offer_id: id.describe('The offer to negotiate.'), customers: customersField }),
  output: negotiation.shape,
  takesFields: true,
  refusals: ['business_rule', 'not_found'],
  examples: [
    {
      summary: 'Two households and a customer of gas, for whom the offer is none',
      body: {
        offer_id: 1,
        customers: [
          { ref: 'ES-1', ...HOUSEHOLD, tariff_type: '2.0TD' },
          { ref: 'ES-2', supply_type: 'LUZ', energia: { e3: 4000 }, potencia: { p1: 4.6, p2: 4.6 } },
          { ref: 'ES-3', ...GAS_MONTH },
        ],
      },
    },
  ],
  perform: async (call, { firmId, body: { customers, offer_id } }) => {
    const { deps, caller } = call;
    const read = await inPieces(call, customers, (sent) => readCustomer(sent, { firmId, top: 1 }));
    const valid = read.flatMap((customer) => ('question' in customer ? [customer] : []));
    const morePoints = pointsOf(customers.length, valid, { hasBills: false }) - 1;
    const states = morePoints > 0 ? await takeMorePoints(deps, caller, morePoints) : [];
    const { gapsOf } = await negotiationForCaller(deps, caller, { firmId, offerId: offer_id });
    const gaps = await gapsOf(valid.map(({ question }) => question));
    const gapByCustomer = new Map(valid.map((customer, place) => [customer, gaps[place]]));
    const answers = read.map((customer): NegotiatedCustomer => {
      if (!('question' in customer)) return customer;
      const answer = gapByCustomer.get(customer);
      if (answer?.found) return { ref: customer.ref, gap: answer.gap };
      if (!(answer?.error instanceof DomainError)) deps.reportBug(answer?.error);
      return { ref: customer.ref, error: answer?.error };
    });
    return { status: 200, headers: rateHeaders(states), body: negotiation.toWire(offer_id, answers) };
  },
});
