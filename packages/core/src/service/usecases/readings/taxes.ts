import type { Day } from '../../../engine/calendar.ts';
import type { SupplyType, Territory } from '../../../engine/offers/offer.ts';
import { type PlacedRate, RATES, ratesInForce } from '../../../engine/taxes/rates.ts';
import type { Caller } from '../../access/caller.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, resolveFirmId } from '../requests/record-access.ts';

interface TaxesChoice extends FirmChoice {
  /** `null`: today, in UTC. */
  readonly day: Day | null;
  /** `null`: all. */
  readonly supplyType: SupplyType | null;
  readonly territory: Territory | null;
}

/** The rates of a day. */
export interface Taxes {
  readonly day: Day;
  readonly rows: readonly PlacedRate[];
}

/**
 * The rates with which the bills of a day are computed, those of the operator included.
 *
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-108
 */
export async function listTaxes(
  deps: Pick<Deps, 'store' | 'clock' | 'rates'>,
  caller: Caller,
  { firmId, day, ...where }: TaxesChoice,
): Promise<Taxes> {
  await deps.store.read((reader) => resolveFirmId(reader, caller, firmId));
  const asked = day ?? deps.clock.now().slice(0, 10);
  return { day: asked, rows: ratesInForce(deps.rates ?? RATES, { ...where, day: asked }) };
}
