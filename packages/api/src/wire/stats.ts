import { type RecordCounts, UPLOAD_STATUSES } from '@tarifario/core/service';
import { z } from 'zod';

const count = z.int().min(0);
const offerCount = z.strictObject({ total: count, active: count, indexed: count });
const recordCount = z.strictObject({ total: count, active: count });

export const statsShape = z.strictObject({
  offers: z.strictObject({
    total: count,
    active: count,
    by_supply: z.strictObject({ LUZ: offerCount, GAS: offerCount }),
  }),
  clients: recordCount,
  companies: recordCount,
  uploads: z.strictObject({
    total: count,
    by_status: z.strictObject(Object.fromEntries(UPLOAD_STATUSES.map((status) => [status, count]))),
  }),
});

/** How much the caller has. `indexed` counts active offers only. */
export function toWireStats({ offers, firms, companies, uploads }: RecordCounts) {
  const { LUZ, GAS } = offers;
  const toWire = ({ total, active, indexed }: typeof LUZ) => ({ total, active, indexed });
  return {
    offers: {
      total: LUZ.total + GAS.total,
      active: LUZ.active + GAS.active,
      by_supply: { LUZ: toWire(LUZ), GAS: toWire(GAS) },
    },
    clients: { total: firms.total, active: firms.active },
    companies: { total: companies.total, active: companies.active },
    uploads: {
      total: UPLOAD_STATUSES.reduce((sum, status) => sum + uploads[status], 0),
      by_status: Object.fromEntries(UPLOAD_STATUSES.map((status) => [status, uploads[status]])),
    },
  };
}
