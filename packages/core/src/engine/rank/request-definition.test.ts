import { describe, expect, it } from 'vitest';
import {
  billTerms,
  createDemandReader,
  createMarket,
  defineHistory,
  defineOffer,
  defineRequest,
  optimizePower,
  type RequestDefinition,
  rankOffers,
  reweigh,
  TARIFFS,
} from '../../index.ts';

const home = { accepts: { dni: true }, territories: { peninsula: true } };
const POWER = [0.08, 0.01];
const offer = defineOffer({
  ...{ ...home, id: 1, offerName: 'A', supplyType: 'LUZ', tariffType: '2.0TD' },
  ...{ energyEurPerKwh: [0.18, 0.12, 0.09], powerEurPerKwDay: POWER },
});
const LUZ = { supplyType: 'LUZ', consumptionKwh: [1200, 900, 1400], powerKw: [4.6, 4.6] } as const;
const ENERGY = [0.1, 0.1, 0.1, null, null, null];

/** As a program in JavaScript asks. */
const asked = (question: object) => ({ customer: LUZ, ...question }) as RequestDefinition;

describe('a question of a program that no compiler has read', () => {
  it.each([
    [{ wieght: 1 }, 'wieght is unknown: is weight meant?'],
    [{ customer: { ...LUZ, powerKW: [4.6] } }, 'customer.powerKW is unknown: is powerKw meant?'],
    [{ customer: { ...LUZ, consumption: [1] } }, 'customer.consumption is unknown: is consumptionKwh meant?'],
    [{ customer: { supplyType: 'GAS', consumptionKwh: 5, powerKw: [1] } }, 'customer.powerKw is unknown: there are'],
    [{ filter: { tarifType: '2.0TD' } }, 'filter.tarifType is unknown: is tariffType meant?'],
    [{ filter: { tariffType: '2.0 TD' } }, 'filter.tariffType is no access tariff: is 2.0TD meant?'],
    [{ filter: { hasSolarPanels: 'no' } }, 'filter.hasSolarPanels is true or false, and not text'],
    [{ weight: '0.5' }, 'weight is a number, and not text'],
    [{ customer: { ...LUZ, powerKw: [4.6, '4.6'] } }, 'customer.powerKw.1 is a number, and not text'],
    [{ customer: { ...LUZ, profile: [{ days: '30', consumptionKwh: [1] }] } }, 'customer.profile.0.days is a number'],
    [{ customer: { ...LUZ, profile: [{ day: 30 }] } }, 'customer.profile.0.day is unknown: is days meant?'],
    [{ period: { day: 30 } }, 'period.day is unknown: is days meant?'],
    [{ fees: { energy: 1 } }, 'fees.energy is unknown: is energyEurPerMwh meant?'],
    [{ reasons: { why: { against: 1 } } }, 'reasons.why.against is unknown: is againstId meant?'],
    [{ reasons: { why: { againstId: 1 } } }, 'reasons is what askReasons gives for the reasons asked for'],
    [{ reasons: { margin: true, explain: undefined } }, 'reasons is what askReasons gives for the reasons asked for'],
    [{ contract: {} }, 'contract has none of supplyType with prices, entry, totalEur and billEur'],
    [{ contract: { totalEur: '900' } }, 'contract.totalEur is a number, and not text'],
    [{ contract: { totalEUR: 900 } }, 'contract has none of supplyType'],
    [{ contract: { totalEur: 900, hasBonus: true } }, 'contract.hasBonus is unknown'],
    [
      { contract: { supplyType: 'LUZ', energyEurPerKwh: [9.5, 0.1, 0.1], powerEurPerKwDay: POWER } },
      'contract.energyEurPerKwh.0 is too high for EUR/kWh: is 0.095 meant?',
    ],
    [{ contract: { supplyType: 'LUZ', energyPerKwh: ENERGY } }, 'contract.energyPerKwh is unknown: is energyEurPerKwh'],
    [{ bill: { day: '2026-10-15' } }, 'bill is what billTerms gives'],
    [{ customer: undefined }, 'a question has a customer'],
    [{ filter: [] }, 'filter is an object with members'],
  ])('with %j is refused: %s', (question, message) => {
    expect(() => rankOffers({ offers: [offer], ...asked(question) })).toThrow(message);
    expect(() => createMarket([offer]).rank(asked(question))).toThrow(RangeError);
    expect(createMarket([offer]).rankMany([asked(question), asked({})])).toMatchObject([
      { ranked: false },
      { ranked: true },
    ]);
  });

  it('that defineRequest has completed is answered as before', () => {
    const question = asked({ weight: 0.3, filter: { territory: 'peninsula' }, contract: { totalEur: 900 } });
    const complete = defineRequest(question);
    expect(rankOffers({ offers: [offer], ...complete })).toEqual(rankOffers({ offers: [offer], ...question }));
  });

  it('with members that are undefined, or null where that is none, is answered', () => {
    const question = { wieght: undefined, contract: null, bill: null, filter: { territory: null }, today: null };
    expect(rankOffers({ offers: [offer], ...asked(question) }).rankedCount).toBe(1);
  });
});

