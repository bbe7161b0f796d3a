import { dayNumber } from '../calendar.ts';
import { intervalOf } from '../commission/tier.ts';
import { annualKwh, LIMIT_FIELDS, type LimitedQuantities, type LimitTerms, limitExclusion } from '../cost/limits.ts';
import { type OfferColumns, pickFields } from '../offers/offer-columns.ts';

const TERMS = pickFields(LIMIT_FIELDS);

/** Days as their numbers, so that all bounds are numbers. */
type Axis = 'power' | 'energy' | 'day';

/** The limits of some offers: which of them have any, and the bounds of these, ascending. */
export interface BlockLimits {
  readonly rows: readonly number[];
  readonly bounds: Readonly<Record<Axis, Float64Array>>;
}

/** The limits of the offers in columns. Their amounts stay there. */
export function limitsIn(columns: OfferColumns, rowCount: number): BlockLimits {
  const rows: number[] = [];
  const bounds: Record<Axis, number[]> = { power: [], energy: [], day: [] };
  for (let row = 0; row < rowCount; row++) {
    const own = boundsOf(TERMS(columns, row));
    if (Object.values(own).every((some) => some.length === 0)) continue;
    rows.push(row);
    for (const axis of AXES) bounds[axis].push(...own[axis]);
  }
  return { rows, bounds: sorted(bounds) };
}

const AXES = ['power', 'energy', 'day'] as const satisfies readonly Axis[];

function boundsOf(terms: LimitTerms): Readonly<Record<Axis, readonly number[]>> {
  const known = (bounds: readonly (number | null)[]) => bounds.filter((bound) => bound !== null);
  return {
    power: terms.supplyType === 'LUZ' ? known([terms.minPowerKw, terms.maxPowerKw]) : [],
    energy: known([terms.minAnnualKwh, terms.maxAnnualKwh]),
    day: known([terms.validFrom, terms.validTo].map((day) => (day === null ? null : dayNumber(day)))),
  };
}

function sorted(bounds: Readonly<Record<Axis, readonly number[]>>): BlockLimits['bounds'] {
  const once = (axis: Axis) => Float64Array.from(new Set(bounds[axis])).sort();
  return { power: once('power'), energy: once('energy'), day: once('day') };
}

/** The bounds of several blocks as one. */
export function boundsTogether(blocks: readonly { readonly limits: BlockLimits }[]): BlockLimits['bounds'] {
  const all = (axis: Axis) => blocks.flatMap(({ limits }) => [...limits.bounds[axis]]);
  return sorted({ power: all('power'), energy: all('energy'), day: all('day') });
}

/** The rows whose limits exclude a customer. */
export function rowsOutside(
  { limits, columns }: { readonly limits: BlockLimits; readonly columns: OfferColumns },
  quantities: LimitedQuantities,
): readonly number[] {
  return limits.rows.filter((row) => limitExclusion(TERMS(columns, row), quantities) !== null);
}

/**
 * The same text for all customers whom no limit tells apart. It names the bounds next to the customer, and not their
 * places, so that it means the same when other offers come.
 */
export function intervalsName(bounds: BlockLimits['bounds'], quantities: LimitedQuantities): string {
  const { highestPowerKw, signingDay } = quantities;
  const at: Readonly<Record<Axis, number | null>> = {
    power: highestPowerKw,
    energy: annualKwh(quantities),
    day: signingDay === undefined ? null : dayNumber(signingDay),
  };
  return AXES.map((axis) => {
    const interval = intervalOf(bounds[axis], at[axis]);
    const place = interval >> 1;
    if (interval < 0) return 'unknown';
    return interval % 2 === 1 ? bounds[axis][place] : `${bounds[axis][place - 1]}<${bounds[axis][place]}`;
  }).join(' ');
}
