import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { defineCustomer, YEAR } from '../price/customer.ts';
import { type Bill, productInCents } from './bill.ts';
import { type BillDefinition, type BilledSupply, billFor, billTerms } from './bill-terms.ts';

const HOUSEHOLD: BilledSupply = {
  customer: defineCustomer({ supplyType: 'LUZ', consumptionKwh: [1200, 900, 1400], powerKw: [4.6, 4.6] }),
  period: YEAR,
  territory: 'peninsula',
  customerType: 'dni',
};
const GAS: BilledSupply = {
  ...HOUSEHOLD,
  customer: defineCustomer({ supplyType: 'GAS', consumptionKwh: 9000 }),
};
const OCTOBER: BillDefinition = { day: '2026-10-15', rental: 'monofasico' };
const MAY: BillDefinition = { day: '2026-05-15', rental: 'monofasico' };

function billWith(
  definition: BillDefinition,
  cost: Parameters<typeof billFor>[1],
  { supply = HOUSEHOLD, tariff = '2.0TD' } = {},
): Bill {
  return billFor(billTerms(definition, supply), cost, tariff);
}

/** What a question about bills is refused with: paths and texts, and the open rates. */
function refusalOf(definition: BillDefinition, supply = HOUSEHOLD) {
  try {
    billTerms(definition, supply);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'business_rule') throw error;
    const { issues = [], openRates = [] } = error.details;
    return {
      texts: issues.map(({ path, message }) => `${path} ${inWords(message)}`),
      open: openRates.map(({ concept, kind, values }) => [concept, kind, values.map(({ value }) => value)]),
    };
  }
  return { texts: [], open: [] };
}

describe('A-107: the bill of a household', () => {
  test('has each line rounded to cents, and the tax on energy, power and social bonus', () => {
    expect(billWith(OCTOBER, { energyEur: 476.7, powerEur: 160.68 })).toMatchObject({
      ...{ energyEur: 476.7, powerEur: 160.68, fixedEur: 0, surplusEur: 0, servicesEur: 0 },
      ...{ socialBonusEur: 9.01, otherTaxedEur: 0, otherUntaxedEur: 0, hydrocarbonTaxEur: 0, rentalEur: 9.72 },
      ...{ taxBaseEur: 646.39, electricityTaxEur: 33.05, indirectTaxEur: 144.72, totalEur: 833.88 },
    });
  });

  test.each<[BillDefinition, Partial<Bill>]>([
    [OCTOBER, { taxBaseEur: 608.69, electricityTaxEur: 31.12, indirectTaxEur: 136.4, totalEur: 785.93 }],
    [MAY, { socialBonusEur: 6.98, electricityTaxEur: 3.5, indirectTaxEur: 61.99, totalEur: 681.87 }],
  ])('on $day follows the rates of that day', (definition, expected) => {
    expect(billWith(definition, { energyEur: 462, powerEur: 137.68 })).toMatchObject(expected);
  });

  test.each<[string, BillDefinition, Partial<BilledSupply>, number, number]>([
    ['on the mainland in October', OCTOBER, {}, 824.49, 818.81],
    ['on the mainland in May', MAY, {}, 715.22, 721.97],
    ['in a dwelling of Canarias', OCTOBER, { territory: 'canarias' }, 682.08, 682.38],
    ['in Canarias, in no dwelling', { ...OCTOBER, isDwelling: false }, { territory: 'canarias' }, 702.23, 700.25],
    ['in Ceuta', OCTOBER, { territory: 'ceuta_melilla' }, 688.51, 685.91],
  ])('with services and without them %s turns two offers', (_, definition, where, withoutEur, withEur) => {
    const supply = { ...HOUSEHOLD, ...where };
    const withServices = { energyEur: 397.6, powerEur: 160, servicesEur: 71.4 };
    const totals = [{ energyEur: 470, powerEur: 160 }, withServices].map(
      (cost) => billWith(definition, cost, { supply }).totalEur,
    );
    expect(totals).toEqual([withoutEur, withEur]);
  });

  test('turns the cheapest offer where a part of the cost is services', () => {
    const totals = [{ energyEur: 629 }, { energyEur: 558.6, servicesEur: 71.4 }].map(
      (cost) => billWith(OCTOBER, cost).totalEur,
    );
    expect(totals).toEqual([823.22, 820.08]);
  });
});

