/** Terms as they are stored, in the order of their columns: a list of values, because thousands of offers are many. */
export type TermsValues = readonly (string | number | null)[];

/** How an engine writes many offers at once, each with the version that its change leaves. */
export interface OfferRows {
  /** Inserts new offers: at least one. */
  insert(offers: readonly NewOffer[], stamps: OfferStamps): Promise<void>;
  /**
   * Replaces the offers that differ from what is stored: at least one offer, each once.
   *
   * @returns What is on the shelf of these offers, with the same supply type, as it was before; in any order.
   */
  replace(offers: readonly Replacement[], stamps: OfferStamps): Promise<readonly Replaced[]>;
}

export interface NewOffer {
  readonly id: number;
  readonly values: TermsValues;
}

export interface Replacement extends NewOffer {
  /** `true`: equal values are a change too. */
  readonly countsAlways: boolean;
}

export interface Replaced {
  readonly id: number;
  readonly createdAt: string;
  /** Before the change. */
  readonly updatedAt: string;
  readonly isChanged: boolean;
  /** After the change; `null`: it is `updatedAt`. */
  readonly maskedUpdatedAt: string | null;
}

/** What is written beside the terms of every offer that changes. */
export interface OfferStamps {
  /** `null`: the shared catalog. */
  readonly accountId: number | null;
  readonly shelfId: number;
  readonly revision: number;
  readonly at: string;
  readonly keyId: number | null;
}

/** A version that says that there was no offer before. */
export const CREATED = '{"kind":"created"}';
/** A version whose row has the columns that its offer had. Older ones have the offer in this text. */
export const REPLACED = '{"kind":"terms"}';
