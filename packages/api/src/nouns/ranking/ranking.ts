import {
  type AppliedPrices,
  COMMISSION_PARTS,
  type Company,
  type ExcludedOffer,
  type Exclusion,
  type Offer,
  PAST_POINTS,
  type PriceOrigin,
  type RankedOffer,
  type Ranking,
  type RankingAnswer,
  rankForCaller,
  shownUpdatedAt,
  takeMorePoints,
  type WinnerSegment,
} from '@tarifario/core/service';
import { utf8 } from '../../json.ts';
import { NOT_PRICED, ONLY_FOR } from '../../messages/es.ts';
import { defineOperation } from '../../operation.ts';
import { rateHeaders } from '../../rate-headers.ts';
import { answersAs } from '../../wire/answer.ts';
import { toWireEur, toWireNota } from '../../wire/numbers.ts';
import { toWirePath } from '../../wire/paths.ts';
import { toWirePrices } from '../../wire/prices.ts';
import { toWireBilled } from '../taxes.ts';
import { toWireAdvice, toWireConflict, toWireMark, toWirePresent, toWireWarnings } from './advice.ts';
import { byPart, toWireCost } from './cost.ts';
import { efficientBody, GAS_MONTH, HOUSEHOLD, oneFirm, toQuestion } from './question.ts';
import { toWireReasons, toWireResultReasons } from './reasons.ts';
import { rankingShape } from './shape.ts';

type Companies = RankingAnswer['companies'];

/**
 * A ranking on the wire. What a caller may not see is already absent from the ranking.
 *
 * @param answer - Its companies include those of every offer of the ranking.
 * @see docs/assumptions.md, A-10, A-11, A-17 to
 */
export function toWireRanking(answer: RankingAnswer) {
  const { ranking } = answer;
  return {
    ...toWireHead(ranking),
    ...(ranking.foundCount !== undefined && { encontradas: ranking.foundCount }),
    excluded: ranking.excluded.map((entry) => toWireExcluded(entry, companyOf(entry.offer, answer.companies))),
    mas_barata_id: ranking.cheapestId,
    mas_comision_id: ranking.bestPaidId,
    mas_eficiente_id: ranking.mostEfficientId,
    ...toWireBilled(ranking),
    escala: toWireScale(ranking),
    umbrales: toWireWinners(ranking),
    avisos: toWireWarnings(ranking),
    ...toWirePresent(ranking),
    conflicto: toWireConflict(ranking.conflict),
    ...toWireReasons(ranking),
    results: ranking.results.map((result) => toWireResult(result, answer)),
  };
}

/** The weight and the period of a ranking, and how many offers it is about. */
export function toWireHead(ranking: Pick<Ranking, HeadField>) {
  const { weight, period, signingDay, rankedCount, excludedCount } = ranking;
  return {
    ...{ w: weight, dias: period.days, meses: period.months },
    ...(signingDay !== undefined && { fecha_firma: signingDay }),
    ...{ total: rankedCount, excluded_count: excludedCount },
  };
}

type HeadField = 'weight' | 'period' | 'signingDay' | 'rankedCount' | 'excludedCount';

/** As a ranking is answered. */
const ranking = answersAs(rankingShape, toWireRanking);

function toWireWinners({ winners }: Ranking) {
  const toWire = ({ fromWeight, toWeight, offerId }: WinnerSegment) => ({
    w_desde: fromWeight,
    w_hasta: toWeight,
    offer_id: offerId,
  });
  return winners === null ? null : winners.map(toWire);
}

export function companyOf(offer: Offer, companies: Companies): Company {
  const company = companies.get(offer.companyId);
  if (!company) throw new RangeError(`offer ${offer.id} of a ranking has no company`);
  return company;
}

/** An offer by its names alone. */
export function toWireNames({ id, offerName }: Offer, { name, firmId }: Company) {
  return { offer_id: id, offer_name: offerName, company_name: name, is_catalog: firmId === null };
}

function toWireExcluded({ offer, exclusion }: ExcludedOffer, company: Company) {
  const names = toWireNames(offer, company);
  const row = { ...names, motivo: motivoFor(exclusion), codigo: exclusion.code };
  if (exclusion.code !== 'fuera_de_limites') return row;
  return { ...row, limite: { campo: toWirePath(exclusion.limit), valor: exclusion.bound } };
}

