import { COMMUNITIES, type Community, type Territory } from '../offers/offer.ts';
import { territoryOf } from '../offers/places.ts';

/** Communities by the provinces that the first two digits of a postcode name. */
const PROVINCES: Readonly<Record<Community, string>> = {
  andalucia: '04 11 14 18 21 23 29 41',
  aragon: '22 44 50',
  asturias: '33',
  baleares: '07',
  canarias: '35 38',
  cantabria: '39',
  castilla_la_mancha: '02 13 16 19 45',
  castilla_y_leon: '05 09 24 34 37 40 42 47 49',
  cataluna: '08 17 25 43',
  ceuta: '51',
  comunidad_valenciana: '03 12 46',
  extremadura: '06 10',
  galicia: '15 27 32 36',
  la_rioja: '26',
  madrid: '28',
  melilla: '52',
  murcia: '30',
  navarra: '31',
  pais_vasco: '01 20 48',
};

/** The place of a postcode; `null` for a text that is no postcode of a Spanish province. */
export function placeOfPostcode(
  postcode: string,
): { readonly territory: Territory; readonly community: Community } | null {
  if (!/^\d{5}$/.test(postcode)) return null;
  const province = postcode.slice(0, 2);
  const community = COMMUNITIES.find((each) => PROVINCES[each].split(' ').includes(province));
  return community === undefined ? null : { territory: territoryOf(community), community };
}
