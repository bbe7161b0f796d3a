import { FIELD_LIST, type TermsField } from '../engine/offers/field-parts.ts';
import type { FieldName } from '../engine/offers/field-spec.ts';
import type { Offer } from '../engine/offers/offer.ts';
import type { OfferChanges, SparsePrices, TierDraft } from '../engine/offers/offer-changes.ts';

/** How many significant digits of a number a spreadsheet saves. */
const SPREADSHEET_DIGITS = 15;

/**
 * Returns the stored number where the sent one equals it to the precision of spreadsheets, else the sent one. So a file
 * that was saved by a spreadsheet without being edited changes nothing.
 *
 * @see docs/assumptions.md, A-44
 */
export function keepStoredPrecision<T extends number | null | undefined>(
  sent: T,
  stored: number | null | undefined,
): T | number {
  if (typeof sent !== 'number' || typeof stored !== 'number' || sent === stored) return sent;
  return toSpreadsheetPrecision(sent) === toSpreadsheetPrecision(stored) ? stored : sent;
}

/**
 * The changes of an offer, with stored numbers in place of sent ones that equal them to the precision of spreadsheets.
 * For callers who may not see commissions, those are left as they are sent: whether tiers overlap must not depend on
 * stored ones.
 */
export function changesWithStoredPrecision(
  changes: OfferChanges,
  offer: Offer,
  { seesCommissions }: { readonly seesCommissions: boolean },
): OfferChanges {
  const stored: Readonly<Partial<Record<FieldName, unknown>>> = offer;
  const differing: Record<string, unknown> = {};
  let isSame = true;
  for (const { name, restore } of seesCommissions ? RULES : VISIBLE_RULES) {
    const value = restore(changes[name] as never, stored[name] as never);
    if (value === changes[name]) continue;
    differing[name] = value;
    isSame = false;
  }
  return isSame ? changes : { ...changes, ...differing };
}

/** Fields with numbers, and how their stored digits are restored. */
function rulesOf({ name, kind, section }: TermsField) {
  const isVisible = section !== 'commissions';
  if (kind === 'amount') return [{ name, isVisible, restore: keepStoredPrecision<number | null | undefined> }];
  if (kind === 'periods') return [{ name, isVisible, restore: pricesWithStoredPrecision }];
  return kind === 'tiers' ? [{ name, isVisible, restore: tiersWithStoredPrecision }] : [];
}

const RULES = FIELD_LIST.flatMap((field): readonly PrecisionRule[] => rulesOf(field));
const VISIBLE_RULES = RULES.filter(({ isVisible }) => isVisible);

interface PrecisionRule {
  readonly name: FieldName;
  readonly isVisible: boolean;
  readonly restore: (sent: never, stored: never) => unknown;
}

function pricesWithStoredPrecision(
  sent: SparsePrices | undefined,
  stored: SparsePrices = [],
): SparsePrices | undefined {
  if (!sent?.some((price, index) => keepStoredPrecision(price, stored[index]) !== price)) return sent;
  return sent.map((price, index) => keepStoredPrecision(price, stored[index]));
}

/**
 * A sent tier is compared with the stored tier that has the same lower bound, whatever its position, or else with the
 * one at its position. A bound that two tiers share is treated alike in both, because otherwise the lost digits could
 * make them overlap.
 */
function tiersWithStoredPrecision(
  sent: readonly TierDraft[] | null | undefined,
  stored: readonly TierDraft[] = [],
): readonly TierDraft[] | null | undefined {
  if (!sent) return sent;
  if (sent.every((tier, index) => hasNumbersOf(tier, stored[index]))) return sent;
  const byFrom = new Map(stored.map((tier) => [toSpreadsheetPrecision(tier.from), tier]));
  const bounds = new Map(stored.flatMap(boundsOf).map((bound) => [toSpreadsheetPrecision(bound), bound]));
  const bound = <T extends number | null>(value: T, own: number | null | undefined): T | number => {
    if (value === null || value === own) return value;
    const near = keepStoredPrecision(value, own);
    return near === value ? (bounds.get(toSpreadsheetPrecision(value)) ?? value) : near;
  };
  return sent.map((tier, index) => {
    const own = byFrom.get(toSpreadsheetPrecision(tier.from)) ?? stored[index];
    const from = bound(tier.from, own?.from);
    return { ...tier, from, to: bound(tier.to, own?.to), value: keepStoredPrecision(tier.value, own?.value) };
  });
}

function hasNumbersOf(tier: TierDraft, other: TierDraft | undefined): boolean {
  return tier.from === other?.from && tier.to === other.to && tier.value === other.value;
}

function boundsOf({ from, to }: TierDraft): readonly number[] {
  return to === null ? [from] : [from, to];
}

function toSpreadsheetPrecision(number: number): string {
  return number.toPrecision(SPREADSHEET_DIGITS);
}
