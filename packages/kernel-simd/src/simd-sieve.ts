import {
  assert,
  type Demand,
  groupsFor,
  type PriceRows,
  type Sieve,
  type SieveCustomer,
  type SieveWeights,
  type Sifted,
  TERM,
} from '@tarifario/core';
import { createSieveArena, inChunks, MAX_VECTORS, type PlacedLines, type SieveArena } from './sieve-arena.ts';
import { costBound, type FigureBound, lineError, lowered, paidBound, raised } from './sieve-bounds.ts';
import { CHUNK, COLUMN_BYTES, GROUP, LANES, WIDTH } from './sieve-layout.ts';

/** Memory for the numbers of offers, unless told otherwise. */
const DEFAULT_MAX_BYTES = 32 * 2 ** 20;

/** Places in a block of customers as `assembly/portfolio.ts` reads it, and bytes of a used column. */
const BLOCK = { energyEnd: 0, usedEnd: 4, hasSurplus: 8, exported: 16, used: 32 } as const;
const USED_BYTES = 32;
const QUANTITY = 16;
const GROUPS_PER_CHUNK = CHUNK / GROUP;

export interface SimdSieve extends Sieve {
  /** What it holds of WebAssembly memory: it grows towards a bound, and never shrinks. */
  readonly memoryBytes: () => number;
}

/**
 * A sieve in 128-bit SIMD, four customers and eight offers at a time in single precision, or `null` where WebAssembly
 * has none.
 *
 * @param options - `maxBytes` for the numbers of offers; when they are full, all of them are brought anew.
 * @see docs/decisions/0016-a-sieve-for-portfolios.md
 */
export function createSimdSieve(options: { readonly maxBytes?: number } = {}): SimdSieve | null {
  const arena = createSieveArena(options.maxBytes ?? DEFAULT_MAX_BYTES);
  if (!arena) return null;
  return {
    width: WIDTH,
    memoryBytes: () => arena.memory.buffer.byteLength,
    price: (offers, customers, neededPrices) => priceIn(arena, { offers, customers, neededPrices }),
  };
}

interface Asked {
  readonly offers: PriceRows;
  readonly customers: readonly SieveCustomer[];
  readonly neededPrices: number;
}

/** What is known of a customer whose costs are in their column. */
interface Priced {
  readonly demand: Demand;
  readonly costs: number;
  readonly cost: FigureBound;
  /** `null` where commissions are not asked for. */
  readonly lines: PricedLines | null;
}

interface PricedLines {
  readonly consumption: number;
  readonly power: number;
  readonly paid: FigureBound;
  /** Every offer pays the same. */
  readonly isSame: boolean;
}

function priceIn(arena: SieveArena, { offers, customers, neededPrices }: Asked): Sifted | null {
  const columns: Float64Array[] = [];
  for (const { consumption, power } of customers) {
    if (consumption && power) columns.push(consumption, power);
  }
  const placed = arena.place(offers, columns);
  if (!placed) return null;
  const { exports, fixed } = arena;
  const { lacking, costs, columnBytes } = arena.room();
  const rows = inChunks(offers.mask.length);
  const priced: Priced[] = [];
  let line = 0;
  for (let place = 0; place < WIDTH; place++) {
    const customer = customers[place];
    const quantities = QUANTITIES_OF[place] ?? NONE;
    if (!customer) {
      quantities.fill(0);
      continue;
    }
    const { demand, consumption } = customer;
    fillQuantities(quantities, demand);
    const cost = costBound(quantities, placed.offers.largest, demand);
    const lines = consumption && pricedLines(demand, placed.lines[line++], placed.lines[line++]);
    if (cost === null || lines === 'beyond') return null;
    priced.push({ demand, costs: costs + place * columnBytes, cost, lines });
  }
  const pricedCount = exports.lackingOf(placed.offers.mask, rows, neededPrices, lacking);
  writeBlock(arena);
  exports.costsOfFour(placed.offers.terms, lacking, rows / GROUP, fixed.block, costs, columnBytes);
  return { pricedCount, ...listsOver(arena, priced, rows / CHUNK) };
}

const NONE = new Float64Array(0);
/** What the customers of this call use. */
const QUANTITIES_OF = Array.from({ length: WIDTH }, () => new Float64Array(TERM.id));

