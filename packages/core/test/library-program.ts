/**
 * A program for any runtime: whether 600 offers are ranked by a market as by a single call.
 *
 * @param library - Where the built library is, as it imports it.
 * @param output - The function that it calls with the answer.
 */
export function libraryProgram(library: string, output: string): string {
  return `
  import { createMarket, defineOffer, rankOffers } from ${JSON.stringify(library)};
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
  (${output})(String(json(createMarket(offers).rank(question)) === json(rankOffers({ offers, ...question }))));
`;
}
