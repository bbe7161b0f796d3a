import {
  electricityOffer,
  flatOffer,
  gasOffer,
  ONE_MWH,
  rankEntries,
  requestOf,
} from '@tarifario/testkit/core/simple-offers';
import { describe, expect, test } from 'vitest';
import { FIELD_LIST, type TermsField } from '../offers/field-parts.ts';
import type { ElectricityMonth, Offer, OfferWithHistory } from '../offers/offer.ts';
import { perPeriod } from '../periods.ts';
import { priceOffer } from '../price/cost.ts';
import { demandOf, NO_FEES, YEAR } from '../price/customer.ts';
import { createMarket, type Market, type RankOffersInput, rankOffers } from './library.ts';
import type { Ranking } from './ranking.ts';
import { askReasons } from './reasons.ts';

function rank(offers: readonly (Offer | OfferWithHistory)[], input: Partial<RankOffersInput> = {}) {
  return rankOffers({ offers, customer: ONE_MWH, ...input });
}

const NONE = [null, null, null, null, null, null] as const;

/** A month with one energy price, that of P1. */
function monthOf(name: string, price: number): ElectricityMonth {
  return {
    supplyType: 'LUZ',
    month: name,
    energyEurPerKwh: [price, null, null, null, null, null],
    powerEurPerKwDay: NONE,
  };
}

const GAS_MONTH = { supplyType: 'GAS', month: '2025-01-01', gasEnergyEurPerKwh: 0.1, gasFixedEurPerMonth: 5 } as const;

const THREE = [flatOffer(1, 100, 0), flatOffer(2, 125, 60), flatOffer(3, 200, 80)];
const INDEXED = electricityOffer({ id: 7, isIndexed: true });

test('plain offers are ranked in one call: for a year, at weight 0.5, 50 of them', () => {
  const many = Array.from({ length: 60 }, (_, index) => flatOffer(60 - index, 100 + index, 0));
  const ranking = rank(many);
  expect(ranking).toMatchObject({ weight: 0.5, period: { days: 365, months: 12 }, rankedCount: 60 });
  expect(ranking.results).toHaveLength(50);
  expect(ranking.results[0]?.commission).toEqual({ energyEur: 0, powerEur: 0, totalEur: 0 });
});

test('plain offers are ranked in one call: inactive ones and those of the other supply are left out', () => {
  const offers = [
    flatOffer(3, 100, 0),
    { ...flatOffer(2, 50, 0), isActive: false },
    gasOffer({ id: 1, gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5 }),
  ];
  expect(rank(offers)).toMatchObject({ rankedCount: 1, excludedCount: 0, cheapestId: 3 });
  const gas = rank(offers, { customer: { supplyType: 'GAS', consumptionKwh: 1000 }, period: { days: 30 } });
  expect(gas).toMatchObject({ rankedCount: 1, cheapestId: 1, period: { days: 30, months: 0.99 } });
  expect(gas.results[0]?.cost).toMatchObject({ energyEur: 50, fixedEur: 5 * 0.99 });
});

test('plain offers are ranked in one call: history, month, filter, fees and limit are used as given', () => {
  const indexed = {
    offer: electricityOffer({ id: 7, isIndexed: true, tariffType: '3.0TD' }),
    months: [monthOf('2026-01-01', 0.1), monthOf('2026-02-01', 0.2)],
  };
  const input: RankOffersInput = {
    offers: [indexed, ...THREE],
    customer: ONE_MWH,
    month: '2026-02-01',
    filter: { tariffType: '3.0TD' },
    fees: { energyEurPerMwh: 10, powerEurPerMwh: 2 },
    limit: 1,
  };
  expect(rankOffers(input).results).toMatchObject([
    { offer: { id: 7 }, origin: { mode: 'mes', month: '2026-02-01' }, cost: { energyEur: 210, powerEur: 2 } },
  ]);
  const mean = rankEntries([indexed], requestOf());
  expect(mean.results[0]?.cost.totalEur).toBe(150);
});

test('A-11: the months of an offer may be in any order, and each call reads them as they are', () => {
  // Twelve months at 0.5 EUR/kWh, then twelve at 0.1: only the later ones are averaged.
  const months = Array.from({ length: 24 }, (_, index) => {
    const name = `${2024 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`;
    return monthOf(name, index < 12 ? 0.5 : 0.1);
  });
  for (const history of [months, months.toReversed()]) {
    const [result] = rank([{ offer: INDEXED, months: history }]).results;
    expect(result).toMatchObject({
      cost: { totalEur: 100 },
      origin: { mode: 'media', monthCount: 12, fromMonth: '2025-01-01', toMonth: '2025-12-01' },
    });
  }
  const growing = { offer: INDEXED, months: [monthOf('2025-01-01', 0.1)] };
  expect(rank([growing]).results[0]?.cost.totalEur).toBe(100);
  const market = createMarket([growing]);
  growing.months.push(monthOf('2025-02-01', 0.3));
  expect(rank([growing]).results[0]?.cost.totalEur).toBe(200);
  // A market keeps those that it was made of.
  const before = market.rank({ customer: ONE_MWH });
  expect(before.results[0]?.cost.totalEur).toBe(100);
});

