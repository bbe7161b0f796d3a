import { describe, expect, it } from 'vitest';
import type { OfferFixture, TierFixture } from './read-catalog.ts';
import { companies, firms, histories, households, monthNumber, monthsOf, offers, pvpcRows } from './read-catalog.ts';

type Check = (value: unknown) => boolean;

const TERRITORIES = ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'];
const CLIENT_FLAGS = ['acepta_dni', 'acepta_cif', 'acepta_cdad_propietarios'];
const ISLANDS_AND_CITIES = new Map([
  ['canarias', 'canarias'],
  ['baleares', 'baleares'],
  ['ceuta', 'ceuta_melilla'],
  ['melilla', 'ceuta_melilla'],
]);
const MAINLAND = (
  'andalucia aragon asturias cantabria castilla_la_mancha castilla_y_leon cataluna comunidad_valenciana extremadura ' +
  'galicia la_rioja madrid murcia navarra pais_vasco'
).split(' ');
const PERIODS = ['1', '2', '3', '4', '5', '6'];

const isFlag: Check = (value) => typeof value === 'boolean';
const within =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= min && value <= max;
const oneOf =
  (...allowed: string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value);
const isName: Check = (value) =>
  typeof value === 'string' &&
  value.length >= 1 &&
  value.length <= 200 &&
  value === value.trim() &&
  value === value.normalize('NFC') &&
  !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(value);

const isEnergyPrice = within(0, 10);
const isPowerPrice = within(0, 1);
const isMonthly = within(0, 100_000);
const isCommission = within(0, 1_000_000);
const isConsumptionType = oneOf('fixed', 'per_mwh');

/** The bounds of the specification's numbers. A field that is not here is not a field of an offer. */
const SHARED_FIELDS: Readonly<Record<string, Check>> = {
  company: isName,
  offer_name: isName,
  supply_type: oneOf('LUZ', 'GAS'),
  tariff_type: (value) => isName(value) && String(value).length <= 32,
  is_indexed: isFlag,
  ...Object.fromEntries(TERRITORIES.map((territory) => [`territory_${territory}`, isFlag])),
  ...Object.fromEntries(CLIENT_FLAGS.map((flag) => [flag, isFlag])),
  communities: (value) => Array.isArray(value) && value.length > 0 && new Set(value).size === value.length,
  services_cost: isMonthly,
  commission: isCommission,
  commission_type: isConsumptionType,
  commission_tiers: Array.isArray,
  is_active: isFlag,
};
const LUZ_FIELDS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(PERIODS.map((period) => [`e${period}`, isEnergyPrice])),
  ...Object.fromEntries(PERIODS.map((period) => [`p${period}`, isPowerPrice])),
  fee_power: within(0, 30),
  placas_solares: isFlag,
  precio_excedentes: isEnergyPrice,
  ssaa_included: isFlag,
  commission_power_tiers: Array.isArray,
};
const GAS_FIELDS: Readonly<Record<string, Check>> = { gas_energy: isEnergyPrice, gas_fixed: isMonthly };

function label(record: { readonly company: string; readonly offer_name: string }): string {
  return `${record.company} / ${record.offer_name}`;
}

function fieldsOf(offer: OfferFixture): Readonly<Record<string, Check>> {
  return { ...SHARED_FIELDS, ...(offer.supply_type === 'LUZ' ? LUZ_FIELDS : GAS_FIELDS) };
}

/** Offers for which `broken` holds, by name: an empty list reads better in a failure than `false`. */
function offersWhere(broken: (offer: OfferFixture) => boolean): string[] {
  return offers.filter(broken).map(label);
}

/** What is wrong with a list of tiers; an open end is allowed on the last one only, shared bounds are not an overlap. */
function tierIssues(tiers: readonly TierFixture[], quantity: 'consumption' | 'power', isType: Check): string[] {
  const keys = [`${quantity}_from`, `${quantity}_to`, 'commission', 'commission_type'];
  const issues = tiers.length > 50 ? ['more than 50 tiers'] : [];
  let previousEnd = 0;
  for (const tier of tiers) {
    const from = Number(tier[`${quantity}_from`]);
    const end = tier[`${quantity}_to`];
    const to = end === null ? Number.POSITIVE_INFINITY : Number(end);
    if (Object.keys(tier).sort().join() !== keys.sort().join()) issues.push(`fields ${Object.keys(tier).join()}`);
    if (typeof tier[`${quantity}_from`] !== 'number' || (end !== null && typeof end !== 'number')) issues.push('text');
    if (!(from >= 0 && to > from)) issues.push(`bounds ${from} to ${to}`);
    if (!(from >= previousEnd)) issues.push(`${from} starts before the end of the tier below, ${previousEnd}`);
    if (!isCommission(tier.commission) || !isType(tier.commission_type)) issues.push(`commission of ${from} to ${to}`);
    previousEnd = to;
  }
  return issues;
}

