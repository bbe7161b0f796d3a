/** Terms as they are stored, in the order of their columns: a list of values, because thousands of offers are many. */
export type TermsValues = readonly (string | number | null)[];

/** How a database writes many offers at once, each with the version of its former state, and counts them. */
export interface OfferRows {
  /** Inserts new offers: at least one. */
  insert(offers: readonly NewOffer[], stamps: OfferStamps): Promise<void>;
  /**
   * Replaces some sections of offers: at least one offer, each once.
   *
   * @returns How many of them belong to this owner and have the same supply type.
   */
  replace(replaced: Replacement, stamps: OfferStamps): Promise<number>;
}

export interface NewOffer {
  readonly id: number;
  /** The supply type first. */
  readonly values: TermsValues;
}

interface Replacement {
  /** Setting a column, even to its current value, updates its index and checks its foreign key. */
  readonly columns: readonly string[];
  readonly offers: readonly ChangedOffer[];
}

export interface ChangedOffer extends NewOffer {
  /** `true`: the stamps for callers who may not see commissions stay. */
  readonly isMasked: boolean;
  /** Commissions are written by who may not see them. */
  readonly isBlind: boolean;
  /** Whether its version has the former tiers of each column of tiers. */
  readonly keptTiers: readonly boolean[];
}

/** Values that are written with every changed offer. */
export interface OfferStamps {
  /** `null`: the shared catalog. */
  readonly accountId: number | null;
  readonly ownerId: number;
  readonly revision: number;
  readonly at: string;
  readonly keyId: number | null;
}

/** What a version takes besides its texts, in both engines about. */
export const VERSION_BYTES = 500;

/** What a version takes, as SQL about its row. */
export const VERSION_BYTES_SQL = [
  `${VERSION_BYTES} + octet_length(before)`,
  ...['consumption_tiers', 'power_tiers', 'offer_name', 'requirements'].map(
    (name) => `coalesce(octet_length(${name}), 0)`,
  ),
].join(' + ');

/** The version of a new offer: there was none before. */
export const CREATED = '{"kind":"created"}';
/** The text of a version whose columns have the former offer. */
export const REPLACED = '{"kind":"terms"}';

/** Former tiers with more characters than this are stored once for all versions of a statement that have them. */
export const LEAST_SHARED = 200;
