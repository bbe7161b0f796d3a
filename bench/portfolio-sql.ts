import type { PeerOffer, PeerQuestion } from './peer-offers.ts';

const PERIODS = [1, 2, 3, 4, 5, 6] as const;
const named = (letter: string) => PERIODS.map((n) => `${letter}${n}`);

/** The content of a table: columns of doubles, except for those marked as whole numbers. */
export interface FilledTable {
  readonly name: string;
  readonly whole: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

interface AnyTier {
  readonly from: number;
  readonly to: number | null;
  readonly value: number;
  readonly type: string;
}

/** The bounds of tiers cut the axis of a quantity; the number of the piece: even between two bounds, odd at one. */
function pieceOf(bounds: readonly number[], quantity: number): number {
  const below = bounds.filter((bound) => bound < quantity).length;
  return bounds[below] === quantity ? 2 * below + 1 : 2 * below;
}

function boundsOf(offers: readonly PeerOffer[], tiersOf: (offer: PeerOffer) => readonly AnyTier[]): readonly number[] {
  const all = offers.flatMap((offer) => tiersOf(offer).flatMap(({ from, to }) => (to === null ? [from] : [from, to])));
  return [...new Set(all)].sort((a, b) => a - b);
}

/** What an offer pays as a straight line: fixed, and per unit. */
function lineAt(tiers: readonly AnyTier[], base: Pick<AnyTier, 'value' | 'type'>, quantity: number) {
  const { type, value } = tiers.find(({ from, to }) => from <= quantity && (to === null || quantity <= to)) ?? base;
  return type === 'fixed' ? [value, 0] : [0, value];
}

/**
 * The tables of a portfolio, with as much worked out beforehand as can be: offers that pass the filter and lack
 * nothing, once for each pair of tier intervals that some customer is in, with the commission lines that hold there.
 */
export function portfolioTables(
  offers: readonly PeerOffer[],
  questions: readonly PeerQuestion[],
): readonly FilledTable[] {
  const valid = offers.filter(
    ({ isActive, inPeninsula, acceptsCif, energy, power }) =>
      isActive && inPeninsula && acceptsCif && ![...energy, ...power].includes(null),
  );
  const consumption = boundsOf(valid, ({ consumptionTiers }) => consumptionTiers);
  const power = boundsOf(valid, ({ powerTiers }) => powerTiers);
  const placed = questions.map((question) => ({
    question,
    pieces: [pieceOf(consumption, question.annualMwh), pieceOf(power, question.highestKw)],
  }));
  const pairs = new Map(placed.map((one) => [one.pieces.join(), one]));
  const none = { type: 'fixed', value: 0 };
  return [
    {
      name: 'offers',
      whole: ['id', 'consumption_piece', 'power_piece'],
      columns: [...named('e'), ...named('p'), 'services', 'surplus', 'c_fixed', 'c_unit', 't_fixed', 't_unit'],
      rows: [...pairs.values()].flatMap(({ question: { annualMwh, highestKw }, pieces }) =>
        valid.map((offer) => [
          ...[offer.id, ...pieces, ...offer.energy.map(Number), ...offer.power.map(Number)],
          ...[offer.services, offer.surplus],
          ...lineAt(offer.consumptionTiers, { type: offer.commissionType, value: offer.commissionValue }, annualMwh),
          ...lineAt(offer.powerTiers, none, highestKw),
        ]),
      ),
    },
    {
      name: 'customers',
      whole: ['customer', 'consumption_piece', 'power_piece'],
      columns: [...named('k'), ...named('w'), 'exported', 'days', 'months', 'mwh', 'kw', 'fee', 'year_fee', 'weight'],
      rows: placed.map(({ question, pieces }, customer) => {
        const { kwh, kw, exportedKwh, days, months, annualMwh, highestKw } = question;
        const { energyFee, energyFeePerYear, weight } = question;
        const rest = [exportedKwh, days, months, annualMwh, highestKw, energyFee, energyFeePerYear, weight];
        return [customer, ...pieces, ...kwh, ...kw, ...rest];
      }),
    },
  ];
}

const sum = (quantities: string, prices: string) => PERIODS.map((n) => `${quantities}${n} * ${prices}${n}`).join(' + ');

/**
 * The best ten of every customer: scores relative to the ends of each customer's own offers. Nothing is rounded, which
 * the ids do not show and which saves a fifth.
 */
export const PORTFOLIO_QUERY = `with summed as (
    select customer, id, weight, ${sum('k', 'e')} as energy, ${sum('w', 'p')} as daily, fee, year_fee, days, months,
      exported, surplus, services, c_fixed, c_unit, t_fixed, t_unit, mwh, kw
    from offers join customers using (consumption_piece, power_piece)
  ), priced as materialized (
    select customer, id, weight,
      energy + fee + daily * days - greatest(0::double, least(exported * surplus, energy)) + services * months as cost,
      c_fixed + c_unit * mwh + year_fee + (t_fixed + t_unit * kw) as pay
    from summed
  ), scale as (
    select customer, min(cost) as low, max(cost) as high, min(pay) as least, max(pay) as most
    from priced group by customer
  )
  select customer, max_by(id, weight * (high - cost) / (high - low) + (1 - weight) * (pay - least) / (most - least), 10)
  from priced join scale using (customer) group by customer order by customer`;
