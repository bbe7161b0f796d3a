import { describe, expect, it } from 'vitest';
import { inWords } from '../messages/message.ts';
import { defineOffer } from './define-offer.ts';
import type { ElectricityTerms, GasTerms, OfferTerms } from './offer.ts';
import { checkMonth, checkMonthCount, checkOffer } from './offer-rules.ts';

const common = {
  id: 1,
  offerName: 'Tarifa',
  territories: { peninsula: true },
  accepts: { dni: true },
} as const;
const electric = () => defineOffer({ ...common, supplyType: 'LUZ', tariffType: '2.0TD' });
const gas = () => defineOffer({ ...common, supplyType: 'GAS', tariffType: 'RL.1' });

const pathsOf = (terms: OfferTerms) => checkOffer(terms).map((issue) => issue.path);
const findingsOf = (terms: OfferTerms) => checkOffer(terms).map(({ path, message }) => `${path} ${inWords(message)}`);

function luz(changes: Partial<ElectricityTerms>): OfferTerms {
  return { ...electric(), ...changes };
}

function gasWith(changes: Partial<GasTerms>): OfferTerms {
  return { ...gas(), ...changes };
}

describe('A-118: what a contract says besides prices', () => {
  it.each([
    [
      'a bound of power',
      { minPowerKw: 10, maxPowerKw: 10 },
      { minPowerKw: 10.1, maxPowerKw: 10 },
      'minPowerKw must not be above the maximum',
    ],
    [
      'a bound of use',
      { minAnnualKwh: 0, maxAnnualKwh: 0 },
      { minAnnualKwh: 2, maxAnnualKwh: 1 },
      'minAnnualKwh must not be above the maximum',
    ],
    [
      'a first day',
      { validFrom: '2026-02-01', validTo: '2026-02-01' },
      { validFrom: '2026-02-02', validTo: '2026-02-01' },
      'validFrom must not be after the last day',
    ],
    ['a real day', { validTo: '2028-02-29' }, { validTo: '2026-02-29' }, 'validTo'],
    ['whole months', { permanenceMonths: 60 }, { permanenceMonths: 0.5 }, 'permanenceMonths'],
    [
      'a discount with its months',
      { powerDiscountPercent: 0, discountMonths: 1 },
      { powerDiscountPercent: 5 },
      'discountMonths is needed beside a discount',
    ],
    [
      'months with their discount',
      { energyDiscountPercent: 100, discountMonths: 36 },
      { discountMonths: 3 },
      'discountMonths is allowed only beside a discount',
    ],
  ] as const)('accepts %s at its bound, and refuses one beyond', (_what, within, beyond, finding) => {
    expect(findingsOf(luz(within))).toEqual([]);
    expect(findingsOf(luz(beyond))).toEqual([expect.stringContaining(finding)]);
  });

  it('accepts a discount of gas for its energy', () => {
    expect(pathsOf(gasWith({ energyDiscountPercent: 10, discountMonths: 12 }))).toEqual([]);
  });
});

describe('A-165: the hours that an offer follows', () => {
  const indexed = { isIndexed: true, index: 'PVPC' } as const;
  const solar = { hasSolarPanels: true } as const;
  it.each([
    ['a name of one character', { ...indexed, index: '1' }, { ...indexed, index: '' }, 'index'],
    ['a name of 32', { ...indexed, index: `A-${'_'.repeat(30)}` }, { ...indexed, index: 'A'.repeat(33) }, 'index'],
    ['capital letters', { ...solar, surplusIndex: 'OMIE' }, { ...solar, surplusIndex: 'omie' }, 'surplusIndex'],
    ['an index if it is indexed', indexed, { index: 'PVPC' }, 'index is allowed only on an indexed offer'],
    ['the lowest factor', { ...indexed, indexFactor: 0 }, { ...indexed, indexFactor: -0.1 }, 'indexFactor'],
    ['the highest factor', { ...indexed, indexFactor: 3 }, { ...indexed, indexFactor: 3.1 }, 'indexFactor'],
    [
      'a factor of an index',
      { ...indexed, indexFactor: 1.1 },
      { isIndexed: true, indexFactor: 1 },
      'indexFactor is allowed only with an index',
    ],
    [
      'surplus of fixed offers for panels',
      { ...solar, surplusIndex: 'X' },
      { surplusIndex: 'X' },
      'surplusIndex is allowed only on an offer for solar panels',
    ],
  ] as const)('accepts %s, and refuses what is beyond', (_what, within, beyond, finding) => {
    expect(findingsOf(luz(within))).toEqual([]);
    expect(findingsOf(luz(beyond))).toEqual([expect.stringContaining(finding)]);
  });
});

