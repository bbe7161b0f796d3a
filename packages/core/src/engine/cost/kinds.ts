// Kinds of offers: those that no warning tells apart. Warnings count kinds and not offers.
import type { Offer } from '../offers/offer.ts';
import { isPenaltyTooHigh } from '../offers/penalty.ts';
import type { HistoryWindow } from './applied-price.ts';
import { DISCOUNTED, INCLUDES_SSAA, INDEXED, SOLAR } from './flags.ts';

/** What is true of every offer of a kind. */
export interface Kind {
  /** Those of the bits of `flagsOf` that tell kinds apart. */
  readonly flags: number;
  readonly tariffType: string;
  /** The months of the mean of an indexed offer; `null`: not indexed, or without history. */
  readonly window: HistoryWindow | null;
  readonly hasPowerFee: boolean;
  readonly isPenaltyTooHigh: boolean;
}

const KIND_FLAGS = INCLUDES_SSAA | SOLAR | INDEXED | DISCOUNTED;

/** The number of the kind of an offer. */
export type KindSlotOf = (offer: Offer, flags: number, window: HistoryWindow | null) => number;

/** Numbers kinds in order of appearance. @param kinds - Those that are known; others are added. */
export function kindSlots(kinds: Kind[]): KindSlotOf {
  // By tariff, and then by a text of the window: a text of all for each offer would take as long as its prices.
  const byTariff = new Map<string, Map<string, { readonly kind: Kind; readonly slot: number }[]>>();
  const listOf = (tariffType: string, window: HistoryWindow | null) => {
    const byWindow = byTariff.get(tariffType) ?? new Map();
    byTariff.set(tariffType, byWindow);
    const name = window === null ? '' : `${window.fromMonth}${window.toMonth}${window.monthCount} ${window.counts}`;
    const list = byWindow.get(name) ?? [];
    byWindow.set(name, list);
    return list;
  };
  kinds.forEach((kind, slot) => {
    listOf(kind.tariffType, kind.window).push({ kind, slot });
  });
  return (offer, flags, window) => {
    const own = flags & KIND_FLAGS;
    const withFee = hasPowerFee(offer);
    const withPenalty = isPenaltyTooHigh(offer);
    const list = listOf(offer.tariffType, window);
    for (const { kind, slot } of list) {
      if (kind.flags === own && kind.hasPowerFee === withFee && kind.isPenaltyTooHigh === withPenalty) return slot;
    }
    const { tariffType } = offer;
    const kind = { flags: own, tariffType, window, hasPowerFee: withFee, isPenaltyTooHigh: withPenalty };
    const slot = kinds.push(kind) - 1;
    list.push({ kind, slot });
    return slot;
  };
}

function hasPowerFee(offer: Offer): boolean {
  return offer.supplyType === 'LUZ' && (offer.feePowerEurPerMwh ?? 0) > 0;
}
