import { FIELD_LIST, type TermsField } from '../offers/field-parts.ts';
import type { Offer } from '../offers/offer.ts';
import type { OfferChanges, SparsePrices, TierDraft } from '../offers/offer-changes.ts';
import type { FieldName } from '../offers/offer-fields.ts';

/** Significant digits that a spreadsheet keeps of a number when it saves a file. */
const KEPT_DIGITS = 15;

/**
 * What a cell says of a number that is stored: where they agree as far as spreadsheets keep digits, the stored one. So a
 * file that was saved by a spreadsheet and not edited changes nothing.
 *
 * @see docs/assumptions.md, A-44
 */
export function settled<T extends number | null | undefined>(sent: T, stored: number | null | undefined): T | number {
  if (typeof sent !== 'number' || typeof stored !== 'number' || sent === stored) return sent;
  return keptDigits(sent) === keptDigits(stored) ? stored : sent;
}

/**
 * The changes of an offer, with every number settled. Commissions of a caller who may not see them stay as they are sent:
 * whether tiers overlap must not depend on those stored.
 */
export function settledChanges(
  changes: OfferChanges,
  offer: Offer,
  { seesCommissions }: { readonly seesCommissions: boolean },
): OfferChanges {
  const stored: Readonly<Partial<Record<FieldName, unknown>>> = offer;
  const differing: Record<string, unknown> = {};
  let isSame = true;
  for (const { name, settle } of seesCommissions ? SETTLERS : VISIBLE_SETTLERS) {
    const value = settle(changes[name] as never, stored[name] as never);
    if (value === changes[name]) continue;
    differing[name] = value;
    isSame = false;
  }
  return isSame ? changes : { ...changes, ...differing };
}

/** What has numbers, and how they are settled. */
function settlersOf({ name, kind, section }: TermsField) {
  const isVisible = section !== 'commissions';
  if (kind === 'amount') return [{ name, isVisible, settle: settled<number | null | undefined> }];
  if (kind === 'periods') return [{ name, isVisible, settle: settledPrices }];
  return kind === 'tiers' ? [{ name, isVisible, settle: settledTiers }] : [];
}

const SETTLERS = FIELD_LIST.flatMap((field): readonly Settler[] => settlersOf(field));
const VISIBLE_SETTLERS = SETTLERS.filter(({ isVisible }) => isVisible);

interface Settler {
  readonly name: FieldName;
  readonly isVisible: boolean;
  readonly settle: (sent: never, stored: never) => unknown;
}

function settledPrices(sent: SparsePrices | undefined, stored: SparsePrices = []): SparsePrices | undefined {
  if (!sent?.some((price, index) => settled(price, stored[index]) !== price)) return sent;
  return sent.map((price, index) => settled(price, stored[index]));
}

/**
 * Wherever its row stands by now, a tier is the stored one that begins where it does, or else the one in its place. A
 * bound that two tiers share is settled alike in both: else one would reach into the other by the digits that are lost.
 */
function settledTiers(
  sent: readonly TierDraft[] | null | undefined,
  stored: readonly TierDraft[] = [],
): readonly TierDraft[] | null | undefined {
  if (!sent) return sent;
  if (sent.every((tier, index) => hasNumbersOf(tier, stored[index]))) return sent;
  const byFrom = new Map(stored.map((tier) => [keptDigits(tier.from), tier]));
  const bounds = new Map(stored.flatMap(boundsOf).map((bound) => [keptDigits(bound), bound]));
  const bound = <T extends number | null>(value: T, own: number | null | undefined): T | number => {
    if (value === null || value === own) return value;
    const near = settled(value, own);
    return near === value ? (bounds.get(keptDigits(value)) ?? value) : near;
  };
  return sent.map((tier, index) => {
    const known = byFrom.get(keptDigits(tier.from)) ?? stored[index];
    const from = bound(tier.from, known?.from);
    return { ...tier, from, to: bound(tier.to, known?.to), value: settled(tier.value, known?.value) };
  });
}

function hasNumbersOf(tier: TierDraft, other: TierDraft | undefined): boolean {
  return tier.from === other?.from && tier.to === other.to && tier.value === other.value;
}

function boundsOf({ from, to }: TierDraft): readonly number[] {
  return to === null ? [from] : [from, to];
}

function keptDigits(number: number): string {
  return number.toPrecision(KEPT_DIGITS);
}
