/** Terms as they are stored, in the order of their columns: a list of values, because thousands of offers are many. */
export type TermsValues = readonly (string | number | null)[];

/** How a database writes many offers at once, each with the version of its former state. */
export interface OfferRows {
  /** Inserts new offers: at least one. */
  insert(offers: readonly NewOffer[], stamps: OfferStamps): Promise<void>;
  /**
   * Replaces offers: at least one, each once.
   *
   * @returns How many of them belong to this owner and have the same supply type.
   */
  replace(offers: readonly Replacement[], stamps: OfferStamps): Promise<number>;
}

export interface NewOffer {
  readonly id: number;
  readonly values: TermsValues;
}

export interface Replacement extends NewOffer {
  /** `true`: the stamps for callers who may not see commissions stay. */
  readonly isMasked: boolean;
  /** Whether it moves to another company. */
  readonly isMove: boolean;
  /** Of each column of tiers, whether it changes. */
  readonly changedTiers: readonly boolean[];
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

/** The version of a new offer: there was none before. */
export const CREATED = '{"kind":"created"}';
/** The text of a version whose columns have the former offer. */
export const REPLACED = '{"kind":"terms"}';
