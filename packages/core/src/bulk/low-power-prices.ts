import { isBelowLeast, type LeastPowerPrices } from '../engine/power/least-prices.ts';
import { type BulkPlan, type BulkWarning, ROWS_OF_WARNING } from './plan.ts';
import type { BulkDrafts } from './read-rows.ts';
import type { BulkState } from './state.ts';

/**
 * The rows of `ofertas` whose active offer sells power below the least prices, whether or not the file changes it: such a
 * price is last year's, or a slip.
 *
 * @see docs/assumptions.md, A-120
 */
export function lowPowerPrices(
  drafts: BulkDrafts,
  { plan, state }: { readonly plan: BulkPlan; readonly state: BulkState },
  least: LeastPowerPrices,
): readonly BulkWarning[] {
  const written = new Map([...plan.created, ...plan.changed].map(({ rows, terms }) => [rows.ofertas, terms]));
  const stored = new Map(state.offers.map(({ offer }) => [offer.id, offer]));
  const rows = (drafts.sheets.ofertas?.rows ?? []).flatMap(({ row, id }) => {
    const offer = written.get(row) ?? stored.get(id ?? 0);
    return offer?.isActive && offer.supplyType === 'LUZ' && isBelowLeast(offer, least) ? [row] : [];
  });
  const first = rows.slice(0, ROWS_OF_WARNING);
  return rows.length === 0
    ? []
    : [{ code: 'potencia_bajo_regulado', sheet: 'ofertas', count: rows.length, rows: first }];
}