test.each<[string, number, number, number]>([
  ['2025-06-15', 21.06, 130.28, 750.68],
  ['2026-07-15', 12.64, 128.52, 740.5],
])('A-107: a bill of gas on %s has the tax on hydrocarbons of that day', (day, taxEur, vatEur, totalEur) => {
  const bill = billWith({ day, rental: 0 }, { energyEur: 503.1, fixedEur: 96.24 }, { supply: GAS, tariff: 'RL.2' });
  expect(bill).toMatchObject({ hydrocarbonTaxEur: taxEur, indirectTaxEur: vatEur, totalEur, taxBaseEur: 0 });
});

/** A published bill: its day, its lines before tax, and the taxes and the total that it prints. */
interface Published {
  readonly day: string;
  readonly energyEur: number;
  readonly powerEur?: number;
  readonly surplusEur?: number;
  /** Beside the base of the electricity tax, or in it. */
  readonly bonusBesideEur?: number;
  readonly bonusInBaseEur?: number;
  readonly rentalEur?: number;
  readonly servicesEur?: number;
  readonly kwh?: number;
  /** Base, electricity tax, indirect tax, total. */
  readonly printed: readonly [number, number, number, number];
}

const PUBLISHED: readonly Published[] = [
  { day: '2026-08-20', energyEur: 69.85, rentalEur: 0.83, printed: [69.85, 3.57, 15.59, 89.84] },
  { day: '2025-05-20', energyEur: 36, rentalEur: 1.51, printed: [36, 1.84, 8.26, 47.61] },
  {
    ...{ day: '2025-09-20', energyEur: 45.65 - 6.85, powerEur: 23.21, surplusEur: -32.58 },
    ...{ bonusInBaseEur: 0.38, rentalEur: 0.8, printed: [29.81, 1.52, 6.75, 38.88] },
  },
  { day: '2025-10-20', energyEur: 45.88, rentalEur: 0.69, servicesEur: 2.17, printed: [45.88, 2.35, 10.73, 61.82] },
  {
    ...{ day: '2026-05-12', energyEur: 92.08, powerEur: 14.43, surplusEur: -19.74, bonusInBaseEur: 0.57 },
    ...{ rentalEur: 0.8, servicesEur: 1.04, kwh: 866, printed: [87.34, 0.87, 9.12, 99.17] },
  },
  {
    day: '2026-01-20',
    energyEur: 219.56,
    bonusBesideEur: 0.42,
    rentalEur: 1.48,
    printed: [219.56, 11.23, 48.86, 281.55],
  },
  { day: '2025-11-20', energyEur: 44.99, bonusBesideEur: 0.41, rentalEur: 0.85, printed: [44.99, 2.3, 10.2, 58.75] },
  { day: '2026-09-20', energyEur: 19.3, bonusBesideEur: 0.72, rentalEur: 0.77, printed: [19.3, 0.99, 4.57, 26.35] },
  { day: '2026-08-21', energyEur: 65.76, bonusBesideEur: 0.69, rentalEur: 0.75, printed: [65.76, 3.36, 14.82, 85.38] },
  { day: '2026-08-22', energyEur: 33.94, bonusBesideEur: 0.74, rentalEur: 0.8, printed: [33.94, 1.74, 7.82, 45.04] },
];

function publishedBill({ day, bonusBesideEur, bonusInBaseEur, rentalEur = 0, kwh = 1, ...lines }: Published): Bill {
  const customer = defineCustomer({ supplyType: 'LUZ', consumptionKwh: [kwh], powerKw: [4.6, 4.6] });
  const definition: BillDefinition = {
    day,
    rental: rentalEur / 12,
    rates: { socialBonusEurPerYear: bonusBesideEur ?? bonusInBaseEur ?? 0 },
    isSocialBonusTaxed: bonusBesideEur === undefined,
  };
  const { energyEur, powerEur = 0, surplusEur = 0, servicesEur = 0 } = lines;
  const supply = { ...HOUSEHOLD, customer };
  return billWith(definition, { energyEur, powerEur, surplusEur, servicesEur }, { supply });
}

