import type { MonthlyPrice, Offer, OfferTerms } from '../offers/offer.ts';
import { monthCells, offerCells, type RowCells } from './offer-cells.ts';
import { COMMISSION_HEADERS, OFFER_COLUMNS } from './sheets.ts';

/**
 * Versions of rows: what a template says of the state that its rows show, so that a row that is sent back later is seen
 * to be of an older one. A version names its offer (and month), then has a digest of what everybody may see of it and, for
 * those who see commissions, one of its commissions. So nothing that depends on a commission is in a version, or in a
 * check, for those who may not see it.
 *
 * @see docs/assumptions.md, A-67
 */
const FORM = /^v(\d+)(?:-(\d{4}-\d{2}))?-([0-9a-z]+)(?:-([0-9a-z]+))?$/;

/** The version of an offer, its tiers included. */
export function versionOfOffer(offer: Offer, { seesCommissions }: { readonly seesCommissions: boolean }): string {
  const cells = offerCells(offer);
  return `v${offer.id}-${visibleDigest(offer, cells)}${seesCommissions ? `-${commissionDigest(offer, cells)}` : ''}`;
}

/** The version of a month of an offer. */
export function versionOfMonth(offerId: number, price: MonthlyPrice): string {
  return `v${offerId}-${price.month.slice(0, 7)}-${digest(Object.values(monthCells(price)))}`;
}

/** What has changed of an offer since a version of it. */
export interface Staleness {
  readonly isVisible: boolean;
  readonly isCommission: boolean;
}

/**
 * What has changed since a version; `null`: it is of another offer, as in a row that was copied, or no version at all.
 *
 * @param offer - As it is stored.
 */
export function stalenessOf(
  version: string,
  offer: Offer,
  { seesCommissions }: { readonly seesCommissions: boolean },
): Staleness | null {
  const [, id, month, visible, commissions] = FORM.exec(version) ?? [];
  if (Number(id) !== offer.id || month !== undefined) return null;
  const cells = offerCells(offer);
  const isCommission = seesCommissions && commissions !== undefined && commissions !== commissionDigest(offer, cells);
  return { isVisible: visible !== visibleDigest(offer, cells), isCommission };
}

/**
 * Whether a month of an offer is not what it was in a version. A version of another offer or month says nothing.
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

const VISIBLE_HEADERS = OFFER_COLUMNS.filter(({ isCommission }) => !isCommission).map(({ header }) => header);

function visibleDigest({ companyId }: Offer, cells: RowCells): string {
  return digest([companyId, VISIBLE_HEADERS.map((header) => cells[header])]);
}

function commissionDigest(offer: OfferTerms, cells: RowCells): string {
  const powerTiers = offer.supplyType === 'LUZ' ? offer.powerTiers : [];
  const tiers = [offer.consumptionTiers, powerTiers].map((list) =>
    list.map(({ from, to, value, type }) => [from, to, value, type]),
  );
  return digest([...COMMISSION_HEADERS.map((header) => cells[header]), tiers]);
}

/** 53 bits of what values say: enough that no change is missed by chance. Nobody gains by two values with one digest. */
function digest(values: unknown): string {
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
