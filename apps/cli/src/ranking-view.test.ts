import { expect, test } from 'vitest';
import { formatWarnings, PLAIN, type WireRanking } from './ranking-view.ts';

test.each([
  [16.5, '! ssaa_mezclados: No es comparable (2 offers; the cheapest stays so up to 16.5 EUR/MWh)'],
  [null, '! ssaa_mezclados: No es comparable (2 offers)'],
])('A-115: a warning whose threshold is %s is %s', (umbral_eur_mwh, line) => {
  const warning = { codigo: 'ssaa_mezclados', mensaje: 'No es comparable', total: 2, offer_ids: [1, 2] } as const;
  const ranking = { avisos: [{ ...warning, offer_ids: [...warning.offer_ids], umbral_eur_mwh }] };
  expect(formatWarnings(ranking as WireRanking, PLAIN)).toEqual([line, '']);
});