test.each(PUBLISHED)('A-107: a published bill of $day is computed to the cent', (published) => {
  const { taxBaseEur, electricityTaxEur, indirectTaxEur, totalEur } = publishedBill(published);
  expect([taxBaseEur, electricityTaxEur, indirectTaxEur, totalEur]).toEqual(published.printed);
});

test('A-107: one of eleven published bills does not add up, and by no rule gives what it prints', () => {
  const day = '2026-04-23';
  const lines = { energyEur: 42.45, powerEur: 10.88, rentalEur: 0.8, kwh: 340 };
  const taxed = publishedBill({ day, ...lines, bonusInBaseEur: 0.57, printed: [53.9, 0.34, 5.5, 60.2] });
  const untaxed = publishedBill({ day, ...lines, bonusBesideEur: 0.57, printed: [53.33, 0.34, 5.5, 60.2] });
  expect([taxed.totalEur, untaxed.totalEur]).toEqual([60.54, 60.54]);
});

describe('A-107: cents', () => {
  test.each<[number, number, number, number]>([
    [5.005, 1, 1, 501],
    [-5.005, 1, 1, -501],
    [1.004999, 1, 1, 100],
    [0.3, 0.3, 1, 9],
    [12_345_678_901.23, 1, 1, 1_234_567_890_123],
    [100, 5.11269632, 100, 511],
  ])('%d times %d by %d are %d: halves of decimal digits go away from zero', (quantity, rate, divisor, cents) => {
    expect(productInCents(quantity, rate, divisor)).toBe(cents);
  });

  test('of amounts are those of the digits with six decimals', () => {
    const cost = { energyEur: 5.005, surplusEur: -1.005, powerEur: 1.0049999, servicesEur: 1.004999 };
    const bill = billWith(OCTOBER, cost);
    expect([bill.energyEur, bill.surplusEur, bill.powerEur, bill.servicesEur]).toEqual([5.01, -1.01, 1.01, 1]);
  });

  test.each<[number, number, number]>([
    [123_456_789.01, 5.11269632, 6_311_970.71],
    [100.05, 33.333333333333, 33.35],
  ])('of %d EUR at %d percent are exact for large amounts and long rates', (energyEur, percent, taxEur) => {
    const rates = { electricityTaxPercent: percent };
    expect(billWith({ ...OCTOBER, paysSocialBonus: false, rates }, { energyEur }).electricityTaxEur).toBe(taxEur);
  });

  test('of no surplus are 0 and not -0', () => {
    const { surplusEur } = billWith(OCTOBER, { energyEur: 1, surplusEur: -0.001 });
    expect(Object.is(surplusEur, 0)).toBe(true);
  });
});

describe('A-107: the electricity tax', () => {
  const cost = { energyEur: 100, powerEur: 50 };

  test('is not asked without consumption', () => {
    const customer = defineCustomer({ supplyType: 'LUZ', powerKw: [4.6, 4.6] });
    expect(billWith(OCTOBER, cost, { supply: { ...HOUSEHOLD, customer } }).electricityTaxEur).toBe(0);
  });

  test.each<[string, BillDefinition, string, number]>([
    ['1 EUR/MWh', MAY, '2.0TD', 3.5],
    ['0.5 EUR/MWh in high voltage', MAY, '6.1TD', 1.75],
    ['0.5 EUR/MWh in industrial use', { ...MAY, use: 'industrial' }, '3.0TD', 1.75],
    ['1 EUR/MWh in general use of high voltage', { ...MAY, use: 'general' }, '6.1TD', 3.5],
  ])('is at least %s', (_, definition, tariff, taxEur) => {
    expect(billWith(definition, cost, { tariff }).electricityTaxEur).toBe(taxEur);
  });

  test('leaves out the social bonus where the retailer does', () => {
    expect(billWith({ ...OCTOBER, isSocialBonusTaxed: false }, cost).taxBaseEur).toBe(150);
    expect(billWith(OCTOBER, cost).taxBaseEur).toBe(159.01);
  });
});

