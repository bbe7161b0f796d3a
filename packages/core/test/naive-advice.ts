import {
  demandOf,
  type Month,
  type OfferWithHistory,
  type PresentCost,
  priceOffer,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
  type RankingWarning,
} from '@tarifario/core/service';

// Advice as its rules are told, offer after offer and without anything that is kept.

type Ranked = Pick<RankedOffer, 'offer' | 'cost' | 'origin'>;

/** The warnings about ranked offers, by the table of A-69. */
export function naiveWarnings(ranked: readonly Ranked[], request: RankingRequest): readonly RankingWarning[] {
  const { customer, period, filter } = request;
  const sorted = ranked.toSorted((a, b) => a.offer.id - b.offer.id);
  const about = (code: RankingWarning['code'], isNamed: (entry: Ranked) => boolean): RankingWarning[] => {
    const ids = sorted.filter(isNamed).map(({ offer }) => offer.id);
    return ids.length === 0 ? [] : [{ code, total: ids.length, offerIds: ids.slice(0, 50) }];
  };
  const whole = (code: RankingWarning['code'], holds: boolean): RankingWarning[] =>
    holds ? [{ code, total: 0, offerIds: [] }] : [];

  const tariff = ({ offer }: Ranked) => offer.tariffType;
  const mostTariff = commonest(sorted.map(tariff), (a, b) => (a < b ? -1 : 1));
  const kw = customer.supplyType === 'LUZ' ? customer.powerKw.filter((each) => each > 0) : [];
  const highest = Math.max(0, ...kw);
  const luz = customer.supplyType === 'LUZ' ? customer : null;
  const usesMore = luz !== null && [...luz.consumptionKwh.slice(3), ...luz.powerKw.slice(2)].some((each) => each > 0);
  const usesThree = luz?.consumptionKwh.some((each) => each > 0) === true && !usesMore;
  const annualKwh = customer.supplyType === 'GAS' ? (customer.consumptionKwh * 365) / period.days : 0;
  const isSix = (name: string) => name === '3.0TD' || name === '3.0TDVE' || name.startsWith('6.');
  const isImpossible = (entry: Ranked) => {
    const name = tariff(entry);
    if (/^RL\.([1-9]|10|11)$/.test(name)) return name !== bandOf(annualKwh);
    if (isSix(name) && usesThree) return true;
    if (name === '2.0TD') return highest > 15;
    return (name === '3.0TD' || name === '3.0TDVE') && highest > 0 && highest <= 15;
  };
  const someSix = sorted.some((entry) => isSix(tariff(entry))) || isSix(filter.tariffType ?? '');
  const says = ({ offer }: Ranked) => offer.supplyType === 'LUZ' && offer.ssaaIncluded === true;
  const window = ({ origin }: Ranked) => (origin?.mode === 'media' ? origin : null);
  const windows = sorted.flatMap((entry) => window(entry) ?? []);
  const newest = Math.max(...windows.map(({ toMonth }) => ordinal(toMonth)));
  const ends = windows.map(({ fromMonth, toMonth }) => `${toMonth}/${fromMonth}`);
  const mostEnds = commonest(ends, (a, b) => {
    const [aTo = '', aFrom = ''] = a.split('/');
    const [bTo = '', bFrom = ''] = b.split('/');
    if (aTo !== bTo) return aTo > bTo ? -1 : 1;
    return aFrom < bFrom ? -1 : 1;
  });
  const isLong = customer.profile
    ? customer.profile.some(({ days, exportedKwh }) => days > 31 && exportedKwh > 0)
    : period.days > 31;
  const differ = (flagsOf: (entry: Ranked) => object) =>
    new Set(sorted.map((entry) => JSON.stringify(flagsOf(entry)))).size > 1;

  return [
    ...about('peajes_mezclados', (entry) => tariff(entry) !== mostTariff),
    ...about('peaje_imposible', isImpossible),
    ...whole('potencia_decreciente', usesMore && someSix && kw.some((each, i) => each < (kw[i - 1] ?? 0))),
    ...about('ssaa_mezclados', (entry) => sorted.some(says) && !says(entry)),
    ...about('historico_corto', (entry) => (window(entry)?.monthCount ?? 12) < 12),
    ...about('historico_antiguo', (entry) => newest - ordinal(window(entry)?.toMonth ?? null, newest) > 3),
    ...about('ventanas_distintas', (entry) => {
      const own = window(entry);
      return own !== null && `${own.toMonth}/${own.fromMonth}` !== mostEnds;
    }),
    ...whole('periodo_incoherente', Math.abs(period.months - (period.days * 12) / 365) > 0.5),
    ...whole('excedentes_tope_anual', isLong && sorted.some(({ cost }) => cost.surplusEur < 0)),
    ...whole('sin_filtro_territorio', filter.territory === null && differ(({ offer }) => offer.territories)),
    ...whole('sin_filtro_cliente', filter.customerType === null && differ(({ offer }) => offer.accepts)),
    ...about('fee_power_sin_efecto', ({ offer }) => offer.supplyType === 'LUZ' && (offer.feePowerEurPerMwh ?? 0) > 0),
  ];
}

