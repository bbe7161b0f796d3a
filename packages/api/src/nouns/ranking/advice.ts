import type { BilledResult, Conflict, FilterName, RankedOffer, Ranking, RankingWarning } from '@tarifario/core/service';
import { WARNING_TEXTS } from '../../messages/es.ts';
import { toWireEur, toWirePercent } from '../../wire/numbers.ts';
import { toWireBill, toWireBillSaving, toWirePresentBill } from '../taxes.ts';
import { toWireCost } from './cost.ts';

const FILTERS: Readonly<Record<FilterName, string>> = {
  supplyType: 'supply_type',
  tariffType: 'tariff_type',
  territory: 'territory',
  community: 'community',
  customerType: 'client_type',
  ssaaIncluded: 'ssaa_included',
  hasSolarPanels: 'placas_solares',
  maxPermanenceMonths: 'permanencia_max',
  minFixedPriceMonths: 'precio_fijo_min',
  isGreen: 'energia_verde',
  ownCompanyId: 'company_id',
  companyName: 'company_name',
};

/** What may make the offers of a ranking hard to compare, in the order of core. @see docs/assumptions.md, A-69 */
export function toWireWarnings({ warnings, ssaaThresholdEurPerMwh: eur = null }: Warned) {
  const umbral_eur_mwh = eur === null ? null : toWireEur(eur);
  return warnings.map((warning) =>
    warning.code === 'ssaa_mezclados' ? { ...toWireWarning(warning), umbral_eur_mwh } : toWireWarning(warning),
  );
}

type Warned = Pick<Ranking, 'warnings' | 'ssaaThresholdEurPerMwh'>;

/** One of them, but for the threshold. */
export function toWireWarning({ code, total, offerIds, tariffTypes, period, filterName }: RankingWarning) {
  const left = filterName === null ? 'varios' : filterName && FILTERS[filterName];
  const named = tariffTypes?.join(', ') ?? left;
  const said = WARNING_TEXTS[code].replace('#', String(period));
  const asks = code === 'peaje_imposible' ? '. Pregunte con tariff_type' : '';
  const mensaje = named === undefined ? said : `${said}${asks}: ${named}`;
  return { codigo: code, mensaje, total, offer_ids: offerIds };
}

/** The present contract; `actual_codigo` only where it is an offer without a cost. */
export function toWirePresent({ presentCost, presentExclusion, billed }: PresentOf) {
  const isKnown = presentCost !== null || (billed?.presentEur ?? null) !== null;
  return {
    actual: isKnown ? { cost: presentCost && toWireCost(presentCost), ...toWirePresentBill(billed) } : null,
    ...(presentExclusion && { actual_codigo: presentExclusion.code }),
  };
}

type PresentOf = Pick<Ranking, 'presentCost' | 'presentExclusion' | 'billed'>;

/** What the commission costs the customer; `null` for those who may not see commissions. */
export function toWireConflict(conflict: Conflict | null) {
  if (conflict === null) return null;
  const { customerEurPerCommissionEur: rate } = conflict;
  const toWire = ({ offerId, costEur, commissionEur }: Conflict['bestPaid']) => ({
    offer_id: offerId,
    coste_extra_anual: toWireEur(costEur),
    comision_extra: toWireEur(commissionEur),
  });
  return {
    euros_cliente_por_euro_comision: rate === null ? null : toWireEur(rate),
    mas_eficiente: toWire(conflict.mostEfficient),
    mas_comision: toWire(conflict.bestPaid),
  };
}

/** What an offer costs and pays beyond the cheapest, and saves compared with the present contract. */
export function toWireAdvice(result: Pick<RankedOffer, Figure | 'saving' | 'billed'>) {
  const eur = (figure: number | null) => (figure === null ? null : toWireEur(figure));
  return {
    coste_extra: eur(result.extraCostEur),
    comision_extra: eur(result.extraCommissionEur),
    comision_eur_mwh: eur(result.commissionEurPerMwh),
    ...toWireBill(result.billed),
    ahorro: toWireSaving(result.saving, result.billed),
  };
}

/** Of an offer that the customer cannot contract; no member of others. @see docs/assumptions.md, A-69 */
export function toWireMark({ isImpossibleTariff }: Pick<RankedOffer, 'isImpossibleTariff'>) {
  return isImpossibleTariff && { peaje_imposible: true as const };
}

type Figure = 'extraCostEur' | 'extraCommissionEur' | 'commissionEurPerMwh';

export function toWireSaving(saving: RankedOffer['saving'], billed?: BilledResult) {
  if (saving === null && !billed?.saving) return null;
  const { eur = null, eurPerYear = null, percent = null } = saving ?? {};
  return {
    eur: eur === null ? null : toWireEur(eur),
    eur_anual: eurPerYear === null ? null : toWireEur(eurPerYear),
    porcentaje: percent === null ? null : toWirePercent(percent),
    ...toWireBillSaving(billed),
  };
}
