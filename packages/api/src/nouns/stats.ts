import { countRecords, type OfferCount, type RecordCounts, UPLOAD_STATUSES } from '@tarifario/core/service';
import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { answer, count } from '../wire/answer.ts';
import { WORDS } from '../wire/words.ts';

const total = count.describe(WORDS.total);
const ofSupply = z.strictObject({
  total,
  active: count,
  indexed: count.describe('How many active offers are indexed.'),
});
const ofRecords = z.strictObject({ total, active: count });

const toWireCount = ({ total, active, indexed }: OfferCount) => ({ total, active, indexed });

/** How much the caller has. `indexed` counts active offers only. */
const stats = answer(
  'Stats',
  {
    offers: z.strictObject({ total, active: count, by_supply: z.strictObject({ LUZ: ofSupply, GAS: ofSupply }) }),
    clients: ofRecords,
    companies: ofRecords,
    uploads: z.strictObject({
      total,
      by_status: z.strictObject({
        ...{ pending: count, processing: count, completed: count },
        ...{ failed: count, cancelled: count },
      }),
    }),
  },
  ({ offers: { LUZ, GAS }, firms, companies, uploads }: RecordCounts) => {
    const { pending, processing, completed, failed, cancelled } = uploads;
    return {
      offers: {
        total: LUZ.total + GAS.total,
        active: LUZ.active + GAS.active,
        by_supply: { LUZ: toWireCount(LUZ), GAS: toWireCount(GAS) },
      },
      clients: { total: firms.total, active: firms.active },
      companies: { total: companies.total, active: companies.active },
      uploads: {
        total: UPLOAD_STATUSES.reduce((sum, status) => sum + uploads[status], 0),
        by_status: { pending, processing, completed, failed, cancelled },
      },
    };
  },
);

export const STATS = defineOperation({
  id: 'getStats',
  method: 'GET',
  path: '/v1/offers/stats',
  summary: 'Count own records',
  description:
    'How many offers, advisory firms, retailers and uploads the account has, or the firm that client_id names. The ' +
    'shared catalog is not counted; indexed counts active offers only.',
  scopes: ['offers:read'],
  longRead: 'rows',
  output: stats,
  examples: [{ summary: 'The whole account' }],
  answer: ({ deps, caller }, { firmId }) => countRecords(deps, caller, { firmId }),
});
