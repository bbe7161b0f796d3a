// Kinds of offers: those that no warning tells apart. Warnings count kinds and not offers.
import type { Month } from '../calendar.ts';
import type { MonthlyPrice, OfferWithHistory } from '../offers/offer.ts';
import { isPenaltyTooHigh } from '../offers/penalty.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { energyPricesOf, fixedPricesOf, meanWindow } from './applied-price.ts';
import { INCLUDES_SSAA, INDEXED, SOLAR } from './flags.ts';

/** What is true of every offer of a kind. */
export interface Kind {
  /** Those of the bits of `flagsOf` that tell kinds apart. */
  readonly flags: number;
  /** An index into `tariffTypes` of the table. */
  readonly tariffSlot: number;
  /** The months of the mean of an indexed offer; `null`: not indexed, or without history. */
  readonly window: HistoryWindow | null;
  readonly hasPowerFee: boolean;
  readonly isPenaltyTooHigh: boolean;
  readonly isDiscounted: boolean;
}

/** The months that the mean of an indexed offer is made of. */
export interface HistoryWindow {
  readonly fromMonth: Month;
  readonly toMonth: Month;
  readonly monthCount: number;
  /** How many months have each price: energy P1 to P6, then power, or the fixed term of gas in its first. */
  readonly counts: readonly number[];
}

const KIND_FLAGS = INCLUDES_SSAA | SOLAR | INDEXED;

/** The kinds of offers, numbered in order of appearance. */
export function kindsOf(
  entries: readonly OfferWithHistory[],
  flags: Int32Array,
  tariffSlots: Uint16Array,
): { readonly kinds: readonly Kind[]; readonly kindSlots: Uint16Array } {
  const kinds: Kind[] = [];
  const slotByName = new Map<string, number>();
  const kindSlots = Uint16Array.from(entries, ({ offer, months }, row) => {
    const electric = offer.supplyType === 'LUZ' ? offer : null;
    const kind: Kind = {
      flags: (flags[row] ?? 0) & KIND_FLAGS,
      tariffSlot: tariffSlots[row] ?? 0,
      window: offer.isIndexed ? windowOf(months) : null,
      hasPowerFee: (electric?.feePowerEurPerMwh ?? 0) > 0,
      isPenaltyTooHigh: isPenaltyTooHigh(offer),
      isDiscounted: offer.discountMonths !== null,
    };
    const bits = (kind.hasPowerFee ? 1 : 0) | (kind.isPenaltyTooHigh ? 4 : 0) | (kind.isDiscounted ? 8 : 0);
    const { window } = kind;
    const windowName = window && `${window.fromMonth} ${window.toMonth} ${window.monthCount} ${window.counts}`;
    const name = `${kind.flags} ${kind.tariffSlot} ${bits} ${windowName}`;
    const slot = slotByName.get(name) ?? kinds.push(kind) - 1;
    slotByName.set(name, slot);
    return slot;
  });
  return { kinds, kindSlots };
}

function windowOf(months: readonly MonthlyPrice[]): HistoryWindow | null {
  const window = meanWindow(months.map(({ month }) => month));
  if (window === null) return null;
  const counts = Array.from({ length: 2 * PERIOD_COUNT }, () => 0);
  for (let at = months.length - window.monthCount; at < months.length; at++) {
    const row = months[at];
    if (row === undefined) continue;
    count(energyPricesOf(row), counts, 0);
    count(fixedPricesOf(row), counts, PERIOD_COUNT);
  }
  return { ...window, counts };
}

function count(prices: readonly (number | null)[], counts: number[], at: number): void {
  for (let i = 0; i < prices.length; i++) if ((prices[i] ?? null) !== null) counts[at + i] = (counts[at + i] ?? 0) + 1;
}