/** A function as a program in JavaScript calls it. */
const called = (ask: (given: never) => unknown) => (given: object) => ask(given as never);
const YEAR = { days: 365, months: 12 };

describe('what a program that no compiler has read asks besides', () => {
  const { customer } = defineRequest(asked({}));
  const bill = called((given: object) => {
    const supply = { customer, period: YEAR, territory: 'peninsula', customerType: 'dni' } as const;
    return billTerms({ day: '2026-10-15', ...given }, supply);
  });
  const demand = { tariff: '2.0TD', measured: 'maxima', day: '2026-10-15' } as const;
  const entry = { month: null, days: 365, loadsKw: [[3], [2], null, null, null, null] } as const;
  const power = called((given: object) => {
    return optimizePower({ ...demand, powerKw: [4.6, 4.6, null, null, null, null], entries: [entry], ...given });
  });
  const figures = [{ id: 1, costEur: 5, commissionEur: 1 }];
  const another = called((preference: never) => reweigh(figures, preference, YEAR));
  const reader = called((terms: never) => createDemandReader(terms));

  it.each([
    [bill, { isDweling: true }, 'bill.isDweling is unknown: is isDwelling meant?'],
    [bill, { isDwelling: 'no' }, 'bill.isDwelling is true or false, and not text'],
    [bill, { rates: { indirect: 5 } }, 'bill.rates.indirect is unknown: is indirectPercent meant?'],
    [bill, { other: { taxed: 5 } }, 'bill.other.taxed is unknown: there are otherTaxedEur'],
    [bill, { rates: 21 }, 'bill.rates is an object, and not a number'],
    [power, { powerKW: [4] }, 'power.powerKW is unknown: is powerKw meant?'],
    [power, { marginKw: '1' }, 'power.marginKw is a number, and not text'],
    [power, { entries: [{ ...entry, day: 30 }] }, 'power.entries.0.day is unknown: is days meant?'],
    [another, { wieght: 0.2 }, 'wieght is unknown: is weight meant?'],
    [another, { weight: '0.2' }, 'weight is a number, and not text'],
    [reader, { tariff: '2.0TD', teritory: 'peninsula' }, 'teritory is unknown: is territory meant?'],
  ])('is refused where it has what is not known: %o with %j: %s', (ask, given, message) => {
    expect(() => ask(given)).toThrow(message);
    expect(() => ask(given)).toThrow(RangeError);
  });

  it.each([Number.POSITIVE_INFINITY, Number.NaN, null, '5'])('is refused where a figure to reweigh is %s', (figure) => {
    for (const name of ['costEur', 'commissionEur']) {
      const ranked = [...figures, { id: 2, costEur: 6, commissionEur: 2, [name]: figure }] as never;
      expect(() => reweigh(ranked, { weight: 0.5 }, YEAR)).toThrow(RangeError);
    }
  });

  it('is answered where it is undefined', () => {
    expect(bill({ isDweling: undefined, rental: undefined })).toEqual(bill({}));
    expect(power({ powerKW: undefined, leastKw: undefined })).toEqual(power({}));
    expect(another({ weight: 0.2, wieght: undefined })).toEqual(another({ weight: 0.2 }));
  });
});

