import { type Gap, stepsOf } from '@tarifario/core/service';
import { z } from 'zod';
import { answersAs, count, id } from './answer.ts';
import { toWireEur } from './numbers.ts';
import { portfolioRefusal } from './portfolio.ts';
import { refField } from './ranking-question.ts';

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
