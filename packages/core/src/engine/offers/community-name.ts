import type { Community } from './offer.ts';

/** Names that differ from the id with a capital letter; the same in Spanish and English. */
const NAMES: Partial<Record<Community, string>> = {
  andalucia: 'Andalucía',
  aragon: 'Aragón',
  castilla_la_mancha: 'Castilla-La Mancha',
  castilla_y_leon: 'Castilla y León',
  cataluna: 'Cataluña',
  comunidad_valenciana: 'Comunidad Valenciana',
  la_rioja: 'La Rioja',
  pais_vasco: 'País Vasco',
};

/** The name of a community, as people read it. */
export const communityName = (community: Community): string =>
  NAMES[community] ?? community.charAt(0).toUpperCase() + community.slice(1);