function repeated(names: readonly string[]): string[] {
  const folded = names.map((name) => name.trim().toLowerCase());
  return folded.filter((name, index) => folded.indexOf(name) !== index);
}

function urlIssue(text: string | null | undefined): boolean {
  if (text === null || text === undefined) return false;
  const url = new URL(text);
  return url.protocol !== 'https:' || !url.hostname.endsWith('.example') || url.username !== '' || text.length > 2048;
}

describe('firms and companies', () => {
  it('has two firms and at least twelve companies, each name once', () => {
    expect(firms).toHaveLength(2);
    expect(companies.length).toBeGreaterThanOrEqual(12);
    expect(repeated(firms.map(({ name }) => name))).toEqual([]);
    expect(repeated(companies.map(({ name }) => name))).toEqual([]);
    expect([...firms, ...companies].filter(({ name }) => !isName(name))).toEqual([]);
  });

  it('gives every company either to the catalog or to a firm that exists', () => {
    const firmNames = firms.map(({ name }) => name);
    const broken = companies.filter(({ catalog, firm }) =>
      catalog ? firm !== undefined : firm === undefined || !firmNames.includes(firm),
    );
    expect(broken).toEqual([]);
    expect(firmNames.filter((name) => !companies.some(({ firm }) => firm === name))).toEqual([]);
  });

  it('shows pictures from reserved hosts only, so that no real server is ever named', () => {
    expect(companies.filter(({ logo_url }) => urlIssue(logo_url))).toEqual([]);
    expect(firms.filter(({ image_url }) => urlIssue(image_url))).toEqual([]);
  });
});

describe('offers', () => {
  it('are at least 70, each of a known company and with a name that the company uses once', () => {
    const known = new Set(companies.map(({ name }) => name));
    const used = new Set(offers.map(({ company }) => company));
    expect(offers.length).toBeGreaterThanOrEqual(70);
    expect(offersWhere(({ company }) => !known.has(company))).toEqual([]);
    expect([...known].filter((name) => !used.has(name))).toEqual([]);
    expect(repeated(offers.map(label))).toEqual([]);
  });

  it('A-01: carry only fields of their supply type, each inside its bounds', () => {
    const issues = offers.flatMap((offer) => {
      const fields = fieldsOf(offer);
      return Object.entries(offer)
        .filter(([field, value]) => fields[field]?.(value) !== true)
        .map(([field, value]) => `${label(offer)}: ${field} ${JSON.stringify(value)}`);
    });
    const required = [
      'company',
      'offer_name',
      'supply_type',
      'tariff_type',
      'is_indexed',
      'commission',
      'commission_type',
    ];
    expect(issues).toEqual([]);
    expect(offersWhere((offer) => required.some((field) => !(field in offer)))).toEqual([]);
  });

  it('cover every access tariff of the demo, households above all', () => {
    const count = (tariff: string) => offers.filter(({ tariff_type }) => tariff_type === tariff).length;
    expect(count('2.0TD')).toBeGreaterThanOrEqual(30);
    expect(count('3.0TD')).toBeGreaterThanOrEqual(10);
    for (const tariff of ['6.1TD', 'RL.1', 'RL.2', 'RL.3', 'RL.4'])
      expect(count(tariff), tariff).toBeGreaterThanOrEqual(4);
    expect(
      offersWhere(({ tariff_type, supply_type }) => tariff_type.startsWith('RL.') !== (supply_type === 'GAS')),
    ).toEqual([]);
  });

  it('have prices only in periods that their tariff has', () => {
    const outside = ['e4', 'e5', 'e6', 'p3', 'p4', 'p5', 'p6'];
    expect(offersWhere((offer) => offer.tariff_type === '2.0TD' && outside.some((price) => price in offer))).toEqual(
      [],
    );
  });

  it('keep the business rules: a territory, a kind of client, surplus only with panels', () => {
    expect(offersWhere((offer) => !TERRITORIES.some((name) => offer[`territory_${name}`] === true))).toEqual([]);
    expect(offersWhere((offer) => !CLIENT_FLAGS.some((flag) => offer[flag] === true))).toEqual([]);
    expect(offersWhere((offer) => 'precio_excedentes' in offer && offer.placas_solares !== true)).toEqual([]);
  });

  it('name only communities that exist and that lie in a territory of the offer', () => {
    const territoryOf = (community: string) =>
      ISLANDS_AND_CITIES.get(community) ?? (MAINLAND.includes(community) ? 'peninsula' : 'nowhere');
    const isOutside = (offer: OfferFixture) =>
      (offer.communities ?? []).some((community) => offer[`territory_${territoryOf(community)}`] !== true);
    expect(offersWhere(isOutside)).toEqual([]);
  });

  it('have tiers in order, without overlap, open only at the top', () => {
    const issues = offers.flatMap((offer) =>
      [
        ...tierIssues(offer.commission_tiers ?? [], 'consumption', isConsumptionType),
        ...tierIssues(offer.commission_power_tiers ?? [], 'power', oneOf('fixed', 'per_kw')),
      ].map((issue) => `${label(offer)}: ${issue}`),
    );
    expect(issues).toEqual([]);
  });

  it('show every feature that the demo talks about', () => {
    const tierTypes = (field: 'commission_tiers' | 'commission_power_tiers') =>
      new Set(offers.flatMap((offer) => (offer[field] ?? []).map(({ commission_type }) => commission_type)));
    expect([...tierTypes('commission_tiers')].sort()).toEqual(['fixed', 'per_mwh']);
    expect([...tierTypes('commission_power_tiers')].sort()).toEqual(['fixed', 'per_kw']);
    for (const territory of TERRITORIES) {
      expect(offersWhere((offer) => offer[`territory_${territory}`] === true).length, territory).toBeGreaterThanOrEqual(
        4,
      );
    }
    expect(offersWhere((offer) => 'precio_excedentes' in offer).length).toBeGreaterThanOrEqual(4);
    expect(offersWhere((offer) => offer.ssaa_included === false).length).toBeGreaterThanOrEqual(4);
    expect(offersWhere((offer) => offer.supply_type === 'LUZ' && !('ssaa_included' in offer)).length).toBeGreaterThan(
      0,
    );
    expect(offersWhere((offer) => offer.communities !== undefined).length).toBeGreaterThanOrEqual(4);
    expect(offersWhere((offer) => offer.services_cost !== undefined).length).toBeGreaterThanOrEqual(4);
    expect(offersWhere((offer) => offer.is_active === false).length).toBeGreaterThan(0);
  });
});

