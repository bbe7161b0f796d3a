import type {
  BilledResult,
  Conflict,
  FilterName,
  RankedOffer,
  Ranking,
  RankingWarning,
  WarningCode,
} from '@tarifario/core/service';
import { toWireEur, toWirePercent } from '../../wire/numbers.ts';
import { toWireBill, toWireBillSaving, toWirePresentBill } from '../taxes.ts';
import { toWireCost } from './cost.ts';

/** The warnings in the language of the wire. */
const MESSAGES: Readonly<Record<WarningCode, string>> = {
  sin_potencia:
    'La pregunta no tiene potencia, y el coste no la lleva: pida los kW por periodo o el código QR de la factura',
  peajes_mezclados: 'Hay ofertas de varios peajes: un cliente solo puede contratar las del suyo. Indique tariff_type',
  peaje_imposible: 'Hay ofertas de un peaje que no corresponde a la potencia, los periodos o el consumo del cliente',
  peaje_en_el_limite: 'El consumo está a menos de un 5 % del límite de su peaje de gas: puede ser el de al lado',
  gas_capacidad: 'El término de capacidad de estos peajes de gas no está en el coste',
  consumo_en_un_periodo: 'Todo el consumo está en P#: pida los kWh por periodo o el código QR de la factura',
  potencia_en_un_periodo: 'Toda la potencia está en P#: pida los kW por periodo o el código QR de la factura',
  consumo_improbable: 'El consumo no es el de esa potencia: compruebe que son kWh y kW, y de un año, no de un mes',
  potencia_decreciente: 'En un peaje de seis periodos ninguna potencia puede ser menor que la del periodo anterior',
  potencia_bajo_regulado:
    'El precio de potencia de estas ofertas es menor que los peajes y cargos: es de otro año, o un error',
  penalizacion_sobre_el_limite:
    'La penalización de estas ofertas pasa del 5 % que la ley admite para personas en 2.0TD (RD 88/2026, art. 28.3)',
  descuento_temporal: 'El coste de estas ofertas tiene un descuento que termina: después puede ser mayor',
  ssaa_mezclados: 'Unas ofertas incluyen los servicios de ajuste y otras no, o no lo dicen: su coste no es comparable',
  historico_corto: 'La media de estas ofertas indexadas tiene menos de 12 meses y no representa un año',
  historico_antiguo: 'El histórico de estas ofertas indexadas termina más de 3 meses antes que el más reciente',
  historico_sin_actualizar:
    'El mes más reciente de las ofertas indexadas es de hace más de 2 meses: faltan sus precios',
  ventanas_distintas: 'Las medias de las ofertas indexadas no son de los mismos meses',
  periodo_incoherente: 'dias y meses no son el mismo periodo',
  excedentes_tope_anual:
    'Los excedentes se compensan mes a mes: con un solo tope para todo el periodo el abono puede ser demasiado alto',
  bono_social: 'El cliente tiene el bono social, que se pierde en el mercado libre',
  salir_de_la_tur:
    'Quien deja la TUR de gas debe la deuda media de su escalón hasta que se recupere (RDL 25/2026, art. 1.6)',
  indexada_sin_curva: 'El coste de estas ofertas indexadas usa medias mensuales: con placas puede ser mayor',
  solo_con_placas: 'Estas ofertas son para clientes con placas solares, y no hay excedentes',
  placas_sin_excedentes:
    'Se piden ofertas para placas solares, y la pregunta no tiene excedentes: pida los kWh vertidos',
  sin_filtro_territorio: 'No se ha indicado territory, y no todas las ofertas se ofrecen en los mismos territorios',
  sin_filtro_cliente: 'No se ha indicado client_type, y no todas las ofertas aceptan a los mismos clientes',
  terminos_desconocidos:
    'Estas ofertas quedan fuera porque no dicen la permanencia, los meses de precio fijo o si su energía es verde',
  fee_power_sin_efecto: 'El fee_power de estas ofertas no entra en el cálculo',
  actual_improbable:
    'Lo que se paga hoy es menos de 0,6 o más de 2,5 veces la oferta más barata: compruebe el periodo, y si es con impuestos o sin ellos',
  menos_de_un_ano: 'El ahorro es de menos de un año, y lo que falta puede ser otra estación',
  alcance_actual:
    'Las ofertas y sus precios son los de as_of; las comercializadoras, asesorías y suscripciones, las de hoy',
  alquiler_sin_indicar: 'La factura no lleva el alquiler del contador: indíquelo en impuestos.alquiler',
  bono_sin_dato: 'La financiación del bono social no se conoce antes de 2025: cuenta como 0',
  tipo_por_confirmar: 'Algún tipo de estos impuestos está por confirmar: véase seguro en impuestos.tipos',
  orden_distinto_con_impuestos: 'Con impuestos la oferta más barata es otra: véase mas_barata_factura_id',
  peaje_sin_ofertas: 'Ninguna oferta que pasa los demás filtros tiene ese tariff_type. Los más parecidos',
  sin_ofertas: 'Ninguna oferta pasa los filtros. Quite',
};

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
  const said = MESSAGES[code].replace('#', String(period));
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
