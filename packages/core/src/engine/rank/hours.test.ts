import { describe, expect, it } from 'vitest';
import { CUSTOMERS, customer, MAINLAND, published, readingOf } from '../../../test/hourly-customers.ts';
import type { HourlyPrices } from '../consumption/profile.ts';
import { createMonthMeans, type IndexDay } from '../indices/index-days.ts';
import { defineHistory, defineOffer, type OfferDefinition } from '../offers/define-offer.ts';
import { rankOffers } from './library.ts';
import { askReasons } from './reasons.ts';

const OPEN = {
  accepts: { dni: true },
  territories: { peninsula: true },
  supplyType: 'LUZ',
  tariffType: '2.0TD',
} as const;

function fixed(id: number, changes: Partial<OfferDefinition> = {}) {
  return defineOffer({ offerName: `${id}`, energyEurPerKwh: [0.2, 0.1, 0.05], ...OPEN, id, ...changes });
}

function indexed(prices: readonly number[], changes: Partial<OfferDefinition> = {}, month = '2026-06') {
  const offer = fixed(1, { isIndexed: true, energyEurPerKwh: [], index: 'PVPC', ...changes });
  return defineHistory(offer, [{ month, energyEurPerKwh: prices }]);
}

const DAYS = published();

function meansOf(days: readonly IndexDay[], month: string): readonly number[] {
  const means = createMonthMeans({ community: null, ...MAINLAND });
  for (const day of days) means.add(day);
  return [0, 1, 2].map((period) => means.mean(`${month}-01`, period) ?? 0);
}

/** The customer of a reference as a question, with what its hours say, or without. */
function profileOf(name: keyof typeof CUSTOMERS, month: string, hasHours = true) {
  const { curve, months } = readingOf(customer([month], CUSTOMERS[name]), DAYS);
  return curve.months.map(({ month: mes, year, days, consumptionKwh, exportedKwh }, at) => ({
    ...{ month: mes, days, consumptionKwh, exportedKwh },
    ...(hasHours && { year, indices: { PVPC: months[at] as HourlyPrices } }),
  }));
}

describe('A-166: a customer of the references in June 2026', () => {
  const means = meansOf(DAYS, '2026-06');

  it.each([
    ['home', 41.829771, 40.677504],
    ['panels', 29.471653, 22.181155],
    ['car', 76.342381, 70.343865],
    ['office', 106.69198, 123.837611],
  ] as const)('%s pays %f EUR of energy by hours, and %f by means', (name, byHours, byMeans) => {
    const energyOf = (hasHours: boolean) => {
      const profile = profileOf(name, '2026-06', hasHours);
      const { results } = rankOffers({ offers: [indexed(means)], customer: { supplyType: 'LUZ', profile } });
      return results[0]?.cost.energyEur;
    };
    expect(energyOf(true)).toBeCloseTo(byHours, 5.7);
    expect(energyOf(false)).toBeCloseTo(byMeans, 5.7);
  });

  it('has the surplus of panels at the price of its hours, up to the energy of the month', () => {
    const profile = profileOf('panels', '2026-06');
    const paid = (exportedKwh: number) => {
      const [entry] = profile;
      if (!entry) throw new Error('June has an entry');
      const offers = [indexed(means, { hasSolarPanels: true, surplusEurPerKwh: 0.05, surplusIndex: 'PVPC' })];
      const one = { supplyType: 'LUZ', profile: [{ ...entry, exportedKwh }] } as const;
      return rankOffers({ offers, customer: one }).results[0]?.cost.surplusEur;
    };
    expect(paid(100)).toBeCloseTo(-8.3588438, 7);
    expect(paid(1000)).toBeCloseTo(-29.471653, 6);
  });
});

const HOURS: HourlyPrices = { differences: [0.01, -0.02, 0.03], surplus: 0.04 };
const ENTRY = { month: 6, days: 30, consumptionKwh: [100, 50, 10], exportedKwh: 0 };
/** 100 kWh at 0.2, 50 at 0.1 and 10 at 0.05 are 25.5 EUR; the hours add 1 - 1 + 0.3. */
const [MEANS, ADDED] = [25.5, 0.3];

