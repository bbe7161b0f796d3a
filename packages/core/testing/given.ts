import { assert } from '../src/engine/errors.ts';
import { checkMembers } from '../src/engine/members.ts';
import { SUPPLY_TYPES, type SupplyType } from '../src/engine/offers/offer.ts';

// What an arbitrary would ignore, so that a law holds for other values than its author thinks.

/** @throws RangeError where an arbitrary is given more than it takes. */
export function takesNothing(name: string, given: readonly unknown[]): void {
  assert(given.length === 0, `${name} takes nothing: map or filter what it draws`);
}

/** @throws RangeError for anything but LUZ or GAS. */
export function checkSupply(name: string, supplyType: SupplyType): void {
  assert(SUPPLY_TYPES.includes(supplyType), `${name} takes LUZ or GAS`);
}

/** @throws RangeError for a field of an offer that a test cannot choose, and for one that is no arbitrary. */
export function checkShape(shape: object): void {
  const ofOffer = 'object';
  checkMembers('shape.', shape, {
    ...{ companyId: ofOffer, offerName: ofOffer, tariffType: ofOffer, isIndexed: ofOffer, isActive: ofOffer },
  });
}
