import type { Company, Firm } from '../firms/firm.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import type { BulkFormat } from './format.ts';

/** What the caller has now: all of its shelf, or of the catalog; what is out of its reach is passed over. */
export interface BulkState {
  /** None in the catalog. */
  readonly firms: readonly Pick<Firm, 'id' | 'name'>[];
  readonly companies: readonly Pick<Company, 'id' | 'firmId' | 'name'>[];
  /** Active or not, with months that are sorted. */
  readonly offers: readonly OfferWithHistory[];
}

/** Whose file it is, as far as it decides what the file may touch and what is told of it. */
export interface BulkRights {
  readonly format: BulkFormat;
  /** Without it nothing that is answered depends on stored commissions. */
  readonly seesCommissions: boolean;
  /** The only firm within reach, and what `cliente` means when it is not said; `null`: every firm of the account. */
  readonly boundFirmId: number | null;
  /** `true`: rows of an older state than the stored one are applied all the same. */
  readonly force?: boolean;
}