describe('checkOffer', () => {
  it('accepts an offer for one territory and one type of customer', () => {
    expect(checkOffer(electric())).toEqual([]);
    expect(checkOffer(gas())).toEqual([]);
  });

  it('requires a territory and a type of customer', () => {
    const nobody = { dni: false, cif: false, cdad: false };
    const nowhere = { peninsula: false, canarias: false, baleares: false, ceuta_melilla: false };
    expect(checkOffer(luz({ accepts: nobody, territories: nowhere }))).toEqual([
      { path: 'territories', message: 'at least one territory must be active' },
      { path: 'accepts', message: 'at least one type of customer must be accepted' },
    ]);
    for (const territory of ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'] as const) {
      expect(pathsOf(luz({ territories: { ...nowhere, [territory]: true } }))).toEqual([]);
    }
    for (const type of ['dni', 'cif', 'cdad'] as const) {
      expect(pathsOf(luz({ accepts: { ...nobody, [type]: true } }))).toEqual([]);
    }
  });

  it('allows a surplus price only with solar panels', () => {
    const message = 'is allowed only on an offer for solar panels';
    expect(checkOffer(luz({ surplusEurPerKwh: 0.05 }))).toEqual([{ path: 'surplusEurPerKwh', message }]);
    expect(pathsOf(luz({ surplusEurPerKwh: 0 }))).toEqual(['surplusEurPerKwh']);
    expect(pathsOf(luz({ surplusEurPerKwh: 0.05, hasSolarPanels: true }))).toEqual([]);
    expect(pathsOf(luz({ hasSolarPanels: true }))).toEqual([]);
  });

  // each bound is allowed, and a value a little beyond it is not.
  const six = (value: number) => [0, 0, value, 0, 0, 0] as const;
  const tier = (value: number) => [{ from: 0, to: null, value, type: 'fixed' }] as const;
  it.each<[string, number, number, (value: number) => OfferTerms]>([
    ['energyEurPerKwh.2', 0, 10, (value) => luz({ energyEurPerKwh: six(value) })],
    ['powerEurPerKwDay.2', 0, 1, (value) => luz({ powerEurPerKwDay: six(value) })],
    ['feePowerEurPerMwh', 0, 100_000, (value) => luz({ feePowerEurPerMwh: value })],
    ['surplusEurPerKwh', 0, 10, (value) => luz({ surplusEurPerKwh: value, hasSolarPanels: true })],
    ['servicesEurPerMonth', 0, 100_000, (value) => luz({ servicesEurPerMonth: value })],
    ['commissionValue', 0, 1_000_000, (value) => luz({ commissionValue: value })],
    ['consumptionTiers.0.value', 0, 1_000_000, (value) => gasWith({ consumptionTiers: tier(value) })],
    ['powerTiers.0.value', 0, 1_000_000, (value) => luz({ powerTiers: tier(value) })],
    ['gasEnergyEurPerKwh', 0, 10, (value) => gasWith({ gasEnergyEurPerKwh: value })],
    ['gasFixedEurPerMonth', 0, 100_000, (value) => gasWith({ gasFixedEurPerMonth: value })],
  ])('A-02: bounds %s between %d and %d', (path, min, max, offerWith) => {
    expect(pathsOf(offerWith(min))).toEqual([]);
    expect(pathsOf(offerWith(max))).toEqual([]);
    for (const value of [min - 1e-9, max + max * 1e-9, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(pathsOf(offerWith(value))).toEqual([path]);
    }
  });

  // A bound alone does not say that a yearly price was typed for a daily one.
  it('names the bounds of a number with its unit', () => {
    const messagesOf = (terms: OfferTerms) => checkOffer(terms).map((issue) => inWords(issue.message));
    const below = -1;
    const paid = { servicesEurPerMonth: below, commissionValue: below, consumptionTiers: tier(below) };
    const prices = {
      energyEurPerKwh: six(below),
      powerEurPerKwDay: six(below),
      surplusEurPerKwh: below,
      hasSolarPanels: true,
    };
    expect(messagesOf(luz({ ...paid, ...prices, feePowerEurPerMwh: below, powerTiers: tier(below) }))).toEqual([
      'must be between 0 and 100000 EUR/month',
      'must be between 0 and 1000000 EUR/year or EUR/MWh',
      'must be between 0 and 1000000 EUR/year or EUR/MWh',
      'must be between 0 and 10 EUR/kWh',
      'must be between 0 and 1 EUR/kW·day',
      'must be between 0 and 100000 EUR/MWh',
      'must be between 0 and 10 EUR/kWh',
      'must be between 0 and 1000000 EUR/year or EUR/kW',
    ]);
    expect(messagesOf(gasWith({ gasEnergyEurPerKwh: below, gasFixedEurPerMonth: below }))).toEqual([
      'must be between 0 and 10 EUR/kWh',
      'must be between 0 and 100000 EUR/month',
    ]);
  });

  it('names each of six wrong prices', () => {
    const wrong = luz({ energyEurPerKwh: [11, -1, 11, -1, 11, Number.NaN] });
    expect(pathsOf(wrong)).toEqual([0, 1, 2, 3, 4, 5].map((period) => `energyEurPerKwh.${period}`));
  });

  it('refuses a text in place of a number', () => {
    expect(
      pathsOf(JSON.parse(JSON.stringify(luz({})).replace('"commissionValue":0', '"commissionValue":"5"'))),
    ).toEqual(['commissionValue']);
  });

  it('reports every finding at once', () => {
    const terms = luz({ offerName: '', tariffType: 'x'.repeat(33), commissionValue: -1, surplusEurPerKwh: 11 });
    expect(pathsOf(terms)).toEqual([
      'offerName',
      'tariffType',
      'commissionValue',
      'surplusEurPerKwh',
      'surplusEurPerKwh',
    ]);
  });

  it('requires tiers with finite bounds that ascend without overlap', () => {
    const base = { value: 1, type: 'fixed' } as const;
    const tiers = [
      { ...base, from: 0, to: 5 },
      { ...base, from: 4, to: null },
      { ...base, from: Number.NaN, to: Number.POSITIVE_INFINITY },
    ];
    const paths = pathsOf(gasWith({ consumptionTiers: tiers }));
    expect(paths).toContain('consumptionTiers.1.from');
    expect(paths).toContain('consumptionTiers.2.from');
    expect(paths).toContain('consumptionTiers.2.to');
    for (const [field, tier] of [
      ['from', { ...base, from: Number.NaN, to: null }],
      ['to', { ...base, from: 0, to: Number.NaN }],
    ] as const) {
      const issue = { path: `powerTiers.0.${field}`, message: 'must be a finite number' };
      expect(checkOffer(luz({ powerTiers: [tier] }))).toEqual([issue]);
    }
  });
});

describe('checkMonth', () => {
  const none = [null, null, null, null, null, null] as const;
  const electricMonth = {
    supplyType: 'LUZ',
    month: '2025-03-01',
    energyEurPerKwh: none,
    powerEurPerKwDay: none,
  } as const;
  const gasMonth = {
    supplyType: 'GAS',
    month: '2025-03-01',
    gasEnergyEurPerKwh: null,
    gasFixedEurPerMonth: null,
  } as const;

  it('A-02: allows negative energy prices of a month and no other negative price', () => {
    expect(checkMonth({ ...electricMonth, energyEurPerKwh: [-10, 10, 0, null, null, null] })).toEqual([]);
    expect(checkMonth({ ...gasMonth, gasEnergyEurPerKwh: -10, gasFixedEurPerMonth: 100_000 })).toEqual([]);
    const power = checkMonth({ ...electricMonth, powerEurPerKwDay: [0, 1, -0.01, 1.01, null, null] });
    expect(power.map((issue) => issue.path)).toEqual(['powerEurPerKwDay.2', 'powerEurPerKwDay.3']);
    const energy = checkMonth({ ...electricMonth, energyEurPerKwh: [-10.01, 10.01, 0, null, null, null] });
    expect(energy.map((issue) => issue.path)).toEqual(['energyEurPerKwh.0', 'energyEurPerKwh.1']);
    const gasPrices = checkMonth({ ...gasMonth, gasEnergyEurPerKwh: 10.01, gasFixedEurPerMonth: -0.01 });
    expect(gasPrices.map((issue) => issue.path)).toEqual(['gasEnergyEurPerKwh', 'gasFixedEurPerMonth']);
  });

  it('requires the first day of a month', () => {
    for (const month of ['2025-03', '2025-03-02', '2025-13-01', '']) {
      const price = { ...electricMonth, energyEurPerKwh: [0.1, null, null, null, null, null], month } as const;
      expect(checkMonth(price).map((issue) => issue.path)).toEqual(['month']);
    }
  });

  it('A-64: accepts the months from 1990-01 to 2199-12, and no other', () => {
    const results = ['0000-01-01', '1989-12-01', '1990-01-01', '2199-12-01', '2200-01-01', '9999-12-01'].map(
      (month) => {
        return checkMonth({ ...gasMonth, gasEnergyEurPerKwh: 0.1, month }).map(({ message }) => inWords(message));
      },
    );
    const refusal = ['must be a month from 1990-01 to 2199-12'];
    expect(results).toEqual([refusal, refusal, [], [], refusal, refusal]);
  });

  it('requires at least one price, which may be 0 and in any period', () => {
    const issues = [{ path: 'month', message: 'needs at least one price' }];
    expect(checkMonth(electricMonth)).toEqual(issues);
    expect(checkMonth(gasMonth)).toEqual(issues);
    const last = [null, null, null, null, null, 0] as const;
    expect(checkMonth({ ...electricMonth, energyEurPerKwh: last })).toEqual([]);
    expect(checkMonth({ ...electricMonth, powerEurPerKwDay: last })).toEqual([]);
    expect(checkMonth({ ...gasMonth, gasEnergyEurPerKwh: 0 })).toEqual([]);
    expect(checkMonth({ ...gasMonth, gasFixedEurPerMonth: 0 })).toEqual([]);
  });
});

it('A-64: an offer may have 360 months, and is refused another one', () => {
  expect(checkMonthCount(360)).toEqual([]);
  const found = checkMonthCount(361).map(({ path, message }) => `${path}: ${inWords(message)}`);
  expect(found).toEqual(['month: an offer has at most 360 months']);
});