function toWireScale({ costRangeEur, commissionRangeEur }: Ranking) {
  return {
    coste_min: costRangeEur && toWireEur(costRangeEur.min),
    coste_max: costRangeEur && toWireEur(costRangeEur.max),
    comision_min: commissionRangeEur && toWireEur(commissionRangeEur.min),
    comision_max: commissionRangeEur && toWireEur(commissionRangeEur.max),
  };
}

function toWireResult(result: RankedOffer, { ranking, companies, seesCommissions }: RankingAnswer) {
  const { offer, place } = result;
  return {
    ...(place !== undefined && { puesto: place }),
    offer: toWireRankedOffer(offer, companyOf(offer, companies), seesCommissions),
    indexada: result.origin && toWireOrigin(result.origin, result.prices),
    ...toWireFigures(result),
    is_optimal: result.isOptimal,
    en_frontera: result.isOnFrontier,
    ...toWireAdvice(result),
    ...toWireMark(result),
    ...toWireResultReasons(result, ranking.reasons?.againstId),
  };
}

/** What the offer costs and pays, and its scores. */
export function toWireFigures(result: RankedOffer) {
  const { cost, commission } = result;
  return {
    cost: toWireCost(cost),
    ...toWireByHours(result),
    ...toWireDiscounted(result),
    commission: commission && {
      ...byPart(COMMISSION_PARTS, ({ name }) => toWireEur(commission[name])),
      total: toWireEur(commission.totalEur),
    },
    nota: toWireNota(result.score),
    nota_precio: toWireNota(result.priceScore),
    nota_comision: result.commissionScore === null ? null : toWireNota(result.commissionScore),
  };
}

/** How many entries of a profile are priced by hours; no member where none is. */
function toWireByHours({ byHours }: Pick<RankedOffer, 'byHours'>) {
  return byHours && { por_horas: { energia: byHours.energyCount, excedentes: byHours.surplusCount } };
}

/** What an offer with a discount costs besides; no members where no ranked offer has one. */
export function toWireDiscounted({ discounted }: Pick<RankedOffer, 'discounted'>) {
  if (discounted === undefined) return {};
  return {
    coste_sin_descuento: discounted && toWireEur(discounted.withoutDiscountEur),
    coste_segundo_anio: discounted && toWireEur(discounted.secondYearEur),
  };
}

/** The offer's own prices, also where a history was applied instead. */
function toWireRankedOffer(offer: Offer, company: Company, seesCommissions: boolean) {
  return {
    id: offer.id,
    offer_name: offer.offerName,
    supply_type: offer.supplyType,
    tariff_type: offer.tariffType,
    is_catalog: company.firmId === null,
    company: { id: company.id, name: company.name, logo_url: company.logoUrl },
    ...toWirePrices(offer),
    services_cost: offer.servicesEurPerMonth,
    updated_at: shownUpdatedAt(offer, seesCommissions),
    // Answers without such an offer stay as they were.
    ...(offer.supplyType === 'LUZ' && offer.hasSolarPanels && { placas_solares: true as const }),
  };
}

function toWireOrigin(origin: PriceOrigin, prices: AppliedPrices) {
  const applied = Object.entries(toWirePrices(prices));
  const precios = Object.fromEntries(applied.map(([key, price]) => [key, price === null ? null : toWireEur(price)]));
  if (origin.mode === 'mes') {
    const { mode, month } = origin;
    return { modo: mode, ponderado: false, meses_historico: null, desde: null, hasta: null, mes: month, precios };
  }
  const { mode, monthCount, fromMonth, toMonth, isWeighted } = origin;
  const window = { meses_historico: monthCount, desde: fromMonth, hasta: toMonth };
  return { modo: mode, ponderado: isWeighted, ...window, mes: null, precios };
}

const NUMBER = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 6 });

/** Why an offer is not ranked, as a text for the customer's screen. */
function motivoFor(exclusion: Exclusion): string {
  switch (exclusion.code) {
    case 'fuera_de_vigencia': {
      const [from, to] = [exclusion.from && ` desde el ${exclusion.from}`, exclusion.to && ` hasta el ${exclusion.to}`];
      return `Solo se contrata${from ?? ''}${to ?? ''}`;
    }
    case 'fuera_de_limites':
      return ONLY_FOR[exclusion.limit].replace('#', NUMBER.format(exclusion.bound));
    case 'sin_precio_energia':
    case 'sin_precio_potencia':
      return NOT_PRICED[exclusion.code].replace('#', String(exclusion.period));
    default:
      return NOT_PRICED[exclusion.code];
  }
}

