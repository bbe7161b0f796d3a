import { CURVE_TEXTS, INVOICE_TEXTS, POWER_TEXTS, WARNING_TEXTS } from '@tarifario/api/spanish';
import type { Curve, InvoiceReading, PowerAdvice, Ranking } from '@tarifario/client';
import type { Language, Texts } from './common.ts';

type NoticeCode = (Ranking | InvoiceReading | Curve | PowerAdvice)['avisos'][number]['codigo'];
type ReasonCode = Ranking['excluded'][number]['codigo'];

/** What the service says in Spanish. */
const SAID: Readonly<Record<string, string>> = { ...CURVE_TEXTS, ...POWER_TEXTS, ...INVOICE_TEXTS, ...WARNING_TEXTS };

/** The English of warnings and readings, by their codes; in both languages where the service names its members. */
const NOTICES: Readonly<Record<string, string | Texts[string]>> = {
  sin_potencia: [
    'El coste no lleva la potencia, que no se ha indicado: indique los kW de cada periodo',
    'The cost is without power, because none was entered: enter the kW of each period',
  ],
  peajes_mezclados: [
    'Hay ofertas de varios peajes, y un cliente solo puede contratar las del suyo',
    'There are offers of several access tariffs, and a customer can only have those of his own',
  ],
  peaje_imposible: [
    'Hay ofertas de un peaje que no corresponde a la potencia, los periodos o el consumo del cliente{ask}',
    "There are offers of an access tariff that does not match the customer's power, periods or consumption{ask}",
  ],
  peaje_en_el_limite: 'The consumption is within 5 % of the bound of its gas tariff: it may be the next one',
  gas_capacidad: 'The capacity term of these gas tariffs is not in the cost',
  consumo_en_un_periodo: [
    'Todo el consumo está en {period}: indique los kWh de cada periodo',
    'All consumption is in {period}: enter the kWh of each period',
  ],
  potencia_en_un_periodo: [
    'Toda la potencia está en {period}: indique los kW de cada periodo',
    'All power is in {period}: enter the kW of each period',
  ],
  consumo_improbable: [
    'El consumo no parece el de esa potencia: ¿son kWh y kW, y de un año, no de un mes?',
    'The consumption does not seem to fit the power: are they kWh and kW, and of a year, not of a month?',
  ],
  potencia_decreciente: 'In a tariff of six periods no power may be lower than that of the period before',
  potencia_bajo_regulado:
    'The price of power of these offers is below tolls and charges: it is of another year, or a mistake',
  penalizacion_sobre_el_limite:
    'The penalty of these offers is above the 5 % that the law allows for persons in 2.0TD (RD 88/2026, art. 28.3)',
  descuento_temporal: 'The cost of these offers has a discount that ends: it may be higher afterwards',
  cabe_en_2_0TD: 'No maximum is above 15 kW: the supply may fit in 2.0TD',
  necesita_3_0TD: 'Some maximum is above 15 kW: 3.0TD is needed',
  un_cambio_al_ano: 'Power may be changed by right once in twelve months',
  derechos_insuficientes: 'The rights of extension do not cover the maximum',
  maximos_por_hora:
    'The curve is by the hour: each maximum is the mean of four quarter-hours, and the real one may be higher',
  maximos_improbables: [
    'Los máximos y la potencia de hoy no parecen de la misma unidad: ¿hay vatios?',
    'The maxima and the power of today do not seem to be in the same unit: are some watts?',
  ],
  ssaa_mezclados:
    'Some offers include balancing services and others do not, or do not say: their costs are not comparable',
  historico_corto: 'The mean of these indexed offers has fewer than 12 months, which is no whole year',
  historico_antiguo: 'The history of these indexed offers ends more than 3 months before the newest one',
  historico_sin_actualizar: 'The newest month of the indexed offers is more than 2 months old: prices are missing',
  ventanas_distintas: 'The means of the indexed offers are not of the same months',
  periodo_incoherente: ['Los días y los meses no son el mismo periodo', 'Days and months are not the same period'],
  excedentes_tope_anual: [
    'Los excedentes se compensan mes a mes: con un solo tope para todo el periodo el abono puede ser demasiado alto. La curva del contador da los meses',
    'Surplus is credited month by month: with one cap for the whole period the credit may be too high. The curve of the meter has the months',
  ],
  salir_de_la_tur:
    'Who leaves the TUR of gas owes the average debt of its band until it is recovered (RDL 25/2026, art. 1.6)',
  indexada_sin_curva: 'The cost of these indexed offers uses monthly means: with panels it may be higher',
  forma_de_otro_ano: 'Hours and prices of these offers are of different years',
  solo_con_placas: 'These offers are for customers with solar panels, and there is no surplus',
  placas_sin_excedentes: [
    'Se piden ofertas para placas solares, y no hay excedentes: indique los kWh vertidos',
    'Offers for solar panels are asked for, and there is no surplus: enter the kWh exported',
  ],
  sin_filtro_territorio: [
    'No se ha indicado el territorio, y no todas las ofertas se ofrecen en los mismos',
    'No territory was named, and not all offers are for the same ones',
  ],
  sin_filtro_cliente: [
    'No se ha indicado el titular, y no todas las ofertas aceptan a los mismos',
    'No holder was named, and not all offers accept the same ones',
  ],
  terminos_desconocidos:
    'These offers are left out because they do not say their permanence, fixed price or whether their energy is green',
  fee_power_sin_efecto: [
    'El fee de potencia de estas ofertas no entra en el cálculo',
    'The power fee of these offers is not part of the calculation',
  ],
  actual_improbable:
    'What is paid today is less than 0.6 or more than 2.5 times the cheapest offer: check the period, and whether it has taxes',
  alcance_actual: [
    'Las ofertas son las de entonces; las comercializadoras y suscripciones, las de hoy',
    'Offers are those of then; retailers and subscriptions those of today',
  ],
  peaje_sin_ofertas: [
    'Ninguna oferta tiene ese peaje. Los más parecidos que tienen: {tariffs}',
    'No offer has that access tariff. The nearest that have some: {tariffs}',
  ],
  sin_ofertas: [
    'Ninguna oferta pasa los filtros. Quite: {tariffs}',
    'No offer passes the filters. Take out: {tariffs}',
  ],
  base_anual_dudosa: 'It is not known how many days the annual consumption is of: it is taken for that of 365',
  consumo_de_una_factura: [
    'El consumo es el de una sola factura: lo que cuesta es por sus días, y un año puede ser otro',
    'The consumption is that of one invoice: costs are over its days, and a year may be another',
  ],
  consumo_imposible: 'The invoice consumes far more than the annual consumption allows: check the kWh',
  codigo_postal_desconocido: [
    'El código postal no es de ninguna provincia: se usa {territory}. Elija el territorio del suministro',
    'The postcode is of no province: {territory} is used. Choose the territory of the supply',
  ],
  precio_no_contractual:
    'The contract has no fixed prices, or the code does not say so: nothing is compared with those of one invoice',
  cuota_fija_desconocida: [
    'El contrato tiene una cuota mensual y el código no dice cuánto es: añádala en servicios',
    'The contract has a monthly fee, and the code does not say how much: add it under services',
  ],
  potencia_no_cuadra: [
    'Los precios de la potencia no dan el importe de la factura, ni por año ni por día: escríbalos',
    'The prices of power do not give the amount of the invoice, neither by year nor by day: type them',
  ],
  sin_precio_energia: [
    'La factura no dice el precio de un periodo con consumo: escríbalo',
    'The invoice prints no price for a period with consumption: type it',
  ],
  excedentes_sin_medir: [
    'Se compensaron excedentes y el código no dice cuántos kWh: añádalos',
    'Surplus was credited, and the code does not say how many kWh: add them',
  ],
  excedentes_sin_precio: [
    'El código no dice a qué precio se compensan los excedentes: escriba el contrato actual',
    'The code does not say at which price surplus is credited: type the present contract',
  ],
  servicios_estimados: [
    'Los servicios de hoy se estiman con los de una sola factura',
    'The services of today are estimated from those of one invoice',
  ],
  bono_social: 'The customer has the social bonus, which is lost on the free market',
  potencia_sobrante: 'In some period much more power is contracted than the highest of the last year',
  potencia_superada: 'In some period the highest power of the last year is above the contracted one',
  precios_cambian: 'Prices have changed within this invoice, or change with the next one',
  promocion_temporal: [
    'Hay una promoción que no dura todo el contrato: después cuesta más',
    'A promotion does not last the whole contract: it costs more afterwards',
  ],
  contrato_por_vencer: 'The contract ends within 60 days of the invoice',
  descuento_no_incluido: 'The invoice has a discount: its prices are those before it',
  alquiler_sin_indicar: [
    'La factura no lleva el alquiler del contador',
    'The bill has no rental of the meter: say how much it is',
  ],
  bono_sin_dato: 'The financing of the social bonus is not known before 2025: it counts as 0',
  tipo_por_confirmar: [
    'Algún tipo de estos impuestos está por confirmar',
    'A rate of these taxes is not yet confirmed',
  ],
  orden_distinto_con_impuestos: [
    'Con impuestos la oferta más barata es otra',
    'With taxes another offer is the cheapest',
  ],
  horas_estimadas: 'Some hours were estimated and not metered',
  excedentes_sin_datos: 'The surplus of some hours with consumption is missing: nothing was put in its place',
  horas_por_inicio:
    'The file does not show whether it names the beginning or the end of hours: each was read as the beginning',
  indice_incompleto: 'Some month lacks prices by the hour: its means count there',
  horas_sin_datos: 'Some hours are missing, up to 5 %: nothing was put in their place',
  menos_de_un_ano: [
    'Los datos son de menos de un año: lo que falta puede ser otra estación',
    'The data cover less than a year: what is left out may be another season',
  ],
  totales_mensuales: [
    'El archivo tiene totales por mes: no se sabe si faltan horas',
    'The file has totals by month: whether hours are missing is not known',
  ],
} satisfies Record<NoticeCode, string | Texts[string]>;

