import { bitsOfList, COMMUNITIES, type Community } from '@tarifario/core/service';

/** Communities as they are stored: a bit each, in the order of `COMMUNITIES`. */
export function bitsOf(communities: readonly Community[]): number {
  return bitsOfList(communities, COMMUNITIES);
}

export function communitiesOf(bits: number): readonly Community[] {
  return bits === 0 ? [] : COMMUNITIES.filter((_, index) => (bits & (1 << index)) !== 0);
}

/** The same communities in the order in which they are read. */
export function inOrder(communities: readonly Community[]): readonly Community[] {
  return communities.length < 2 ? communities : communitiesOf(bitsOf(communities));
}