describe('A-108: the rates of a bill', () => {
  const withPower = (kw: number): BilledSupply => ({
    ...HOUSEHOLD,
    customer: defineCustomer({ supplyType: 'LUZ', consumptionKwh: [100], powerKw: [1, kw] }),
  });
  const percentOf = (definition: Partial<BillDefinition>, supply: BilledSupply) =>
    billTerms({ ...MAY, rental: 0, ...definition }, supply).rates.indirectPercent;

  test.each<[string, Partial<BillDefinition>, BilledSupply, number]>([
    ['up to 10 kW', {}, withPower(10), 10],
    ['above 10 kW', {}, withPower(10.1), 21],
    ['of a severely vulnerable consumer', { isSeverelyVulnerable: true }, withPower(12), 10],
    ['at 10 kW in the first weeks', { day: '2026-04-29' }, withPower(10), 21],
    ['below 10 kW in the first weeks', { day: '2026-04-29' }, withPower(9.9), 10],
    ['at 10 kW from April 30 on', { day: '2026-04-30' }, withPower(10), 10],
    ['of a company up to 10 kW', {}, { ...withPower(10), customerType: 'cif' }, 10],
    ['of a dwelling in Canarias', {}, { ...withPower(10), territory: 'canarias' }, 0],
    ['of a large dwelling in Canarias', {}, { ...withPower(11), territory: 'canarias' }, 3],
    ['of a company in Canarias', {}, { ...withPower(10), territory: 'canarias', customerType: 'cif' }, 3],
    ['of gas in Canarias', {}, { ...GAS, territory: 'canarias' }, 3],
  ])('%s is a share of %d percent', (_, definition, supply, percent) => {
    expect(percentOf(definition, supply)).toBe(percent);
  });

  test('for gas outside of the mainland has no tax on hydrocarbons', () => {
    const cost = { energyEur: 100 };
    expect(billWith({ ...OCTOBER, rental: 0 }, cost, { supply: { ...GAS, territory: 'canarias' } })).toMatchObject({
      hydrocarbonTaxEur: 0,
      indirectTaxEur: 3,
    });
  });

  test('that were sent beat those of the table', () => {
    const rates = { electricityTaxPercent: 1, indirectPercent: 2, servicesPercent: 3, socialBonusEurPerYear: 4 };
    const bill = billWith({ day: '2030-01-01', rental: 0, rates }, { energyEur: 1000, servicesEur: 100 });
    expect(bill).toMatchObject({ socialBonusEur: 4, electricityTaxEur: 10.04, indirectTaxEur: 23.28 });
  });

  test('are those of the rows used, with which alone the terms are computed again', () => {
    const terms = billTerms(OCTOBER, HOUSEHOLD);
    expect(terms.rows.map(({ concept, kind }) => `${concept} ${kind}`)).toEqual([
      ...['iva reducido', 'iva servicios', 'impuesto_electrico general', 'impuesto_electrico_minimo general'],
      ...['impuesto_electrico_minimo industrial', 'financiacion_bono general', 'alquiler monofasico'],
    ]);
    expect(billTerms(OCTOBER, HOUSEHOLD, terms.rows)).toEqual(terms);
  });

  test.each<[string, BillDefinition, BilledSupply, readonly string[]]>([
    ['where every tax was read', { day: '2024-02-15', rental: 0, paysSocialBonus: false }, HOUSEHOLD, []],
    [
      'where a tax is not certain',
      { day: '2024-05-15', rental: 0, paysSocialBonus: false },
      HOUSEHOLD,
      ['tipo_por_confirmar'],
    ],
    ['where only the social bonus is not certain', { day: '2026-04-15', rental: 0 }, HOUSEHOLD, []],
    ['without a rental', { day: '2026-04-15' }, HOUSEHOLD, ['alquiler_sin_indicar']],
    ['before 2025', { day: '2024-02-15', rental: 0 }, HOUSEHOLD, ['bono_sin_dato']],
    ['of gas before 2025', { day: '2024-02-15', rental: 0 }, GAS, []],
  ])('%s come with these notices', (_, definition, supply, notices) => {
    expect(billTerms(definition, supply).notices).toEqual(notices);
  });
});

