import { describe, expect, test } from 'vitest';
import { invoiceAddress as address, type InvoiceParameters } from '../../../testing/invoice-address.ts';
import { DomainError } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { readInvoiceQr } from './invoice-qr.ts';

/** Invented, with the shape of a supply point's number. */
const CUPS = 'ES0021000000000001AB0F';

/** What an address is refused with: the code, and the path and text of each finding. */
function refusalOf(text: string): { readonly code: string; readonly issues: readonly string[] } {
  try {
    readInvoiceQr(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const issues = 'issues' in error.details ? (error.details.issues ?? []) : [];
    return { code: error.code, issues: issues.map(({ path, message }) => `${path} ${inWords(message)}`) };
  }
  return { code: 'none', issues: [] };
}

test('A-76: an ordinary invoice gives a question, its present prices, the invoice and the contract', () => {
  expect(readInvoiceQr(address())).toEqual({
    question: {
      consumptionKwh: [751, 787, 1180],
      powerKw: [3, 3],
      days: 365,
      territory: 'peninsula',
      community: 'navarra',
    },
    contractPrices: {
      energyEurPerKwh: [0.12414, 0.12414, 0.12414],
      powerEurPerKwDay: [34.867355 / 365, 9.249465 / 365],
      servicesEurPerMonth: null,
    },
    invoice: {
      firstDay: '2026-03-19',
      lastDay: '2026-04-17',
      days: 30,
      issuedOn: '2026-04-23',
      totalEur: 60.2,
      powerEur: 10.88,
      energyEur: 42.45,
      servicesEur: 0,
      socialBonusEur: 0.57,
      highestKw: [null, null],
    },
    contract: {
      kind: 'fijo_un_precio',
      hasMonthlyFee: false,
      endsOn: '2027-01-22',
      penaltyEndsOn: null,
      retailerCode: 'R2-760',
      isGreen: null,
      revisionMonths: null,
    },
    lines: null,
    notices: [],
  });
});

test('A-109: an invoice whose consumption and amounts are in its code has lines, with credits below 0', () => {
  const consumed = { cfP1: '100', cfP2: '90.5', cfP3: '150' };
  const regulated = { finBS: '-1', ajuste: '-1', exc: '-50', dto: '2.5', dtoBS: '-1.25' };
  expect(readInvoiceQr(address({ ...consumed, ...regulated, impOtrosSinIE: '0.80' })).lines).toEqual({
    consumedKwh: 340.5,
    energyEur: 42.45,
    powerEur: 10.88,
    creditsEur: -46.2,
    socialBonusEur: 0,
    otherTaxedEur: 0,
    otherUntaxedEur: 0.8,
    servicesEur: 0,
  });
});

test('A-109: what only the lines need is never refused', () => {
  expect(readInvoiceQr(address({ cfP1: 'x', cfP2: '1', cfP3: '1', impOtrosConIE: 'x' })).lines).toBeNull();
});

describe('A-76: an address is read', () => {
  test.each<[string, string]>([
    ['on the second page', address({}, { page: 'QRE2' })],
    ['with separators of HTML', address({}, { separator: '&amp;' })],
    ['with byte order marks before it', `\uFEFF\uFEFF${address()}`],
    ['with the byte order mark of UTF-8 read as Latin-1', `ï»¿${address()}`],
    ['with a port, a fragment and space around it', ` ${address().replace('.es/', '.es:443/')}#top\n`],
    ['with its host in capitals', address().replace('comparador.cnmc', 'Comparador.CNMC')],
    ['with names in another case', address().replace(/[?&](\w+)=/g, (text) => text.toUpperCase())],
    [
      'with its parameters in another order',
      address().replace(/\?(.*)/, (_, q) => `?${q.split('&').reverse().join('&')}`),
    ],
    ['with parameters that the format does not know', `${address()}&nuevo=1&otro=%F0`],
    ['with an empty parameter that is optional', address({ dto: '', rev: '' })],
    ['with escapes in a value', address({ cp: '%331006' })],
  ])('%s', (_, text) => {
    expect(readInvoiceQr(text)).toEqual(readInvoiceQr(address()));
  });
});

describe('A-76: is refused as malformed, and named', () => {
  test.each<[string, string, string[]]>([
    [
      'another host',
      address().replace('comparador.cnmc', 'comparador.cnmc.gob.es.example'),
      ['url must be the address'],
    ],
    ['a user in front of the host', address().replace('//', '//yo@'), ['url must be the address']],
    ['another port', address().replace('.es/', '.es:8443/'), ['url must be the address']],
    ['another path', address({}, { page: 'QRE3' }), ['url must be the address']],
    ['http', address().replace('https', 'http'), ['url must be the address']],
    ['no address', CUPS, ['url must be the address']],
    ['an address of 2 049 characters', address().padEnd(2049, '&'), ['url must have at most 2048']],
    [
      'no parameter',
      'https://comparador.cnmc.gob.es/comparador/QRE',
      ['pP1', 'pP2', 'caP1', 'caP2', 'caP3'].map((name) => `url.${name} is missing`),
    ],
    [
      'consumption that is missing',
      address({ caP1: null, caP2: null, caP3: null }),
      ['caP1', 'caP2', 'caP3'].map((name) => `url.${name} is missing`),
    ],
    ['an empty power', address({ pP2: '' }), ['url.pP2 is missing']],
    ['a parameter that stands twice', `${address()}&CAP1=751`, ['url.caP1 stands twice']],
    ['an unknown parameter that stands twice', `${address()}&${CUPS}=1&${CUPS}=2`, ['url has a parameter twice']],
    ['a decimal comma', address({ pP1: '3,45' }), ['url.pP1 must be a number']],
    ['a negative consumption', address({ caP2: '-1' }), ['url.caP2 must be a number']],
    ['a power beyond every bound', address({ pP1: '1000001' }), ['url.pP1 must be a number']],
    ['a text for a number', address({ prE3: CUPS }), ['url.prE3 must be a number']],
    ['a day that is none', address({ finF: '2026-02-30' }), ['url.finF must be a day']],
    ['a day in another order', address({ iniA: '17-04-2025' }), ['url.iniA must be a day']],
    ['an escape that is cut off', address({ cp: '%E' }), ['url.cp is not well-formed']],
  ])('%s', (_, text, expected) => {
    const { code, issues } = refusalOf(text);
    expect(code).toBe('invalid_request');
    expect(issues).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(issues[index]).toContain(start);
    expect(JSON.stringify(issues)).not.toContain(CUPS);
  });
});

describe('A-76: is refused by its rules', () => {
  test.each(['A', 'R', 'C', 'G', 'r', 'X'])('an invoice that is a correction: tf %s', (tf) => {
    expect(refusalOf(address({ tf }))).toEqual({
      code: 'business_rule',
      issues: ['url.tf the invoice corrects another one: only an ordinary invoice can be read'],
    });
  });

  test('an invoice without consumption and power', () => {
    const nothing = { caP1: '0', caP2: '0', caP3: '0', pP1: '0', pP2: '0' };
    expect(refusalOf(address(nothing)).code).toBe('business_rule');
    expect(refusalOf(address({ ...nothing, pP2: '0.1' })).code).toBe('none');
  });
});

test('A-76: an invoice without tf is an ordinary one', () => {
  expect(readInvoiceQr(address({ tf: null }))).toEqual(readInvoiceQr(address()));
});

describe('A-77: the annual consumption is that of', () => {
  test.each<[string, InvoiceParameters, number, boolean]>([
    ['a year, for 350 days', { iniA: '2025-05-02' }, 365, true],
    ['a year, for 380 days', { iniA: '2025-04-02' }, 365, true],
    ['349 days', { iniA: '2025-05-03' }, 349, true],
    ['33 days', { iniA: '2026-03-15' }, 33, true],
    ['a year, doubtfully, for 32 days', { iniA: '2026-03-16' }, 365, false],
    ['a year, doubtfully, for 381 days', { iniA: '2025-04-01' }, 365, false],
    ['a year, doubtfully, where it begins with the invoice', { iniA: '2026-03-18' }, 365, false],
    ['a year, doubtfully, where it ends before it begins', { iniA: '2026-05-01' }, 365, false],
    ['a year, doubtfully, without iniA', { iniA: null }, 365, false],
    ['a year, doubtfully, without finF', { finF: null }, 365, false],
  ])('%s', (_, changes, days, isSure) => {
    const { question, notices } = readInvoiceQr(address(changes));
    expect(question.days).toBe(days);
    expect(!notices.includes('base_anual_dudosa')).toBe(isSure);
  });
});

describe('A-77: a postcode says where the supply is', () => {
  test.each<[string, string | null, string | null]>([
    ['28013', 'peninsula', 'madrid'],
    ['01001', 'peninsula', 'pais_vasco'],
    ['07001', 'baleares', 'baleares'],
    ['35001', 'canarias', 'canarias'],
    ['38320', 'canarias', 'canarias'],
    ['51001', 'ceuta_melilla', 'ceuta'],
    ['52001', 'ceuta_melilla', 'melilla'],
    ['00001', null, null],
    ['53001', null, null],
    ['2801', null, null],
    ['', null, null],
  ])('%s: %s, %s', (cp, territory, community) => {
    const { question, notices } = readInvoiceQr(address({ cp }));
    expect([question.territory, question.community]).toEqual([territory, community]);
    expect(notices.includes('codigo_postal_desconocido')).toBe(territory === null);
  });

  test('each of the 52 provinces is in one community', () => {
    for (let province = 1; province <= 52; province++) {
      const { question } = readInvoiceQr(address({ cp: `${String(province).padStart(2, '0')}001` }));
      expect(question.community).not.toBeNull();
    }
  });
});

/** Shapes of public examples, with the figures of their invoices. */
const EXAMPLES: readonly { name: string; changes: InvoiceParameters; power: readonly (number | null)[] }[] = [
  {
    name: 'by year, 33 days',
    changes: {
      tc: 'E0',
      pP1: '4.6',
      pP2: '4.6',
      iniF: '2025-11-28',
      finF: '2025-12-31',
      prP1: '36.5',
      prP2: '18.25',
      impPot: '22.77',
    },
    power: [0.1, 0.05],
  },
  {
    name: 'by day, 33 days',
    changes: {
      tc: 'E0',
      pP1: '4.6',
      pP2: '4.6',
      iniF: '2025-11-28',
      finF: '2025-12-31',
      prP1: '0.10',
      prP2: '0.05',
      impPot: '22.77',
    },
    power: [0.1, 0.05],
  },
  {
    name: 'by day, over one day more than it says',
    changes: {
      pP1: '3.3',
      pP2: '3.3',
      iniF: '2026-03-18',
      finF: '2026-04-17',
      prP1: '0.0959',
      prP2: '0.0108',
      impPot: '10.92',
    },
    power: [0.0959, 0.0108],
  },
  {
    name: 'by year, over one day more than it says',
    changes: { impPot: '11.24' },
    power: [34.867355 / 365, 9.249465 / 365],
  },
  {
    name: 'of a supply with power in one period alone',
    changes: { pP2: '0', prP2: null, impPot: '8.60' },
    power: [34.867355 / 365, null],
  },
];

/** An invoice of a year's prices of power, printed to the cent. */
function leapYears() {
  const pairs = [
    ['2023-12-31', '2024-01-31', 9.2, 33.5, 5.25],
    ['2024-02-10', '2024-03-11', 14.49, 38.043426, 0.902],
    ['2028-01-31', '2028-02-29', 5.75, 27.704413, 0.725423],
    ['2023-12-20', '2024-01-20', 4.6, 30.67266, 1.4243591],
    ['2024-11-30', '2024-12-31', 13.8, 35.5, 12.25],
  ] as const;
  return pairs.flatMap(([iniF, finF, kw, p1, p2]) => [365, 366].map((year) => ({ iniF, finF, kw, p1, p2, year })));
}

describe('A-78: prices of power by day', () => {
  test.each(leapYears())('of an invoice of $iniF to $finF over $year days are those of its amount', (invoice) => {
    const { iniF, finF, kw, p1, p2, year } = invoice;
    const days = (Date.parse(finF) - Date.parse(iniF)) / 86_400_000;
    const impPot = ((kw * (p1 + p2) * days) / year).toFixed(2);
    const changes = { pP1: kw, pP2: kw, iniF, finF, prP1: p1, prP2: p2, impPot };
    const { contractPrices } = readInvoiceQr(
      address(Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, String(value)]))),
    );
    expect(contractPrices?.powerEurPerKwDay).toEqual([p1, p2].map((price) => expect.closeTo(price / year, 12)));
  });

  test('of an invoice over the turn to a leap year are those of the days of each', () => {
    const [p1, p2, years] = [38.2, 5.1, 17 / 365 + 11 / 366];
    const changes = { pP1: '15', pP2: '15', iniF: '2027-12-14', finF: '2028-01-11', prP1: '38.2', prP2: '5.1' };
    const { contractPrices } = readInvoiceQr(address({ ...changes, impPot: (15 * (p1 + p2) * years).toFixed(2) }));
    expect(contractPrices?.powerEurPerKwDay).toEqual([p1, p2].map((price) => expect.closeTo((price * years) / 28, 12)));
  });

  test('of a common year are not those of 366 days', () => {
    const changes = { pP1: '9.2', pP2: '9.2', iniF: '2025-12-31', finF: '2026-01-31', prP1: '33.5', prP2: '5.25' };
    expect(readInvoiceQr(address({ ...changes, impPot: '30.20' })).notices).toContain('potencia_no_cuadra');
  });

  test.each(EXAMPLES)('$name', ({ changes, power }) => {
    const { contractPrices, invoice, question } = readInvoiceQr(address(changes));
    expect(contractPrices?.powerEurPerKwDay).toEqual(power.map((price) => price && expect.closeTo(price, 12)));
    const dailyEur = question.powerKw.reduce(
      (sum, kw, index) => sum + kw * (contractPrices?.powerEurPerKwDay[index] ?? 0),
      0,
    );
    const [days = 0, amount = 0] = [invoice.days ?? 0, invoice.powerEur ?? 0];
    expect(Math.min(...[days, days + 1].map((count) => Math.abs(dailyEur * count - amount)))).toBeLessThanOrEqual(0.05);
  });

  test.each<[string, InvoiceParameters]>([
    ['give another amount in both units', { impPot: '10.00' }],
    ['are 0.06 EUR away', { impPot: '10.94' }],
    ['have no amount to give', { impPot: null }],
    ['have no days', { iniF: null }],
    ['have none for a period that is contracted', { prP2: null }],
    ['are above what power may cost by day', { pP1: '1', pP2: '0', prP1: '2', impPot: '60' }],
  ])('are unknown where they %s', (_, changes) => {
    const { contractPrices, notices } = readInvoiceQr(address(changes));
    expect(contractPrices).toBeNull();
    expect(notices).toEqual(['potencia_no_cuadra']);
  });

  test('of energy in cents are not known', () => {
    const { contractPrices, notices } = readInvoiceQr(address({ prE1: '8.5', prE2: '7.1', prE3: '6.2' }));
    expect([contractPrices, notices]).toEqual([null, ['sin_precio_energia']]);
  });

  test('are not needed where no power is contracted', () => {
    const { contractPrices } = readInvoiceQr(address({ pP1: '0', pP2: '0', impPot: null }));
    expect(contractPrices?.powerEurPerKwDay).toEqual([null, null]);
  });
});