/** Writes what each column of prices is multiplied by, days and months included. */
function fillQuantities(quantities: Float64Array, { customer, period }: Demand): void {
  quantities.fill(0);
  quantities[TERM.servicesPerMonth] = period.months;
  if (customer.supplyType === 'GAS') {
    quantities[TERM.energy] = customer.consumptionKwh;
    quantities[TERM.fixedPerMonth] = period.months;
    return;
  }
  const { consumptionKwh, powerKw } = customer;
  for (let i = 0; i < consumptionKwh.length; i++) quantities[TERM.energy + i] = consumptionKwh[i] ?? 0;
  for (let i = 0; i < powerKw.length; i++) quantities[TERM.power + i] = (powerKw[i] ?? 0) * period.days;
  quantities[TERM.surplusPerKwh] = customer.exportedKwh;
}

function pricedLines(
  demand: Demand,
  consumption: PlacedLines | undefined,
  power: PlacedLines | undefined,
): PricedLines | 'beyond' {
  assert(consumption !== undefined && power !== undefined, 'the lines of each customer were placed');
  const paid = paidBound(consumption.size, power.size, demand);
  if (paid === null) return 'beyond';
  const isSame = consumption.size.isSame && power.size.isSame;
  return { consumption: consumption.address, power: power.address, paid, isSame };
}

/** Writes what up to four customers use, by column; nobody uses nothing. */
function writeBlock(arena: SieveArena): void {
  const { floats, integers } = arena.views();
  const { block } = arena.fixed;
  let used: number = block + BLOCK.used;
  const use = (term: number) => {
    if (!isUsed(term)) return;
    integers[used >> 2] = term * COLUMN_BYTES;
    for (let place = 0; place < WIDTH; place++) {
      floats[((used + QUANTITY) >> 2) + place] = QUANTITIES_OF[place]?.[term] ?? 0;
    }
    used += USED_BYTES;
  };
  for (let term: number = TERM.energy; term < TERM.power; term++) use(term);
  integers[(block + BLOCK.energyEnd) >> 2] = used;
  for (let term: number = TERM.power; term < TERM.surplusPerKwh; term++) use(term);
  integers[(block + BLOCK.usedEnd) >> 2] = used;
  integers[(block + BLOCK.hasSurplus) >> 2] = isUsed(TERM.surplusPerKwh) ? 1 : 0;
  for (let place = 0; place < WIDTH; place++) {
    floats[((block + BLOCK.exported) >> 2) + place] = QUANTITIES_OF[place]?.[TERM.surplusPerKwh] ?? 0;
  }
}

function isUsed(term: number): boolean {
  for (let place = 0; place < WIDTH; place++) {
    if (QUANTITIES_OF[place]?.[term] !== 0) return true;
  }
  return false;
}

/** The lowest and the highest of a column in single precision. */
interface Ends {
  readonly lowest: number;
  readonly highest: number;
}

/** A customer whose commissions are in their column, and the ends of both. */
interface Surveyed extends Priced {
  readonly costEnds: Ends;
  readonly paidEnds: Ends;
}

function listsOver(arena: SieveArena, priced: readonly Priced[], chunks: number): Omit<Sifted, 'pricedCount'> {
  const { exports } = arena;
  const room = arena.room();
  const { integers } = arena.views();
  let current: { readonly customer: number; readonly surveyed: Surveyed } | null = null;
  const at = (customer: number): Surveyed => {
    if (current?.customer === customer) return current.surveyed;
    const one = priced[customer];
    assert(one !== undefined, 'there is no such customer');
    const surveyed = survey(arena, one, chunks);
    current = { customer, surveyed };
    return surveyed;
  };
  const listed = (count: number) => integers.subarray(room.kept >> 2, (room.kept >> 2) + count);
  const paidList = (customer: number, list: (lines: PricedLines, ends: Ends) => number): Int32Array => {
    const { lines, paidEnds } = at(customer);
    assert(lines !== null, 'commissions were not asked for');
    if (!lines.isSame) return listed(list(lines, paidEnds));
    integers[room.kept >> 2] = firstPriced(arena);
    return listed(1);
  };
  return {
    cheapest(customer) {
      const { costs, cost, costEnds } = at(customer);
      const bound = raised(costEnds.lowest + 2 * cost.errorEur);
      return listed(exports.atMost(costs, room.costEnds, chunks, bound, room.kept));
    },
    dearest(customer) {
      const { costs, cost, costEnds } = at(customer);
      const bound = lowered(costEnds.highest - 2 * cost.errorEur);
      return listed(exports.atLeast(costs, room.costEnds, chunks, bound, room.kept));
    },
    leastPaid: (customer) =>
      paidList(customer, ({ paid }, { lowest }) =>
        exports.atMost(room.pays, room.payEnds, chunks, raised(lowest + 2 * paid.errorEur), room.kept),
      ),
    bestPaid: (customer) =>
      paidList(customer, ({ paid }, { highest }) =>
        exports.atLeast(room.pays, room.payEnds, chunks, lowered(highest - 2 * paid.errorEur), room.kept),
      ),
    best: (customer, weights) => listed(listBest(arena, at(customer), { weights, chunks })),
  };
}

