import { type RecordCounts, UPLOAD_STATUSES } from '@tarifario/core/service';

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
