import { describe, expect, test } from 'vitest';
import { invoiceAddress as address, type InvoiceParameters } from '../../../testing/invoice-address.ts';
import { DomainError } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { readInvoiceQr } from './invoice-qr.ts';

const read = (changes: InvoiceParameters) => readInvoiceQr(address(changes));
const noticesOf = (changes: InvoiceParameters) => read(changes).notices;

/** The code of a refusal and its findings. */
function refusalOf(changes: InvoiceParameters): string {
  try {
    read(changes);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const issues = 'issues' in error.details ? (error.details.issues ?? []) : [];
    return [error.code, ...issues.map(({ path, message }) => `${path} ${inWords(message)}`)].join('; ');
  }
  return 'none';
}

/** A first invoice of 25 days. */
const FIRST = {
  ...{ iniF: '2026-03-18', finF: '2026-04-12', iniA: '2026-03-18' },
  ...{ caP1: '83', caP2: '86', caP3: '103', cfP1: '83', cfP2: '86', cfP3: '103' },
};

describe('A-77: the consumption that an invoice prints as that of a year is that', () => {
  test.each<[string, InvoiceParameters, number, readonly number[], readonly string[]]>([
    ['of the invoice, where both are equal', FIRST, 25, [83, 86, 103], ['consumo_de_una_factura']],
    [
      'of the invoice, where both are equal and the base begins a year before',
      { ...FIRST, iniA: '2025-04-12' },
      25,
      [83, 86, 103],
      ['consumo_de_una_factura'],
    ],
    [
      'of the invoice, where both begin with it and it is 1.5 times as much',
      { ...FIRST, caP1: '219' },
      25,
      [219, 86, 103],
      ['consumo_de_una_factura'],
    ],
    [
      'of a year, where it is more',
      { ...FIRST, caP1: '220' },
      365,
      [220, 86, 103],
      ['base_anual_dudosa', 'consumo_imposible'],
    ],
    [
      'of a year, where both are alike and the base begins a year before',
      { ...FIRST, caP1: '219', iniA: '2025-04-12' },
      365,
      [219, 86, 103],
      ['consumo_imposible'],
    ],
    [
      'of a year, where nothing is consumed',
      { ...FIRST, caP1: '0', caP2: '0', caP3: '0', cfP1: '0', cfP2: '0', cfP3: '0' },
      365,
      [0, 0, 0],
      ['base_anual_dudosa'],
    ],
    [
      'of the invoice, where that of a year is missing',
      { ...FIRST, caP1: null, caP2: '', caP3: null },
      25,
      [83, 86, 103],
      ['consumo_de_una_factura'],
    ],
  ])('%s', (_, changes, days, consumptionKwh, notices) => {
    const { question, notices: given } = read({ ...changes, impPot: '9.07' });
    expect(question).toMatchObject({ days, consumptionKwh });
    expect(given).toEqual(notices);
  });

  test('which is needed, where the days or the consumption of the invoice are missing', () => {
    const without = { ...FIRST, caP1: null, caP2: null, caP3: null };
    const missing = 'invalid_request; url.caP1 is missing; url.caP2 is missing; url.caP3 is missing';
    expect(refusalOf({ ...without, iniF: null })).toBe(missing);
    expect(refusalOf({ ...without, cfP3: null })).toBe(missing);
    expect(refusalOf({ ...without, cfP3: '-1' })).toBe(missing);
    expect(refusalOf({ ...FIRST, caP2: null })).toBe('invalid_request; url.caP2 is missing');
  });

  test.each<[string, string, boolean]>([
    ['three times the share of its days', '670.191780821917', false],
    ['more', '670.20', true],
  ])('an invoice that consumes %s is told to be impossible: %s', (_, cfP1, isImpossible) => {
    // 30 days of 2718 kWh a year are 223.397 kWh.
    const changes = { iniA: '2025-04-17', cfP1, cfP2: '0', cfP3: '0' };
    expect(noticesOf(changes)).toEqual(isImpossible ? ['consumo_imposible'] : []);
  });
});

describe('A-76: the form of 2021', () => {
  const OF_2021 = {
    ...{ pP1: '6.5kW', pP2: '6.5 kw', caP1: '2281kWh', caP2: '900kWh', caP3: '1100kWh', imp: '199.15eur' },
    ...{ iniA: '2020-12-31', finA: '2021-12-31', iniF: '2022-01-31', finF: '2022-02-28', tc: '1', peaje: '18' },
  };

  test('is read with its units, and the year ends at finA', () => {
    const { question, invoice, contract, notices } = read(OF_2021);
    expect(question).toMatchObject({ consumptionKwh: [2281, 900, 1100], powerKw: [6.5, 6.5], days: 365 });
    expect(invoice).toMatchObject({ totalEur: 199.15, days: 28 });
    expect([contract.kind, notices]).toEqual([null, ['precio_no_contractual']]);
    expect(noticesOf({ ...OF_2021, finA: null })).toContain('base_anual_dudosa');
    expect(read({ ...OF_2021, finA: '2021-06-30' }).question.days).toBe(181);
  });

  test.each([
    ['pP1', '6500W'],
    ['pP1', '6.5kWh'],
    ['caP1', '2.3MWh'],
    ['caP1', '2281kW'],
    ['imp', '199.15EURO'],
    ['imp', '199.15kWh'],
    ['imp', 'eur'],
  ])('is refused with another unit: %s %s', (name, text) => {
    expect(refusalOf({ [name]: text })).toMatch(new RegExp(`^invalid_request; url.${name} must be a number`));
  });
});