describe('monthly prices', () => {
  it('belong to one indexed offer each', () => {
    const indexed = new Set(offersWhere(({ is_indexed }) => is_indexed));
    expect(histories.map(label).filter((name) => !indexed.has(name))).toEqual([]);
    expect(repeated(histories.map(label))).toEqual([]);
  });

  it('are first days of months, oldest first, with every energy period of the tariff', () => {
    const issues = offers.flatMap((offer) => {
      const rows = monthsOf(offer);
      const energy = offer.supply_type === 'GAS' ? ['gas_energy'] : PERIODS.map((period) => `e${period}`);
      const expected = offer.tariff_type === '2.0TD' ? energy.slice(0, 3) : energy;
      return rows
        .filter((row, index) => {
          const inOrder =
            index === 0 || monthNumber(row.reference_month) > monthNumber(rows[index - 1]?.reference_month);
          return !inOrder || !expected.every((field) => within(-10, 10)(row[field]));
        })
        .map((row) => `${label(offer)}: ${JSON.stringify(row)}`);
    });
    expect(issues).toEqual([]);
  });

  it('have no field but prices of the supply type, power and fixed term inside their bounds', () => {
    const issues = offers.flatMap((offer) => {
      const fields = offer.supply_type === 'GAS' ? GAS_FIELDS : LUZ_FIELDS;
      return monthsOf(offer).flatMap((row) =>
        Object.entries(row)
          .filter(([field]) => field !== 'reference_month')
          .filter(([field, price]) => {
            const isPrice = /^([ep][1-6]|gas_energy|gas_fixed)$/.test(field) && field in fields;
            return !isPrice || (/^(p|gas_fixed)/.test(field) && fields[field]?.(price) !== true);
          })
          .map(([field, price]) => `${label(offer)} ${row.reference_month}: ${field} ${price}`),
      );
    });
    expect(issues).toEqual([]);
  });

  it('say that they are made up unless they are the real PVPC', () => {
    const unmarked = histories.filter(
      (history) => history.source === 'made_up' && !history.note.startsWith('Made up:'),
    );
    const real = histories.flatMap((history) => (history.source === 'pvpc_csv' ? [history.territory_key] : []));
    expect(unmarked).toEqual([]);
    expect(real.sort()).toEqual([...new Set(pvpcRows.map(({ territory }) => territory))].sort());
  });

  it('contain a hole, a history that ended early, and an indexed offer with no history', () => {
    const spans = offers.map((offer) => monthsOf(offer).map((row) => monthNumber(row.reference_month)));
    const latest = Math.max(...spans.flat());
    const hasHole = (span: number[]) =>
      span.some((month, index) => index > 0 && month - (span[index - 1] ?? month) > 2);
    expect(spans.some(hasHole)).toBe(true);
    expect(spans.some((span) => span.length > 0 && latest - (span.at(-1) ?? latest) >= 12)).toBe(true);
    expect(offersWhere((offer) => offer.is_indexed && monthsOf(offer).length === 0).length).toBeGreaterThan(0);
  });
});

