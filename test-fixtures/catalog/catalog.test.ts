import { readFileSync } from 'node:fs';
import { fromWireEfficient, fromWireOffers } from '@tarifario/api';
import { leastPowerPrices, rankOffers } from '@tarifario/core';
import { fieldPartsOf, fieldsOf, type TermsField } from '@tarifario/core/service';
import { describe, expect, it } from 'vitest';
import { type DemoHousehold, readDemoCatalog } from '../../apps/cli/src/demo/demo-catalog.ts';
import { expectedFor } from '../vectors/oracle/oracle.mjs';

// What the market of the demo is made to show. That each record is sound is seen when the demo is filled: it goes
// through the rules of the service.

interface Month {
  readonly reference_month: string;
}
interface Offer {
  readonly company: string;
  readonly offer_name: string;
  readonly supply_type: string;
  readonly tariff_type: string;
  readonly is_active?: boolean;
  readonly is_indexed: boolean;
  readonly communities?: readonly string[];
  readonly placas_solares?: boolean;
  readonly ssaa_included?: boolean;
  readonly indexed_prices: readonly Month[];
  readonly [field: string]: unknown;
}

const { firms, companies, households, ...rest } = readDemoCatalog();
const offers = rest.offers as readonly Offer[];
const TERRITORIES = ['peninsula', 'canarias', 'baleares', 'ceuta_melilla'];
const TIERS = ['commission_tiers', 'commission_power_tiers'];

const named = (list: readonly Offer[]) => list.map(({ company, offer_name }) => `${company} / ${offer_name}`);
const offersWhere = (holds: (offer: Offer) => boolean) => named(offers.filter(holds));
const monthNumber = ({ reference_month }: Month) => {
  const [year, month] = reference_month.split('-').map(Number);
  return 12 * Number(year) + Number(month);
};

describe('the offers of the demo', () => {
  it('have pictures from reserved hosts only, so that no real server is ever named', () => {
    const pictures = [...companies.map(({ logo_url }) => logo_url), ...firms.map(({ image_url }) => image_url)];
    const hosts = pictures.flatMap((url) => (url ? [new URL(url).hostname] : []));
    expect(hosts.length).toBeGreaterThan(5);
    expect(hosts.filter((host) => !host.endsWith('.example'))).toEqual([]);
  });

  it.each([
    ['2.0TD', 30],
    ['3.0TD', 10],
    ...['6.1TD', 'RL.1', 'RL.2', 'RL.3', 'RL.4'].map((tariff): [string, number] => [tariff, 4]),
  ])('are enough of the tariff %s: at least %d', (tariff, least) => {
    expect(offersWhere(({ tariff_type }) => tariff_type === tariff).length).toBeGreaterThanOrEqual(least);
  });

  it('have prices only in periods that their tariff has', () => {
    const outside = ['e4', 'e5', 'e6', 'p3', 'p4', 'p5', 'p6'];
    const isWrong = (offer: Offer) => offer.tariff_type === '2.0TD' && outside.some((price) => price in offer);
    expect(offersWhere(isWrong)).toEqual([]);
  });

  it.each<[string, number, (offer: Offer) => boolean]>([
    ...TERRITORIES.map((name): [string, number, (offer: Offer) => boolean] => [
      `in ${name}`,
      4,
      (offer) => offer[`territory_${name}`] === true,
    ]),
    ['that pay for surplus', 4, (offer) => 'precio_excedentes' in offer],
    ['with balancing services billed apart', 4, ({ ssaa_included }) => ssaa_included === false],
    ['that say nothing of them', 1, (offer) => offer.supply_type === 'LUZ' && !('ssaa_included' in offer)],
    ['of some communities', 4, ({ communities }) => communities !== undefined],
    ['with services', 4, (offer) => 'services_cost' in offer],
    ['without permanence', 4, (offer) => offer.permanencia_meses === 0],
    ['with a permanence', 4, (offer) => Number(offer.permanencia_meses) > 0],
    ['whose prices are fixed for two years', 3, (offer) => Number(offer.precio_fijo_meses) >= 24],
    ['of green energy', 4, (offer) => offer.energia_verde === true],
    ['of other energy', 3, (offer) => offer.energia_verde === false],
    ['that are retired', 1, ({ is_active }) => is_active === false],
    ...TIERS.flatMap((list) =>
      ['fixed', list === 'commission_tiers' ? 'per_mwh' : 'per_kw'].map(
        (type): [string, number, (offer: Offer) => boolean] => [
          `with ${list} of type ${type}`,
          1,
          (offer) => JSON.stringify(offer[list] ?? []).includes(`"${type}"`),
        ],
      ),
    ),
    ['that are indexed without history', 1, ({ is_indexed, indexed_prices: months }) => is_indexed && !months.length],
  ])('show everything that the demo talks about: %s', (_what, least, holds) => {
    expect(offersWhere(holds).length).toBeGreaterThanOrEqual(least);
  });

  it('A-01: have prices of the usual size of their units', () => {
    const sizes = { e1: [0.05, 0.35], p1: [0.005, 0.15], gas_energy: [0.02, 0.12], gas_fixed: [1, 150] } as const;
    for (const [field, [min, max]] of Object.entries(sizes)) {
      const prices = offers.flatMap((offer) => (typeof offer[field] === 'number' ? [offer[field]] : []));
      expect(prices.length, field).toBeGreaterThan(10);
      expect(prices.filter((price) => price < min || price > max)).toEqual([]);
    }
  });

  it('have powers of 3.0TD and 6.1TD at 1 to 1.3 times the tolls and charges of 2026', () => {
    const least = leastPowerPrices('2026-07-01');
    for (const tariff of ['3.0TD', '6.1TD'] as const) {
      const own = offers.filter(({ tariff_type }) => tariff_type === tariff);
      const shares = own.flatMap((offer) =>
        (least[tariff] ?? []).map((price, period) => Number(offer[`p${period + 1}`]) / Number(price)),
      );
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...shares)).toBeLessThanOrEqual(1.3);
    }
  });
});

