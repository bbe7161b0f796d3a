// What offers pay at a quantity, by the tier that covers it: two numbers for each offer, what is fixed and what a unit gives.
import { type ConsumptionTerms, type PowerTerms, powerTiersOf } from '../commission/commission.ts';
import { intervalOf, tierCovers } from '../commission/tier.ts';

/** The lists of tiers of an offer. */
export type TierList = 'consumption' | 'power';

/** Where each list of tiers begins, and four numbers a tier: from, to (NaN: open), value, 1 where it is by unit. */
interface TierRows {
  readonly starts: Uint32Array;
  readonly tiers: Float64Array;
}

/** For how many intervals of tiers rates are kept. */
const MAX_RATES = 8;

/** The rates of commission of some offers. */
export function ratesOf(offers: readonly (ConsumptionTerms & PowerTerms)[]) {
  const lists = {
    consumption: tierRowsOf(offers.map(({ consumptionTiers }) => consumptionTiers)),
    power: tierRowsOf(offers.map(powerTiersOf)),
  };
  const bases = new Float64Array(2 * offers.length);
  offers.forEach(({ commissionType, commissionValue }, row) => {
    bases[2 * row + (commissionType === 'fixed' ? 0 : 1)] = commissionValue;
  });
  const none = new Float64Array(2 * offers.length);
  const bounds = { consumption: boundsOf(lists.consumption), power: boundsOf(lists.power) };
  const kept = new Map<string, Float64Array>();
  return {
    at(list: TierList, quantity: number): Float64Array {
      const name = `${list} ${intervalOf(bounds[list], quantity)}`;
      const known = kept.get(name) ?? ratesAt(lists[list], list === 'consumption' ? bases : none, quantity);
      if (kept.size >= MAX_RATES && !kept.has(name)) kept.clear();
      kept.set(name, known);
      return known;
    },
    keptCount: () => kept.size,
  };
}

type Tiers = readonly {
  readonly from: number;
  readonly to: number | null;
  readonly value: number;
  readonly type: string;
}[];

function tierRowsOf(lists: readonly Tiers[]): TierRows {
  const starts = new Uint32Array(lists.length + 1);
  lists.forEach((tiers, row) => {
    starts[row + 1] = (starts[row] ?? 0) + tiers.length;
  });
  const tiers = new Float64Array(4 * (starts[lists.length] ?? 0));
  let at = 0;
  for (const list of lists) {
    for (const { from, to, value, type } of list) {
      tiers[at] = from;
      tiers[at + 1] = to ?? Number.NaN;
      tiers[at + 2] = value;
      tiers[at + 3] = type === 'fixed' ? 0 : 1;
      at += 4;
    }
  }
  return { starts, tiers };
}

/** The bounds of all tiers, each once, ascending. */
function boundsOf({ tiers }: TierRows): Float64Array {
  const bounds = new Set<number>();
  for (let at = 0; at < tiers.length; at += 4) bounds.add(tiers[at] ?? 0).add(tiers[at + 1] ?? 0);
  bounds.delete(Number.NaN);
  return Float64Array.from(bounds).sort();
}

/** The rates of each row: of the tier that covers a quantity, else its base. */
function ratesAt({ starts, tiers }: TierRows, bases: Float64Array, quantity: number): Float64Array {
  const rates = bases.slice();
  for (let row = 0; row + 1 < starts.length; row++) {
    const end = 4 * (starts[row + 1] as number);
    let previousTo = Number.NaN;
    for (let at = 4 * (starts[row] as number); at < end; at += 4) {
      const to = tiers[at + 1] as number;
      if (tierCovers(tiers[at] as number, to, previousTo, quantity)) {
        rates[2 * row] = rates[2 * row + 1] = 0;
        rates[2 * row + (tiers[at + 3] as number)] = tiers[at + 2] as number;
        break;
      }
      previousTo = to;
    }
  }
  return rates;
}
