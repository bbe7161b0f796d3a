import { TarifarioError } from '@tarifario/client';
import { expect, it } from 'vitest';
import { TRANSLATIONS } from '../texts/texts.ts';
import { maximaIn, pastedMaxima, refusedMaxima } from './maxima.ts';

it('maxima are those of the rows that have any, of the year only where no month has', () => {
  const year = { 'maximos.0.p1': '3,4', 'maximos.0.p2': '2,8' };
  expect(maximaIn(year, '2.0TD', 'es')).toEqual({
    entries: [{ dias: 365, maximos: { p1: 3.4, p2: 2.8 } }],
    faults: {},
  });
  const months = { ...year, 'maximos.1.p1': '3,21', 'maximos.1.p2': ' ', 'maximos.2.p2': '2.9', 'maximos.3.p5': '9' };
  expect(maximaIn(months, '2.0TD', 'es').entries).toEqual([
    { mes: 1, dias: 31, maximos: { p1: 3.21 } },
    { mes: 2, dias: 28, maximos: { p2: 2.9 } },
  ]);
});

it('a maximum that is no number is said at its cell', () => {
  const { faults } = maximaIn({ 'maximos.2.p1': 'dos' }, '2.0TD', 'es');
  expect(Object.entries(faults).map(([name, fault]) => `${name}: ${fault(TRANSLATIONS.es)}`)).toEqual([
    'maximos.2.p1: Escriba un número, p. ej. 1200 o 4,6',
  ]);
});

it('a maximum that the service refuses is said at its cell, with its month and period', () => {
  const errors = [{ path: 'periodos.1.maximos.p2', error: 'tiene que estar entre 0 y 100' }];
  const error = new TarifarioError('business_rule', {
    ...{ message: '', detail: { code: 'business_rule', message: '', errors } },
    response: new Response(null, { status: 422 }),
  });
  const { entries } = maximaIn({ 'maximos.3.p1': '2', 'maximos.4.p2': '500' }, '2.0TD', 'es');
  const faults = Object.entries(refusedMaxima(error, entries));
  expect(faults.map(([name, fault]) => `${name}: ${fault(TRANSLATIONS.es)}`)).toEqual([
    'maximos.4.p2: abril P2: tiene que estar entre 0 y 100',
  ]);
});

it('cells of a spreadsheet are pasted from a cell on, and not beyond the table', () => {
  expect(pastedMaxima('3,1\t2,2\tx\r\n-\t2,3\r\n', '2.0TD', { row: 11, period: 'p1' })).toEqual({
    ...{ 'maximos.11.p1': '3,1', 'maximos.11.p2': '2,2', 'maximos.12.p1': '', 'maximos.12.p2': '2,3' },
  });
  expect(pastedMaxima('1\n2\n3', '2.0TD', { row: 12, period: 'p2' })).toEqual({ 'maximos.12.p2': '1' });
  expect(pastedMaxima('3,1', '2.0TD', { row: 1, period: 'p1' })).toBeNull();
});