function resultOf(changes: Partial<OfferDefinition>, entry: object, index: HourlyPrices | null = HOURS) {
  const { isIndexed = true } = changes;
  const offer = isIndexed ? indexed([0.2, 0.1, 0.05], changes) : fixed(1, changes);
  const own = { ...ENTRY, ...(index && { indices: { PVPC: index } }), ...entry };
  const { results } = rankOffers({ offers: [offer], customer: { supplyType: 'LUZ', profile: [own] } });
  const { cost, byHours } = results[0] ?? {};
  return { energy: cost?.energyEur, surplus: cost?.surplusEur, byHours };
}

describe('A-166: an entry is priced by hours', () => {
  const whole = { energyCount: 1, surplusCount: 0 };
  it.each<[string, Partial<OfferDefinition>, object, HourlyPrices | null, number, typeof whole | undefined]>([
    ['with a number for every period that it consumes in', {}, {}, HOURS, MEANS + ADDED, whole],
    ['not where one of them is missing', {}, {}, { ...HOURS, differences: [0.01, -0.02] }, MEANS, undefined],
    [
      'where only an unused one is',
      {},
      { consumptionKwh: [100, 50, 0] },
      { ...HOURS, differences: [0.01, -0.02, null] },
      25,
      whole,
    ],
    ['not by another index', { index: 'OMIE' }, {}, HOURS, MEANS, undefined],
    ['not without an index of the offer', { index: null }, {}, HOURS, MEANS, undefined],
    ['not without hours', {}, {}, null, MEANS, undefined],
    ['with a factor of 0 by means, which are those of its hours', { indexFactor: 0 }, {}, HOURS, MEANS, whole],
    ['with a factor of 3 by three times as much', { indexFactor: 3 }, {}, HOURS, MEANS + 3 * ADDED, whole],
    ['before a discount', { energyDiscountPercent: 50, discountMonths: 1 }, {}, HOURS, (MEANS + ADDED) / 2, whole],
    ['not of an offer that is not indexed', { isIndexed: false, index: null }, {}, HOURS, MEANS, undefined],
  ])('%s', (_what, changes, entry, index, energy, byHours) => {
    const result = resultOf(changes, entry, index);
    expect(result.energy).toBeCloseTo(energy, 9);
    expect(result.byHours).toEqual(byHours);
  });

  it.each<[string, Partial<OfferDefinition>, object, HourlyPrices, number, number | undefined]>([
    ['has the price of its hours', {}, { exportedKwh: 100 }, HOURS, -4, 1],
    ['has none where nothing is exported', {}, {}, HOURS, 0, 0],
    ['has that of the offer where the index has none', {}, { exportedKwh: 100 }, { ...HOURS, surplus: null }, -7, 0],
    ['has that of the offer by another index', { surplusIndex: 'OMIE' }, { exportedKwh: 100 }, HOURS, -7, 0],
    ['credits nothing below 0', {}, { exportedKwh: 100 }, { ...HOURS, surplus: -0.01 }, 0, 1],
    ['credits the energy of the entry at most', {}, { exportedKwh: 1000 }, HOURS, -(MEANS + ADDED), 1],
    ['is that of fixed offers too', { isIndexed: false, index: null }, { exportedKwh: 100 }, HOURS, -4, 1],
    [
      'credits nothing where energy is below 0 by hours',
      {},
      { exportedKwh: 9 },
      { differences: [-1, -1, -1], surplus: 1 },
      0,
      1,
    ],
  ])('and its surplus %s', (_what, changes, entry, index, surplus, count) => {
    const panels = { hasSolarPanels: true, surplusEurPerKwh: 0.07, surplusIndex: 'PVPC', ...changes };
    const result = resultOf(panels, entry, index);
    expect(result.surplus).toBeCloseTo(surplus, 9);
    expect(result.byHours?.surplusCount ?? 0).toBe(count);
  });

  it('and every explanation agrees with its cost', () => {
    const own = { ...ENTRY, exportedKwh: 200, indices: { PVPC: HOURS } };
    const panels = { hasSolarPanels: true, surplusEurPerKwh: 0.07, surplusIndex: 'PVPC' };
    const offers = [
      indexed([0.2, 0.1, 0.05], { indexFactor: 1.2, ...panels }),
      fixed(2, { energyEurPerKwh: [0.3, 0.3, 0.3] }),
    ];
    const reasons = askReasons({ why: { againstId: 2 }, thresholds: true, margin: true, retrospective: true });
    const ranked = rankOffers({ offers, customer: { supplyType: 'LUZ', profile: [own] }, reasons });
    const [first, second] = ranked.results;
    const why = first?.reasons?.why ?? [];
    expect(why.reduce((sum, { eur }) => sum + eur, 0)).toBeCloseTo(
      (first?.cost.totalEur ?? 0) - (second?.cost.totalEur ?? 0),
      9,
    );
    // P1 at 0.2 + 1.2 * 0.01, beside 0.3.
    expect(why.find(({ period }) => period === 1)?.eur).toBeCloseTo(100 * (0.212 - 0.3), 6);
    expect(ranked.reasons?.thresholds).toHaveLength(1);
    // 22.34 EUR of room, for 100 kWh in P1, 8 EUR of credit below the energy.
    const room = (second?.cost.totalEur ?? 0) - (first?.cost.totalEur ?? 0);
    expect(ranked.reasons?.margin?.[0]?.risesTo).toBeCloseTo(0.2 + room / 100, 9);
  });
});

