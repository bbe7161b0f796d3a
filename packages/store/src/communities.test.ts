import { COMMUNITIES } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { bitsOf, communitiesOf } from './communities.ts';

test('The bits of communities are those of existing databases', () => {
  const stored =
    'andalucia aragon asturias baleares canarias cantabria castilla_la_mancha castilla_y_leon cataluna ceuta ' +
    'comunidad_valenciana extremadura galicia la_rioja madrid melilla murcia navarra pais_vasco';
  const bits = stored.split(' ').map((name, index) => [name, 1 << index]);
  expect(COMMUNITIES.map((name) => [name, bitsOf([name])])).toEqual(bits);
  expect(communitiesOf(2 ** COMMUNITIES.length - 1)).toEqual(COMMUNITIES);
});
