import { COMMUNITIES, type Community } from '@tarifario/core/service';

/** Listed explicitly, so that adding a community does not change the bits of the others. */
const COMMUNITY_BITS: Readonly<Record<Community, number>> = {
  andalucia: 1 << 0,
  aragon: 1 << 1,
  asturias: 1 << 2,
  baleares: 1 << 3,
  canarias: 1 << 4,
  cantabria: 1 << 5,
  castilla_la_mancha: 1 << 6,
  castilla_y_leon: 1 << 7,
  cataluna: 1 << 8,
  ceuta: 1 << 9,
  comunidad_valenciana: 1 << 10,
  extremadura: 1 << 11,
  galicia: 1 << 12,
  la_rioja: 1 << 13,
  madrid: 1 << 14,
  melilla: 1 << 15,
  murcia: 1 << 16,
  navarra: 1 << 17,
  pais_vasco: 1 << 18,
};

export function communityBit(community: Community): number {
  return COMMUNITY_BITS[community];
}

export function bitsOf(communities: readonly Community[]): number {
  return communities.reduce((bits, community) => bits | COMMUNITY_BITS[community], 0);
}

/** The same communities in the order in which they are read. */
export function inOrder(communities: readonly Community[]): readonly Community[] {
  return communities.length < 2 ? communities : communitiesOf(bitsOf(communities));
}

export function communitiesOf(bits: number): readonly Community[] {
  return bits === 0 ? [] : COMMUNITIES.filter((community) => (bits & COMMUNITY_BITS[community]) !== 0);
}
