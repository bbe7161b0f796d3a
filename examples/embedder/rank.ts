import { readFileSync } from 'node:fs';
import { askReasons, DomainError, defineHistory, defineOffer, type OfferDefinition, rankOffers } from '@tarifario/core';

interface Entry {
  readonly offer: OfferDefinition;
  /** The monthly prices of an indexed offer. */
  readonly months?: Parameters<typeof defineHistory>[1];
}

/** An offer as the engine takes it; none, and a line on standard error, if it breaks a rule. */
function load({ offer, months }: Entry) {
  try {
    const defined = defineOffer(offer);
    return [months ? defineHistory(defined, months) : defined];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'business_rule') throw error;
    console.error(error.message);
    return [];
  }
}

const entries: readonly Entry[] = JSON.parse(readFileSync(new URL('offers.json', import.meta.url), 'utf8'));
const { results, excluded, winners } = rankOffers({
  offers: entries.flatMap(load),
  customer: { supplyType: 'LUZ', consumptionKwh: [1200, 900, 1400], powerKw: [4.6, 4.6] },
  filter: { tariffType: '2.0TD', territory: 'peninsula', customerType: 'dni' },
  weight: 0.7, // 1 is savings only, 0 is commission only
  reasons: askReasons({ why: { againstId: null } }), // beside the first offer
});

for (const { offer, cost, commission, score, origin, reasons } of results) {
  const prices = origin ? ` (${origin.mode})` : '';
  console.log(`${score} ${offer.offerName}${prices}: ${cost.totalEur} EUR, pays ${commission?.totalEur} EUR`);
  for (const { part, period, eur } of reasons?.why ?? []) {
    if (eur !== 0)
      console.log(`  ${eur > 0 ? '+' : ''}${eur} EUR of ${part}${period === null ? '' : ` in P${period}`}`);
  }
}
for (const { offer, exclusion } of excluded) console.log(`- ${offer.offerName}: ${exclusion.code}`);
for (const { fromWeight, toWeight, offerId } of winners ?? []) {
  console.log(`offer ${offerId} is the best at weights from ${fromWeight} to ${toWeight}`);
}
