import { describe, expect, test } from 'vitest';
import { defineHistory, defineOffer, type OfferDefinition } from '../offers/define-offer.ts';
import { leastPowerPrices } from '../power/regulated-prices.ts';
import type { BillNotice } from '../taxes/bill-terms.ts';
import { createMarket, type RankOffersInput, rankOffers } from './library.ts';
import { type Ranking, type RankingWarning, WARNING_CODES, type WarningCode } from './ranking.ts';

const SIX = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1];

const COMMON = {
  offerName: 'Oferta',
  companyId: 1,
  accepts: { dni: true },
  territories: { peninsula: true },
  energyEurPerKwh: SIX,
  powerEurPerKwDay: SIX,
} as const;

function luz(id: number, changes: Partial<OfferDefinition> = {}) {
  return defineOffer({ ...COMMON, id, supplyType: 'LUZ', tariffType: '2.0TD', ...changes });
}

function gas(id: number, tariffType: string) {
  const prices = { gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5 };
  const { accepts, territories, offerName, companyId } = COMMON;
  return defineOffer({ offerName, companyId, accepts, territories, id, supplyType: 'GAS', tariffType, ...prices });
}

/** An indexed offer with a month for each of the last `count` ones up to `toMonth`. */
function indexed(id: number, count: number, toMonth = '2026-03') {
  const [year = 0, month = 0] = toMonth.split('-').map(Number);
  const months = Array.from({ length: count }, (_, back) => {
    const at = year * 12 + month - 1 - (count - 1 - back);
    const name = `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    return { month: name, energyEurPerKwh: SIX };
  });
  return defineHistory(luz(id, { isIndexed: true }), months);
}

/** An indexed offer that follows the hours of an index. */
const followsHours = (() => {
  const { offer, months } = indexed(2, 12);
  return { offer: { ...offer, index: 'PVPC' } as typeof offer, months };
})();

/** A customer whose hours of one January are known. */
function byHours(year: number) {
  const indices = { PVPC: { differences: [0, 0, 0], surplus: null } };
  const entry = { month: 1, year, days: 31, consumptionKwh: [100, 100, 100], indices };
  return { supplyType: 'LUZ', powerKw: [4.6, 4.6], profile: [entry] } as const;
}

const HOUSEHOLD: Omit<RankOffersInput, 'offers'> = {
  customer: { supplyType: 'LUZ', consumptionKwh: [1000, 1000, 1000], powerKw: [4.6, 4.6] },
  filter: { territory: 'peninsula', customerType: 'dni' },
};

function codesOf(input: RankOffersInput): readonly string[] {
  return rankOffers(input).warnings.map(({ code }) => code);
}

function warned(input: RankOffersInput, code: string): Ranking['warnings'][number] | undefined {
  return rankOffers(input).warnings.find((warning) => warning.code === code);
}

interface Pair {
  /** Without the warning, and with it: one thing differs. */
  readonly before: RankOffersInput;
  readonly after: RankOffersInput;
  readonly offerIds: readonly number[];
  /** What the warning says besides. */
  readonly more?: Partial<RankingWarning>;
}

const offers = [luz(1), luz(2)];
const home = { supplyType: 'LUZ', consumptionKwh: [1000, 1000, 1000], powerKw: [4.6, 4.6] } as const;
const gasOf = (consumptionKwh: number) => ({ supplyType: 'GAS', consumptionKwh }) as const;
const factory = { supplyType: 'LUZ', consumptionKwh: [1, 1, 1, 1, 1, 1], powerKw: [20, 20, 20, 20, 20, 20] } as const;
const six = [luz(1, { tariffType: '3.0TD' }), luz(2, { tariffType: '3.0TD' })];
const solar = luz(2, { hasSolarPanels: true, surplusEurPerKwh: 0.05 });
const exporting = { ...HOUSEHOLD.customer, exportedKwh: 100 } as RankOffersInput['customer'];
const anywhere = { customerType: 'dni' } as const;
const anybody = { territory: 'peninsula' } as const;
const within = { ...HOUSEHOLD.filter, maxPermanenceMonths: 12 };

/** About a ranking of the past, or without offers: they do not depend on its offers. */
const WITHOUT_OFFERS = ['alcance_actual', 'peaje_sin_ofertas', 'sin_ofertas'] as const;

const LAST_RESORT = {
  customer: gasOf(9000),
  filter: HOUSEHOLD.filter,
  contract: { totalEur: 600, isLastResort: true },
  offers: [gas(1, 'RL.2')],
} as const;

const PAIRS: Readonly<Record<Exclude<WarningCode, BillNotice | (typeof WITHOUT_OFFERS)[number]>, Pair>> = {
  sin_potencia: {
    before: { ...HOUSEHOLD, customer: { ...home, powerKw: [0, 0.1] }, offers },
    after: { ...HOUSEHOLD, customer: { ...home, powerKw: [0, 0] }, offers },
    offerIds: [],
  },
  peajes_mezclados: {
    before: { ...HOUSEHOLD, offers },
    after: { ...HOUSEHOLD, offers: [luz(1), luz(2, { tariffType: '2.0TDX' })] },
    offerIds: [2],
  },
  peaje_imposible: {
    before: { ...HOUSEHOLD, offers },
    after: { ...HOUSEHOLD, customer: { ...factory, consumptionKwh: [1], powerKw: [15.1] }, offers },
    offerIds: [1, 2],
    more: { tariffTypes: ['3.0TD'] },
  },
  peaje_en_el_limite: {
    before: { ...HOUSEHOLD, customer: gasOf(4749.999), offers: [gas(1, 'RL.1')] },
    after: { ...HOUSEHOLD, customer: gasOf(4750), offers: [gas(1, 'RL.1')] },
    offerIds: [],
  },
  gas_capacidad: {
    before: { ...HOUSEHOLD, customer: gasOf(100_000), offers: [gas(1, 'RL.4')] },
    after: { ...HOUSEHOLD, customer: gasOf(1e6), offers: [gas(1, 'RL.5')] },
    offerIds: [1],
  },
  consumo_en_un_periodo: {
    before: { ...HOUSEHOLD, offers },
    after: { ...HOUSEHOLD, customer: { ...home, consumptionKwh: [3000, 0, 0] }, offers },
    offerIds: [],
    more: { period: 1 },
  },
  potencia_en_un_periodo: {
    before: { ...HOUSEHOLD, offers },
    after: { ...HOUSEHOLD, customer: { ...home, powerKw: [4.6] }, offers },
    offerIds: [],
    more: { period: 1 },
  },
  consumo_improbable: {
    before: { ...HOUSEHOLD, customer: { ...home, powerKw: [2.9], consumptionKwh: [20, 20, 18] }, offers },
    after: { ...HOUSEHOLD, customer: { ...home, powerKw: [2.9], consumptionKwh: [20, 20, 17.999] }, offers },
    offerIds: [],
  },
  potencia_decreciente: {
    before: { ...HOUSEHOLD, customer: factory, offers: six },
    after: { ...HOUSEHOLD, customer: { ...factory, powerKw: [20, 20, 20, 20, 20, 19] }, offers: six },
    offerIds: [],
  },
  ssaa_mezclados: {
    before: { ...HOUSEHOLD, offers: [luz(1, { ssaaIncluded: false }), luz(2)] },
    after: { ...HOUSEHOLD, offers: [luz(1, { ssaaIncluded: true }), luz(2)] },
    offerIds: [2],
  },
  historico_corto: {
    before: { ...HOUSEHOLD, offers: [indexed(1, 12)] },
    after: { ...HOUSEHOLD, offers: [indexed(1, 11)] },
    offerIds: [1],
  },
  historico_antiguo: {
    before: { ...HOUSEHOLD, offers: [indexed(1, 12), indexed(2, 12, '2025-12')] },
    after: { ...HOUSEHOLD, offers: [indexed(1, 12), indexed(2, 12, '2025-11')] },
    offerIds: [2],
  },
  historico_sin_actualizar: {
    before: { ...HOUSEHOLD, today: '2026-05-31', offers: [luz(1), indexed(2, 12), indexed(3, 12, '2025-12')] },
    after: { ...HOUSEHOLD, today: '2026-06-01', offers: [luz(1), indexed(2, 12), indexed(3, 12, '2025-12')] },
    offerIds: [2, 3],
  },
  ventanas_distintas: {
    before: { ...HOUSEHOLD, offers: [indexed(1, 14), indexed(2, 12)] },
    after: { ...HOUSEHOLD, offers: [indexed(1, 14), indexed(2, 12, '2026-02')] },
    offerIds: [2],
  },
  periodo_incoherente: {
    before: { ...HOUSEHOLD, period: { days: 365, months: 12.5 }, offers },
    after: { ...HOUSEHOLD, period: { days: 365, months: 12.51 }, offers },
    offerIds: [],
  },
  excedentes_tope_anual: {
    before: { ...HOUSEHOLD, customer: exporting, period: { days: 31 }, offers: [luz(1), solar] },
    after: { ...HOUSEHOLD, customer: exporting, period: { days: 32 }, offers: [luz(1), solar] },
    offerIds: [],
  },
  bono_social: {
    before: { ...HOUSEHOLD, contract: { totalEur: 900, hasSocialBonus: false }, offers },
    after: { ...HOUSEHOLD, contract: { totalEur: 900, hasSocialBonus: true }, offers },
    offerIds: [],
  },
  salir_de_la_tur: {
    before: { ...LAST_RESORT, today: '2026-09-30' },
    after: { ...LAST_RESORT, today: '2026-10-01' },
    offerIds: [],
  },
  indexada_sin_curva: {
    before: { ...HOUSEHOLD, offers: [luz(1), indexed(2, 12)] },
    after: { ...HOUSEHOLD, customer: exporting, offers: [luz(1), indexed(2, 12)] },
    offerIds: [2],
  },
  forma_de_otro_ano: {
    before: { ...HOUSEHOLD, customer: byHours(2026), offers: [luz(1), followsHours] },
    after: { ...HOUSEHOLD, customer: byHours(2025), offers: [luz(1), followsHours] },
    offerIds: [2],
  },
  solo_con_placas: {
    before: { ...HOUSEHOLD, customer: exporting, period: { days: 31 }, offers: [luz(1), solar] },
    after: { ...HOUSEHOLD, period: { days: 31 }, offers: [luz(1), solar] },
    offerIds: [2],
  },
  placas_sin_excedentes: {
    before: { ...HOUSEHOLD, filter: { ...HOUSEHOLD.filter, hasSolarPanels: false }, offers: [luz(1), solar] },
    after: { ...HOUSEHOLD, filter: { ...HOUSEHOLD.filter, hasSolarPanels: true }, offers: [luz(1), solar] },
    offerIds: [],
  },
  sin_filtro_territorio: {
    before: { ...HOUSEHOLD, filter: anywhere, offers },
    after: { ...HOUSEHOLD, filter: anywhere, offers: [luz(1), luz(2, { territories: { canarias: true } })] },
    offerIds: [],
  },
  sin_filtro_cliente: {
    before: { ...HOUSEHOLD, filter: anybody, offers },
    after: { ...HOUSEHOLD, filter: anybody, offers: [luz(1), luz(2, { accepts: { dni: true, cif: true } })] },
    offerIds: [],
  },
  potencia_bajo_regulado: {
    before: {
      ...HOUSEHOLD,
      leastPowerPrices: leastPowerPrices('2026-07-01'),
      offers: [luz(1), luz(2, { powerEurPerKwDay: [0.075902, 0.1] })],
    },
    after: {
      ...HOUSEHOLD,
      leastPowerPrices: leastPowerPrices('2026-07-01'),
      offers: [luz(1), luz(2, { powerEurPerKwDay: [0.075901, 0.1] })],
    },
    offerIds: [2],
  },
  penalizacion_sobre_el_limite: {
    before: { ...HOUSEHOLD, offers: [luz(1), luz(2, { penaltyPercent: 5 })] },
    after: { ...HOUSEHOLD, offers: [luz(1), luz(2, { penaltyPercent: 5.01 })] },
    offerIds: [2],
  },
  descuento_temporal: {
    before: { ...HOUSEHOLD, offers: [luz(1), luz(2, { permanenceMonths: 12 })] },
    after: { ...HOUSEHOLD, offers: [luz(1), luz(2, { energyDiscountPercent: 10, discountMonths: 6 })] },
    offerIds: [2],
  },
  terminos_desconocidos: {
    before: {
      ...HOUSEHOLD,
      filter: within,
      offers: [luz(1, { permanenceMonths: 12 }), luz(2, { permanenceMonths: 13 })],
    },
    after: { ...HOUSEHOLD, filter: within, offers: [luz(1, { permanenceMonths: 12 }), luz(2)] },
    offerIds: [2],
  },
  fee_power_sin_efecto: {
    before: { ...HOUSEHOLD, offers: [luz(1), luz(2, { feePowerEurPerMwh: 0 })] },
    after: { ...HOUSEHOLD, offers: [luz(1), luz(2, { feePowerEurPerMwh: 0.1 })] },
    offerIds: [2],
  },
  // The offers cost 300 for energy and 335.8 for power.
  actual_improbable: {
    before: { ...HOUSEHOLD, contract: { totalEur: 1589.5 }, offers },
    after: { ...HOUSEHOLD, contract: { totalEur: 1589.500001 }, offers },
    offerIds: [],
  },
  menos_de_un_ano: {
    before: { ...HOUSEHOLD, contract: { totalEur: 700 }, period: { days: 350 }, offers },
    after: { ...HOUSEHOLD, contract: { totalEur: 700 }, period: { days: 349 }, offers },
    offerIds: [],
  },
};

describe('A-69: warnings', () => {
  const ofOffers = Object.keys(PAIRS) as (keyof typeof PAIRS)[];
  test.each(ofOffers)('%s appears after one change', (code) => {
    const { before, after, offerIds, more } = PAIRS[code];
    expect(codesOf(before)).not.toContain(code);
    expect(warned(after, code)).toEqual({ code, total: offerIds.length, offerIds, ...more });
  });

  test('A-120: a price of power is compared with the least ones of the question, in lists and in markets', () => {
    const { after } = PAIRS.potencia_bajo_regulado;
    const { offers, leastPowerPrices: least, ...question } = after;
    const market = createMarket(offers);
    const codesIn = ({ warnings }: Ranking) => warnings.map(({ code }) => code);
    expect(codesIn(market.rank(question))).not.toContain('potencia_bajo_regulado');
    expect(codesIn(market.rank({ ...question, leastPowerPrices: least }))).toContain('potencia_bajo_regulado');
    // The next view of the same market.
    expect(codesIn(market.rank({ ...question, leastPowerPrices: {} }))).not.toContain('potencia_bajo_regulado');
    expect(market.rank({ ...question, leastPowerPrices: least }).warnings).toEqual(rankOffers(after).warnings);
  });

  test('A-69: neither a month that is asked for, nor a question without a day, has a history that is not kept up', () => {
    const { after } = PAIRS.historico_sin_actualizar;
    expect(codesOf({ ...after, month: '2026-03' })).not.toContain('historico_sin_actualizar');
    expect(codesOf({ ...after, today: null })).not.toContain('historico_sin_actualizar');
    expect(codesOf({ ...PAIRS.salir_de_la_tur.after, contract: { totalEur: 600 } })).not.toContain('salir_de_la_tur');
  });

  test('of power that is left out comes first, then that of tariffs that cannot be contracted', () => {
    const customer = { supplyType: 'LUZ', consumptionKwh: [1000, 1000, 1000] } as const;
    const mixed = [luz(1), luz(2, { tariffType: '6.1TD' }), luz(3, { tariffType: '6.1TD' })];
    expect(codesOf({ ...HOUSEHOLD, customer, offers: mixed })).toEqual([
      'sin_potencia',
      'peaje_imposible',
      'peajes_mezclados',
    ]);
    const { offers: _, ...question } = { ...HOUSEHOLD, customer, offers: mixed };
    expect(createMarket(mixed).rankMany([question])).toMatchObject([
      { ranking: { warnings: [{ code: 'sin_potencia' }, { code: 'peaje_imposible' }, { code: 'peajes_mezclados' }] } },
    ]);
  });

  test.each<[string, RankOffersInput['customer'], readonly string[], readonly string[] | undefined]>([
    ['a home', home, ['2.0TD', '3.0TD', '6.1TD'], ['2.0TD']],
    ['a home without offers of its own', home, ['3.0TD', '6.1TD'], ['2.0TD']],
    ['a company', factory, ['2.0TD', '3.0TD', '6.1TD', '6.zTD'], ['3.0TD', '6.1TD']],
    ['a company without offers of its own', factory, ['2.0TD'], ['3.0TD']],
    ['gas within a band', gasOf(9000), ['RL.1', 'RL.2', 'RL.3'], ['RL.2']],
    ['gas within a band without offers', gasOf(9000), ['RL.1'], ['RL.2']],
    ['gas at a bound', gasOf(5000), ['RL.3'], ['RL.1', 'RL.2']],
    ['six periods below 15 kW', { ...factory, powerKw: [10] }, ['3.0TD', '6.1TD'], ['6.1TD']],
    ['six periods below 15 kW with 2.0TD', { ...factory, powerKw: [10] }, ['2.0TD', '3.0TD'], ['2.0TD']],
  ])('name for %s the tariffs to ask with', (_what, customer, tariffs, asked) => {
    const entry = customer.supplyType === 'LUZ' ? luz : (id: number, { tariffType = '' }) => gas(id, tariffType);
    const offers = tariffs.map((tariffType, index) => entry(index + 1, { tariffType }));
    const [warning] = rankOffers({ ...HOUSEHOLD, customer, offers }).warnings;
    expect([warning?.code, warning?.tariffTypes]).toEqual(['peaje_imposible', asked]);
    const filter = { ...HOUSEHOLD.filter, tariffType: tariffs.at(-1) };
    expect(warned({ ...HOUSEHOLD, customer, filter, offers }, 'peaje_imposible')?.tariffTypes).toBeUndefined();
  });

  test.each([
    ['energy in P3', { ...home, consumptionKwh: [0, 0, 3000] }, 'consumo_en_un_periodo', 3],
    ['energy in P6', { ...factory, consumptionKwh: [0, 0, 0, 0, 0, 9] }, 'consumo_en_un_periodo', 6],
    ['power in P2', { ...home, powerKw: [0, 4.6] }, 'potencia_en_un_periodo', 2],
  ] as const)('name the only period that has %s', (_what, customer, code, period) => {
    const offers = [luz(1), luz(2, { tariffType: '6.1TD' })];
    expect(warned({ ...HOUSEHOLD, customer, offers }, code)).toEqual({ code, total: 0, offerIds: [], period });
  });

  test('are in the order of the table, whatever the order of the offers', () => {
    const customer = { ...factory, consumptionKwh: [5, 5], powerKw: [20, 15], exportedKwh: 9 };
    const many = [indexed(1, 3), indexed(2, 3, '2025-01'), luz(3, { tariffType: '3.0TD', feePowerEurPerMwh: 1 })];
    const other = luz(4, { ssaaIncluded: true, accepts: { cif: true }, territories: { baleares: true } });
    const codes = codesOf({ customer, offers: [...many, other] });
    expect(codes).toEqual(WARNING_CODES.filter((code) => codes.includes(code)));
    expect(codes.length).toBeGreaterThan(7);
    expect(codesOf({ customer, offers: [other, ...many.toReversed()] })).toEqual(codes);
  });

  test('reveal no fee_power to callers who see no commission', () => {
    const offers = [luz(1), luz(2, { feePowerEurPerMwh: 1, tariffType: '3.0TD' })];
    const seen = codesOf({ ...HOUSEHOLD, offers });
    expect(seen).toContain('fee_power_sin_efecto');
    // The same offers, so that what one kind of caller was answered is known when the other asks.
    const masked = codesOf({ ...HOUSEHOLD, offers, seesCommissions: false });
    expect(masked).toEqual(seen.filter((code) => code !== 'fee_power_sin_efecto'));
  });

  test('name the first 50 offers by id and count all', () => {
    const many = Array.from({ length: 120 }, (_, i) => luz(200 - i, { feePowerEurPerMwh: 2 }));
    const { total, offerIds } = warned({ ...HOUSEHOLD, offers: many }, 'fee_power_sin_efecto') ?? {};
    expect([total, offerIds]).toEqual([120, Array.from({ length: 50 }, (_, i) => 81 + i)]);
  });

  test('of a ranking for one month do not mention histories', () => {
    const input = { ...HOUSEHOLD, offers: [indexed(1, 3), indexed(2, 5, '2026-02')], month: '2026-02' };
    expect(codesOf(input)).toEqual([]);
    expect(codesOf({ ...input, month: null })).toEqual(['historico_corto', 'ventanas_distintas']);
  });

  test('do not exist where nothing is ranked', () => {
    expect(codesOf({ ...HOUSEHOLD, filter: {}, offers: [] })).toEqual([]);
  });
});

describe('A-70: ties and bounds of warnings', () => {
  test('of equally frequent tariffs the first in text order counts as the most frequent', () => {
    const input = { ...HOUSEHOLD, offers: [luz(1, { tariffType: 'B' }), luz(2, { tariffType: 'A' })] };
    expect(warned(input, 'peajes_mezclados')?.offerIds).toEqual([1]);
  });

  test.each([
    ['no price of a period that is used', (month: number) => ({ energyEurPerKwh: month < 9 ? SIX : [0.1, 0.1] }), [1]],
    ['no price of a power that is contracted', (month: number) => ({ powerEurPerKwDay: month < 9 ? [0.1] : SIX }), [1]],
    ['no price of what is not used', (month: number) => ({ energyEurPerKwh: month < 9 ? SIX : [0.1, 0.1, 0.1] }), []],
    ['prices of power in no month', () => ({}), []],
  ])('a month with %s counts by what the mean needs', (_what, pricesIn, offerIds) => {
    const months = Array.from({ length: 12 }, (_, n) => {
      return { month: `2025-${String(n + 1).padStart(2, '0')}`, energyEurPerKwh: SIX, ...pricesIn(n + 1) };
    });
    const entry = defineHistory(luz(1, { isIndexed: true }), months);
    expect(warned({ ...HOUSEHOLD, offers: [entry] }, 'historico_corto')?.offerIds ?? []).toEqual(offerIds);
  });

  test('a month without a price of gas or of its fixed term is missing in its mean', () => {
    const customer = { supplyType: 'GAS', consumptionKwh: 4000 } as const;
    for (const [lacking, offerIds] of [
      [{ gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5 }, []],
      [{ gasEnergyEurPerKwh: 0.05 }, [1]],
      [{ gasFixedEurPerMonth: 5 }, [1]],
    ] as const) {
      const months = Array.from({ length: 12 }, (_, n) => {
        const prices = n === 4 ? lacking : { gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5 };
        return { month: `2025-${String(n + 1).padStart(2, '0')}`, ...prices };
      });
      const entry = defineHistory({ ...gas(1, 'RL.1'), isIndexed: true }, months);
      expect(warned({ customer, offers: [entry] }, 'historico_corto')?.offerIds ?? []).toEqual(offerIds);
    }
  });

  test('a filter for the tariff of the others removes peajes_mezclados', () => {
    const mixed = { ...HOUSEHOLD, offers: [luz(1), luz(2), luz(3, { tariffType: '6.1TD' })] };
    const named = warned(mixed, 'peajes_mezclados')?.offerIds ?? [];
    expect(named).toEqual([3]);
    const others = mixed.offers.filter(({ id }) => !named.includes(id));
    expect(codesOf({ ...mixed, offers: others })).not.toContain('peajes_mezclados');
    expect(codesOf({ ...mixed, filter: { ...HOUSEHOLD.filter, tariffType: '2.0TD' } })).toEqual([]);
  });

  test.each([
    ['2.0TD', [15], []],
    ['2.0TD', [15.000001], [1]],
    ['3.0TD', [15, 15, 15], [1]],
    ['3.0TDVE', [15, 15, 15], [1]],
    ['3.0TD', [15, 15, 15.1], []],
    ['3.0TD', [], []],
    ['6.1TD', [4, 4, 4], []],
    ['Otro', [4, 4, 4], []],
  ])('%s at %j kW in six periods is impossible for %j', (tariffType, powerKw, offerIds) => {
    const customer = { supplyType: 'LUZ', consumptionKwh: [1, 1, 1, 1], powerKw } as const;
    const warning = warned({ ...HOUSEHOLD, customer, offers: [luz(1, { tariffType })] }, 'peaje_imposible');
    expect(warning?.offerIds ?? []).toEqual(offerIds);
  });

  test.each(['3.0TD', '3.0TDVE', '6.1TD', '6.4TD'])('%s is impossible for three periods', (tariffType) => {
    const customer = { supplyType: 'LUZ', consumptionKwh: [1, 1, 1], powerKw: [20, 20] } as const;
    const entry = [luz(1, { tariffType })];
    expect(codesOf({ ...HOUSEHOLD, customer, offers: entry })).toContain('peaje_imposible');
    for (const more of [
      { ...customer, consumptionKwh: [1, 1, 1, 1] },
      { ...customer, powerKw: [20, 20, 20] },
      { ...customer, consumptionKwh: [] },
    ]) {
      expect(codesOf({ ...HOUSEHOLD, customer: more, offers: entry })).not.toContain('peaje_imposible');
    }
  });

  test.each([
    ['RL.1', 5250, false],
    ['RL.1', 5250.001, true],
    ['RL.2', 4749.999, true],
    ['RL.2', 4750, false],
    ['RL.3', 5000, true],
    ['RL.4', 300_000, false],
    ['RL.10', 5e8, false],
    ['RL.11', 4.7e8, true],
    ['RL.11', 4.8e8, false],
    ['RL.12', 1, false],
    ['RLPS.1', 1, false],
  ])('%s at %d kWh a year is impossible: %s', (tariffType, kwh, isImpossible) => {
    const customer = { supplyType: 'GAS', consumptionKwh: kwh } as const;
    const codes = codesOf({ customer, filter: HOUSEHOLD.filter, offers: [gas(1, tariffType)] });
    expect(codes.includes('peaje_imposible')).toBe(isImpossible);
    const month = codesOf({ customer, period: { days: 349 }, filter: HOUSEHOLD.filter, offers: [gas(1, tariffType)] });
    expect(month.filter((code) => code.startsWith('peaje'))).toEqual([]);
  });

  test.each([
    ['no power', { ...home, powerKw: [], consumptionKwh: [1, 1] }, false],
    ['nothing consumed', { ...home, consumptionKwh: [] }, false],
    ['8760 hours', { ...home, consumptionKwh: [20_000, 20_296] }, false],
    ['more hours', { ...home, consumptionKwh: [20_000, 20_297] }, true],
  ])('a consumption with %s warns where the units are improbable', (_what, customer, isImprobable) => {
    expect(codesOf({ ...HOUSEHOLD, customer, offers }).includes('consumo_improbable')).toBe(isImprobable);
  });

  const single = { ...factory, consumptionKwh: [1000], powerKw: [20] };
  const asked = { ...HOUSEHOLD.filter, hasSolarPanels: true };
  const monthly = { ...home, consumptionKwh: [399.999], powerKw: [3] };
  const fewer = { ...monthly, consumptionKwh: [380] };
  test.each<[WarningCode, RankOffersInput, boolean]>([
    ['consumo_en_un_periodo', { ...HOUSEHOLD, customer: single, offers: six }, true],
    ['potencia_en_un_periodo', { ...HOUSEHOLD, customer: single, offers: six }, true],
    ['consumo_en_un_periodo', { ...HOUSEHOLD, customer: single, offers: [luz(1, { tariffType: 'OTRO' })] }, false],
    ['placas_sin_excedentes', { ...HOUSEHOLD, customer: exporting, filter: asked, offers: [luz(1), solar] }, false],
    ['consumo_improbable', { ...HOUSEHOLD, customer: { ...home, consumptionKwh: [400] }, offers }, false],
    ['consumo_improbable', { ...HOUSEHOLD, customer: monthly, offers }, true],
    ['consumo_improbable', { ...HOUSEHOLD, customer: { ...monthly, powerKw: [2.9] }, offers }, false],
    ['consumo_improbable', { ...HOUSEHOLD, customer: monthly, offers: six }, false],
    ['consumo_improbable', { ...HOUSEHOLD, customer: { ...home, exportedKwh: 1, consumptionKwh: [] }, offers }, true],
    ['consumo_improbable', { ...HOUSEHOLD, customer: { ...home, consumptionKwh: [] }, offers }, false],
    ['consumo_improbable', { ...HOUSEHOLD, customer: fewer, period: { days: 350 }, offers }, true],
    ['consumo_improbable', { ...HOUSEHOLD, customer: fewer, period: { days: 349 }, offers }, false],
    ['solo_con_placas', { ...HOUSEHOLD, filter: asked, offers: [luz(1), solar] }, false],
    ['actual_improbable', { ...HOUSEHOLD, contract: { totalEur: 381.48 }, offers }, false],
    ['actual_improbable', { ...HOUSEHOLD, contract: { totalEur: 381.479999 }, offers }, true],
  ])('%s of %j applies: %s', (code, input, applies) => {
    expect(codesOf(input).includes(code)).toBe(applies);
  });

  test.each([
    [{ territory: 'canarias' }, 'territory'],
    [{ territory: 'canarias', customerType: 'cif' }, null],
    [{ tariffType: '2.0TD', customerType: 'cif' }, 'customerType'],
    [{ hasSolarPanels: true }, 'hasSolarPanels'],
  ] as const)('a filter %j that leaves no offer names the first condition that does', (filter, filterName) => {
    const list: RankOffersInput = { ...HOUSEHOLD, filter, offers };
    expect(rankOffers(list).warnings).toEqual([{ code: 'sin_ofertas', total: 0, offerIds: [], filterName }]);
    const { offers: _, ...question } = list;
    expect(createMarket(offers).rank(question).warnings).toEqual(rankOffers(list).warnings);
  });

  const lost = { territory: 'canarias', customerType: 'cif' } as const;
  const panels = { ...HOUSEHOLD.filter, hasSolarPanels: null };
  test.each<[string, RankOffersInput, 'supplyType' | null | undefined]>([
    ['gas of a market of electricity', { customer: gasOf(9000), offers }, 'supplyType'],
    ['gas with conditions of a market of electricity', { customer: gasOf(9000), filter: panels, offers }, 'supplyType'],
    ['electricity of a market of gas', { customer: home, offers: [gas(1, 'RL.1')] }, 'supplyType'],
    ['gas of an empty market', { customer: gasOf(9000), offers: [] }, undefined],
    [
      'gas of a market without active offers',
      { customer: gasOf(9000), offers: [luz(1, { isActive: false })] },
      undefined,
    ],
    ['gas of both, with conditions', { customer: gasOf(9000), filter: lost, offers: [luz(1), gas(1, 'RL.1')] }, null],
  ])('%s: the supply is named where there are only offers of the other', (_what, list, filterName) => {
    const empty = filterName === undefined ? [] : [{ code: 'sin_ofertas', total: 0, offerIds: [], filterName }];
    expect(rankOffers(list).warnings).toEqual(empty);
    const { offers: all, ...question } = list;
    expect(createMarket(all).rank(question).warnings).toEqual(empty);
    expect(createMarket(all).rankMany([question])).toMatchObject([{ ranking: { warnings: empty } }]);
  });

  test.each([
    ['RL.5', ['RL.1', 'RL.2', 'RL.3'], ['RL.3']],
    ['RL.2', ['RL.1', 'RL.3', 'RL.4'], ['RL.1', 'RL.3']],
    ['RL.10', ['RL.9', 'RL.11'], ['RL.9', 'RL.11']],
    ['RL.2', ['RLPS.1'], undefined],
  ])('of gas without %s and with %j the next bands are named: %j', (tariffType, known, near) => {
    const list = known.map((tariff, index) => gas(index + 1, tariff));
    const [warning] = rankOffers({ customer: gasOf(1000), filter: { tariffType }, offers: list }).warnings;
    expect([warning?.code, warning?.tariffTypes]).toEqual([near ? 'peaje_sin_ofertas' : 'sin_ofertas', near]);
  });

  test('of equally frequent windows the one that ends last counts as the most frequent, and then the longer', () => {
    const ended = { ...HOUSEHOLD, offers: [indexed(1, 12, '2026-02'), indexed(2, 12)] };
    expect(warned(ended, 'ventanas_distintas')?.offerIds).toEqual([1]);
    const begun = { ...HOUSEHOLD, offers: [indexed(1, 11), indexed(2, 12)] };
    expect(warned(begun, 'ventanas_distintas')?.offerIds).toEqual([1]);
  });

  test('two powers that decrease cause a warning only with a filter for six periods', () => {
    const input = { ...HOUSEHOLD, customer: { ...factory, consumptionKwh: [1], powerKw: [30, 20] }, offers: six };
    expect(codesOf(input)).not.toContain('potencia_decreciente');
    const filter = { ...HOUSEHOLD.filter, tariffType: '3.0TD' };
    expect(codesOf({ ...input, filter })).toContain('potencia_decreciente');
    expect(codesOf({ ...input, filter: { ...filter, tariffType: '2.0TD' } })).not.toContain('potencia_decreciente');
  });

  test('surplus without a credit causes no warning, and neither does a price without surplus', () => {
    const year = { ...HOUSEHOLD, customer: exporting };
    expect(codesOf({ ...year, offers: [luz(1), solar] })).toContain('excedentes_tope_anual');
    expect(codesOf({ ...year, offers: [luz(1), luz(2, { hasSolarPanels: true })] })).toEqual([]);
    expect(codesOf({ ...HOUSEHOLD, offers: [luz(1), solar] })).toEqual(['solo_con_placas']);
  });

  test.each([0, 1])(
    'a long entry with surplus and %d kWh bought causes a warning where it is credited',
    (boughtKwh) => {
      const month = { days: 31, consumptionKwh: [100, 1, 0], exportedKwh: 50 };
      const long = { days: 32, consumptionKwh: [boughtKwh, 0, 0], exportedKwh: 50 };
      const customer = { supplyType: 'LUZ', profile: [month, long], powerKw: [4.6, 4.6] } as const;
      const credited = boughtKwh > 0 ? ['excedentes_tope_anual'] : [];
      expect(codesOf({ ...HOUSEHOLD, customer, offers: [luz(1), solar] })).toEqual(credited);
    },
  );
});
