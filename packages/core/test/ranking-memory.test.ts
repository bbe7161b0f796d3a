import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createMarket, defineOffer } from '../src/index.ts';

setFlagsFromString('--expose-gc');
const collect: (options: { readonly type: 'minor' | 'major' }) => void = runInNewContext('gc');

/** What survived two collections of new objects: it stays until the whole heap is collected. */
function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN;
}

const OFFERS = Array.from({ length: 2000 }, (_, index) =>
  defineOffer({
    id: index + 1,
    offerName: `Oferta ${index}`,
    supplyType: 'LUZ',
    tariffType: '2.0TD',
    accepts: { dni: true },
    territories: { peninsula: true },
    energyEurPerKwh: [0.1 + ((index * 7) % 2003) / 1e4, 0.1, 0.1],
    powerEurPerKwDay: [0.08, 0.01],
    commissionValue: (index * 13) % 101,
    // The cheapest bills them apart, so each ranking looks for the cheapest of the others too.
    ssaaIncluded: index % 2 === 1,
  }),
);

it('of new objects, a ranking of a market leaves nothing that only a collection of the whole heap removes', () => {
  const { rank } = createMarket(OFFERS);
  const ask = (kwh: number) =>
    rank({ customer: { supplyType: 'LUZ', consumptionKwh: [kwh, 900, 1400], powerKw: [4.6, 4.6] } });
  const RANKINGS = 300;
  for (let call = 0; call < RANKINGS; call++) ask(1000 + (call % 40));
  expect(ask(1000).ssaaThresholdEurPerMwh).toBeGreaterThan(0);
  collect({ type: 'major' });
  const before = oldBytes();
  for (let call = 0; call < RANKINGS; call++) {
    ask(1000 + (call % 40));
    if (call % 10 === 9) collect({ type: 'minor' });
  }
  collect({ type: 'minor' });
  collect({ type: 'minor' });
  expect((oldBytes() - before) / RANKINGS).toBeLessThan(10_000);
});
