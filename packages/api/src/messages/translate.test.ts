import { REFUSAL_CODES } from '@tarifario/core/service';
import { describe, expect, it } from 'vitest';
import { answerTo, DEFAULT_MESSAGES } from '../errors.ts';
import { SPANISH } from './spanish.ts';
import { bodyInSpanish, inSpanish, prefersSpanish } from './translate.ts';

const namesIn = (text: string) => [...text.matchAll(/\{=?(\w+)\}/g)].map(([, name]) => name).toSorted();

describe('the messages', () => {
  it('A-95: of every code have a text in both languages', () => {
    const untold = REFUSAL_CODES.filter((code) => inSpanish(DEFAULT_MESSAGES[code]) === null);
    expect(untold).toEqual([]);
    expect(inSpanish('internal error')).toBe('error interno');
  });

  it('have the same values in Spanish', () => {
    for (const [english, spanish] of Object.entries(SPANISH)) {
      expect(namesIn(spanish), english).toEqual(namesIn(english));
      expect(spanish).not.toMatch(/\{=|\s$|^\s|\.$/);
      expect(spanish).not.toBe(english);
    }
  });

  it('are recognised with values in them, and never as another message', () => {
    for (const [english, spanish] of Object.entries(SPANISH)) {
      const inner = new Set([...english.matchAll(/\{=(\w+)\}/g)].map(([, name]) => name));
      const filled = (text: string, message: string) =>
        text.replaceAll(/\{=?(\w+)\}/g, (_all, name) => (inner.has(name) ? message : `<${name}>`));
      expect(inSpanish(filled(english, 'not found'))).toBe(filled(spanish, 'no se encuentra'));
    }
  });

  it('that contain others are translated completely', () => {
    expect(inSpanish('the file cannot be read: it is an ODS spreadsheet: save it as XLSX')).toBe(
      'no se puede leer el archivo: es una hoja de cálculo ODS: hay que guardarla como .xlsx',
    );
    expect(inSpanish('is not allowed for GAS: its kWh go into consumo_gas')).toBe(
      'no se admite para GAS: sus kWh van en consumo_gas',
    );
    expect(inSpanish('e1: must be between 0 and 5 EUR/kWh')).toBe('e1: tiene que estar entre 0 y 5 EUR/kWh');
    expect(inSpanish('row 7, column 3 (AE_kWh): must be kWh from 0 to 100, such as 0,123')).toBe(
      'fila 7, columna 3 (AE_kWh): tienen que ser kWh de 0 a 100, como 0,123',
    );
  });

  it.each([
    'anything else',
    'e1: anything else',
    '',
    'must be at least ',
    'constructor',
    '__proto__',
    'x: '.repeat(9_000),
  ])('that are not ours stay as they are: %.20j', (text) => {
    expect(inSpanish(text)).toBeNull();
    expect(bodyInSpanish({ detail: { message: text } })).toEqual({ detail: { message: text } });
  });
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
  expect(bodyInSpanish(body)).toEqual({
    detail: {
      ...{ code: 'business_rule', message: 'la petición incumple una norma' },
      errors: [{ path: 'e1', error: 'tiene que ser un texto' }],
    },
    results: [{ id: 1, error: { code: 'not_found', message: 'no se encuentra', rows: [1, null] }, name: 'not found' }],
  });
  expect(bodyInSpanish(answerTo(new Error('x')).body)).toEqual({
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
  expect(prefersSpanish(header)).toBe(expected);
});