/** Why an offer is not compared; `{period}` is that of the supply. */
export const REASONS: Texts = {
  fuera_de_vigencia: ['No se puede contratar en la fecha de la firma', 'Not valid on the day of the signature'],
  fuera_de_limites: ['No es para esta potencia o este consumo', 'Not for this power or consumption'],
  sin_historico: ['Oferta indexada sin histórico de precios', 'Indexed offer without a price history'],
  sin_mes: ['Oferta indexada sin precios del mes pedido', 'Indexed offer without prices of that month'],
  sin_precio_energia: [
    'Sin precio de energía en el periodo {period}, en el que hay consumo',
    'No price of energy in period {period}, in which there is consumption',
  ],
  sin_precio_potencia: [
    'Sin precio de potencia en el periodo {period}, en el que hay potencia contratada',
    'No price of power in period {period}, in which power is contracted',
  ],
  sin_precio_gas: ['Sin precio de energía o sin término fijo de gas', 'No price of energy or no fixed term of gas'],
} satisfies Record<ReasonCode, Texts[string]>;

/**
 * @param facts.said - The message of the server, which may name a period or end with a colon and tariffs.
 * @param facts.territory - The chosen one.
 * @returns `null` for an unknown code: the page shows the message of the server.
 */
export function noticeText(
  code: string,
  language: Language,
  { said = '', territory = '' }: { readonly said?: string; readonly territory?: string } = {},
): string | null {
  const own = NOTICES[code];
  const [es, en] = typeof own === 'string' ? [SAID[code], own] : (own ?? []);
  const text = language === 'es' ? es : en;
  const [period = language === 'es' ? 'un solo periodo' : 'a single period'] = /P\d/.exec(said) ?? [];
  const named = said.split(': ');
  const tariffs = named.at(-1) ?? '';
  const ask =
    named.length < 2 ? '' : `${language === 'es' ? '. Elija el peaje' : '. Choose the access tariff'}: ${tariffs}`;
  const values = { tariffs, territory, period, ask };
  return (
    text?.replaceAll(/\{(tariffs|territory|period|ask)\}/g, (_all, name: keyof typeof values) => values[name]) ?? null
  );
}

/** @param said - The message of the server, which names the period. */
export function reasonText(code: string, language: Language, said: string): string {
  const [period = ''] = /P\d/.exec(said) ?? [];
  return REASONS[code]?.[language === 'es' ? 0 : 1]?.replace('{period}', period) ?? said;
}