describe('the real PVPC history', () => {
  it('covers June 2021 to July 2026 in both territories, without a gap', () => {
    for (const territory of ['peninsula+canarias+baleares', 'ceuta_melilla']) {
      const months = pvpcRows
        .filter((row) => row.territory === territory)
        .map((row) => monthNumber(row.reference_month));
      const first = monthNumber('2021-06-01');
      expect(months, territory).toEqual(Array.from({ length: 62 }, (_, index) => first + index));
    }
    expect(pvpcRows).toHaveLength(124);
  });

  it('has prices that a regulated household could have paid, over nearly all days of each month', () => {
    const isPlausible = ({ e1, e2, e3, days }: (typeof pvpcRows)[number]) =>
      [e1, e2, e3].every(within(0.03, 0.6)) && e1 > e2 && days >= 28 && days <= 31;
    expect(pvpcRows.filter((row) => !isPlausible(row))).toEqual([]);
  });
});

describe('customers', () => {
  it('have a name each and the numbers of one supply type', () => {
    const isQuantity = within(0, 1_000_000_000);
    const broken = households.filter(({ efficient }) => {
      const { supply_type, energia = {}, potencia = {}, consumo_gas, excedentes = 0 } = efficient;
      const isGas = supply_type === 'GAS';
      const quantities = [...Object.values(energia), ...Object.values(potencia), excedentes];
      const hasLuz = Object.keys(energia).length > 0 && Object.keys(potencia).length > 0;
      return isGas ? hasLuz || !isQuantity(consumo_gas) || consumo_gas === 0 : !hasLuz || !quantities.every(isQuantity);
    });
    expect(broken).toEqual([]);
    expect(repeated(households.map(({ name }) => name))).toEqual([]);
  });

  it('ask only for what the ranking takes: no misspelt field, territory or kind of client', () => {
    const checks: Readonly<Record<string, Check>> = {
      supply_type: oneOf('LUZ', 'GAS'),
      energia: (value) => typeof value === 'object' && Object.keys(value ?? {}).every((key) => /^e[1-6]$/.test(key)),
      potencia: (value) => typeof value === 'object' && Object.keys(value ?? {}).every((key) => /^p[1-6]$/.test(key)),
      consumo_gas: within(0, 1_000_000_000),
      excedentes: within(0, 1_000_000_000),
      tariff_type: oneOf(...new Set(offers.map(({ tariff_type }) => tariff_type))),
      territory: oneOf(...TERRITORIES),
      community: oneOf(...MAINLAND, ...ISLANDS_AND_CITIES.keys()),
      client_type: oneOf('dni', 'cif', 'cdad'),
    };
    const issues = households.flatMap(({ name, efficient }) =>
      Object.entries(efficient)
        .filter(([field, value]) => checks[field]?.(value) !== true)
        .map(([field, value]) => `${name}: ${field} ${JSON.stringify(value)}`),
    );
    expect(issues).toEqual([]);
  });

  it('contract power that never falls from one period of a six-period tariff to the next', () => {
    const falling = households.filter(({ efficient }) => {
      const powers = PERIODS.flatMap((period) => efficient.potencia?.[`p${period}`] ?? []);
      return efficient.tariff_type !== '2.0TD' && powers.some((powerKw, index) => powerKw < (powers[index - 1] ?? 0));
    });
    expect(falling).toEqual([]);
  });

  it('keep the demo household as the documents describe it', () => {
    expect(households[0]).toEqual({
      name: 'hogar-2.0TD',
      efficient: {
        supply_type: 'LUZ',
        energia: { e1: 1200, e2: 900, e3: 1400 },
        potencia: { p1: 4.6, p2: 4.6 },
        tariff_type: '2.0TD',
        territory: 'peninsula',
        client_type: 'dni',
      },
    });
  });
});
