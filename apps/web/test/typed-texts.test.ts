import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addressWithoutCups,
  curveWithoutCups,
  searchWithoutCups,
  withoutCups,
  withoutCupsIn,
} from '../src/customer/cups.ts';
import { readNumber } from '../src/customer/numbers.ts';

/** The two letters that check the 16 digits of a supply point. */
function checkLetters(digits: string): string {
  const rest = Number(BigInt(digits) % 529n);
  return [Math.floor(rest / 23), rest % 23].map((at) => 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(at)).join('');
}

const LOCALES = { es: 'es-ES', en: 'en-GB' } as const;
const languages = fc.constantFrom('es', 'en');

it('A-104: a number is read as it is written in the language of the page, or called ambiguous', () => {
  const property = fc.property(
    languages,
    fc.integer({ min: -99_999_999, max: 99_999_999 }),
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom('', ' kWh', 'kW', ' €', ' €/kWh', ' días'),
    (language, digits, decimals, unit) => {
      const value = digits / 10 ** decimals;
      const text = value.toLocaleString(LOCALES[language], { useGrouping: 'always', maximumFractionDigits: decimals });
      const read = readNumber(text + unit, language);
      // One group of three and no decimals may be a fraction.
      const isAmbiguous = /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text) && Number.isInteger(value);
      expect(read).toBe(isAmbiguous ? (text.startsWith('-') ? read : 'ambiguous') : value);
      const plain = String(value).replace('.', language === 'es' ? ',' : '.');
      expect(readNumber(plain, language)).toBe(value);
    },
  );
  fc.assert(property, { seed: 104, numRuns: 2000 });
});

it.each([
  ['1.200,5', 'es', 1200.5],
  ['1 200', 'es', 1200],
  ['1200 kWh', 'es', 1200],
  ['1,200.5', 'en', 1200.5],
  ['1.200', 'es', 'ambiguous'],
  ['1.20.0', 'es', 'notNumber'],
  ['12 00', 'es', 'notNumber'],
  ['4600 W', 'es', 'notNumber'],
  ['19 c€', 'es', 'notNumber'],
] as const)('A-104: %s in %s is %s', (text, language, expected) => {
  expect(readNumber(text, language)).toBe(expected);
});

it('A-103: a supply point is taken out of a pasted text however it is written, and nothing else', () => {
  const digits = fc.stringMatching(/^0\d{15}$/);
  const letters = fc.option(fc.stringMatching(/^[A-Z]{2}$/), { nil: null });
  const gap = fc.constantFrom('', ' ', '-', '.');
  const property = fc.property(digits, letters, gap, fc.integer({ min: 0, max: 3 }), (number, two, between, times) => {
    // Without ES by the letters that check it; with ES by any.
    const ends = two === null ? [] : ['ES'];
    const cups = [...ends, ...(number.match(/.{4}/g) ?? []), two ?? checkLetters(number)].join(between);
    let address = `https://comparador.cnmc.gob.es/comparador/QRE?cp=28013&x=${cups}&pP1=4.6`;
    for (let time = 0; time < times; time++) address = encodeURIComponent(address);
    let left = addressWithoutCups(address.toLowerCase()) ?? '';
    for (let time = 0; time < 4; time++) left = decodeURIComponent(left);
    expect(left).not.toContain(number.slice(0, 12));
    expect(left.replaceAll(/\W/g, '')).not.toContain(number);
    expect(left).toContain('cp=28013');
    expect(withoutCups(`Contrato ${cups} de luz`)).toBe('Contrato  de luz');
  });
  fc.assert(property, { seed: 103, numRuns: 300 });
  const clean = 'https://comparador.cnmc.gob.es/comparador/QRE?cp=28013&cups=&pP1=4%2C6#a';
  expect(addressWithoutCups(clean)).toBe(clean.replace('cups=', ''));
});

it.each(['http://', '', '"https://', "'http://", '«', ' https:/'])(
  'A-103: an address that begins with %s is that of the code',
  (start) => {
    const rest = 'comparador.cnmc.gob.es/comparador/QRE?cp=28013';
    expect(addressWithoutCups(`${start}${rest}${start.trim() === start ? '' : '"'}`)).toBe(`https://${rest}`);
    expect(addressWithoutCups(`${start}example.com/comparador.cnmc.gob.es`)).toBe(null);
  },
);