describe('an offer of a program that no compiler has read', () => {
  const definition = { ...home, id: 7, offerName: 'A', supplyType: 'LUZ', tariffType: '2.0TD' } as const;

  it.each([
    [{ energyEurPerKWh: [0.1] }, 'energyEurPerKWh unknown field: is energyEurPerKwh meant?'],
    [{ tariffType: '2.0 td' }, 'tariffType is no access tariff: is 2.0TD meant?'],
    [{ energyEurPerKwh: [0.1, 9.5] }, 'energyEurPerKwh.1 is too high for EUR/kWh: is 0.095 meant?'],
    [{ energyEurPerKwh: ['0.1'] }, 'energyEurPerKwh.0 must be'],
  ])('with %j is refused: %s', (more, message) => {
    expect(() => defineOffer({ ...definition, ...more } as never)).toThrow(message);
  });

  it.each([...TARIFFS.LUZ, ...TARIFFS.GAS])(
    'with the tariff %s in small letters and with spaces is told its name',
    (tariff) => {
      const tariffType = ` ${tariff.toLowerCase().replace('.', '. ')}`;
      const supplyType = tariff.startsWith('RL') ? 'GAS' : 'LUZ';
      expect(() => defineOffer({ ...definition, supplyType, tariffType })).toThrow(`is ${tariff} meant?`);
      expect(defineOffer({ ...definition, supplyType, tariffType: tariff }).tariffType).toBe(tariff);
    },
  );

  it('with another name of a tariff that is like no known one is taken as it is', () => {
    expect(defineOffer({ ...definition, tariffType: 'RL.99' }).tariffType).toBe('RL.99');
  });

  it('with a month in cents is refused', () => {
    const indexed = defineOffer({ ...definition, isIndexed: true });
    const months = [{ month: '2026-01', energyEurPerKwh: [8.1] }];
    expect(() => defineHistory(indexed, months)).toThrow('months.0.energyEurPerKwh.0 is too high');
  });

  it.each([
    [{ energyEurPerKwh: [0.1, '0.1', 0.1, null, null, null] }, 'energyEurPerKwh.1'],
    [{ powerEurPerKwDay: [30, 0, null, null, null, null] }, 'powerEurPerKwDay.0 must be between 0 and 1'],
    [{ servicesEurPerMonth: -1 }, 'servicesEurPerMonth must be between'],
    [{ consumptionTiers: [{ from: 5, to: 3, value: 1, type: 'fixed' }] }, 'consumptionTiers'],
  ])('that was changed to %j after defineOffer is refused where it is ranked, by its field: %s', (more, field) => {
    const changed = { ...offer, ...more } as never;
    expect(() => rankOffers({ offers: [changed], ...asked({}) })).toThrow(
      `offer 1 has a figure or tiers that defineOffer refuses: ${field}`,
    );
  });
});

it('what a result saves and costs more is rounded as the service rounds it', () => {
  const second = defineOffer({ ...offer, id: 2, energyEurPerKwh: [0.1812345, 0.1, 0.1], commissionValue: 0.1 + 0.2 });
  const contract = { totalEur: 700.123456 };
  const { results, conflict } = rankOffers({ offers: [offer, second], ...asked({ contract, period: { days: 30 } }) });
  const figures = results.flatMap((result) => [
    ...[result.saving?.eur, result.saving?.eurPerYear, result.extraCostEur, result.extraCommissionEur],
    ...[result.commissionEurPerMwh, conflict?.bestPaid.costEur, conflict?.customerEurPerCommissionEur],
  ]);
  for (const figure of figures) expect(figure).toBe(Number(figure?.toFixed(6)));
  for (const { saving } of results) expect(saving?.percent).toBe(Number(saving?.percent?.toFixed(2)));
});
