import fc, { type Arbitrary } from 'fast-check';
import { checkMembers } from '../src/engine/members.ts';
import { type Offer, type OfferWithHistory, SUPPLY_TYPES, type SupplyType } from '../src/engine/offers/offer.ts';
import { draftOffer } from '../src/engine/offers/offer-changes.ts';
import type { PerPeriod } from '../src/engine/periods.ts';
import {
  arbitraryElectricityOffer,
  arbitraryGasOffer,
  arbitraryHistory,
  type OfferShape,
  printedShort,
} from './arbitrary-offers.ts';
import { FEW, SHRINKING_ACROSS } from './arbitrary-values.ts';
import { checkSupply, takesNothing } from './given.ts';

/** Changes too small to show on a bill: what makes near ties. */
const NUDGES = [0, 0, 0, 5e-324, 1e-16, 1e-12, 4.9e-10, 5e-10, 1e-7] as const;

function nudged(price: number | null, nudge: number): number | null {
  return price === null ? null : Math.min(price + nudge, 1);
}

interface Copying {
  /** Which offer's money terms this one repeats: 0 is the one before it in the list, 1 the one before that. */
  readonly back: number;
  readonly nudge: number;
  readonly copiesPrices: boolean;
  readonly copiesCommission: boolean;
}

/** `offer` with money terms of `other`: nearly the same prices, the same commission. */
function resemble(offer: Offer, other: Offer, { nudge, copiesPrices, copiesCommission }: Copying): Offer {
  if (offer.supplyType === 'LUZ' && other.supplyType === 'LUZ') {
    const [first, ...rest] = other.energyEurPerKwh;
    const { powerEurPerKwDay, servicesEurPerMonth, hasSolarPanels, surplusEurPerKwh, surplusIndex } = other;
    const { commissionValue, commissionType, consumptionTiers, powerTiers } = other;
    const energyEurPerKwh: PerPeriod<number | null> = [nudged(first, nudge), ...rest];
    return {
      ...offer,
      ...(copiesPrices && { energyEurPerKwh, powerEurPerKwDay, servicesEurPerMonth }),
      ...(copiesPrices && { hasSolarPanels, surplusEurPerKwh, surplusIndex }),
      ...(copiesCommission ? { commissionValue, commissionType, consumptionTiers, powerTiers } : {}),
    };
  }
  if (offer.supplyType === 'GAS' && other.supplyType === 'GAS') {
    const { gasFixedEurPerMonth, servicesEurPerMonth, commissionValue, commissionType, consumptionTiers } = other;
    const gasEnergyEurPerKwh = nudged(other.gasEnergyEurPerKwh, nudge);
    return {
      ...offer,
      ...(copiesPrices ? { gasEnergyEurPerKwh, gasFixedEurPerMonth, servicesEurPerMonth } : {}),
      ...(copiesCommission ? { commissionValue, commissionType, consumptionTiers } : {}),
    };
  }
  return offer;
}

/**
 * Offers that compete for one customer: one supply type, distinct ids in no order, five companies, few tariff types
 * and many near ties: equal prices, prices a rounding error apart, missing prices, equal commissions.
 */
export function arbitraryUniverse(
  options: { readonly supplyType?: SupplyType; readonly maxLength?: number } = {},
): Arbitrary<readonly OfferWithHistory[]> {
  checkMembers('the options of arbitraryUniverse.', options, { supplyType: 'text', maxLength: 'number' });
  const { supplyType, maxLength = 25 } = options;
  if (supplyType !== undefined) checkSupply('arbitraryUniverse', supplyType);
  const shape: OfferShape = {
    isIndexed: fc.constant(false),
    isActive: fc.constant(true),
  };
  const copying = fc.record({
    back: fc.nat({ max: 2 }),
    nudge: fc.constantFrom(...NUDGES),
    copiesPrices: fc.boolean(),
    copiesCommission: fc.boolean(),
  });
  const ofSupply = (supply: SupplyType) => {
    const one = supply === 'LUZ' ? arbitraryElectricityOffer(shape) : arbitraryGasOffer(shape);
    // An offer is indexed where a history is drawn: drawing one for each that has none takes longer than all else.
    const history = fc.oneof(
      SHRINKING_ACROSS,
      { weight: 3, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: arbitraryHistory(supply) },
    );
    const entry = fc.tuple(one, history).map(([offer, months]): OfferWithHistory => {
      return { offer: { ...offer, isIndexed: months !== null }, months: months ?? [] };
    });
    return fc.uniqueArray(fc.tuple(entry, copying), { selector: ([{ offer }]) => offer.id, maxLength }).map((pairs) =>
      pairs.map(([{ offer, months }, copy], index) => {
        // Counted from its own place: taking out an offer before both changes nothing.
        const other = pairs[index - 1 - copy.back]?.[0].offer ?? offer;
        return { offer: printedShort(resemble(offer, other, copy)), months };
      }),
    );
  };
  return supplyType === undefined ? fc.oneof(...SUPPLY_TYPES.map(ofSupply)) : ofSupply(supplyType);
}

const CREATED = '2020-01-01T00:00:00.000Z';

/**
 * Up to five offers that differ only in id, price of energy and commission, each one of ten numbers: for laws about an
 * order. A false one shrinks there in at most 144 steps: a step takes an offer away, or makes a number less. The prices
 * of `arbitraryUniverse` may go down together, a step for each millionth of a EUR.
 */
export function arbitrarySmallUniverse(
  supplyType: SupplyType,
  ...none: never[]
): Arbitrary<readonly OfferWithHistory[]> {
  checkSupply('arbitrarySmallUniverse', supplyType);
  takesNothing('arbitrarySmallUniverse of a supply', none);
  const numbers = fc.record({ id: fc.integer({ min: 1, max: 9 }), cents: FEW, commission: FEW });
  return fc.uniqueArray(numbers, { selector: ({ id }) => id, maxLength: 5 }).map((list) =>
    list.map(({ id, cents, commission }) => {
      const price = cents / 100;
      const prices =
        supplyType === 'LUZ' ? { energyEurPerKwh: [price] } : { gasEnergyEurPerKwh: price, gasFixedEurPerMonth: 0 };
      const required = {
        companyId: 1,
        offerName: 'Tarifa',
        supplyType,
        tariffType: supplyType === 'LUZ' ? '2.0TD' : 'RL.1',
      };
      const terms = draftOffer(required, {
        ...prices,
        commissionValue: commission * 10,
        accepts: { dni: true },
        territories: { peninsula: true },
      }).terms;
      return { offer: printedShort({ ...terms, id, createdAt: CREATED, updatedAt: CREATED }), months: [] };
    }),
  );
}
