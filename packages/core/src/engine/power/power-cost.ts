/** The loads of a period in an entry, millionths of a kW. */
export interface PeriodLoads {
  readonly days: bigint;
  readonly loads: readonly bigint[];
}

/** What a period costs, in 10^-12 EUR times 365. */
export interface PeriodPrices {
  /** Per kW and day. */
  readonly price: bigint;
  /** Per kW of excess, and per day where it is paid by the day; 0: none is paid. */
  readonly excess: bigint;
}

/** What power in a period costs over the time of a question, in exact units for `toEur`. */
export interface PeriodCost {
  readonly fixed: (power: bigint) => bigint;
  readonly excess: (power: bigint) => bigint;
  /** The excess of each entry. */
  readonly excesses: (power: bigint) => readonly bigint[];
}

const ROOT_DIGITS = 10n ** 12n;
/** 10^12 of prices, 10^6 of power, 10^12 of roots, and the 365 days of annual prices. */
const EUR_UNITS = 365n * 10n ** 30n;
const EUR_DECIMALS = 10n ** 6n;

/** EUR with six decimals, a half away from zero. */
export function toEur(cost: bigint, divisor = 1n): number {
  const size = cost < 0n ? -cost : cost;
  const units = EUR_UNITS * divisor;
  const rounded = Number((2n * size * EUR_DECIMALS + units) / (2n * units)) / Number(EUR_DECIMALS);
  return cost < 0n ? 0 - rounded : rounded;
}

/**
 * The cost of a period, in whole numbers: equal costs compare as equal.
 *
 * @param days - Of the whole time.
 * @param byRoot - Excess of an entry is the root of the sum of squares, and not a maximum for some days.
 */
export function periodCost(
  entries: readonly PeriodLoads[],
  { price, excess, days, byRoot }: PeriodPrices & { readonly days: bigint; readonly byRoot: boolean },
): PeriodCost {
  const above = entries.map(byRoot ? rootAbove : daysAbove);
  const excesses = (power: bigint) => above.map((of) => excess * of(power));
  return {
    fixed: (power) => price * power * days * ROOT_DIGITS,
    excess: (power) => excesses(power).reduce((sum, cost) => sum + cost, 0n),
    excesses,
  };
}

function daysAbove({ loads, days }: PeriodLoads): (power: bigint) => bigint {
  const highest = highestOf(loads);
  return (power) => (highest > power ? (highest - power) * days * ROOT_DIGITS : 0n);
}

/** The root of the sum of the squares above a power, from sums of the highest loads. */
function rootAbove({ loads }: PeriodLoads): (power: bigint) => bigint {
  const falling = loads.toSorted((a, b) => (a > b ? -1 : Number(a < b)));
  const sums = [{ sum: 0n, squares: 0n }];
  for (const load of falling) {
    const { sum, squares } = sums.at(-1) ?? { sum: 0n, squares: 0n };
    sums.push({ sum: sum + load, squares: squares + load * load });
  }
  return (power) => {
    let [low, high] = [0, falling.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((falling[middle] ?? 0n) > power) low = middle + 1;
      else high = middle;
    }
    const { sum, squares } = sums[low] ?? { sum: 0n, squares: 0n };
    return squareRoot((squares - 2n * power * sum + BigInt(low) * power * power) * ROOT_DIGITS * ROOT_DIGITS);
  };
}

export function highestOf(loads: readonly bigint[]): bigint {
  return loads.reduce((highest, load) => (load > highest ? load : highest), 0n);
}

/** The whole part of a root: Newton's method from above. */
function squareRoot(square: bigint): bigint {
  if (square === 0n) return 0n;
  let root = BigInt(Math.ceil(Math.sqrt(Number(square)) * (1 + 1e-15))) + 1n;
  for (;;) {
    const next = (root + square / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}