export const RANKING = defineOperation({
  id: 'rankOffers',
  method: 'POST',
  path: '/v1/offers/efficient',
  summary: 'Rank offers for one customer',
  description:
    'Prices every visible offer for the customer, scores cost against commission at the weight w, and says which ' +
    'offers could not be priced and why. Cost is in EUR over the calculation period. Taxes (VAT, IGIC or IPSI, ' +
    'electricity tax, hydrocarbon tax) and the rental of the meter are excluded: the cost is not the amount of an invoice. ' +
    'With impuestos each result has factura_estimada, the bill with taxes by law and date; services bear other taxes, so ' +
    'the lowest bill may be that of another offer (mas_barata_factura_id). Cost, scores and order stay before tax. Commission is in EUR per ' +
    'contract-year, whatever the calculation period. With q the results are the offers that have its words in their name or ' +
    "their retailer's, each with its place in the whole ranking (puesto), which all other members describe. " +
    'With as_of it ranks offers and months as they were then: that costs ' +
    'five points, and one at a time of an account is answered (429).',
  scopes: ['offers:read'],
  body: efficientBody,
  output: ranking.shape,
  takesFields: true,
  refusals: ['weight_needs_commissions', 'not_found', 'business_rule'],
  mcp: 'rank_offers',
  examples: [
    {
      summary: 'A household, savings and commission alike',
      body: { ...HOUSEHOLD, w: 0.5, tariff_type: '2.0TD', territory: 'peninsula', client_type: 'dni', limit: 2 },
    },
    {
      summary: 'Gas for one month, savings only, beside what is paid today',
      body: { ...GAS_MONTH, contrato_actual: { gas_energy: 0.063, gas_fixed: 6.1 } },
    },
    {
      summary:
        'Indexed offers at the prices of one month, with a fee, and 1.50 EUR of the customer for one of commission',
      body: { ...HOUSEHOLD, mes: '2025-11', fee_energia: 5, tolerancia: 1.5, company_id: 1, limit: 1 },
      isLong: true,
    },
    {
      summary: 'A household that says its months, as the curve of its meter does',
      body: {
        supply_type: 'LUZ',
        potencia: { p1: 4.6, p2: 4.6 },
        perfil: [
          { mes: 11, dias: 30, energia: { e1: 95, e2: 70, e3: 120 }, excedentes: 20 },
          { mes: 12, dias: 31, energia: { e1: 105, e2: 80, e3: 140 }, excedentes: 5 },
        ],
        tariff_type: '2.0TD',
        limit: 1,
      },
    },
    {
      summary: 'A household with the bills that it would pay, beside the bill of today',
      body: {
        ...HOUSEHOLD,
        w: 1,
        tariff_type: '2.0TD',
        territory: 'peninsula',
        client_type: 'dni',
        limit: 1,
        contrato_actual: { factura_total: 980.4 },
        impuestos: { fecha: '2026-10-15', alquiler: 'monofasico' },
      },
    },
    {
      summary: 'Why an offer is the best for the household, and another one costs more',
      body: {
        ...HOUSEHOLD,
        w: 1,
        tariff_type: '2.0TD',
        limit: 2,
        explicar: true,
        umbrales_consumo: true,
        margen: true,
        retrospectiva: true,
      },
    },
    {
      summary: 'The offers of one name, at their places in the whole ranking',
      body: { ...HOUSEHOLD, w: 0.5, tariff_type: '2.0TD', q: 'catalogo', limit: 1 },
    },
  ],
  perform: async ({ deps, caller, takesJson }, { firmId, body }) => {
    const question = toQuestion(body, oneFirm(firmId, body.client_id));
    const { as_of } = body;
    const states = as_of === undefined ? [] : await takeMorePoints(deps, caller, PAST_POINTS);
    const answer = { ...(as_of && { as_of }), ...ranking.toWire(await rankForCaller(deps, caller, question)) };
    // It has no messages to be put in words, and at most 200 results.
    const form = takesJson ? { body: undefined, json: utf8(JSON.stringify(answer)) } : { body: answer };
    return { status: 200, headers: rateHeaders(states), ...form };
  },
});
