import { arbitraryQuestion } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { rankEntries } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyOffer } from '../offers/offer-filter.ts';
import { NO_FEES } from '../price/customer.ts';

test('A-114: an offer as the present contract costs what it costs as an offer of any day, and saves 0', () => {
  let [priced, excluded] = [0, 0];
  holds(
    fc.property(arbitraryQuestion(), fc.nat(), ({ entries, request: { signingDay: _, ...request } }, at) => {
      const { supplyType } = request.customer;
      const own = entries.filter(({ offer }) => offer.supplyType === supplyType && offer.isActive);
      const entry = own[at % own.length];
      fc.pre(entry !== undefined);
      const all = { ...request, fees: NO_FEES, filter: anyOffer(supplyType), limit: 200, contract: { entry } };
      const ranking = rankEntries(own, all);
      const result = ranking.results.find(({ offer }) => offer.id === entry.offer.id);
      const without = ranking.excluded.find(({ offer }) => offer.id === entry.offer.id);
      expect(ranking.presentCost).toEqual(result?.cost ?? null);
      expect(ranking.presentExclusion).toEqual(without?.exclusion);
      if (result) expect(result.saving).toMatchObject({ eur: 0, eurPerYear: 0 });
      result ? priced++ : excluded++;
    }),
    runsOf(100, 400),
  );
  expect(Math.min(priced, excluded)).toBeGreaterThan(0);
});
