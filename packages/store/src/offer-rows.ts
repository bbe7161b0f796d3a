/** Terms as they are stored, in the order of their columns: a list of values, because thousands of offers are many. */
export type TermsValues = readonly (string | number | null)[];

/** How a database writes many offers at once, each with the version of its former state. */
export interface OfferRows {
  /** Inserts new offers: at least one. */
  insert(offers: readonly NewOffer[], stamps: OfferStamps): Promise<void>;
  /**
   * Replaces the offers that differ from what is stored: at least one offer, each once.
   *
   * @returns The state before the change of those offers that belong to this owner and have the same supply type, in
   *   any order.
   */
  replace(offers: readonly Replacement[], stamps: OfferStamps): Promise<readonly ReplacedOffer[]>;
}

export interface NewOffer {
  readonly id: number;
  readonly values: TermsValues;
}

export interface Replacement extends NewOffer {
  /** `true`: counts as a change even if the values are equal. */
  readonly countsAlways: boolean;
}

export interface ReplacedOffer {
  readonly id: number;
  readonly createdAt: string;
  /** Before the change. */
  readonly updatedAt: string;
  readonly isChanged: boolean;
  /** After the change; `null`: it is `updatedAt`. */
  readonly maskedUpdatedAt: string | null;
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
/** The text of a version whose columns have the former offer. In earlier releases the text had the whole offer. */
export const REPLACED = '{"kind":"terms"}';
