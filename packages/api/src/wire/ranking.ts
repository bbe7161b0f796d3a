import {
  type AppliedPrices,
  COMMISSION_PARTS,
  type Company,
  type ExcludedOffer,
  type Exclusion,
  type Offer,
  type PriceOrigin,
  type RankedOffer,
  type Ranking,
  type RankingAnswer,
  shownUpdatedAt,
  type WinnerSegment,
} from '@tarifario/core/service';
import { toWireAdvice, toWireConflict, toWireMark, toWirePresent, toWireWarnings } from './advice.ts';
import { answersAs } from './answer.ts';
import { byPart, toWireCost } from './cost.ts';
import { toWireEur, toWireNota } from './numbers.ts';
import { toWirePath } from './paths.ts';
import { toWirePrices } from './prices.ts';
import { toWireReasons, toWireResultReasons } from './reasons.ts';
import { rankingShape } from './shapes.ts';
import { toWireBilled } from './taxes.ts';

type Companies = RankingAnswer['companies'];

/**
 * A ranking on the wire. What a caller may not see is already absent from the ranking.
 *
 * @param answer - Its companies include those of every offer of the ranking.
 * @see docs/assumptions.md, A-10, A-11, A-17 to
 */
export function toWireRanking({ ranking, companies }: RankingAnswer) {
  return {
    ...toWireHead(ranking),
    ...(ranking.foundCount !== undefined && { encontradas: ranking.foundCount }),
    excluded: ranking.excluded.map((entry) => toWireExcluded(entry, companyOf(entry.offer, companies))),
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
    results: ranking.results.map((result) => toWireResult(result, companies, ranking.reasons?.againstId)),
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
export const ranking = answersAs(rankingShape, toWireRanking);

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

function toWireResult(result: RankedOffer, companies: Companies, againstId: number | null | undefined) {
  const { offer, place } = result;
  return {
    ...(place !== undefined && { puesto: place }),
    offer: toWireRankedOffer(offer, companyOf(offer, companies), result.commission !== null),
    indexada: result.origin && toWireOrigin(result.origin, result.prices),
    ...toWireFigures(result),
    is_optimal: result.isOptimal,
    en_frontera: result.isOnFrontier,
    ...toWireAdvice(result),
    ...toWireMark(result),
    ...toWireResultReasons(result, againstId),
  };
}

/** What the offer costs and pays, and its scores. */
export function toWireFigures(result: RankedOffer) {
  const { cost, commission } = result;
  return {
    cost: toWireCost(cost),
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

const ONLY_FOR = {
  minPowerKw: 'Solo para potencias desde # kW',
  maxPowerKw: 'Solo para potencias hasta # kW',
  minAnnualKwh: 'Solo para consumos desde # kWh al año',
  maxAnnualKwh: 'Solo para consumos hasta # kWh al año',
} as const;
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
    case 'sin_historico':
      return 'Oferta indexada sin histórico de precios';
    case 'sin_mes':
      return 'Oferta indexada sin precios del mes solicitado';
    case 'sin_precio_energia':
      return `Sin precio de energía en el periodo P${exclusion.period}, en el que hay consumo`;
    case 'sin_precio_potencia':
      return `Sin precio de potencia en el periodo P${exclusion.period}, en el que hay potencia contratada`;
    case 'sin_precio_gas':
      return 'Sin precio de energía o sin término fijo de gas';
  }
}