/** Fills the column of a customer's commissions, and finds the ends of both his columns. */
function survey(arena: SieveArena, priced: Priced, chunks: number): Surveyed {
  const { exports, fixed } = arena;
  const { pays, costEnds, payEnds, lacking } = arena.room();
  const { floats } = arena.views();
  const endsIn = (values: number, ends: number): Ends => {
    exports.endsOf(values, chunks, ends, fixed.found);
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (let lane = 0; lane < LANES; lane++) {
      lowest = Math.min(lowest, floats[(fixed.found >> 2) + lane] ?? 0);
      highest = Math.max(highest, floats[(fixed.found >> 2) + LANES + lane] ?? 0);
    }
    return { lowest, highest };
  };
  const ofCosts = endsIn(priced.costs, costEnds);
  if (!priced.lines) return { ...priced, costEnds: ofCosts, paidEnds: { lowest: 0, highest: 0 } };
  const { consumption, power } = priced.lines;
  const { annualMwh, highestPowerKw } = priced.demand;
  exports.paysOf(consumption, power, lacking, chunks * GROUPS_PER_CHUNK, annualMwh, highestPowerKw ?? 0, pays);
  return { ...priced, costEnds: ofCosts, paidEnds: endsIn(pays, payEnds) };
}

/** The first row that has every price. */
function firstPriced(arena: SieveArena): number {
  const { integers } = arena.views();
  const lacking = arena.room().lacking >> 2;
  let row = 0;
  while (integers[lacking + row] !== 0) row++;
  return row;
}

interface BestAsked {
  readonly weights: SieveWeights;
  readonly chunks: number;
}

function listBest(arena: SieveArena, { costs, cost, lines }: Surveyed, { weights, chunks }: BestAsked): number {
  const { exports, fixed } = arena;
  const { pays, tops, kept } = arena.room();
  const { pointsPerCostEur, pointsPerPaidEur, nearness, limit } = weights;
  const perPaid = lines ? pointsPerPaidEur : 0;
  // Without commissions any finite column does in their place: nothing comes of it.
  const column = lines ? pays : costs;
  const vectors = Math.min(MAX_VECTORS, Math.max(1, groupsFor(limit) / LANES));
  exports.highestLines(costs, column, chunks, pointsPerCostEur, perPaid, tops, fixed.highest, vectors);
  const reached = reachedBy(limit, arena.views().floats, { first: fixed.highest >> 2, count: vectors * LANES });
  const error = lineError(pointsPerCostEur, cost) + (lines ? lineError(perPaid, lines.paid) : 0);
  const bound = lowered(reached - 2 * (error + nearness));
  return exports.reaching(costs, column, chunks, pointsPerCostEur, perPaid, tops, bound, kept);
}

/** The first of some numbers, in descending order. */
const highestFirst = new Float64Array(MAX_VECTORS * LANES);

/**
 * The highest number that at least `limit` of some numbers reach; there may be fewer. Sorting all of them takes twice
 * as long as keeping the first.
 */
function reachedBy(
  limit: number,
  numbers: Float32Array,
  { first, count }: { readonly first: number; readonly count: number },
): number {
  if (limit > count) return Number.NEGATIVE_INFINITY;
  highestFirst.fill(Number.NEGATIVE_INFINITY, 0, limit);
  for (let i = first; i < first + count; i++) {
    const number = numbers[i] ?? 0;
    let place = limit - 1;
    if (number <= (highestFirst[place] ?? 0)) continue;
    for (; place > 0 && (highestFirst[place - 1] ?? 0) < number; place--) {
      highestFirst[place] = highestFirst[place - 1] ?? 0;
    }
    highestFirst[place] = number;
  }
  return highestFirst[limit - 1] ?? 0;
}