test('a month that occurs twice, and one that is not its first day, are bugs of the caller', () => {
  const twice = [monthOf('2025-01-01', 0.1), monthOf('2025-02-01', 0.1), monthOf('2025-01-01', 0.4)];
  expect(() => rank([{ offer: INDEXED, months: twice }])).toThrow('offer 7 has the month 2025-01-01 twice');
  const label = [monthOf('2025-01', 0.1)];
  expect(() => rank([{ offer: INDEXED, months: label }])).toThrow('offer 7: 2025-01 is not the first day of a month');
});

test('A-12: a question names a month by itself or by any real day of it, and another text is a bug of the caller', () => {
  const entry = { offer: INDEXED, months: [monthOf('2025-01-01', 0.1), monthOf('2025-02-01', 0.2)] };
  const [offers, demand] = [[entry], demandOf(ONE_MWH, YEAR, NO_FEES)];
  for (const month of ['2025-01-01', '2025-01', '2025-01-31']) {
    const origin = { mode: 'mes', month: '2025-01-01' };
    expect(rank(offers, { month }).results[0]?.origin, month).toEqual(origin);
    expect(priceOffer(entry, demand, month), month).toMatchObject({ origin });
  }
  expect(priceOffer(entry, demand, '2025-03')).toMatchObject({ exclusion: { code: 'sin_mes' } });
  expect(rank(offers, { month: null }).results[0]?.cost.totalEur).toBe(150);
  expect(rank(offers, { month: '2025-03' }).excluded[0]?.exclusion).toEqual({ code: 'sin_mes' });
  for (const month of ['', 'enero', '2025-13', '2025-02-30']) {
    expect(() => rank(offers, { month }), month).toThrow(`${month} is no month`);
    expect(() => priceOffer(entry, demand, month), month).toThrow(`${month} is no month`);
  }
});

test('two offers with one id, and an invalid id, are bugs of the caller', () => {
  expect(() => rank([...THREE, flatOffer(2, 90, 90)])).toThrow('two offers have the id 2');
  for (const id of [0, 1.5, Number.NaN, 2 ** 53]) {
    expect(() => rank([...THREE, flatOffer(id, 90, 90)]), `${id}`).toThrow(RangeError);
  }
  const gas = gasOffer({ id: 2, gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5 });
  expect(rank([...THREE, gas]).rankedCount).toBe(3);
  const farthest = flatOffer(Number.MAX_SAFE_INTEGER, 50, 0);
  expect(rank([...THREE, flatOffer(2 ** 31, 60, 0), farthest]).cheapestId).toBe(Number.MAX_SAFE_INTEGER);
});

