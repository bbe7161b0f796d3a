import {
  assert,
  commissionsOf,
  costsOf,
  MICRO,
  neededPrices,
  type PriceRows,
  type Sieve,
  type SieveCustomer,
  type SieveWeights,
  type Sifted,
} from '@tarifario/core';

interface PlainSieveOptions {
  readonly width?: number;
  /** How many rows a list has at least, where so many have their prices: the others are no matter. */
  readonly atLeast?: number;
  /** Told of every question: how many customers it was about. */
  readonly asked?: number[];
}

/**
 * A sieve by exact figures, as strict as its port allows: who does not matter is left out, a question that the port
 * forbids is an error, and a list that was followed by another one is spoilt.
 */
export function createPlainSieve({ width = 4, atLeast = 0, asked = [] }: PlainSieveOptions = {}): Sieve {
  let isGood: () => void = () => {};
  return {
    width,
    price(offers, customers, needed) {
      assert(customers.length >= 1 && customers.length <= width, `${customers.length} customers for ${width} places`);
      for (const { demand } of customers) assert(neededPrices(demand) === needed, 'all need the same prices');
      isGood();
      let isOver = false;
      isGood = () => {
        isOver = true;
      };
      asked.push(customers.length);
      const mask = [...offers.mask];
      const priced = mask.flatMap((bits, row) => ((bits & needed) === needed ? [row] : []));
      const known = customers.map((customer) => figuresOf(offers, customer));
      let last = new Int32Array(0);
      return siftedBy(priced, {
        figuresAt(place) {
          const figures = known[place];
          assert(!isOver && priced.length > 0 && figures !== undefined, 'nothing may be asked');
          return figures;
        },
        listed(rows) {
          last.fill(-1);
          const more = priced.filter((row) => !rows.includes(row)).slice(0, Math.max(0, atLeast - rows.length));
          last = Int32Array.from([...rows, ...more]).sort();
          return last;
        },
      });
    },
  };
}

/** EUR by row; no commissions where no lines were given. */
interface Figures {
  readonly cost: readonly number[];
  readonly paid: readonly number[] | null;
}

function figuresOf({ terms, mask }: PriceRows, { demand, consumption, power }: SieveCustomer): Figures {
  const count = mask.length;
  const block = { terms, mask, care: 0, want: 0, consumption, power };
  const rows = Int32Array.from({ length: count }, (_, row) => row);
  const micros = { rows, costMicros: new Float64Array(count), commissionMicros: new Float64Array(count) };
  const span = { demand, from: 0, to: count, firstRow: 0 };
  costsOf(block, micros, span);
  commissionsOf(block, micros, span);
  const euros = (column: Float64Array) => Array.from(column, (value) => value / MICRO);
  return { cost: euros(micros.costMicros), paid: consumption && power && euros(micros.commissionMicros) };
}

interface Sifting {
  readonly figuresAt: (customer: number) => Figures;
  readonly listed: (rows: readonly number[]) => Int32Array;
}

function siftedBy(priced: readonly number[], { figuresAt, listed }: Sifting): Sifted {
  const valueIn = (column: readonly number[]) => (row: number) => column[row] ?? Number.NaN;
  const paidOf = (customer: number) => {
    const { paid } = figuresAt(customer);
    assert(paid !== null, 'commissions were not asked for');
    return valueIn(paid);
  };
  const lowest = (valueAt: (row: number) => number) => {
    const least = Math.min(...priced.map(valueAt));
    return priced.filter((row) => valueAt(row) === least);
  };
  const highest = (valueAt: (row: number) => number) => lowest((row) => -valueAt(row));
  return {
    pricedCount: priced.length,
    cheapest: (customer) => listed(lowest(valueIn(figuresAt(customer).cost))),
    dearest: (customer) => listed(highest(valueIn(figuresAt(customer).cost))),
    leastPaid: (customer) => listed(lowest(paidOf(customer)).slice(-1)),
    bestPaid: (customer) => listed(highest(paidOf(customer)).slice(-1)),
    best: (customer, weights) => listed(bestOf(priced, figuresAt(customer), weights)),
  };
}

/** Who is no further below the line of the last of the first `limit` than scores and lines may differ. */
function bestOf(
  priced: readonly number[],
  { cost, paid }: Figures,
  { pointsPerCostEur, pointsPerPaidEur, nearness, limit }: SieveWeights,
): readonly number[] {
  for (const points of [pointsPerCostEur, pointsPerPaidEur]) assert(points >= 0 && points < Infinity, 'a slope');
  assert(nearness > 0 && limit >= 1, 'a nearness and a limit');
  // From the first row on, because small differences of large sums are exact and their products are not.
  const [first = 0] = priced;
  const lineAt = (row: number) =>
    ((paid?.[row] ?? 0) - (paid?.[first] ?? 0)) * pointsPerPaidEur -
    ((cost[row] ?? 0) - (cost[first] ?? 0)) * pointsPerCostEur;
  const lines = priced.map(lineAt).sort((a, b) => b - a);
  const last = lines[limit - 1] ?? Number.NEGATIVE_INFINITY;
  return priced.filter((row) => lineAt(row) >= last - 2 * nearness - 1e-12);
}
