import type { MonthlyPrice, Offer, OfferTerms } from '../engine/offers/offer.ts';
import { monthCells, offerCells, type RowCells, tiersIn } from './offer-cells.ts';
import { COMMISSION_HEADERS, LATER_COLUMNS, OFFER_COLUMNS, TIER_SHEETS } from './sheets.ts';

/**
 * Versions of rows: a template marks each row with the state it was made from, so that an outdated row is recognised
 * when it is sent back. A version names its offer (and month), followed by a digest of the visible fields and, for
 * callers who may see commissions, a digest of the commissions, and the revision of their last blind write where there
 * was one. For other callers neither the version nor its check depends on commissions.
 *
 * @see docs/assumptions.md, A-67
 */
const FORM = /^v(\d+)(?:-(\d{4}-\d{2}))?-([0-9a-z]+)(?:-([0-9a-z]+)(?:-(\d+))?)?$/;

/** The version of an offer, its tiers included. */
export function versionOfOffer(offer: Offer, { seesCommissions }: { readonly seesCommissions: boolean }): string {
  const cells = offerCells(offer);
  const visible = `v${offer.id}-${visibleDigest(offer, cells)}`;
  const blind = offer.blindRevision === undefined ? '' : `-${offer.blindRevision}`;
  return seesCommissions ? `${visible}-${commissionDigest(offer, cells)}${blind}` : visible;
}

/** The version of a month of an offer. */
export function versionOfMonth(offerId: number, price: MonthlyPrice): string {
  return `v${offerId}-${price.month.slice(0, 7)}-${digest(Object.values(monthCells(price)))}`;
}

/** What has changed in an offer since a version. */
export interface Staleness {
  readonly isVisible: boolean;
  readonly isCommission: boolean;
  /** Commissions were written by who may not see them, so whether they are others is not to be told. */
  readonly isBlind: boolean;
}

/**
 * What has changed since a version; `null`: it belongs to another offer, as in a copied row, or is not a version.
 *
 * @param offer - As it is stored.
 */
export function stalenessOf(
  version: string,
  offer: Offer,
  { seesCommissions }: { readonly seesCommissions: boolean },
): Staleness | null {
  const [, id, month, visible, commissions, blind] = FORM.exec(version) ?? [];
  if (Number(id) !== offer.id || month !== undefined) return null;
  const cells = offerCells(offer);
  const hasCommissions = seesCommissions && commissions !== undefined;
  return {
    isVisible: visible !== visibleDigest(offer, cells),
    isCommission: hasCommissions && commissions !== commissionDigest(offer, cells),
    isBlind: hasCommissions && offer.blindRevision !== undefined && Number(blind) !== offer.blindRevision,
  };
}

/**
 * Whether a month of an offer has changed since a version. `false` for a version of another offer or month.
 *
 * @param month - That of the row.
 * @param stored - `null`: the offer has no such month any more.
 */
export function isStaleMonth(
  version: string,
  of: { readonly offerId: number; readonly month: string; readonly stored: MonthlyPrice | null },
): boolean {
  const { offerId, month, stored } = of;
  const [, id, ofMonth] = FORM.exec(version) ?? [];
  if (Number(id) !== offerId || ofMonth !== month.slice(0, 7)) return false;
  return stored === null || version !== versionOfMonth(offerId, stored);
}

const VISIBLE_HEADERS = OFFER_COLUMNS.filter((column) => !column.isCommission && !LATER_COLUMNS.includes(column)).map(
  ({ header }) => header,
);

function visibleDigest({ companyId }: Offer, cells: RowCells): string {
  // Without these it is the version of a time when offers had none, which templates of then have.
  const later = LATER_COLUMNS.flatMap(({ header }) => (cells[header] === null ? [] : [header, cells[header]]));
  const values = VISIBLE_HEADERS.map((header) => cells[header]);
  return digest(later.length === 0 ? [companyId, values] : [companyId, values, later]);
}

function commissionDigest(offer: OfferTerms, cells: RowCells): string {
  const tiers = TIER_SHEETS.map((sheet) =>
    tiersIn(offer, sheet).map(({ from, to, value, type }) => [from, to, value, type]),
  );
  return digest([...COMMISSION_HEADERS.map((header) => cells[header]), tiers]);
}

/**
 * A digest of 53 bits (cyrb53): enough not to miss a change by chance. It need not resist attacks, because nobody gains from a
 * collision.
 */
export function digest(values: unknown): string {
  const text = JSON.stringify(values);
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (4294967296 * (2097151 & high) + (low >>> 0)).toString(36);
}
