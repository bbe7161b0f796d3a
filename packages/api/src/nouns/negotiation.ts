import { DomainError, type Gap, negotiationForCaller, stepsOf, takeMorePoints } from '@tarifario/core/service';
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { rateHeaders } from '../rate-headers.ts';
import { answersAs, count, id } from '../wire/answer.ts';
import { toWireEur } from '../wire/numbers.ts';
import { BODY_CAPS, customersField, inPieces, pointsOf, portfolioRefusal, readCustomer } from './portfolio.ts';
import { GAS_MONTH, HOUSEHOLD, refField } from './ranking/question.ts';

const mwh = z.number().min(0);

/** The gap of an offer for one customer, or why there is none. */
export type NegotiatedCustomer =
  | { readonly ref: string; readonly gap: Gap }
  | { readonly ref: string | null; readonly error: unknown };

const resultShape = z.strictObject({
  ref: refField,
  mwh_anuales: mwh.describe('Consumption of a year, in MWh.'),
  hueco_eur_mwh: mwh
    .nullable()
    .describe(
      'By how much the prices of energy have to fall for the offer to be the first, in EUR/MWh; 0 where it is, null where it is not ranked or no price makes it the first.',
    ),
});

/** The gaps of an offer, the smallest first; then customers without one, then those refused. */
export const negotiation = answersAs(
  z
    .strictObject({
      offer_id: id,
      total: count.describe('How many customers were sent.'),
      tramos: z
        .array(
          z.strictObject({
            baja_eur_mwh: mwh.describe('A fall of the prices of energy, in EUR/MWh.'),
            clientes: count.describe('For how many customers the offer is the first then.'),
            mwh: mwh.describe('Their consumption of a year, in MWh.'),
          }),
        )
        .describe('Every fall that wins customers, the smallest first.'),
      results: z.array(z.union([resultShape, portfolioRefusal.shape])),
    })
    .meta({ id: 'Negotiation' }),
  (offerId: number, customers: readonly NegotiatedCustomer[]) => {
    const found = customers.flatMap((one) => ('gap' in one ? [one] : []));
    const refused = customers.flatMap((one) => ('error' in one ? [portfolioRefusal.toWire(one.ref, one.error)] : []));
    const size = ({ gap }: { readonly gap: Gap }) => gap.eurPerMwh ?? Number.POSITIVE_INFINITY;
    const sorted = found.toSorted((a, b) => (size(a) === size(b) ? 0 : size(a) - size(b)));
    return {
      offer_id: offerId,
      total: customers.length,
      tramos: stepsOf(found.map(({ gap }) => gap)).map(({ eurPerMwh, customerCount, annualMwh }) => ({
        baja_eur_mwh: toWireEur(eurPerMwh),
        clientes: customerCount,
        mwh: toWireEur(annualMwh),
      })),
      results: [
        ...sorted.map(({ ref, gap }) => ({
          ref,
          mwh_anuales: gap.annualMwh,
          hueco_eur_mwh: gap.eurPerMwh === null ? null : toWireEur(gap.eurPerMwh),
        })),
        ...refused,
      ],
    };
  },
);

export const NEGOTIATION = defineOperation({
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
