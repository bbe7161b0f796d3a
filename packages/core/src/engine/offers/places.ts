import type { Issue } from '../errors.ts';
import { say } from '../messages/message.ts';
import type { Community, Territory } from './offer.ts';

/** All other communities are on the mainland. */
const TERRITORIES: Readonly<Partial<Record<Community, Territory>>> = {
  baleares: 'baleares',
  canarias: 'canarias',
  ceuta: 'ceuta_melilla',
  melilla: 'ceuta_melilla',
};

/** The territory of a community. */
export function territoryOf(community: Community): Territory {
  return TERRITORIES[community] ?? 'peninsula';
}

/** An issue at `community` where it is not in the territory; `null` is in every territory. */
export function misplacedCommunity(territory: Territory | null, community: Community | null): readonly Issue[] {
  if (territory === null || community === null || territoryOf(community) === territory) return [];
  return [{ path: 'community', message: say('{community} is not in {territory}', { community, territory }) }];
}