describe('the numbers of offers, whoever made them', () => {
  const REFUSED = 'offer 9 has a figure or tiers that defineOffer refuses';
  const [luz, gas] = [electricityOffer({ id: 9, isIndexed: true }), gasOffer({ id: 9, isIndexed: true })];
  const market = (offer: Offer | OfferWithHistory) => () => createMarket([offer]);

  /** An offer and a month of one, with a value in a field. */
  function withValue({ name, kind, supply, section }: TermsField, value: unknown) {
    const field = { [name]: kind === 'periods' ? perPeriod((i) => (i === 5 ? value : null)) : value };
    const offer: Offer = supply === 'GAS' ? gas : luz;
    const { supplyType } = offer;
    const prices = supplyType === 'LUZ' ? monthOf('2025-01-01', 0.1) : GAS_MONTH;
    const month = section === 'prices' ? { offer, months: [{ ...prices, ...field }] } : null;
    return { offer: { ...offer, ...field } as Offer, month };
  }

  const NUMBERS = FIELD_LIST.flatMap((field) =>
    field.kind === 'amount' || field.kind === 'periods' ? [{ ...field, field }] : [],
  );

  test.each(NUMBERS)('$name is refused out of the bounds of its row, and accepted within them', (row) => {
    const { field, bounds, initial } = row;
    const { min, max } = ('monthlyBounds' in row && row.monthlyBounds) || bounds;
    const never = [
      Number.NaN,
      `${bounds.max}`,
      undefined,
      ...(bounds.isWhole ? [1.5] : []),
      ...(initial === null ? [] : [null]),
    ];
    for (const value of [bounds.min - 0.1, bounds.max * 1.01, ...never])
      expect(market(withValue(field, value).offer), `${value}`).toThrow(REFUSED);
    for (const value of [bounds.min, bounds.max, initial])
      expect(market(withValue(field, value).offer), `${value}`).not.toThrow();
    const { month } = withValue(field, min);
    if (!month) return;
    for (const value of [min - 0.1, max * 1.01, ...never])
      expect(market(withValue(field, value).month ?? luz), `${value}`).toThrow(REFUSED);
    for (const value of [min, max, null])
      expect(market(withValue(field, value).month ?? luz), `${value}`).not.toThrow();
  });

  test.each(FIELD_LIST.flatMap((field) => (field.kind === 'tiers' ? [field] : [])))(
    '$name are refused with an amount out of the bounds, and where they do not ascend',
    ({ name, bounds: { max } }) => {
      const tier = { from: 0, to: 5, value: 5, type: 'fixed' };
      const bad = [
        ...[-1, max * 1.01, Number.NaN, null, '5'].map((value) => [{ ...tier, value }]),
        ...[-1, 5, Number.NaN, Number.POSITIVE_INFINITY].map((from) => [{ ...tier, from }]),
        [{ ...tier, to: Number.NaN }],
        [{ ...tier, from: Number.POSITIVE_INFINITY, to: null }],
        [{ ...tier, from: 5, to: null }, tier],
        [tier, { ...tier, from: 4, to: null }],
        [
          { ...tier, to: null },
          { ...tier, from: 5 },
        ],
      ];
      for (const tiers of bad) expect(market({ ...luz, [name]: tiers }), JSON.stringify(tiers)).toThrow(REFUSED);
      expect(market({ ...luz, [name]: [tier, { ...tier, from: 5, to: 6, value: max }] })).not.toThrow();
    },
  );

  test('are refused by rankOffers too, and so is a list with fewer than six prices', () => {
    expect(() => rank([...THREE, { ...luz, energyDiscountPercent: Number.NaN }])).toThrow(REFUSED);
    expect(() => rank([...THREE, flatOffer(9, Number.NaN, 0)])).toThrow(REFUSED);
    const short = { ...luz, energyEurPerKwh: [0.1, 0.1, 0.1] } as unknown as Offer;
    expect(() => rank([...THREE, short])).toThrow(REFUSED);
  });
});

test('a filter field that is left out or undefined filters nothing', () => {
  const filter = {
    tariffType: undefined,
    territory: undefined,
    community: undefined,
    customerType: undefined,
    ssaaIncluded: undefined,
    hasSolarPanels: undefined,
  };
  expect(rank(THREE, { filter })).toEqual(rank(THREE));
  const open = { period: undefined, fees: undefined, weight: undefined, month: undefined, limit: undefined };
  expect(rank(THREE, { ...open, filter: undefined, seesCommissions: undefined })).toEqual(rank(THREE));
});

test('a territory or a type of customer that does not exist is a bug of the caller', () => {
  for (const name of ['territory', 'community', 'customerType']) {
    const filter: object = { [name]: 'Madrid' };
    expect(() => rank(THREE, { filter }), name).toThrow(`${name} is null or one of: `);
  }
  const here = { territory: 'canarias', community: 'canarias', customerType: 'cdad' } as const;
  expect(rank(THREE, { filter: here }).rankedCount).toBe(3);
});

test('a limit that is not a whole number from 1 is a bug of the caller', () => {
  for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => rank(THREE, { limit }), `${limit}`).toThrow('a limit is a whole number >= 1');
  }
  expect(rank(THREE, { limit: 1 }).results).toHaveLength(1);
  expect(rank(THREE, { limit: 1_000_000 }).results).toHaveLength(3);
});

test('one fee may be given without the other', () => {
  expect(rank(THREE, { fees: { energyEurPerMwh: 10 } }).costRangeEur).toEqual({ min: 110, max: 210 });
  expect(rank(THREE, { fees: { powerEurPerMwh: 5 } }).costRangeEur).toEqual({ min: 105, max: 205 });
  expect(() => rank(THREE, { fees: { energyEurPerMwh: Number.NaN } })).toThrow(RangeError);
});

test('a market gives the answers of single calls to many questions, of both supplies', () => {
  const gas = gasOffer({ id: 9, gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5 });
  const many = Array.from({ length: 400 }, (_, i) => flatOffer(10 + i, 100 + ((i * 37) % 400), (i * 7919) % 101));
  const offers = [...THREE, gas, ...many];
  const market = createMarket(offers);
  for (const kwh of [0, 1000, 4321]) {
    const questions = [
      { customer: { supplyType: 'LUZ', consumptionKwh: [kwh] }, weight: 0.3, limit: 7 },
      { customer: { supplyType: 'GAS', consumptionKwh: kwh } },
    ] as const;
    for (const question of questions) expect(market.rank(question)).toEqual(rankOffers({ ...question, offers }));
  }
});

