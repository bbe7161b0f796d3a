import type { AnyTier } from '../engine/commission/tier.ts';
import { type Message, say } from '../engine/messages/message.ts';
import type { MonthlyPrice, Offer, OfferTerms } from '../engine/offers/offer.ts';
import { MONTH_HEADERS, type ShownValue, shownChanges, tiersIn } from './offer-cells.ts';
import { type RowDraft, shown } from './read-rows.ts';
import { isStaleMonth, type Staleness, stalenessOf } from './row-version.ts';
import {
  COMPANY_HEADER,
  MONTH_HEADER,
  OFFER_COLUMNS,
  TIER_FIELDS,
  TIER_SHEETS,
  type TierSheet,
  VERSION_HEADER,
} from './sheets.ts';
import { type PlanContext, type PlannedRow, report, type Target } from './targets.ts';

const BLIND =
  'was written since the template was made by a key that may not see it: take a new template, or send the file with force';
const GONE = 'the month was deleted since the template was made';

function versionIn(row: RowDraft | null | undefined): string | null {
  const version = row?.values[VERSION_HEADER];
  return typeof version === 'string' ? version : null;
}

function inWords(value: ShownValue | undefined): string {
  return value === null || value === undefined ? 'nothing' : shown(String(value));
}

function tiersInWords(tiers: readonly AnyTier[]): string {
  const words = tiers.map(({ from, to, value, type }) => `${from} to ${to ?? 'no end'} ${value} ${type}`);
  return words.length === 0 ? 'nothing' : shown(words.join('; '));
}

function changedSince(file: string, stored: string): Message {
  return say('was changed since the template was made: the file has {file}, stored is {stored}', { file, stored });
}

/**
 * If the rows of an offer were made from an older state than the stored one, reports every value that they would
 * overwrite. What a caller may not see is not compared. Commissions that were written by who may not see them are always
 * reported: otherwise the end of a file would tell them whether they have written the stored ones.
 *
 * @param changed - `terms`: the offer as the rows would make it.
 * @see docs/assumptions.md, A-67
 */
export function reportStaleOffer(
  context: PlanContext,
  target: Target,
  changed: Pick<Change, 'offer' | 'terms'> & { readonly writesCommissions: boolean },
): void {
  const { rights } = context;
  if (rights.force) return;
  const { offer, terms, writesCommissions } = changed;
  if (writesCommissions) reportBlindWrite(context, target, offer);
  if (target.offerRow && target.isReadable) {
    const version = versionIn(target.offerRow);
    const staleness = version === null ? null : stalenessOf(version, offer, rights);
    if (staleness) reportStaleCells(context, { sheet: 'ofertas', row: target.offerRow }, { staleness, offer, terms });
  }
  for (const sheet of TIER_SHEETS) reportStaleTiers(context, target, { sheet, offer, terms });
}

function reportBlindWrite(context: PlanContext, target: Target, offer: Offer): void {
  const ofTiers = TIER_SHEETS.map((sheet) => ({ sheet, row: target.tiers[sheet][0]?.row ?? null, column: null }));
  for (const { sheet, row, column } of [
    { sheet: 'ofertas', row: target.offerRow, column: 'commission' } as const,
    ...ofTiers,
  ]) {
    const version = versionIn(row);
    if (row === null || version === null || !stalenessOf(version, offer, context.rights)?.isBlind) continue;
    report(
      context,
      { sheet, row },
      column,
      column === null ? say('the list of tiers {=message}', { message: BLIND }) : BLIND,
    );
    return;
  }
}

interface Change {
  readonly staleness: Staleness;
  readonly offer: Offer;
  readonly terms: OfferTerms;
}

function reportStaleCells(context: PlanContext, place: PlannedRow, { staleness, offer, terms }: Change): void {
  const changes = shownChanges<OfferTerms>(offer, terms);
  for (const { header, isCommission } of OFFER_COLUMNS) {
    const isStale = isCommission ? staleness.isCommission : staleness.isVisible;
    const change = changes.get(header);
    if (isStale && change) report(context, place, header, changedSince(inWords(change.after), inWords(change.before)));
  }
  if (staleness.isVisible && terms.companyId !== offer.companyId) {
    const stored = context.companyNames.get(offer.companyId);
    report(
      context,
      place,
      COMPANY_HEADER,
      changedSince(inWords(place.row.values[COMPANY_HEADER]?.toString()), inWords(stored)),
    );
  }
}

function reportStaleTiers(
  context: PlanContext,
  target: Target,
  { sheet, offer, terms }: Omit<Change, 'staleness'> & { readonly sheet: TierSheet },
): void {
  const first = target.tiers[sheet][0]?.row;
  const version = versionIn(first) ?? versionIn(target.offerRow);
  const isStale = version !== null && stalenessOf(version, offer, context.rights)?.isCommission;
  const [inFile, stored] = [tiersIn(terms, sheet), tiersIn(offer, sheet)];
  if (!isStale || !shownChanges<OfferTerms>(offer, terms).has(TIER_FIELDS[sheet])) return;
  const message = changedSince(tiersInWords(inFile), tiersInWords(stored));
  if (first) report(context, { sheet, row: first }, null, say('the list of tiers {=message}', { message }));
  else if (target.offerRow) {
    const place = { sheet: 'ofertas', row: target.offerRow } as const;
    report(context, place, 'commission', say('the list of tiers in {sheet} {=message}', { sheet, message }));
  }
}

/** The same for a row of a month. */
export function reportStaleMonth(
  context: PlanContext,
  place: PlannedRow,
  {
    offer,
    price,
    stored,
  }: { readonly offer: Offer; readonly price: MonthlyPrice; readonly stored: MonthlyPrice | null },
): void {
  const version = versionIn(place.row);
  if (context.rights.force || version === null) return;
  if (!isStaleMonth(version, { offerId: offer.id, month: price.month, stored })) return;
  if (stored === null) {
    report(context, place, MONTH_HEADER, GONE);
    return;
  }
  const changes = shownChanges(stored, price);
  for (const header of MONTH_HEADERS) {
    const change = changes.get(header);
    if (change) report(context, place, header, changedSince(inWords(change.after), inWords(change.before)));
  }
}
