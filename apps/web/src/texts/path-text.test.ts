import { expect, test } from 'vitest';
import { pathText } from './path-text.ts';
import { TRANSLATIONS } from './texts.ts';

test.each([
  ['energia.e1', 'Energía consumida P1'],
  ['potencia.p2', 'Potencia contratada P2'],
  ['periodos.0.maximos.p2', 'Línea 1 P2'],
  ['contrato_actual.e1', 'Contrato actual Precio de la energía P1'],
  ['contrato_actual.p1', 'Contrato actual Precio de la potencia P1'],
  ['contrato_actual.gas_fixed', 'Contrato actual Término fijo'],
  ['supply_type', 'Suministro'],
  ['file', 'Archivo'],
  ['tolerancia', ''],
])('the place %s of a refusal is %j in words', (path, text) => {
  expect(pathText(path, TRANSLATIONS.es)).toBe(text);
});