describe('A-167: a ranking with hours names', () => {
  const named = (offers: Parameters<typeof rankOffers>[0]['offers'], entries: readonly object[], code: string) => {
    const profile = entries.map((entry) => ({ ...ENTRY, ...entry }));
    const { warnings } = rankOffers({ offers, customer: { supplyType: 'LUZ', profile } });
    return warnings.find((warning) => warning.code === code)?.offerIds ?? [];
  };
  const PVPC = { indices: { PVPC: HOURS } };
  const panels = { hasSolarPanels: true, surplusEurPerKwh: 0.07, surplusIndex: 'PVPC' };

  it.each<[string, readonly object[], readonly number[]]>([
    ['no offer with all its hours', [PVPC, PVPC], []],
    ['an indexed offer that lacks an entry with consumption', [PVPC, {}], [1]],
    ['no offer for an entry without consumption', [PVPC, { consumptionKwh: [0, 0, 0] }], []],
    [
      'an offer whose surplus lacks an entry that exports',
      [PVPC, { ...PVPC, exportedKwh: 5, indices: { PVPC: { ...HOURS, surplus: null } } }],
      [2],
    ],
    ['all where no entry has its index, though some was read', [{ indices: {} }], [1]],
    ['none of a customer without surplus and hours', [{}], []],
    ['indexed ones, and those whose surplus has hours, of one with surplus', [{ exportedKwh: 5 }], [1, 2]],
  ])('%s', (_what, entries, ids) => {
    expect(named([indexed([0.2, 0.1, 0.05]), fixed(2, panels), fixed(3)], entries, 'indexada_sin_curva')).toEqual(ids);
  });

  it.each<[string, object, readonly number[]]>([
    ['no offer at the year of its month', { ...PVPC, year: 2026 }, []],
    ['an offer at another year', { ...PVPC, year: 2025 }, [1]],
    ['an offer at another month than it has', { ...PVPC, month: 5, year: 2026 }, [1]],
    ['no offer without a year', PVPC, []],
    ['no offer that is priced by means', { year: 2025 }, []],
  ])('%s', (_what, entry, ids) => {
    expect(named([indexed([0.2, 0.1, 0.05]), fixed(2, panels), fixed(3)], [entry], 'forma_de_otro_ano')).toEqual(ids);
  });
});

it.each<[string, object]>([
  ['a year without a month', { month: null, year: 2026 }],
  ['a year before 2000', { year: 1999 }],
  ['a name that is none', { indices: { pvpc: HOURS } }],
  ['six indices', { indices: Object.fromEntries([...'ABCDEF'].map((name) => [name, HOURS])) }],
  ['a difference beyond 10', { indices: { PVPC: { ...HOURS, differences: [10.1] } } }],
  ['an unknown member', { indices: { PVPC: { ...HOURS, d1: 1 } } }],
])('A-166: %s is refused', (_what, entry) => {
  const ask = () => rankOffers({ offers: [], customer: { supplyType: 'LUZ', profile: [{ ...ENTRY, ...entry }] } });
  expect(ask).toThrow(RangeError);
});