it('A-103: of a pasted text the address alone is left, and of one without an address nothing', () => {
  const address = 'https://comparador.cnmc.gob.es/comparador/QRE?cp=28013&pP1=4.6';
  const text = (link: string) => `Titular: Ana Ruiz Gil, CUPS ES0021000000000001AB0F\n${link}\nCalle Mayor 1`;
  expect(addressWithoutCups(text(address))).toBe(address);
  expect(addressWithoutCups(text('https://example.com/'))).toBe(null);
  expect(addressWithoutCups(`ï»¿${address}`)).toBe(address);
  expect(addressWithoutCups(`Véase (${address}).`)).toBe(address);
  // Over lines, and with units.
  const wrapped = address.replace('&pP1=4.6', '&pP1=4.6 kW\n&imp=\n62.40');
  expect(addressWithoutCups(`${wrapped} Titular: Ana & Hijos`)).toBe(wrapped);
  // A sign that is no escape hides none.
  for (const cups of ['ES0021000000000001AB0F', 'ES 0021 0000 0000 0001 AB 0F']) {
    const whole = `${address}&cups=${cups}&x=${cups}&imp=1`;
    for (const link of [whole, encodeURIComponent(whole), `${address}&y=10%&x=${encodeURIComponent(cups)}`]) {
      const left = addressWithoutCups(`Descuento 10% ${link} IVA 21 %`) ?? '';
      expect(left.replaceAll(/\W|%20/g, '')).not.toMatch(/0021|IVA/);
      expect(left).toMatch(/pP1(=|%3D)4\.6/);
    }
  }
});

it('A-103: a curve has numbers in place of its supply points, the same for the same, and all else as it was', async () => {
  const of = (one: string, other: string) => `CUPS;Año;ES0\n${one};ñ€;1\n${other};x;2\n${one};y;3\n`;
  const curve = of('ES0021000000000001AB0F', 'es 0021 0000 0000 0002 AB');
  const expected = of('0000000000000000000001', '00 0000 0000 0000 0000 02');
  for (const encoding of ['utf8', 'latin1'] as const) {
    const cleaned = await curveWithoutCups(new Blob([Buffer.from(curve, encoding)]));
    expect(Buffer.from(await cleaned.arrayBuffer())).toEqual(Buffer.from(expected, encoding));
  }
});

it('A-103: a curve without ES before its supply point loses it too, and no hours that look like one', async () => {
  const digits = '0021000000000001';
  // 16 digits with the letters that check them, which are in several cells.
  const rows = (one: string) => `CUPS;Fecha;Hora\n${one};2026/03/01;01:00;0,512\n0021;0000;0000;0001;RK\n`;
  for (const one of [`${digits}RK`, `${digits}rk0F`, `0021 0000 0000 0001 RK`, '００２１００００００００００01ＲK']) {
    const cleaned = await curveWithoutCups(new Blob([rows(one)]));
    expect(await cleaned.text()).toMatch(
      /^CUPS;Fecha;Hora\n[0 ]+1;2026\/03\/01;01:00;0,512\n0021;0000;0000;0001;RK\n$/,
    );
  }
  const clean = rows(`${digits}AB`);
  expect(await (await curveWithoutCups(new Blob([clean]))).text()).toBe(clean);
});

it.each([
  'Contrato 1234567890123456 AB',
  'IBAN ES91 2100 0418 4502 0005 1332',
  'Tel. 600 123 456, 910 000 000 AM',
  'Oferta 2026 2027 de 12 meses',
  'Pedido 00210000000000012345',
  '0021000000000001AB',
])('A-103: %s has no supply point, and is sent as it is', (text) => {
  expect(withoutCups(text)).toBe(text);
  expect(withoutCupsIn({ nota: text })).toEqual({ nota: text });
});

it('A-103: a search sends nothing while a supply point is typed, with ES or without, and any name of an offer', () => {
  for (const cups of ['ES0021000000000001RK', '0021000000000001RK', '0021-0000-0000-0001 rk']) {
    const begun = Array.from(cups, (_, at) => cups.slice(0, at + 1)).filter(
      (text) => text.replaceAll(/\D/g, '').length > 7,
    );
    expect(begun.map(searchWithoutCups).filter((text) => text !== '')).toEqual([]);
    expect(searchWithoutCups(`Luz ${cups}`)).toBe('Luz');
  }
  for (const name of ['Luz 24h 2026', '0,12 y 0,13', '20262027', 'ES 2.0TD 123'])
    expect(searchWithoutCups(name)).toBe(name);
});

it('A-103: a supply point is taken out of each text of what is sent, over lines too, and of the name of a file', async () => {
  const cups = 'ES0021\n0000\t0000 0001AB';
  const sent = { nota: `a ${cups} b`, list: [{ name: cups }, 7, null], file: new File(['x'], `${cups}.xlsx`) };
  const { file, ...others } = withoutCupsIn(sent) as typeof sent;
  expect(others).toEqual({ nota: 'a  b', list: [{ name: '' }, 7, null] });
  expect([file.name, await file.text()]).toEqual(['.xlsx', 'x']);
});
