import { describe, expect, test } from 'vitest';
import { defineOffer } from '../offers/define-offer.ts';
import { rankOffers } from './library.ts';
import { missingContractPrices, type PresentContract } from './present-contract.ts';

const customer = { supplyType: 'LUZ', consumptionKwh: [1000, 0, 500], powerKw: [4], exportedKwh: 300 } as const;
const [e, p] = [0.2, 0.1];
const contract = {
  supplyType: 'LUZ',
  energyEurPerKwh: [e, null, e, null, null, null],
  powerEurPerKwDay: [p, null, null, null, null, null],
  servicesEurPerMonth: 2,
  surplusEurPerKwh: 0.05,
} as const;

const offer = defineOffer({
  id: 1,
  companyId: 1,
  offerName: 'A',
  supplyType: 'LUZ',
  tariffType: '2.0TD',
  accepts: { dni: true },
  territories: { peninsula: true },
  energyEurPerKwh: [e, null, e],
  powerEurPerKwDay: [p],
});

const rankingWith = (present: PresentContract | null, fees = {}) =>
  rankOffers({ customer, contract: present, fees, offers: [offer] });

describe('A-71: the present contract', () => {
  test('is priced like an offer, with its surplus and services', () => {
    // 1500 kWh at 0.20 are 300, 4 kW at 0.10 a year 146, 300 kWh of surplus 15, services 24.
    const present = { energyEur: 300, powerEur: 146, fixedEur: 0, surplusEur: -15, servicesEur: 24, totalEur: 455 };
    expect(rankingWith(contract).presentCost).toMatchObject(present);
  });

  test('with a price of surplus below 0 has no credit, and no charge', () => {
    const present = { surplusEur: 0, totalEur: 470 };
    expect(rankingWith({ ...contract, surplusEurPerKwh: -0.05 }).presentCost).toMatchObject(present);
  });

  test('has no fees: they are those of the new contract', () => {
    expect(rankingWith(contract, { energyEurPerMwh: 10 }).presentCost?.totalEur).toBe(455);
  });

  test('is an offer, with other services where they are given', () => {
    // 1500 kWh at 0.20 are 300, 4 kW at 0.10 a year 146; the offer credits no surplus without panels.
    const entry = { offer: { ...offer, servicesEurPerMonth: 1 }, months: [] };
    expect(rankingWith({ entry }).presentCost).toMatchObject({ servicesEur: 12, totalEur: 458 });
    expect(rankingWith({ entry, servicesEurPerMonth: 0 }).presentCost).toMatchObject({ servicesEur: 0, totalEur: 446 });
    expect(rankingWith({ entry }, { energyEurPerMwh: 10 }).presentCost?.totalEur).toBe(458);
  });

  test('is an offer that cannot be priced: there is no cost, but a reason', () => {
    const entry = { offer: { ...offer, isIndexed: true }, months: [] };
    const ranking = rankingWith({ entry });
    expect([ranking.presentCost, ranking.presentExclusion]).toEqual([null, { code: 'sin_historico' }]);
    expect(ranking.results.map(({ saving }) => saving)).toEqual([null]);
    expect('presentExclusion' in rankingWith(null)).toBe(false);
  });

  test('changes nothing else: order, scores and figures stay', () => {
    const { presentCost: _cost, results, ...rest } = rankingWith(contract);
    const { presentCost, results: plain, ...others } = rankingWith(null);
    expect(presentCost).toBeNull();
    expect(rest).toEqual(others);
    expect(results.map((result) => ({ ...result, saving: null }))).toEqual(plain);
  });

  test('reports every missing price, power and the fixed term of gas too', () => {
    const paths = (present: PresentContract) => missingContractPrices(present, asLuz).map(({ path }) => path);
    const asLuz = {
      supplyType: 'LUZ',
      consumptionKwh: [1, 0, 1, 0, 0, 0],
      powerKw: [4, 4, 0, 0, 0, 0],
      exportedKwh: 9,
    } as const;
    expect(paths({ supplyType: 'LUZ' })).toEqual([
      'energyEurPerKwh.0',
      'energyEurPerKwh.2',
      'powerEurPerKwDay.0',
      'powerEurPerKwDay.1',
    ]);
    expect(paths({ totalEur: 5 })).toEqual([]);
    const ofGas = missingContractPrices({ supplyType: 'GAS' }, { supplyType: 'GAS', consumptionKwh: 1 });
    expect(ofGas.map(({ path }) => path)).toEqual(['gasEnergyEurPerKwh', 'gasFixedEurPerMonth']);
  });

  test('that lacks a price, or is of the other supply, is a bug of an embedder', () => {
    expect(() => rankingWith({ ...contract, energyEurPerKwh: [e, null, null, null, null, null] })).toThrow(
      /energyEurPerKwh.2/,
    );
    expect(() => rankingWith({ supplyType: 'GAS' })).toThrow(RangeError);
  });
});
