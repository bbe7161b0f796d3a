import { describe, expect, test } from 'vitest';
import { readInvoiceQr } from '../invoice/invoice-qr.ts';
import { checkInvoice } from './invoice-check.ts';

const PRINTED = {
  ...{ cp: '28013', pP1: '4.6', pP2: '4.6', tc: 'F0', tf: 'N', com: 'R2-000', iniA: '2025-08-01', iniF: '2026-07-20' },
  ...{ finF: '2026-08-20', caP1: '1200', caP2: '900', caP3: '1400', cfP1: '100', cfP2: '75', cfP3: '116' },
};

function checkOf(changes: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ ...PRINTED, ...changes });
  return checkInvoice(readInvoiceQr(`https://comparador.cnmc.gob.es/comparador/QRE?${query}`));
}

describe('A-109: the total of an invoice', () => {
  test.each<[string, Readonly<Record<string, string>>, number, boolean]>([
    [
      'with the bonus in the base, a discount, surplus and rental',
      {
        ...{ fFact: '2025-09-20', impPot: '23.21', impEner: '45.65', dto: '6.85', exc: '32.58', finBS: '0.38' },
        ...{ impOtrosSinIE: '0.80', imp: '38.88' },
      },
      38.88,
      true,
    ],
    [
      'with the bonus beside the base',
      { fFact: '2026-09-20', impPot: '4.30', impEner: '15.00', finBS: '0.72', impOtrosSinIE: '0.77', imp: '26.35' },
      26.35,
      false,
    ],
    [
      'at the least tax, with services and reduced VAT',
      {
        ...{ fFact: '2026-05-12', impPot: '14.43', impEner: '92.08', exc: '19.74', finBS: '0.57', impSA: '1.04' },
        ...{ cfP1: '300', cfP2: '300', cfP3: '266', impOtrosSinIE: '0.80', imp: '99.17' },
      },
      99.17,
      true,
    ],
  ])('%s is computed to the cent', (_, changes, totalEur, isTaxed) => {
    const check = checkOf(changes);
    expect(check).toMatchObject({ totalEur, differenceEur: 0 });
    // At the least tax the base does not matter.
    expect(check?.isSocialBonusTaxed).toBe(changes.fFact === '2026-05-12' ? null : isTaxed);
  });

  test('that does not add up has its difference, and says nothing of the bonus', () => {
    const lines = { iniF: '2026-03-18', finF: '2026-04-17', fFact: '2026-04-23', impPot: '10.88', impEner: '42.45' };
    const more = { cfP1: '100', cfP2: '100', cfP3: '140', finBS: '0.57', impOtrosSinIE: '0.80', imp: '60.20' };
    expect(checkOf({ ...lines, ...more })).toEqual({ totalEur: 60.54, differenceEur: -0.34, isSocialBonusTaxed: null });
  });

  test.each([
    ['58.75', { totalEur: 58.75, differenceEur: 0 }],
    ['58.77', { totalEur: 58.77, differenceEur: 0 }],
    // As far from both.
    ['58.76', { totalEur: 58.77, differenceEur: -0.01 }],
    ['57', { totalEur: 58.75, differenceEur: -1.75 }],
    ['60', { totalEur: 58.77, differenceEur: 1.23 }],
  ])(
    'A-109: that fits with the bonus in and out of the base, or with neither, is the nearer one to %s',
    (imp, expected) => {
      const lines = {
        fFact: '2025-11-20',
        impPot: '14.99',
        impEner: '30.00',
        finBS: '0.41',
        impOtrosSinIE: '0.85',
        imp,
      };
      expect(checkOf(lines)).toEqual({ ...expected, isSocialBonusTaxed: null });
    },
  );

  const SUM = { fFact: '2026-09-20', impPot: '4.30', impEner: '15.00', finBS: '0.72', imp: '26.35' };

  test.each<[string, Readonly<Record<string, string>>]>([
    ['total', { ...SUM, imp: '' }],
    ['amount of energy', { ...SUM, impEner: '' }],
    ['consumption', { ...SUM, cfP2: '' }],
    ['known place', { ...SUM, cp: '99999' }],
    ['known rate', { ...SUM, fFact: '2026-11-20' }],
    ['dwelling in Canarias', { ...SUM, cp: '35001' }],
  ])('without a %s is not computed', (_, changes) => {
    expect(checkOf(changes)).toBeNull();
  });

  test('above 10 kW in Canarias has the rental as a service', () => {
    const check = checkOf({ ...SUM, cp: '35001', pP1: '12', pP2: '12', impOtrosSinIE: '1', imp: '22.74' });
    expect(check).toEqual({ totalEur: 22.74, differenceEur: 0, isSocialBonusTaxed: true });
  });

  test('is dated by its last day where it has no date', () => {
    const undated = { ...SUM, fFact: '', impOtrosSinIE: '0.77' };
    expect(checkOf(undated)).toMatchObject({ totalEur: 26.35 });
    expect(checkOf({ ...undated, finF: '2026-11-20' })).toBeNull();
  });
});
