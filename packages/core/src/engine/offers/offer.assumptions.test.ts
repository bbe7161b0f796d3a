import { COMMUNITIES, TERRITORIES } from '@tarifario/core';
import { expect, test } from 'vitest';

test('A-31: the communities and the territories are these and no others', () => {
  expect(COMMUNITIES.join(' ')).toBe(
    'andalucia aragon asturias baleares canarias cantabria castilla_la_mancha castilla_y_leon cataluna ceuta ' +
      'comunidad_valenciana extremadura galicia la_rioja madrid melilla murcia navarra pais_vasco',
  );
  expect(TERRITORIES).toEqual(['peninsula', 'canarias', 'baleares', 'ceuta_melilla']);
});
