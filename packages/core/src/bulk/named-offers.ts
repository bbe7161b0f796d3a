import type { OfferHead } from '../engine/offers/offer.ts';
import { foldName } from '../engine/text.ts';
import { nameAt } from './offer-cells.ts';
import type { BulkDrafts } from './read-rows.ts';
import { NAME_HEADER } from './sheets.ts';

/** Two active offers of one name show that the name is not enough. Which others have it makes no difference. */
const MAX_NAMESAKES = 2;

/**
 * Which stored offers a plan depends on: those whose ids a file has, and active ones with a name of a row without id. A
 * plan of these only is the plan of all. The returned function must be called once for each offer.
 */
export function offersNamedIn({ sheets }: BulkDrafts): (head: OfferHead) => boolean {
  const ids = new Set<number>();
  const names = new Set<string>();
  for (const { id, values } of Object.values(sheets).flatMap((sheet) => sheet?.rows ?? [])) {
    const name = nameAt(values, NAME_HEADER);
    if (id !== null) ids.add(id);
    else if (name !== null) names.add(foldName(name));
  }
  const counts = new Map<string, number>();
  return ({ id, companyId, offerName, isActive }) => {
    if (ids.has(id)) return true;
    const name = isActive && names.size > 0 ? foldName(offerName) : '';
    if (!names.has(name)) return false;
    const place = `${companyId} ${name}`;
    const count = (counts.get(place) ?? 0) + 1;
    counts.set(place, count);
    return count <= MAX_NAMESAKES;
  };
}
