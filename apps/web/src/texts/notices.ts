import type { Texts } from './common.ts';
import type { Language } from './texts.ts';

/** What warnings, readings and reasons say, by their codes. */
const NOTICES: Texts = {
  peajes_mezclados: [
    'Hay ofertas de varios peajes, y un cliente solo puede contratar las del suyo',
    'There are offers of several access tariffs, and a customer can only have those of his own',
  ],
  peaje_imposible: [
    'Hay ofertas de un peaje que no corresponde a la potencia, los periodos o el consumo del cliente',
    "There are offers of an access tariff that does not match the customer's power, periods or consumption",
  ],
  potencia_decreciente: [
    'En un peaje de seis periodos ninguna potencia puede ser menor que la del periodo anterior',
    'In a tariff of six periods no power may be lower than that of the period before',
  ],
  ssaa_mezclados: [
    'Unas ofertas incluyen los servicios de ajuste y otras no, o no lo dicen: su coste no es comparable',
    'Some offers include balancing services and others do not, or do not say: their costs are not comparable',
  ],
  historico_corto: [
    'La media de estas ofertas indexadas tiene menos de 12 meses y no representa un año',
    'The mean of these indexed offers has fewer than 12 months, which is no whole year',
  ],
  historico_antiguo: [
    'El histórico de estas ofertas indexadas termina más de 3 meses antes que el más reciente',
    'The history of these indexed offers ends more than 3 months before the newest one',
  ],
  ventanas_distintas: [
    'Las medias de las ofertas indexadas no son de los mismos meses',
    'The means of the indexed offers are not of the same months',
  ],
  periodo_incoherente: ['Los días y los meses no son el mismo periodo', 'Days and months are not the same period'],
  excedentes_tope_anual: [
    'Los excedentes se compensan mes a mes: con un solo tope para todo el periodo el abono puede ser demasiado alto. La curva del contador da los meses',
    'Surplus is credited month by month: with one cap for the whole period the credit may be too high. The curve of the meter has the months',
  ],
  sin_filtro_territorio: [
    'No se ha indicado el territorio, y no todas las ofertas se ofrecen en los mismos',
    'No territory was named, and not all offers are for the same ones',
  ],
  sin_filtro_cliente: [
    'No se ha indicado el titular, y no todas las ofertas aceptan a los mismos',
    'No holder was named, and not all offers accept the same ones',
  ],
  fee_power_sin_efecto: [
    'El fee de potencia de estas ofertas no entra en el cálculo',
    'The power fee of these offers is not part of the calculation',
  ],
  alcance_actual: [
    'Las ofertas son las de entonces; las comercializadoras y suscripciones, las de hoy',
    'Offers are those of then; retailers and subscriptions those of today',
  ],
  sin_historico: ['Oferta indexada sin histórico de precios', 'Indexed offer without a price history'],
  sin_mes: ['Oferta indexada sin precios del mes pedido', 'Indexed offer without prices of that month'],
};

/** @returns `null` for a code that is not known here: what the server says has to do. */
export function noticeText(code: string, language: Language): string | null {
  return NOTICES[code]?.[language === 'es' ? 0 : 1] ?? null;
}
