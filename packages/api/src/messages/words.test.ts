import { inWords, type Message, type MessageText, SPANISH, say } from '@tarifario/core/service';
import { describe, expect, it } from 'vitest';
import { answerTo } from '../errors.ts';
import { bodyIn, inLanguage, preferredLanguage } from './words.ts';

const namesIn = (text: string) => [...text.matchAll(/\{=?(\w+)\}/g)].map(([, name]) => name).toSorted();

describe('the messages', () => {
  it('A-95: have the same values in Spanish', () => {
    for (const [english, spanish] of Object.entries(SPANISH)) {
      expect(namesIn(spanish), english).toEqual(namesIn(english));
      expect(spanish).not.toMatch(/\{=|\s$|^\s|\.$/);
      expect(spanish).not.toBe(english);
    }
  });

  it.each<[Message, english: string, spanish: string]>([
    ['is missing', 'is missing', 'falta'],
    [
      say('the file cannot be read: {=why}', { why: 'it is an ODS spreadsheet: save it as XLSX' }),
      'the file cannot be read: it is an ODS spreadsheet: save it as XLSX',
      'no se puede leer el archivo: es una hoja de cálculo ODS: hay que guardarla como .xlsx',
    ],
    [
      say('{column}: {=message}', {
        column: 'e1',
        message: say('must be between {min} and {max} {unit}', { min: 0, max: 5, unit: 'EUR/kWh' }),
      }),
      'e1: must be between 0 and 5 EUR/kWh',
      'e1: tiene que estar entre 0 y 5 EUR/kWh',
    ],
    // A value stays as it is, whatever it says.
    [
      say('the sheet {sheet} would have more than {count} rows', { sheet: 'not found {count} $&', count: 7 }),
      'the sheet not found {count} $& would have more than 7 rows',
      'la hoja not found {count} $& tendría más de 7 filas',
    ],
  ])('A-95: %j is printed in both languages, and after it was stored', (message, english, spanish) => {
    for (const one of [message, JSON.parse(JSON.stringify(message))]) {
      expect(inWords(one)).toBe(english);
      expect(bodyIn({ message: one }, 'es')).toEqual({ message: spanish });
    }
  });

  it.each(['anything else', '', 'constructor', '__proto__'])('that are not ours stay as they are: %j', (text) => {
    expect(bodyIn({ detail: { message: text as MessageText } }, 'es')).toEqual({ detail: { message: text } });
  });
});

it('the condition of a rate is in the language of the answer', () => {
  expect(bodyIn({ condicion: 'the CPI of gas in June above 15 %' }, 'es').condicion).toBe(
    'el IPC del gas de junio por encima del 15 %',
  );
});

it('an answer in Spanish differs in its messages alone', () => {
  const body = {
    detail: {
      code: 'business_rule',
      message: 'the request breaks a rule',
      errors: [{ path: 'e1', error: 'must be text' }],
    },
    results: [{ id: 1, error: { code: 'not_found', message: 'not found', rows: [1, null] }, name: 'not found' }],
  };
  const answer = { headers: { 'X-Id': '1' }, body };
  expect(inLanguage(answer)).toBe(answer);
  expect(inLanguage(answer, 'es')).toEqual({
    headers: { 'X-Id': '1', 'Content-Language': 'es', Vary: 'Accept-Language' },
    body: {
      detail: {
        ...{ code: 'business_rule', message: 'la petición incumple una norma' },
        errors: [{ path: 'e1', error: 'tiene que ser un texto' }],
      },
      results: [
        { id: 1, error: { code: 'not_found', message: 'no se encuentra', rows: [1, null] }, name: 'not found' },
      ],
    },
  });
  expect(inLanguage(answerTo(new Error('x')), 'es').body).toEqual({
    detail: { code: 'internal_error', message: 'error interno' },
  });
});

it.each([
  ['es', true],
  ['es-ES,es;q=0.9,en;q=0.8', true],
  ['ES-419', true],
  ['fr, es;q=0.5', true],
  ['en-US,en;q=0.9,es;q=0.8', false],
  ['en;q=0.1, es;q=0.2', true],
  ['en, es', false],
  ['es;q=0', false],
  ['est', false],
  ['*', false],
  ['ca', false],
  ['', false],
  [';;;,,,q=', false],
  [null, false],
])('Accept-Language %j: Spanish is preferred: %s', (header, expected) => {
  expect(preferredLanguage(header) === 'es').toBe(expected);
});