describe('A-108: a question about bills is refused', () => {
  test('on a day whose rates are undecided, with law, condition and values', () => {
    expect(refusalOf({ day: '2026-11-15' })).toEqual({
      texts: [
        'bill.day the rate of iva (reducido) is undecided: RDL 25/2026, art. 18.1; send it in rates',
        'bill.day the rate of impuesto_electrico (general) is undecided: RDL 25/2026, art. 20, on ' +
          'the CPI of electricity (04.5.1.0) in September above 15 %, and the validation by Congress; send it in rates',
      ],
      open: [
        ['iva', 'reducido', [10, 21]],
        ['impuesto_electrico', 'general', [0.5, 5.11269632]],
      ],
    });
  });

  test.each<[string, BilledSupply]>([
    ['above 10 kW', { ...HOUSEHOLD, customer: defineCustomer({ supplyType: 'LUZ', powerKw: [11] }) }],
    ['in Canarias', { ...HOUSEHOLD, territory: 'canarias' }],
  ])('in November 2026 %s for the electricity tax alone', (_, supply) => {
    expect(refusalOf({ day: '2026-11-15' }, supply).open).toEqual([
      ['impuesto_electrico', 'general', [0.5, 5.11269632]],
    ]);
  });

  test('on a day whose rates are not known, without values', () => {
    expect(refusalOf({ day: '2027-01-01' }).open).toEqual([
      ['iva', 'reducido', []],
      ['impuesto_electrico', 'general', []],
      ['financiacion_bono', 'general', []],
    ]);
    expect(refusalOf({ day: '2024-02-15', paysSocialBonus: true }).open).toEqual([
      ['financiacion_bono', 'general', []],
    ]);
  });

  test('for gas where its general use is undecided, and not in professional use with the VAT sent', () => {
    const day = '2026-08-15';
    expect(refusalOf({ day, rates: { indirectPercent: 21 } }, GAS).open).toEqual([
      ['hidrocarburos', 'general', [0.00108, 0.001728]],
    ]);
    expect(refusalOf({ day, gasUse: 'profesional', rates: { indirectPercent: 21 } }, GAS).open).toEqual([]);
  });

  test.each<[string, BillDefinition, Partial<BilledSupply>, readonly string[]]>([
    ['without a territory', MAY, { territory: null }, ['territory is needed together with bill']],
    ['before 2021', { day: '2020-12-31' }, {}, ['bill.day must not be before 2021-01-01']],
    ['for a use of gas', { ...MAY, gasUse: 'general' }, {}, ['bill.gasUse is not allowed for LUZ']],
    [
      'for a company that is severely vulnerable',
      { ...MAY, isSeverelyVulnerable: true },
      { customerType: 'cif' },
      ['bill.isSeverelyVulnerable is not allowed for cif'],
    ],
    [
      'for lines of electricity on a bill of gas',
      {
        day: MAY.day,
        use: 'general',
        paysSocialBonus: true,
        other: { otherTaxedEur: 1 },
        rates: { electricityTaxPercent: 1 },
      },
      GAS,
      [
        ...['bill.use', 'bill.paysSocialBonus', 'bill.other.otherTaxedEur', 'bill.rates.electricityTaxPercent'].map(
          (path) => `${path} is not allowed for GAS`,
        ),
      ],
    ],
    [
      'for a regulated rental of gas',
      MAY,
      GAS,
      ['bill.rental is regulated for electricity up to 15 kW alone: send EUR a month'],
    ],
    [
      'for a regulated rental above 15 kW',
      MAY,
      { customer: defineCustomer({ supplyType: 'LUZ', powerKw: [15, 15.1] }) },
      ['bill.rental is regulated for electricity up to 15 kW alone: send EUR a month'],
    ],
  ])('%s', (_, definition, where, texts) => {
    expect(refusalOf(definition, { ...HOUSEHOLD, ...where }).texts).toEqual(texts);
  });
});
