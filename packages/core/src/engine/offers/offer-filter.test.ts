import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import { describe, expect, test } from 'vitest';
import { COMMUNITIES, CUSTOMER_TYPES, type Offer, TERRITORIES } from './offer.ts';
import {
  ANY_COMPANY,
  anyOffer,
  filterVerdict,
  matchesCompany,
  matchesFilter,
  type OfferFilter,
} from './offer-filter.ts';

function matches(offer: Offer, filter: Partial<OfferFilter>): boolean {
  return matchesFilter(offer, { ...anyOffer(offer.supplyType), ...filter });
}

test('an offer matches its own supply only, and without further filters it always does', () => {
  expect(matches(electricityOffer({ id: 1 }), {})).toBe(true);
  expect(matches(gasOffer({ id: 1 }), {})).toBe(true);
  expect(matches(electricityOffer({ id: 1 }), { supplyType: 'GAS' })).toBe(false);
  expect(matches(gasOffer({ id: 1 }), { supplyType: 'LUZ' })).toBe(false);
});

test('A-04: the access tariff is matched exactly', () => {
  const offer = electricityOffer({ id: 1, tariffType: '3.0TD' });
  expect(matches(offer, { tariffType: '3.0TD' })).toBe(true);
  for (const tariffType of ['3.0td', '3.0TDVE', '3.0', ''])
    expect(matches(offer, { tariffType }), tariffType).toBe(false);
});

test('A-31: a territory or a kind of customer is matched by its own flag', () => {
  for (const territory of TERRITORIES) {
    const none = { peninsula: false, canarias: false, baleares: false, ceuta_melilla: false };
    const only = electricityOffer({ id: 1, territories: { ...none, [territory]: true } });
    expect(TERRITORIES.filter((candidate) => matches(only, { territory: candidate }))).toEqual([territory]);
  }
  for (const customerType of CUSTOMER_TYPES) {
    const only = gasOffer({ id: 1, accepts: { dni: false, cif: false, cdad: false, [customerType]: true } });
    expect(CUSTOMER_TYPES.filter((candidate) => matches(only, { customerType: candidate }))).toEqual([customerType]);
  }
});

test('A-31: a community matches when an offer names it or names none', () => {
  const free = electricityOffer({ id: 1, communities: [] });
  const bound = electricityOffer({ id: 1, communities: ['galicia', 'madrid'] });
  expect(COMMUNITIES.every((community) => matches(free, { community }))).toBe(true);
  expect(COMMUNITIES.filter((community) => matches(bound, { community }))).toEqual(['galicia', 'madrid']);
});

test('A-32: balancing services are matched exactly; an offer with null matches neither', () => {
  const answers = [true, false, null].map((ssaaIncluded) =>
    [true, false, null].map((wanted) => matches(electricityOffer({ id: 1, ssaaIncluded }), { ssaaIncluded: wanted })),
  );
  expect(answers).toEqual([
    [true, false, true],
    [false, true, true],
    [false, false, true],
  ]);
});

test('A-31: panels true selects offers with them, false those without; gas has none', () => {
  const answers = [
    electricityOffer({ id: 1, hasSolarPanels: true }),
    electricityOffer({ id: 1 }),
    gasOffer({ id: 1 }),
  ].map((offer) => [true, false, null].map((hasSolarPanels) => matches(offer, { hasSolarPanels })));
  expect(answers).toEqual([
    [true, false, true],
    [false, true, true],
    [false, true, true],
  ]);
});

describe('A-126: a filter on terms', () => {
  test.each([
    [{ maxPermanenceMonths: 12 }, { permanenceMonths: 12 }, true],
    [{ maxPermanenceMonths: 12 }, { permanenceMonths: 13 }, false],
    [{ maxPermanenceMonths: 0 }, { permanenceMonths: 0 }, true],
    [{ maxPermanenceMonths: 60 }, { permanenceMonths: null }, null],
    [{ minFixedPriceMonths: 12 }, { fixedPriceMonths: 12 }, true],
    [{ minFixedPriceMonths: 12 }, { fixedPriceMonths: 11 }, false],
    [{ minFixedPriceMonths: 1 }, { fixedPriceMonths: null }, null],
    [{ isGreen: true }, { isGreen: true }, true],
    [{ isGreen: true }, { isGreen: false }, false],
    [{ isGreen: false }, { isGreen: false }, true],
    [{ isGreen: false }, { isGreen: null }, null],
    [{ isGreen: true, maxPermanenceMonths: 12 }, { permanenceMonths: 12 }, null],
    [{ isGreen: true, maxPermanenceMonths: 12 }, { permanenceMonths: 13 }, false],
    [{ isGreen: true, tariffType: '6.1TD' }, {}, false],
    [{}, {}, true],
  ] as const)('%j of an offer with %j is %j', (wanted, terms, verdict) => {
    for (const offer of [electricityOffer({ id: 1, ...terms }), gasOffer({ id: 1, ...terms })]) {
      const filter = { ...anyOffer(offer.supplyType), ...wanted };
      expect(filterVerdict(offer, filter)).toBe(verdict);
      expect(matchesFilter(offer, filter)).toBe(verdict === true);
    }
  });
});

test('a company is matched by a part of its name in any case, and by its id only when it is an own one', () => {
  const own = { id: 3, firmId: 1, name: 'Energía del Sur' };
  const catalog = { ...own, firmId: null };
  expect(matchesCompany(own, ANY_COMPANY)).toBe(true);
  expect(matchesCompany(catalog, ANY_COMPANY)).toBe(true);
  for (const companyName of ['energía', ' ENERGÍA ', 'DEL', '', 'Energi\u0301a']) {
    expect(matchesCompany(own, { ...ANY_COMPANY, companyName }), companyName).toBe(true);
  }
  for (const companyName of ['energia', 'norte', '%']) {
    expect(matchesCompany(own, { ...ANY_COMPANY, companyName }), companyName).toBe(false);
  }
  expect(matchesCompany(own, { ownCompanyId: 3, companyName: null })).toBe(true);
  expect(matchesCompany(own, { ownCompanyId: 4, companyName: null })).toBe(false);
  expect(matchesCompany(catalog, { ownCompanyId: 3, companyName: null })).toBe(false);
  expect(matchesCompany(own, { ownCompanyId: 3, companyName: 'norte' })).toBe(false);
});
