import {
  type CommissionTerms,
  consumptionLine,
  demandOf,
  type Offer,
  powerLine,
  tierBounds,
  YEAR,
} from '@tarifario/core/service';
import { arbitraryElectricityOffer, arbitraryGasOffer } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds } from '../../test/laws.ts';
import { electricityOffer } from '../../test/simple-offers.ts';
import { commissionColumns } from './commission-columns.ts';

/** At, between and a little beside every bound of every offer. */
function telling(bounds: readonly number[]): readonly number[] {
  const sorted = [...new Set([0, ...bounds])].sort((a, b) => a - b);
  return sorted.flatMap((bound, index) => {
    const next = sorted[index + 1] ?? bound + 10;
    return [bound, bound * (1 + 2 ** -52), (bound + next) / 2, next * (1 - 2 ** -53)];
  });
}

function powerTiersOf(offer: Offer) {
  return offer.supplyType === 'LUZ' ? offer.powerTiers : [];
}

function columnsOf(offers: readonly CommissionTerms[]) {
  const termsAt = (row: number) => offers[row] ?? electricityOffer({ id: 1 });
  return commissionColumns({ rowCount: offers.length, termsAt });
}

const OFFERS = fc.oneof(
  fc.array(arbitraryElectricityOffer(), { maxLength: 6 }),
  fc.array(arbitraryGasOffer(), { maxLength: 6 }),
);

test('the commission columns hold the line of every offer at every quantity, in any order of asking', () => {
  holds(
    fc.property(OFFERS, fc.boolean(), (offers, backwards) => {
      const columns = columnsOf(offers);
      const consumptions = telling(offers.flatMap(({ consumptionTiers }) => tierBounds(consumptionTiers)));
      const powers = [null, ...telling(offers.flatMap((offer) => tierBounds(powerTiersOf(offer)))), null];
      for (const annualMwh of backwards ? consumptions.toReversed() : consumptions) {
        const lines = columns.atConsumption(annualMwh);
        offers.forEach((offer, row) => {
          const kept = { fixedEur: lines[2 * row], eurPerUnit: lines[2 * row + 1] };
          expect(kept, `${annualMwh} MWh`).toEqual(consumptionLine(offer, annualMwh));
        });
      }
      for (const powerKw of backwards ? powers.toReversed() : powers) {
        const lines = columns.atPower(powerKw);
        offers.forEach((offer, row) => {
          const kept = { fixedEur: lines[2 * row], eurPerUnit: lines[2 * row + 1] };
          expect(kept, `${powerKw} kW`).toEqual(powerLine(offer, powerKw));
        });
      }
    }),
    150,
  );
});

test('the columns of a block answer for the quantities that a demand rounds to', () => {
  const tiers = [{ from: 0, to: 3.656083, value: 7, type: 'fixed' as const }];
  const offer = electricityOffer({ id: 1, commissionValue: 1, consumptionTiers: tiers });
  const { annualMwh } = demandOf({ supplyType: 'GAS', consumptionKwh: 3656.0834 }, YEAR);
  expect(columnsOf([offer]).atConsumption(annualMwh)[0]).toBe(7);
});