describe('A-76: an invoice of another tariff than 2.0TD is refused', () => {
  const refusal = (name: string) =>
    `business_rule; url.${name} the invoice is not of 2.0TD: only that tariff can be read`;

  test.each([
    ['peaje', '19', '18'],
    ['peaje', '3.0TD', '2.0TD'],
    ['peaje', '118', '018'],
    ['pP1', '15.001', '15'],
    ['pP2', '17.3', '15'],
    ['pP3', '3', '0'],
    ['pP6', '15.1kW', '0kW'],
    ['caP4', '7000', '0'],
    ['caP6', '0.1', ''],
  ])('%s %s is, %s is not', (name, other, own) => {
    expect(refusalOf({ [name]: other })).toBe(refusal(name));
    expect(refusalOf({ [name]: own })).toBe('none');
  });

  test('after what corrects another invoice, and with everything that shows it', () => {
    expect(refusalOf({ peaje: '19', tf: 'R' })).toContain('corrects another');
    expect(refusalOf({ peaje: '19', pP3: '20', pP1: '20' })).toMatch(/url.peaje .*; url.pP1 .*; url.pP3 /);
    expect(refusalOf({ pP3: 'x' })).toContain('invalid_request; url.pP3 must be a number');
  });
});

describe('A-78: an invoice with surplus', () => {
  test.each(['-4.20', '4.20eur', '-1'])(
    'of %s EUR has no present prices, because that of surplus is not known',
    (exc) => {
      const { contractPrices, notices } = read({ exc });
      expect(contractPrices).toBeNull();
      expect(notices).toEqual(['excedentes_sin_medir', 'excedentes_sin_precio']);
    },
  );

  test('of 0 EUR has them', () => {
    expect(read({ exc: '0' })).toMatchObject({ contractPrices: {}, notices: [] });
  });
});

describe('A-78: services of an invoice', () => {
  test.each<[string | null, number | null]>([
    ['6.50', 6.59],
    ['6.50eur', 6.59],
    ['0', null],
    ['-2', null],
    [null, null],
  ])('%s EUR in 30 days are %s EUR a month', (impSA, expected) => {
    const { contractPrices, notices } = read({ impSA });
    expect(contractPrices?.servicesEurPerMonth).toBe(expected);
    expect(notices).toEqual(expected === null ? [] : ['servicios_estimados']);
  });

  test('are not estimated where there is no present price', () => {
    expect(noticesOf({ impSA: '6.50', tc: 'A0' })).toEqual(['precio_no_contractual']);
  });
});

describe('A-77: what an advisor tells about the present contract', () => {
  test.each<[string, InvoiceParameters, InvoiceParameters]>([
    ['bono_social', { dtoBS: '-12.30' }, { dtoBS: '0' }],
    ['bono_social', { dtoBS: '12.30eur' }, { dtoBS: '-1' }],
    ['potencia_sobrante', { pmaxP1: '2.39' }, { pmaxP1: '2.4' }],
    ['potencia_sobrante', { pP1: '15', pmaxP1: '11.9', impPot: '0' }, { pP1: '15', pmaxP1: '12', impPot: '0' }],
    ['potencia_sobrante', { pmaxP2: '1.9' }, { pP2: '0.6', pmaxP2: '0.1', impPot: '0' }],
    ['potencia_superada', { pmaxP1: '3.151' }, { pmaxP1: '3.15' }],
    ['potencia_superada', { pmaxP2: '9kW' }, { pP2: '0', prP2: null, pmaxP2: '9', impPot: '8.60' }],
    ['precios_cambian', { cambio: '2' }, { cambio: '0' }],
    ['precios_cambian', { cambio: 'S' }, { cambio: 'n' }],
    ['promocion_temporal', { promo: '1' }, { promo: '' }],
    ['promocion_temporal', { promo: '2026-12-31' }, { promo: 'N' }],
    ['contrato_por_vencer', { finContrato: '2026-06-16' }, { finContrato: '2026-06-17' }],
    ['contrato_por_vencer', { finContrato: '2026-04-17' }, { finContrato: '2026-04-16' }],
  ])('%s: %j, and not %j', (code, changes, others) => {
    expect(noticesOf(changes)).toContain(code);
    expect(noticesOf(others)).not.toContain(code);
  });

  test('the highest powers, and what the contract says, are answered', () => {
    const { invoice, contract } = read({ pmaxP1: '2.9', pmaxP2: 'x', verde: '1', rev: '12' });
    expect(invoice.highestKw).toEqual([2.9, null]);
    expect(contract).toMatchObject({ isGreen: true, revisionMonths: 12 });
    expect(read({ verde: '0', rev: 'x' }).contract).toMatchObject({ isGreen: false, revisionMonths: null });
  });
});
