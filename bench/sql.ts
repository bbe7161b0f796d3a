import type { PeerOffer, PeerQuestion } from './peer-offers.ts';

/** Where the three databases write the same thing in another way. */
export interface SqlForm {
  /** A placeholder of the n-th parameter (from 1), a double. */
  readonly parameter: (n: number) => string;
  readonly double: string;
  readonly id: string;
  /** What follows the columns of a table that is found by its whole primary key alone. */
  readonly clustered: string;
  readonly greatest: (a: string, b: string) => string;
  readonly least: (a: string, b: string) => string;
}

const PERIODS = [1, 2, 3, 4, 5, 6] as const;
const ENERGY = PERIODS.map((n) => `e${n}`);
const POWER = PERIODS.map((n) => `p${n}`);
const TIER_COLUMNS = ['offer_id', 'lower', 'upper', 'fixed', 'per_unit'];

/** Tables with a primary key each; tiers by offer. */
export function createTables({ double, id, clustered }: SqlForm): readonly string[] {
  const doubles = [...ENERGY, ...POWER].map((name) => `${name} ${double}`).join(', ');
  const tiers = `(offer_id ${id}, lower ${double}, upper ${double}, fixed ${double}, per_unit ${double}, primary key (offer_id, lower)) ${clustered}`;
  return [
    `create table offers (id ${id} primary key, is_active integer, in_peninsula integer, accepts_cif integer, ${doubles}, services ${double}, surplus ${double}, fixed ${double}, per_unit ${double})`,
    `create table consumption_tiers ${tiers}`,
    `create table power_tiers ${tiers}`,
  ];
}

export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (number | null)[])[];
}

/** What the tables hold; an open tier has no upper bound. */
export function tableRows(offers: readonly PeerOffer[]): readonly TableRows[] {
  const line = (type: string, value: number) => (type === 'fixed' ? [value, 0] : [0, value]);
  const tiersOf = (
    of: (offer: PeerOffer) => readonly { from: number; to: number | null; value: number; type: string }[],
  ) =>
    offers.flatMap((offer) => of(offer).map(({ from, to, value, type }) => [offer.id, from, to, ...line(type, value)]));
  return [
    {
      table: 'offers',
      columns: [
        'id',
        'is_active',
        'in_peninsula',
        'accepts_cif',
        ...ENERGY,
        ...POWER,
        'services',
        'surplus',
        'fixed',
        'per_unit',
      ],
      rows: offers.map((offer) => [
        offer.id,
        Number(offer.isActive),
        Number(offer.inPeninsula),
        Number(offer.acceptsCif),
        ...offer.energy,
        ...offer.power,
        offer.services,
        offer.surplus,
        ...line(offer.commissionType, offer.commissionValue),
      ]),
    },
    { table: 'consumption_tiers', columns: TIER_COLUMNS, rows: tiersOf((offer) => offer.consumptionTiers) },
    { table: 'power_tiers', columns: TIER_COLUMNS, rows: tiersOf((offer) => offer.powerTiers) },
  ];
}

/** The same question in SQL: filter, exclude, price with tiers, score, the best 50. Parameters as `parametersOf`. */
export function rankingQuery({ parameter, double, greatest, least }: SqlForm): string {
  const p = (n: number) => parameter(n);
  const number = (text: string) => `cast(${text} as ${double})`;
  const rounded = (value: string, scale: string) =>
    `floor((${value}) * ${number(scale)} + ${number('0.5')}) / ${number(scale)}`;
  const sum = (names: readonly string[], first: number) =>
    names.map((name, i) => `${p(first + i)} * o.${name}`).join(' + ');
  const present = [...ENERGY, ...POWER].map((name) => `o.${name} is not null`).join(' and ');
  const tier = (name: string, table: string, quantity: string) =>
    `left join ${table} ${name} on ${name}.offer_id = o.id and ${name}.lower <= ${quantity} and (${name}.upper is null or ${quantity} <= ${name}.upper)`;
  const [exported, days, months, mwh, kw] = [p(13), p(14), p(15), p(16), p(17)];
  const [fee, yearFee, weight] = [p(18), p(19), p(20)];
  const surplus = greatest(number('0'), least(`${exported} * surplus`, 'energy'));
  const cost = `energy + ${fee} + daily * ${days} + (0 - ${surplus}) + services * ${months}`;
  const pay = `c_fixed + c_unit * ${mwh} + ${yearFee} + (t_fixed + t_unit * ${kw})`;
  const score = (value: string, range: string) => rounded(`(10 * (${value})) / (${range})`, '1000000000');
  return `with base as (
    select o.id, ${sum(ENERGY, 1)} as energy, ${sum(POWER, 7)} as daily, o.services, o.surplus,
      coalesce(c.fixed, o.fixed) as c_fixed, coalesce(c.per_unit, o.per_unit) as c_unit,
      coalesce(t.fixed, 0) as t_fixed, coalesce(t.per_unit, 0) as t_unit
    from offers o ${tier('c', 'consumption_tiers', mwh)} ${tier('t', 'power_tiers', kw)}
    where o.is_active = 1 and o.in_peninsula = 1 and o.accepts_cif = 1 and ${present}
  ), priced as materialized (
    select id, ${rounded(cost, '1000000')} as cost, ${rounded(pay, '1000000')} as pay from base
  ), scale as (
    select min(cost) as low, max(cost) as high, min(pay) as least, max(pay) as most from priced
  )
  select id from priced, scale
  order by ${rounded(`${weight} * ${score('high - cost', 'high - low')} + (1 - ${weight}) * ${score('pay - least', 'most - least')}`, '1000000000')} desc,
    cost, pay desc, id
  limit 50`;
}

export function parametersOf(question: PeerQuestion): readonly number[] {
  const { kwh, kw, exportedKwh, days, months, annualMwh, highestKw, energyFee, energyFeePerYear, weight } = question;
  return [...kwh, ...kw, exportedKwh, days, months, annualMwh, highestKw, energyFee, energyFeePerYear, weight];
}
