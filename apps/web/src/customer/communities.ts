import type { COMMUNITIES } from '@tarifario/core';

export type Community = (typeof COMMUNITIES)[number];

/** Names as they are written in both languages of the page. */
const NAMES: Partial<Record<Community, string>> = {
  aragon: 'Aragón',
  castilla_la_mancha: 'Castilla-La Mancha',
  castilla_y_leon: 'Castilla y León',
  cataluna: 'Cataluña',
  comunidad_valenciana: 'Comunidad Valenciana',
  la_rioja: 'La Rioja',
  pais_vasco: 'País Vasco',
  andalucia: 'Andalucía',
};

export const communityName = (community: Community): string =>
  NAMES[community] ?? community.charAt(0).toUpperCase() + community.slice(1);