describe('A-78: the present prices are', () => {
  test.each<[string, string | null, boolean]>([
    ['A0', 'pvpc', false],
    ['B0', 'indexado', false],
    ['C0', 'indexado', false],
    ['D0', 'indexado', false],
    ['E0', 'fijo_tres_periodos', true],
    ['F', 'fijo_un_precio', true],
    ['e0', 'fijo_tres_periodos', true],
    ['G0', 'flexible', false],
    ['H0', 'tarifa_plana', false],
    ['Z0', null, false],
    ['', null, false],
  ])('of a contract of type %s: %s, known %s', (tc, kind, isKnown) => {
    const { contract, contractPrices, notices } = readInvoiceQr(address({ tc }));
    expect(contract.kind).toBe(kind);
    expect(contractPrices !== null).toBe(isKnown);
    expect(notices).toEqual(isKnown ? [] : ['precio_no_contractual']);
  });

  test('unknown with a monthly fee, because the code does not have its amount', () => {
    const { contract, contractPrices, notices } = readInvoiceQr(address({ tc: 'F1' }));
    expect([contract.hasMonthlyFee, contractPrices, notices]).toEqual([true, null, ['cuota_fija_desconocida']]);
  });

  test('one price in every period, where only one price is printed', () => {
    const { contractPrices } = readInvoiceQr(address({ prE2: null, prE3: null }));
    expect(contractPrices?.energyEurPerKwh).toEqual([0.12414, 0.12414, 0.12414]);
  });

  test('unknown without the price of a consumed period, and known without that of another', () => {
    const without = { tc: 'E0', prE3: null };
    expect(readInvoiceQr(address(without)).notices).toEqual(['sin_precio_energia']);
    const reading = readInvoiceQr(address({ ...without, caP3: '0' }));
    expect(reading.contractPrices?.energyEurPerKwh).toEqual([0.12414, 0.12414, null]);
  });

  test('those before a discount, with a notice', () => {
    expect(readInvoiceQr(address({ dto: '-3.1' })).notices).toEqual(['descuento_no_incluido']);
    expect(readInvoiceQr(address({ dto: '-3.1', tc: 'A0' })).notices).toEqual(['precio_no_contractual']);
  });
});

test('A-76: no text of an address is in the reading except the code of the retailer, which cannot hold a supply point', () => {
  const texts = ['cp', 'cups', 'com', 'tc', 'rev', 'verde', 'cambio', 'promo'];
  for (const name of texts) expect(JSON.stringify(readInvoiceQr(address({ [name]: CUPS })))).not.toContain('ES0021');
  expect(readInvoiceQr(address({ com: 'r2-1' })).contract.retailerCode).toBe('R2-1');
});