test('A-69: a tariff that no offer has gets the most similar tariffs, however the offers are ranked', () => {
  const tariffs = ['6.1TD', '3.0TD', '2.0TD', '3.0TDVE'];
  const offers = tariffs.map((tariffType, i) => electricityOffer({ id: 9 - i, tariffType, ssaaIncluded: false }));
  const near = (filter: RankOffersInput['filter']) => {
    const definition = { customer: ONE_MWH, filter };
    const { warnings } = rankOffers({ ...definition, offers });
    const market = createMarket(offers);
    expect(market.rank(definition).warnings).toEqual(warnings);
    expect(market.rankMany([definition])).toMatchObject([{ ranked: true, ranking: { warnings } }]);
    return warnings.flatMap(({ code, tariffTypes }) => (code === 'peaje_sin_ofertas' ? [tariffTypes] : []));
  };
  expect(near({ tariffType: '3,0td' })).toEqual([['3.0TD', '2.0TD', '3.0TDVE']]);
  expect(near({ tariffType: '2.0TD' })).toEqual([]);
  expect(near({ tariffType: '3,0td', ssaaIncluded: true })).toEqual([]);
  expect(near({ ssaaIncluded: true })).toEqual([]);
});

test('a market gives each of many customers the answer of a single call, and a bad question its error alone', () => {
  const questions = [1000, 3000].map((kwh) => ({
    customer: { supplyType: 'LUZ', consumptionKwh: [kwh] } as const,
    weight: 0.25,
    limit: 2,
  }));
  const bad = [
    { customer: ONE_MWH, limit: 0 },
    { customer: ONE_MWH, weight: 2 },
  ];
  const answers = createMarket(THREE.toReversed()).rankMany([...bad, ...questions]);
  expect(answers.map(({ ranked }) => ranked)).toEqual([false, false, true, true]);
  for (const answer of answers.slice(0, 2)) expect(answer).toMatchObject({ error: expect.any(RangeError) });
  questions.forEach((question, index) => {
    const { results } = rankOffers({ ...question, offers: THREE });
    expect(answers[index + 2]).toMatchObject({ ranking: { results } });
  });
});

test('A-116: of many customers too, the cheapest fixed offer stands beside what an indexed one would have cost', () => {
  const months = Array.from({ length: 12 }, (_, index) =>
    monthOf(`2025-${String(index + 1).padStart(2, '0')}-01`, 0.05 + index / 100),
  );
  const market = createMarket([...THREE, { offer: INDEXED, months }]);
  const question = { customer: ONE_MWH, reasons: askReasons({ retrospective: true }) };
  const [answer] = market.rankMany([question]);
  const pastIn = ({ results }: Pick<Ranking, 'results'>) =>
    results.find(({ offer }) => offer.id === INDEXED.id)?.reasons?.retrospective;
  const past = answer?.ranked ? pastIn(answer.ranking) : null;
  expect(past).toEqual(pastIn(market.rank(question)));
  expect(past).toMatchObject({ windowCount: 1, timesCheapest: expect.any(Number), mostRegretEur: expect.any(Number) });
});

test('a market with replaced offers ranks as one made of all of them, and the market before it as before', () => {
  const gas = gasOffer({ id: 1, gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5 });
  const market = createMarket([...THREE, gas]);
  const cheaper = flatOffer(2, 90, 60);
  const added = flatOffer(4, 95, 1);
  const [dearer, gone] = [
    { ...gas, gasFixedEurPerMonth: 9 },
    { ...flatOffer(3, 200, 80), isActive: false },
  ];
  const questions = [{ customer: ONE_MWH }, { customer: { supplyType: 'GAS', consumptionKwh: 1000 } }] as const;
  const answersOf = (one: Market) => questions.map((question) => one.rank(question));
  const before = answersOf(market);
  const replaced = market.replace([added, cheaper, dearer, gone]);
  expect(answersOf(replaced)).toEqual(answersOf(createMarket([...THREE.slice(0, 1), cheaper, added, dearer])));
  expect(answersOf(market)).toEqual(before);
  expect(() => market.replace([cheaper, cheaper])).toThrow('two offers have the id 2');
  const [first, second] = [market, replaced].map((one) =>
    one.rank({ customer: ONE_MWH }).results.map(({ offer }) => offer),
  );
  expect(second?.find(({ id }) => id === 1)).toBe(first?.find(({ id }) => id === 1));
  expect(second?.find(({ id }) => id === 2)).toBe(cheaper);
});
