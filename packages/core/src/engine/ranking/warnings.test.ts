import { describe, expect, test } from 'vitest';
import { defineHistory, defineOffer, type OfferDefinition } from '../offers/define-offer.ts';
import type { BillNotice } from '../taxes/bill-terms.ts';
import { type RankOffersInput, rankOffers } from './rank-offers.ts';
import type { Ranking } from './ranking.ts';
import { WARNING_CODES, type WarningCode } from './warnings.ts';

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
}

const offers = [luz(1), luz(2)];
const factory = { supplyType: 'LUZ', consumptionKwh: [1, 1, 1, 1, 1, 1], powerKw: [20, 20, 20, 20, 20, 20] } as const;
const six = [luz(1, { tariffType: '3.0TD' }), luz(2, { tariffType: '3.0TD' })];
const solar = luz(2, { hasSolarPanels: true, surplusEurPerKwh: 0.05 });
const exporting = { ...HOUSEHOLD.customer, exportedKwh: 100 } as RankOffersInput['customer'];
const anywhere = { customerType: 'dni' } as const;
const anybody = { territory: 'peninsula' } as const;

const PAIRS: Readonly<Record<Exclude<WarningCode, BillNotice | 'alcance_actual' | 'peaje_sin_ofertas'>, Pair>> = {
  peajes_mezclados: {
    before: { ...HOUSEHOLD, offers },
    after: { ...HOUSEHOLD, offers: [luz(1), luz(2, { tariffType: '2.0TDX' })] },
    offerIds: [2],
  },
  peaje_imposible: {
    before: { ...HOUSEHOLD, offers },
    after: { ...HOUSEHOLD, customer: { ...factory, consumptionKwh: [1], powerKw: [15.1] }, offers },
    offerIds: [1, 2],
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
  fee_power_sin_efecto: {
    before: { ...HOUSEHOLD, offers: [luz(1), luz(2, { feePowerEurPerMwh: 0 })] },
    after: { ...HOUSEHOLD, offers: [luz(1), luz(2, { feePowerEurPerMwh: 0.1 })] },
    offerIds: [2],
  },
};

describe('A-69: warnings', () => {
  // Warnings about bills, a ranking of the past, or one without offers, do not depend on its offers.
  const ofOffers = Object.keys(PAIRS) as (keyof typeof PAIRS)[];
  test.each(ofOffers)('%s appears after one change', (code) => {
    const { before, after, offerIds } = PAIRS[code];
    expect(codesOf(before)).not.toContain(code);
    expect(warned(after, code)).toEqual({ code, total: offerIds.length, offerIds });
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
    ['RL.1', 5000, false],
    ['RL.1', 5000.001, true],
    ['RL.2', 5000, true],
    ['RL.2', 5000.001, false],
    ['RL.4', 300_000, false],
    ['RL.10', 5e8, false],
    ['RL.11', 5e8, true],
    ['RL.11', 5.1e8, false],
    ['RL.12', 1, false],
    ['RLPS.1', 1, false],
  ])('%s at %d kWh a year is impossible: %s', (tariffType, kwh, isImpossible) => {
    const customer = { supplyType: 'GAS', consumptionKwh: kwh } as const;
    const codes = codesOf({ customer, filter: HOUSEHOLD.filter, offers: [gas(1, tariffType)] });
    expect(codes).toEqual(isImpossible ? ['peaje_imposible'] : []);
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
    expect(codesOf({ ...HOUSEHOLD, offers: [luz(1), solar] })).toEqual([]);
  });

  test.each([0, 1])(
    'a long entry with surplus and %d kWh bought causes a warning where it is credited',
    (boughtKwh) => {
      const month = { days: 31, consumptionKwh: [100, 0, 0], exportedKwh: 50 };
      const long = { days: 32, consumptionKwh: [boughtKwh, 0, 0], exportedKwh: 50 };
      const customer = { supplyType: 'LUZ', profile: [month, long], powerKw: [4.6, 4.6] } as const;
      const credited = boughtKwh > 0 ? ['excedentes_tope_anual'] : [];
      expect(codesOf({ ...HOUSEHOLD, customer, offers: [luz(1), solar] })).toEqual(credited);
    },
  );
});
