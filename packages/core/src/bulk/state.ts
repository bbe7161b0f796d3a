import type { BulkFormat } from '../engine/errors.ts';
import type { OfferWithHistory } from '../engine/offers/offer.ts';
import type { Company, Firm } from '../service/firms/firm.ts';

/** The current records of the account, or of the catalog. Records that the caller may not see are ignored. */
export interface BulkState {
  /** None in the catalog. */
  readonly firms: readonly Pick<Firm, 'id' | 'name'>[];
  readonly companies: readonly Pick<Company, 'id' | 'firmId' | 'name'>[];
  /** Active or not, with sorted months: all of them, or those that `offersNamedIn` names. */
  readonly offers: readonly OfferWithHistory[];
}

/** The rights of the sender of a file: what it may change, and what the answer may reveal. */
export interface BulkRights {
  readonly format: BulkFormat;
  /** If `false`, nothing in the answer depends on stored commissions. */
  readonly seesCommissions: boolean;
  /** The only firm of a bound key, and the default of `cliente`; `null`: every firm of the account. */
  readonly boundFirmId: number | null;
  /** `true`: rows of an older state than the stored one are applied nevertheless. */
  readonly force?: boolean;
}
