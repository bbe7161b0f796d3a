import { runsOf } from '@tarifario/testkit/share';
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
    { seed: 76, numRuns: runsOf(1000, 3000) },
  );
});

/** A day some days before 2026-06-30. */
const dayBefore = (days: number) => new Date(Date.UTC(2026, 5, 30 - days)).toISOString().slice(0, 10);
const kwh = fc.nat(3000);
const ofPeriods = fc.tuple(kwh, kwh, kwh);

test('A-77: invoices in both forms give days and notices by whole numbers alone, whatever they print as a year', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.record({
        ofInvoice: ofPeriods,
        ofYear: fc.option(fc.oneof(ofPeriods, fc.constant('of the invoice' as const)), { nil: null, freq: 5 }),
        days: fc.integer({ min: 1, max: 400 }),
        baseDays: fc.oneof(fc.constant('of the invoice' as const), fc.integer({ min: 1, max: 400 })),
        has2021Form: fc.boolean(),
      }),
      ({ ofInvoice, ofYear, days, baseDays, has2021Form }) => {
        const ca = ofYear === 'of the invoice' ? ofInvoice : ofYear;
        const base = baseDays === 'of the invoice' ? days : baseDays;
        const unit = (name: string) => (has2021Form ? name : '');
        const parts = [`pP1=3.3${unit('kW')}`, `pP2=3.3${unit('KW')}`, `imp=9.5${unit('eur')}`, 'tc=A0'];
        for (const period of [0, 1, 2]) {
          parts.push(`cfP${period + 1}=${ofInvoice[period]}${unit('kWh')}`);
          if (ca) parts.push(`caP${period + 1}=${ca[period]}${unit('kwh')}`);
        }
        // In the form of 2021 the year ends where the invoice begins.
        const end = has2021Form ? days : 0;
        const isSameStart = end + base === days;
        parts.push(`iniF=${dayBefore(days)}`, `finF=${dayBefore(0)}`, `iniA=${dayBefore(end + base)}`);
        if (has2021Form) parts.push(`finA=${dayBefore(end)}`, 'peaje=18');
        const { question, notices } = readInvoiceQr(`https://comparador.cnmc.gob.es/comparador/QRE?${parts.join('&')}`);

        const [inYear, inInvoice] = [ca ?? ofInvoice, ofInvoice].map(([p1, p2, p3]) => p1 + p2 + p3) as [
          number,
          number,
        ];
        const isEqual = inInvoice > 0 && String(ca) === String(ofInvoice);
        const isOne = ca === null || isEqual || (isSameStart && inInvoice > 0 && 2 * inYear <= 3 * inInvoice);
        const counted = isOne ? days : base;
        const isKnown = counted <= 380 && (isOne || counted >= 33);
        const expectedDays = isKnown && counted < 350 ? counted : 365;
        expect(question).toMatchObject({ days: expectedDays, consumptionKwh: ca ?? ofInvoice, powerKw: [3.3, 3.3] });
        const expected = [
          ...(isKnown ? [] : ['base_anual_dudosa']),
          ...(isOne ? ['consumo_de_una_factura'] : []),
          ...(inInvoice * expectedDays > 3 * inYear * days ? ['consumo_imposible'] : []),
          ...['codigo_postal_desconocido', 'precio_no_contractual'],
        ];
        expect(notices).toEqual(expected);
        for (const notice of notices) seen.add(notice);
      },
    ),
    { seed: 77, numRuns: runsOf(1000, 3000) },
  );
  expect([...seen]).toEqual(
    expect.arrayContaining(['base_anual_dudosa', 'consumo_de_una_factura', 'consumo_imposible']),
  );
});
