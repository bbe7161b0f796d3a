import {
  type Customer,
  calculationPeriod,
  defineCustomer,
  type OfferWithHistory,
  type PerPeriod,
  type PresentContract,
  type ProfileEntry,
  perPeriod,
  profileTotals,
  type RankingRequest,
  type SupplyType,
  YEAR,
} from '@tarifario/core/service';
import { arbitraryCustomer, arbitraryRequest, arbitraryUniverse, arbitraryWeight } from '@tarifario/core/testing';
import fc, { type Arbitrary } from 'fast-check';
import { electricityOffer, flatOffer, requestOf, withoutHistory } from './simple-offers.ts';

export const WEIGHT = arbitraryWeight();

/** A question about a universe of its supply; some of the offers are inactive, most have all their prices. */
export interface Question {
  readonly entries: readonly OfferWithHistory[];
  readonly request: RankingRequest;
}

export function arbitraryQuestion(maxLength = 25): Arbitrary<Question> {
  return fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
    fc.record({
      entries: arbitraryUniverse({ supplyType, maxLength }).map((entries) => entries.map(varied)),
      request: maybeProfiled(supplyType, arbitraryRequest(supplyType).chain(advised)),
    }),
  );
}

/** Parts of a period, in any order; entries of one month are common. */
export function arbitraryProfile(supplyType: SupplyType): Arbitrary<readonly ProfileEntry[]> {
  const quantities = arbitraryCustomer(supplyType).map((customer) => {
    const consumed = customer.supplyType === 'GAS' ? [customer.consumptionKwh] : customer.consumptionKwh;
    const exported = customer.supplyType === 'GAS' ? 0 : customer.exportedKwh;
    // So much less that the sum of twelve is within bounds.
    return { consumptionKwh: consumed.map((kwh) => kwh / 16), exportedKwh: exported / 16 };
  });
  const month = fc.option(fc.integer({ min: 1, max: 12 }), { nil: null });
  const hours = supplyType === 'GAS' ? fc.constant({}) : arbitraryHours();
  const entry = fc.tuple(month, fc.constantFrom(1, 28, 30, 31, 32, 91), quantities, hours);
  return fc.array(
    entry.map(([named, days, kwh, { year, ...read }]: [number | null, number, Quantities, HoursRead]) => ({
      ...{ month: named, days, ...kwh, ...read },
      ...(named !== null && year !== undefined && { year }),
    })),
    { minLength: 1, maxLength: 12 },
  );
}

type Quantities = Pick<ProfileEntry, 'consumptionKwh' | 'exportedKwh'>;
type HoursRead = Pick<ProfileEntry, 'year' | 'indices'>;

const DIFFERENCE = fc.constantFrom(null, 0, 0.0125, -0.03, 0.05);

/** What a curve says of two indices, of which some numbers may be missing; half of the entries have none. */
export function arbitraryHours(): Arbitrary<HoursRead> {
  const said = fc.record({
    differences: sixOf(fc.oneof({ weight: 9, arbitrary: fc.constant(0.01) }, { weight: 1, arbitrary: DIFFERENCE })),
    surplus: fc.constantFrom(null, 0, 0.04, -0.01),
  });
  const indices = fc.record({ PVPC: said, OMIE: said }, { requiredKeys: [] });
  return fc.oneof(fc.constant({}), fc.record({ indices, year: fc.constantFrom(2025, 2026) }));
}

/** One request in four has a profile. */
function maybeProfiled(supplyType: SupplyType, requests: Arbitrary<RankingRequest>): Arbitrary<RankingRequest> {
  const withProfile = fc.tuple(requests, arbitraryProfile(supplyType)).map(([request, profile]) => {
    const period = calculationPeriod({ days: profileTotals(profile).days });
    return { ...request, customer: profiledCustomer(request.customer, profile), period, month: null };
  });
  return fc.oneof({ weight: 3, arbitrary: requests }, { weight: 1, arbitrary: withProfile });
}

/** The customer with a profile: consumption and surplus are those of its entries. */
export function profiledCustomer(customer: Customer, profile: readonly ProfileEntry[]): Customer {
  return defineCustomer(
    customer.supplyType === 'GAS'
      ? { supplyType: 'GAS', profile }
      : { supplyType: 'LUZ', powerKw: customer.powerKw, profile },
  );
}

const PRICE = fc.constantFrom(null, 0, 0.05, 0.15, -0.02);

/** The same request with a present contract, some of whose prices are missing, or a tolerance; half of them with neither. */
function advised(request: RankingRequest): Arbitrary<RankingRequest> {
  const services = fc.constantFrom(null, 0, 3.5);
  const prices = sixOf(fc.oneof({ weight: 6, arbitrary: fc.constant(0.12) }, { weight: 1, arbitrary: PRICE }));
  const contract: Arbitrary<PresentContract> =
    request.customer.supplyType === 'LUZ'
      ? fc.record({
          supplyType: fc.constant('LUZ' as const),
          energyEurPerKwh: prices,
          powerEurPerKwDay: prices,
          servicesEurPerMonth: services,
          surplusEurPerKwh: PRICE,
        })
      : fc.record({
          supplyType: fc.constant('GAS' as const),
          gasEnergyEurPerKwh: PRICE,
          gasFixedEurPerMonth: PRICE,
          servicesEurPerMonth: services,
        });
  const whole = fc.record({ totalEur: fc.constantFrom(0, 100.0000005, 1e9) });
  const advice = fc.record({
    tolerance: fc.option(fc.constantFrom(0, 0.5, 1, 3, 100), { nil: null, freq: 2 }),
    contract: fc.option(fc.oneof(contract, whole), { nil: null, freq: 2 }),
  });
  return advice.map((asked) => ({ ...request, ...asked }));
}

