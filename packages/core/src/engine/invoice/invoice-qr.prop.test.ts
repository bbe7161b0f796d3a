import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import { readInvoiceQr } from './invoice-qr.ts';

const NAMES = [
  ...['cp', 'pP1', 'pP2', 'caP1', 'caP2', 'caP3', 'iniA', 'iniF', 'finF', 'fFact', 'tf', 'tc', 'com', 'cups'],
  ...['prP1', 'prP2', 'prE1', 'prE2', 'prE3', 'imp', 'impPot', 'impEner', 'impSA', 'finBS', 'exc', 'dto'],
  ...[
    'finContrato',
    'finPen',
    'pmaxP1',
    'cfP1',
    'cfP2',
    'cfP3',
    'finA',
    'peaje',
    'pP3',
    'caP4',
    'cambio',
    'verde',
    'rev',
  ],
  ...['nuevo', '__proto__', 'constructor', ''],
];
const CUPS = 'ES0021000000000001AB0F';

const value = fc.oneof(
  fc.double({ noNaN: true }).map(String),
  fc.nat(10_000).map((cents) => (cents / 100).toFixed(2)),
  fc.nat(20).map((kw) => `${kw}kW`),
  fc.constantFrom('', '0', '18', '-0', '1e5', 'Infinity', 'NaN', '0x10', '3,5', '%', '%00', '%ZZ', '+1', CUPS),
  fc.constantFrom('2026-02-28', '2026-02-29', '0000-00-00', '9999-12-31', '0999-01-01', '2026-1-1'),
  fc.string({ maxLength: 20 }).filter((text) => !/[&#=]/.test(text)),
);
const pairs = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 40 });
const sound = ['pP1=3.3', 'pP2=3.3', 'caP1=1', 'caP2=2', 'caP3=3'];

test('A-76: any parameters give a question that can be ranked, or a refusal that names one of them and repeats none', () => {
  fc.assert(
    fc.property(pairs, fc.boolean(), (sent, isSound) => {
      const query = [...(isSound ? sound : []), ...sent.map(([name, text]) => `${name}=${text}`)].join('&');
      try {
        const { question, contractPrices, ...others } = readInvoiceQr(
          `https://comparador.cnmc.gob.es/comparador/QRE?${query}`,
        );
        const { consumptionKwh, powerKw, days } = question;
        expect([...consumptionKwh, ...powerKw].some((quantity) => quantity > 0)).toBe(true);
        for (const kwh of consumptionKwh) expect(kwh >= 0 && kwh <= 1e9).toBe(true);
        for (const kw of powerKw) expect(kw >= 0 && kw <= 15).toBe(true);
        expect(Number.isInteger(days) && days >= 1 && days <= 365).toBe(true);
        for (const price of contractPrices?.energyEurPerKwh ?? []) expect(Math.abs(price ?? 0)).toBeLessThanOrEqual(10);
        for (const price of contractPrices?.powerEurPerKwDay ?? [])
          expect(price === null || (price >= 0 && price <= 1)).toBe(true);
        expect(JSON.stringify(others)).not.toContain(CUPS);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const issues = 'issues' in error.details ? (error.details.issues ?? []) : [];
        expect(issues.length).toBeGreaterThan(0);
        for (const { path } of issues) expect(path).toMatch(/^url(\.\w+)?$/);
        expect(JSON.stringify(error.details)).not.toContain(CUPS);
      }
    }),
    { seed: 76, numRuns: 3000 },
  );
});
