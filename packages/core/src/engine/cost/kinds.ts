// Kinds of offers: those that no warning tells apart. Warnings count kinds and not offers.
import type { Month } from '../calendar.ts';
import type { MonthlyPrice, Offer, OfferWithHistory } from '../offers/offer.ts';
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
  const slotByName = new Map<number, number>();
  const windows = createWindows();
  const kindSlots = Uint16Array.from(entries, ({ offer, months }, row) => {
    const window = offer.isIndexed ? windows.slotOf(months) : 0;
    const own = (flags[row] ?? 0) & KIND_FLAGS;
    const tariffSlot = tariffSlots[row] ?? 0;
    const bits =
      (hasPowerFee(offer) ? 1 : 0) |
      (isPenaltyTooHigh(offer) ? 2 : 0) |
      (offer.discountMonths === null ? 0 : 4) |
      ((own & INCLUDES_SSAA) === 0 ? 0 : 8) |
      ((own & SOLAR) === 0 ? 0 : 16) |
      ((own & INDEXED) === 0 ? 0 : 32);
    // A whole number, because a text for each offer would take as long as its prices.
    const name = (window * MAX_SLOTS + tariffSlot) * 64 + bits;
    const known = slotByName.get(name);
    if (known !== undefined) return known;
    slotByName.set(name, kinds.length);
    return (
      kinds.push({
        ...{ flags: own, tariffSlot, window: windows.at(window), hasPowerFee: hasPowerFee(offer) },
        ...{ isPenaltyTooHigh: isPenaltyTooHigh(offer), isDiscounted: offer.discountMonths !== null },
      }) - 1
    );
  });
  return { kinds, kindSlots };
}

/** One more than the slots of tariffs. */
const MAX_SLOTS = 65_536;

function hasPowerFee(offer: Offer): boolean {
  return offer.supplyType === 'LUZ' && (offer.feePowerEurPerMwh ?? 0) > 0;
}

/** Numbers the windows of histories from 1; 0: there is none. */
function createWindows() {
  const windows: (HistoryWindow | null)[] = [null];
  const slotByName = new Map<string, number>();
  return {
    at: (slot: number) => windows[slot] ?? null,
    slotOf: (months: readonly MonthlyPrice[]): number => {
      const window = windowOf(months);
      if (window === null) return 0;
      const name = `${window.fromMonth} ${window.toMonth} ${window.monthCount} ${window.counts}`;
      const slot = slotByName.get(name) ?? windows.push(window) - 1;
      slotByName.set(name, slot);
      return slot;
    },
  };
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