function ordinal(month: Month | null, otherwise = 0): number {
  return month === null ? otherwise : Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
}

function commonest(names: readonly string[], compare: (a: string, b: string) => number): string | undefined {
  const times = (name: string) => names.filter((other) => other === name).length;
  return [...new Set(names)].sort((a, b) => times(b) - times(a) || compare(a, b))[0];
}

const BANDS_KWH = [5e3, 15e3, 50e3, 300e3, 1.5e6, 5e6, 15e6, 50e6, 150e6, 500e6];

/** Annual kWh are compared in thousandths, as tiers are. */
function bandOf(annualKwh: number): string {
  const rounded = Math.floor(annualKwh * 1000 + 0.5) / 1000;
  return `RL.${BANDS_KWH.filter((most) => rounded > most).length + 1}`;
}

/** What is paid today, as the definition prices an offer with these prices. */
export function naivePresentCost({ contract = null, customer, period }: RankingRequest): PresentCost | null {
  if (contract === null) return null;
  if ('totalEur' in contract) {
    const none = { energyEur: null, powerEur: null, fixedEur: null, surplusEur: null, servicesEur: null };
    return { ...none, totalEur: Math.floor(contract.totalEur * 1e6 + 0.5) / 1e6 };
  }
  const offer = { services: null, isIndexed: false, ...contract, hasSolarPanels: true };
  const entry = { offer, months: [] } as unknown as OfferWithHistory;
  const pricing = priceOffer(entry, demandOf(customer, period), null);
  return pricing.priced ? pricing.cost : null;
}

/** The weight that a request asks for, or that its tolerance is. */
export function naiveWeight(
  { weight, tolerance = null, seesCommissions, period }: RankingRequest,
  offers: readonly { readonly costEur: number; readonly commissionEur: number }[],
): number {
  if (!seesCommissions) return 1;
  if (tolerance === null) return weight;
  const width = (values: readonly number[]) => (values.length === 0 ? 0 : Math.max(...values) - Math.min(...values));
  const cost = (width(offers.map(({ costEur }) => costEur)) * 365) / period.days;
  const commission = width(offers.map(({ commissionEur }) => commissionEur));
  if (commission === 0) return 1;
  return cost === 0 ? Number(tolerance === 0) : cost / (cost + tolerance * commission);
}

type Shown = Pick<RankedOffer, 'offer' | 'cost' | 'commission'>;

/** What the commission costs the customer. */
export function naiveConflict(
  offers: { readonly [Name in 'cheapest' | 'mostEfficient' | 'bestPaid']: Shown | undefined },
  { weight, costRangeEur, commissionRangeEur, period }: Omit<Ranking, 'winners' | 'results' | 'conflict'>,
): Ranking['conflict'] {
  const { cheapest, mostEfficient, bestPaid } = offers;
  if (!cheapest || !mostEfficient || !bestPaid || !costRangeEur || !commissionRangeEur) return null;
  const cost = ((costRangeEur.max - costRangeEur.min) * 365) / period.days;
  const commission = commissionRangeEur.max - commissionRangeEur.min;
  const beyond = ({ offer, cost: { totalEur }, commission: pays }: Shown) => ({
    offerId: offer.id,
    costEur: ((totalEur - cheapest.cost.totalEur) * 365) / period.days,
    commissionEur: (pays?.totalEur ?? 0) - (cheapest.commission?.totalEur ?? 0),
  });
  const rate = ((1 - weight) * cost) / commission / weight;
  return {
    customerEurPerCommissionEur: weight === 0 || commission === 0 || !Number.isFinite(rate) ? null : rate,
    mostEfficient: beyond(mostEfficient),
    bestPaid: beyond(bestPaid),
  };
}
