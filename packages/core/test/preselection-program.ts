/**
 * A program for any runtime: whether 600 offers are ranked with the preselection as without it, and why there is none.
 *
 * @param library - Where the built library is, as it imports it.
 * @param output - The function that it calls with the answer: `true null` where there is a preselection.
 */
export function preselectionProgram(library: string, output: string): string {
  return `
  import { createMarket, defineOffer, rankOffers } from ${JSON.stringify(library)};
  import { createPreselection } from ${JSON.stringify(library.replace('index.js', 'engine/ranking/preselection.js'))};
  const offers = Array.from({ length: 600 }, (_, i) => defineOffer({
    id: i + 1, offerName: 'O', supplyType: 'LUZ', tariffType: '2.0TD', accepts: { dni: true },
    territories: { peninsula: true }, energyEurPerKwh: [0.1 + ((i * 37) % 600) / 6000], commissionValue: (i * 7919) % 101,
  }));
  const question = { customer: { supplyType: 'LUZ', consumptionKwh: [3000] } };
  // Without keys, and with members by name: a market makes its offers again.
  const plain = (name, value) => {
    if (name === 'key') return undefined;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const json = (ranking) => JSON.stringify(ranking, plain);
  const same = json(createMarket(offers).rank(question)) === json(rankOffers({ offers, ...question }));
  (${output})(same + ' ' + createPreselection().reason);
`;
}