describe('the monthly prices of the demo', () => {
  it('are oldest first, one with a gap and one that ended a year early', () => {
    const spans = offers.map(({ indexed_prices }) => indexed_prices.map(monthNumber));
    for (const span of spans) expect(span).toEqual([...new Set(span)].toSorted((a, b) => a - b));
    const latest = Math.max(...spans.flat());
    const hasHole = (span: readonly number[]) => span.some((month, index) => month - (span[index - 1] ?? month) > 2);
    expect(spans.some(hasHole)).toBe(true);
    expect(spans.some((span) => span.length > 0 && latest - (span.at(-1) ?? latest) >= 12)).toBe(true);
  });

  it('say that they are made up unless they are the real PVPC', () => {
    const text = readFileSync(new URL('indexed-prices.json', import.meta.url), 'utf8');
    const histories: readonly { readonly source: string; readonly note?: string }[] = JSON.parse(text);
    const isMarked = ({ source, note = '' }: (typeof histories)[number]) =>
      source === 'pvpc_csv' || note.startsWith('Made up:');
    expect(histories.filter((history) => !isMarked(history))).toEqual([]);
  });

  it('of the real PVPC cover June 2021 to July 2026 in both territories, with prices that a household could have paid', () => {
    const text = readFileSync(new URL('pvpc-2.0TD-monthly.csv', import.meta.url), 'utf8');
    const rows = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
    for (const territory of ['peninsula+canarias+baleares', 'ceuta_melilla']) {
      const months = rows.filter(([name]) => name === territory).map(([, month = '']) => month);
      const first = monthNumber({ reference_month: '2021-06-01' });
      expect(months.map((reference_month) => monthNumber({ reference_month }))).toEqual(
        Array.from({ length: 62 }, (_, index) => first + index),
      );
    }
    const isPlausible = (cells: readonly string[]) => {
      const [e1 = 0, e2 = 0, e3 = 0, days = 0] = cells.slice(2).map(Number);
      return [e1, e2, e3].every((price) => price >= 0.03 && price <= 0.6) && e1 > e2 && days >= 28 && days <= 31;
    };
    expect(rows.filter((cells) => !isPlausible(cells))).toEqual([]);
    expect(rows).toHaveLength(124);
  });
});

const ALL_FIRMS = firms.map(({ name }) => name);
const sellers = new Map(companies.map(({ name, firm }) => [name, firm]));

/** What a customer is shown of the catalog and of some firms. */
function rank({ efficient }: DemoHousehold, firmNames: readonly string[] = ALL_FIRMS) {
  const { request } = fromWireEfficient({ ...efficient, limit: 200 });
  const seen = offers.filter(({ company, is_active = true }) => {
    const firm = sellers.get(company);
    return is_active && (firm === undefined || firmNames.includes(firm));
  });
  return {
    ...rankOffers({ ...request, weight: 0.5, offers: asOffers(seen) }),
    offerName: (id: number) => named(seen)[id - 1],
  };
}

function asOffers(seen: readonly Offer[]) {
  return fromWireOffers(seen.map((offer, index) => ({ ...offer, id: index + 1, is_catalog: false }))).offers;
}

