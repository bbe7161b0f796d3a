import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import { describe, expect, test } from 'vitest';
import { errorsOf, OWN, planOf, STATE, sheet, stored } from '../../test/simple-bulk.ts';
import type { ConsumptionTier } from '../engine/commission/tier.ts';
import type { MonthlyPrice } from '../engine/offers/offer.ts';
import { changesWithStoredPrecision, keepStoredPrecision } from './stored-precision.ts';

describe('A-44: numbers that a spreadsheet has rounded to 15 digits', () => {
  const third = 1 / 3;
  const cut = 0.333333333333333;
  const tier = { from: third, to: 2 / 3, value: third } as const;
  const month: MonthlyPrice = {
    supplyType: 'LUZ',
    month: '2026-01-01',
    energyEurPerKwh: [third, null, null, null, null, null],
    powerEurPerKwDay: [null, third, null, null, null, null],
  };
  const gasMonth = {
    supplyType: 'GAS',
    month: '2026-01-01',
    gasEnergyEurPerKwh: third,
    gasFixedEurPerMonth: third,
  } as const;
  const electricity = {
    energyEurPerKwh: [third, 0.2, 0.3],
    powerEurPerKwDay: [null, third],
    servicesEurPerMonth: third,
    feePowerEurPerMwh: third,
    hasSolarPanels: true,
    surplusEurPerKwh: third,
    commissionValue: third,
    consumptionTiers: [{ ...tier, type: 'fixed' }],
    powerTiers: [{ ...tier, type: 'per_kw' }],
    isIndexed: true,
  } as const;
  const gas = {
    companyId: 2,
    supplyType: 'GAS',
    tariffType: 'RL.1',
    energyEurPerKwh: undefined,
    isIndexed: true,
  } as const;
  const state = {
    ...STATE,
    offers: [
      stored({ id: 10, ...electricity }, [month]),
      stored({ id: 11, ...gas, gasEnergyEurPerKwh: third, gasFixedEurPerMonth: third }, [gasMonth]),
    ],
  };
  const columns = [
    'e1',
    'p2',
    'services_cost',
    'fee_power',
    'precio_excedentes',
    'commission',
    'gas_energy',
    'gas_fixed',
  ];
  const workbookWith = (number: number, twice: number) => ({
    ofertas: [
      ['offer_id', ...columns],
      [10, number, number, number, number, number, number, '', ''],
      [11, '', '', '', '', '', 0, number, number],
    ],
    precios_indexados: [
      ['offer_id', 'reference_month', 'e1', 'p2', 'gas_energy', 'gas_fixed'],
      [10, '2026-01', number, number, '', ''],
      [11, '2026-01', '', '', number, number],
    ],
    tramos_consumo: sheet(
      ['offer_id', 'consumption_from', 'consumption_to', 'commission'],
      [10, number, twice, number],
    ),
    tramos_potencia: [
      ['offer_id', 'power_from', 'power_to', 'commission', 'commission_type'],
      [10, number, twice, number, 'per_kw'],
    ],
  });

  test('are the stored ones', () => {
    expect(cut).not.toBe(third);
    const { changed, months, counts } = planOf(workbookWith(cut, 0.666666666666667), OWN, state);
    expect([changed, months]).toEqual([[], []]);
    expect(counts).toMatchObject({ replaced: 2, pricesUpserted: 2, tiersReplaced: 2 });
  });

  test('are the stored ones in whatever order the rows of the tiers are', () => {
    const bounds = [0, third, 2 / 3, 1];
    const lower = bounds
      .slice(0, 3)
      .map((from, index) => ({ from, to: bounds[index + 1] ?? null, value: index + third }));
    const tiers = {
      ...STATE,
      offers: [
        stored({
          id: 10,
          consumptionTiers: lower.map((one) => ({ ...one, type: 'fixed' as const })),
          powerTiers: lower.map((one) => ({ ...one, type: 'fixed' as const })),
        }),
      ],
    };
    const [a, b, c] = [
      [10, 0, cut, cut],
      [10, cut, 0.666666666666667, 1.33333333333333],
      [10, 0.666666666666667, 1, 2.33333333333333],
    ];
    const headers = (what: string) => ['offer_id', `${what}_from`, `${what}_to`, 'commission'];
    for (const rows of [
      [a, c, b],
      [c, b, a],
      [c, a, b],
    ]) {
      const workbook = {
        tramos_consumo: [headers('consumption'), ...rows],
        tramos_potencia: [headers('power'), ...rows],
      };
      expect(errorsOf(workbook, OWN, tiers)).toEqual([]);
      expect(planOf(workbook, OWN, tiers).changed).toEqual([]);
    }
    // One is removed and one is split. The others keep their bounds.
    const split = [a, [10, cut, 0.5, 7], [10, 0.5, 0.666666666666667, 8]];
    expect(planOf({ tramos_consumo: [headers('consumption'), ...split] }, OWN, tiers).changed[0]?.terms).toMatchObject({
      consumptionTiers: [
        { from: 0, to: third, value: third },
        { from: third, to: 0.5, value: 7 },
        { from: 0.5, to: 2 / 3, value: 8 },
      ],
    });
  });

  test('are new ones when one of the 15 digits differs', () => {
    const { changed, months } = planOf(workbookWith(0.333333333333334, 0.666666666666668), OWN, state);
    expect(changed[0]?.terms).toMatchObject({
      energyEurPerKwh: [0.333333333333334, 0.2, 0.3, null, null, null],
      surplusEurPerKwh: 0.333333333333334,
      consumptionTiers: [{ from: 0.333333333333334, to: 0.666666666666668, value: 0.333333333333334 }],
      powerTiers: [{ from: 0.333333333333334, to: 0.666666666666668, value: 0.333333333333334 }],
    });
    expect(changed[1]?.terms).toMatchObject({ gasEnergyEurPerKwh: 0.333333333333334 });
    expect(months.map(({ price }) => price)).toMatchObject([
      { energyEurPerKwh: [0.333333333333334, null, null, null, null, null] },
      { gasEnergyEurPerKwh: 0.333333333333334 },
    ]);
  });

  test('are as sent where nothing is stored', () => {
    expect([
      keepStoredPrecision(cut, null),
      keepStoredPrecision(cut, undefined),
      keepStoredPrecision(null, third),
    ]).toEqual([cut, cut, null]);
    const tiers = [{ from: cut, to: null, value: cut, type: 'fixed' as const }];
    const gasWithPowerTiers = changesWithStoredPrecision({ powerTiers: tiers }, gasOffer({ id: 1 }), {
      seesCommissions: true,
    });
    expect(gasWithPowerTiers.powerTiers).toEqual(tiers);
    const untiered = electricityOffer({ id: 1, consumptionTiers: [] });
    expect(
      changesWithStoredPrecision({ consumptionTiers: tiers }, untiered, { seesCommissions: true }).consumptionTiers,
    ).toEqual(tiers);
  });

  test('A-26: are as sent in commissions that the caller may not see', () => {
    const tiers = [{ from: 0, to: null, value: third, type: 'fixed' as const }];
    const offer = electricityOffer({
      id: 1,
      servicesEurPerMonth: third,
      commissionValue: third,
      consumptionTiers: tiers,
    });
    const sent = {
      servicesEurPerMonth: cut,
      commissionValue: cut,
      consumptionTiers: tiers.map((one) => ({ ...one, value: cut })),
    };
    const masked = changesWithStoredPrecision(sent, offer, { seesCommissions: false });
    expect(masked).toEqual({ ...sent, servicesEurPerMonth: third });
  });

  test('are the stored ones at the bound of an open tier that a closed one now reaches', () => {
    const bound = 4 / 3;
    const shortened = 1.33333333333333;
    const closed = { from: 0, to: 1, value: 5, type: 'fixed' as const };
    const open = { from: bound, to: null, value: 6, type: 'fixed' as const };
    const offer = electricityOffer({ id: 1, consumptionTiers: [closed, open] });
    const sent = [
      { ...closed, to: shortened },
      { ...open, from: shortened },
    ];
    const { consumptionTiers } = changesWithStoredPrecision({ consumptionTiers: sent }, offer, {
      seesCommissions: true,
    });
    expect(consumptionTiers).toEqual([{ ...closed, to: bound }, open]);
  });

  const tiersAfter = (storedTiers: readonly ConsumptionTier[], sentTiers: readonly ConsumptionTier[]) =>
    changesWithStoredPrecision(
      { consumptionTiers: sentTiers },
      electricityOffer({ id: 1, consumptionTiers: storedTiers }),
      {
        seesCommissions: true,
      },
    ).consumptionTiers;

  test.each([{ from: cut }, { to: 0.666666666666667 }, { value: cut }])(
    'are the stored ones where only $from$to$value was cut',
    (short) => {
      const whole: ConsumptionTier = { from: third, to: 2 / 3, value: third, type: 'fixed' };
      expect(tiersAfter([whole], [{ ...whole, ...short }])).toEqual([whole]);
    },
  );

  test.each([
    ['beside a new one of the same list', [cut, 0.25, 0.3], [third, 0.25, 0.3]],
    ['where all of a list were cut', [cut, 0.666666666666667, cut], [third, 2 / 3, third]],
  ] as const)('are the stored ones %s', (_where, sent, expected) => {
    const offer = electricityOffer({ id: 1, energyEurPerKwh: [third, 2 / 3, third, null, null, null] });
    const changes = changesWithStoredPrecision({ energyEurPerKwh: sent }, offer, { seesCommissions: true });
    expect(changes.energyEurPerKwh).toEqual(expected);
  });

  test('are the stored ones in a tier beside one that was not cut', () => {
    const whole: ConsumptionTier[] = [
      { from: 0, to: 0.25, value: 1, type: 'fixed' },
      { from: 0.25, to: null, value: third, type: 'fixed' },
    ];
    expect(tiersAfter(whole, [{ ...whole[0] }, { ...whole[1], value: cut }] as ConsumptionTier[])).toEqual(whole);
  });

  test('are the stored ones where a new tier begins at the end of the last', () => {
    const last: ConsumptionTier = { from: 0, to: third, value: 1, type: 'fixed' };
    const next: ConsumptionTier = { from: cut, to: null, value: 2, type: 'fixed' };
    expect(tiersAfter([last], [{ ...last, to: cut }, next])).toEqual([last, { ...next, from: third }]);
  });

  test('are as sent where all tiers are the stored ones, also where 15 digits do not distinguish their bounds', () => {
    const near = third + Number.EPSILON / 4;
    const tiers: ConsumptionTier[] = [
      { from: third, to: near, value: 1, type: 'fixed' },
      { from: near, to: null, value: 2, type: 'fixed' },
    ];
    expect(near.toPrecision(15)).toBe(third.toPrecision(15));
    expect(tiersAfter(tiers, tiers)).toEqual(tiers);
  });
});