/** One offer in eight is inactive; two in three have every price, also one for surplus without panels. */
function varied({ offer, months }: OfferWithHistory): OfferWithHistory {
  const isActive = offer.id % 8 !== 0;
  if (offer.supplyType === 'GAS' || offer.id % 3 === 0) return { offer: { ...offer, isActive }, months };
  return {
    offer: {
      ...offer,
      isActive,
      energyEurPerKwh: perPeriod((i) => offer.energyEurPerKwh[i] ?? 0.15),
      powerEurPerKwDay: perPeriod((i) => offer.powerEurPerKwDay[i] ?? 0.04),
      surplusEurPerKwh: offer.surplusEurPerKwh ?? 0.07,
    },
    months,
  };
}

/**
 * Offers that cost and pay small whole numbers of euros for `ONE_MWH`: doubles hold their order without a doubt, so
 * laws hold to the letter, and ties are common.
 */
export function arbitraryFlatUniverse(options: { readonly maxLength?: number; readonly maxEur?: number } = {}) {
  const { maxLength = 20, maxEur = 12 } = options;
  const euros = fc.integer({ min: 0, max: maxEur });
  return fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 1000 }), euros, euros), { selector: ([id]) => id, maxLength })
    .map((rows) => withoutHistory(rows.map(([id, costEur, commissionEur]) => flatOffer(id, costEur, commissionEur))));
}

const PAIR = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }));

/**
 * Offers that hardly differ, for `ONE_MWH`: a few millionths of a euro from each other, on one line, equal in
 * one figure or in both, beside one so far away that their scores become one by rounding, on top of sums so large that
 * doubles hold their millionths no more.
 */
export function arbitraryNearTies(maxLength = 40): Arbitrary<readonly OfferWithHistory[]> {
  return fc
    .record({
      pairs: fc.array(PAIR, { minLength: 1, maxLength }),
      shape: fc.constantFrom('scattered', 'line', 'same cost', 'same pay', 'same'),
      stepEur: fc.constantFrom(1e-6, 1e-6, 3e-6, 0.01, 1),
      nudges: fc.array(fc.constantFrom(0, 0, 1e-6, -1e-6), { minLength: maxLength, maxLength }),
      baseEur: fc.constantFrom(0, 100, 1e6, 6e10),
      far: fc.constantFrom(0, 0, 1, 1e3, 6e10),
    })
    .map(({ pairs, shape, stepEur, nudges, baseEur, far }) => {
      const offers = pairs.map(([a, b], i) => {
        const cost = shape === 'same cost' || shape === 'same' ? 7 : a;
        const pay = { scattered: b, line: a, 'same cost': b, 'same pay': 7, same: 7 }[shape];
        const nudge = shape === 'line' ? (nudges[i] ?? 0) : 0;
        return flatOffer(((i * 7919) % 1009) + 1, baseEur + cost * stepEur, baseEur + pay * stepEur + nudge);
      });
      return withoutHistory(far === 0 ? offers : [...offers, flatOffer(2000, baseEur + far, baseEur + far / 3)]);
    });
}

function sixOf<T>(arbitrary: Arbitrary<T>): Arbitrary<PerPeriod<T>> {
  return fc.tuple(arbitrary, arbitrary, arbitrary, arbitrary, arbitrary, arbitrary);
}

/** EUR in whole millionths, EUR per MWh in whole thousandths, kWh and kW in halves. */
const MILLIONTHS = fc.integer({ min: 0, max: 400_000 }).map((count) => count / 1e6);
const THOUSANDTHS = fc.integer({ min: 0, max: 90_000 }).map((count) => count / 1e3);
const halves = (max: number) => fc.integer({ min: 0, max }).map((count) => count / 2);

/**
 * Half kilowatt hours at prices of six decimals: every other sum is at half a millionth, where the last bit decides
 * which millionth it is. The same numbers added in another order give other figures.
 */
export function arbitraryHalves(maxLength = 25): Arbitrary<Question> {
  const offer = fc
    .record({
      energyEurPerKwh: sixOf(MILLIONTHS),
      powerEurPerKwDay: sixOf(MILLIONTHS),
      servicesEurPerMonth: fc.oneof(fc.constant(0), MILLIONTHS),
      surplusEurPerKwh: MILLIONTHS,
      perMwh: THOUSANDTHS,
      perKw: MILLIONTHS,
    })
    .map(({ perMwh, perKw, ...prices }) => ({
      ...prices,
      consumptionTiers: [{ from: 0, to: null, value: perMwh, type: 'per_mwh' as const }],
      powerTiers: [{ from: 0, to: null, value: perKw, type: 'per_kw' as const }],
    }));
  return fc
    .record({
      offers: fc.array(offer, { minLength: 1, maxLength }),
      // Sums of some cents have bits that are lost in larger ones.
      quantities: fc
        .constantFrom([3, 0], [40, 1], [9001, 60])
        .chain(([kwh = 0, kw = 0]) =>
          fc.record({ consumptionKwh: sixOf(halves(kwh)), powerKw: sixOf(halves(kw)), exportedKwh: halves(kwh) }),
        ),
      fee: fc.constantFrom(0, 7.5, 10),
    })
    .map(({ offers, quantities, fee }) => ({
      entries: withoutHistory(
        offers.map((fields, i) => electricityOffer({ id: i + 1, hasSolarPanels: i % 2 === 0, ...fields })),
      ),
      request: requestOf({
        customer: { supplyType: 'LUZ', ...quantities },
        period: YEAR,
        fees: { energyEurPerMwh: fee, powerEurPerMwh: 10 - fee },
      }),
    }));
}