function customerCalled(name: string): DemoHousehold {
  const household = households.find((household) => household.name === name);
  if (household === undefined) throw new Error(`no customer called ${name}`);
  return household;
}

describe('the demo household', () => {
  const household = customerCalled('hogar-2.0TD');

  it('is as the documents describe it', () => {
    expect(household.efficient).toEqual({
      supply_type: 'LUZ',
      energia: { e1: 1200, e2: 900, e3: 1400 },
      potencia: { p1: 4.6, p2: 4.6 },
      tariff_type: '2.0TD',
      territory: 'peninsula',
      client_type: 'dni',
    });
  });

  it.each([[], ALL_FIRMS, ...ALL_FIRMS.map((name) => [name])].map((firmNames) => ({ firmNames })))(
    'changes its winner at least three times between weight 0 and 1, with the firms $firmNames',
    ({ firmNames }) => {
      expect(rank(household, firmNames).winners?.length).toBeGreaterThanOrEqual(4);
    },
  );

  it('is ranked over at least twenty offers that pay 0 to 90 EUR', () => {
    const { rankedCount, commissionRangeEur } = rank(household);
    expect(rankedCount).toBeGreaterThanOrEqual(20);
    expect(commissionRangeEur?.max).toBeLessThanOrEqual(90);
  });

  it('has no winner for one region, for panels, or with balancing services billed apart', () => {
    const { winners, offerName } = rank(household);
    const special = offersWhere(
      (offer) => offer.communities !== undefined || offer.placas_solares === true || offer.ssaa_included === false,
    );
    expect(winners?.map(({ offerId }) => offerName(offerId)).filter((name) => special.includes(String(name)))).toEqual(
      [],
    );
  });

  it('would have a cheaper winner only among the retired offers, so a ranking of those is noticed', () => {
    const retired = offers.filter(({ is_active, tariff_type }) => is_active === false && tariff_type === '2.0TD');
    const { request } = fromWireEfficient({ ...household.efficient, limit: 200 });
    const active = retired.map((offer) => ({ ...offer, is_active: true }));
    const { results } = rankOffers({ ...request, weight: 0.5, offers: asOffers(active) });
    const cheapest = rank(household).costRangeEur?.min ?? 0;
    expect(results.filter(({ cost }) => cost.totalEur < cheapest)).toHaveLength(1);
  });
});

describe('A-116: the PVPC in the demo', () => {
  it('cost the household this by each of 51 years, and was cheaper than the best fixed offer in one', () => {
    const { efficient } = customerCalled('hogar-2.0TD');
    const body = { ...efficient, limit: 200, retrospectiva: true };
    const past = {
      ...{ ventanas: 51, minimo: 598.294397, mediana: 674.529672, maximo: 1241.234364, ultimo: 655.598255 },
      ...{ veces_mas_barata: 1, arrepentimiento_max: 641.556364, ventaja_max: 1.383603 },
    };
    const seen = offers.filter(({ is_active = true }) => is_active);
    const exact = expectedFor({ offers: seen, caller: 'full', request: { operation: 'rankOffers', body } }).body;
    const isPvpc = ({ id }: { readonly id: number }) => seen[id - 1]?.offer_name === 'PVPC 2.0TD';
    expect(exact.results.find(({ offer }: { offer: { id: number } }) => isPvpc(offer)).retrospectiva).toEqual(past);
    const { request } = fromWireEfficient(body);
    const { results } = rankOffers({ ...request, weight: 0.5, offers: asOffers(seen) });
    const own = results.find(({ offer }) => isPvpc(offer))?.reasons?.retrospective;
    expect([own?.windowCount, own?.lowestEur, own?.medianEur, own?.highestEur, own?.latestEur]).toEqual([
      ...[past.ventanas, past.minimo, past.mediana, past.maximo, past.ultimo],
    ]);
    expect(own?.timesCheapest).toBe(past.veces_mas_barata);
    expect(own?.mostRegretEur).toBeCloseTo(past.arrepentimiento_max, 6);
    expect(own?.mostMissedEur).toBeCloseTo(past.ventaja_max, 6);
  });
});

describe('A-125: the regulated offers of the demo', () => {
  const household = customerCalled('hogar-2.0TD');

  it.each([
    [10, 'dni', true, null],
    [12, 'dni', false, 'fuera_de_limites'],
    [10, 'cif', false, null],
    [10, 'cdad', true, null],
  ] as const)('at %d kW, for %s, ranks the PVPC: %s (%s)', (kw, client_type, isRanked, code) => {
    const efficient = { ...household.efficient, potencia: { p1: kw, p2: kw }, client_type };
    const { results, excluded, offerName } = rank({ ...household, efficient });
    const isPvpc = ({ offer }: { readonly offer: { readonly id: number } }) =>
      offerName(offer.id)?.endsWith('/ PVPC 2.0TD');
    expect(results.some(isPvpc)).toBe(isRanked);
    expect(excluded.find(isPvpc)?.exclusion.code ?? null).toBe(code);
  });

  it.each([
    [50_000, true],
    [50_001, false],
  ])('at %d kWh of gas, rank the TUR: %s', (consumo_gas, isRanked) => {
    const { efficient, name } = customerCalled('hogar-gas-RL.2');
    const { results, offerName } = rank({ name, efficient: { ...efficient, consumo_gas } });
    expect(results.some(({ offer }) => offerName(offer.id)?.endsWith('/ Regulada Ficticia RL.2'))).toBe(isRanked);
  });
});

describe('A-115: balancing services in the demo', () => {
  it.each([
    ['comercio-3.0TD', 16],
    ['fabrica-6.1TD', 17.073929],
  ])('%s: the cheapest offer bills them apart up to %d EUR/MWh, as exact fractions say too', (name, most) => {
    const { efficient } = customerCalled(name);
    const seen = offers.filter(({ is_active = true }) => is_active);
    const request = { operation: 'rankOffers', body: { ...efficient, limit: 200 } } as const;
    const { body } = expectedFor({ offers: seen, caller: 'full', request });
    const { umbral_eur_mwh } = body.avisos.find(({ codigo }: { codigo: string }) => codigo === 'ssaa_mezclados');
    expect(umbral_eur_mwh).toBe(most);
    expect(rank(customerCalled(name)).ssaaThresholdEurPerMwh).toBeCloseTo(most, 6);
  });
});

it('A-49, A-118: every offer of the demo is the same with null for what it does not say of its contract', () => {
  const isOf = (offer: Offer) => (field: TermsField) => field.supply === null || field.supply === offer.supply_type;
  const withNulls = offers.map((offer) => {
    const names = fieldsOf('contract').filter(isOf(offer)).flatMap(fieldPartsOf);
    return { ...Object.fromEntries(names.map(({ wire }) => [wire, null])), ...offer };
  });
  expect(
    withNulls.every((offer, index) => Object.keys(offer).length > Object.keys(offers[index] ?? {}).length + 6),
  ).toBe(true);
  expect(asOffers(withNulls)).toEqual(asOffers(offers));
});

describe('every customer of the demo', () => {
  it.each(households)('$name has a real choice: no offer is both the cheapest and the best paid', (household) => {
    const { rankedCount, winners } = rank(household);
    expect(rankedCount).toBeGreaterThanOrEqual(5);
    expect(winners?.length).toBeGreaterThanOrEqual(2);
  });

  it('together cause each reason for which an offer cannot be priced', () => {
    const reasons = households.flatMap((household) => rank(household).excluded.map(({ exclusion }) => exclusion.code));
    expect([...new Set(reasons)]).toHaveLength(4);
  });

  it('contract power that does not decrease from one period of a six-period tariff to the next', () => {
    const falls = ({ efficient: { tariff_type, potencia = {} } }: DemoHousehold) => {
      const powers = Object.entries(potencia)
        .toSorted()
        .map(([, powerKw]) => powerKw);
      return tariff_type !== '2.0TD' && powers.some((powerKw, index) => powerKw < (powers[index - 1] ?? 0));
    };
    expect(households.filter(falls)).toEqual([]);
  });

  it('export so much, in the solar home, that the law caps the credit of one offer', () => {
    const { results, offerName } = rank(customerCalled('hogar-solar-2.0TD'));
    const capped = results.filter(({ cost }) => cost.surplusEur !== null && cost.energyEur + cost.surplusEur === 0);
    expect(capped.map(({ offer }) => offerName(offer.id))).toEqual(['Eléctrica del Unicornio / Unicornio Solar Plus']);
  });
});

it('the invoice and the curves are those that the script makes, each with a made-up supply point', async () => {
  const { FILES } = await import(new URL('write-readings.mjs', import.meta.url).href);
  const files = FILES as Readonly<Record<string, string>>;
  for (const [name, text] of Object.entries(files)) {
    expect(readFileSync(new URL(name, import.meta.url), 'utf8')).toBe(text);
    const points = new Set(text.match(/ES\d{16}\w*/g));
    expect([...points]).toEqual([expect.stringMatching(/^ES002100000000000[12]AB0F$/)]);
  }
});
