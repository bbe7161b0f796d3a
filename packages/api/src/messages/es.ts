// What answers say in Spanish, by code.
import type { CurveNotice, InvoiceNotice, PowerNotice, WarningCode } from '@tarifario/core/service';

/** Warnings of rankings. `#` is a period. */
export const WARNING_TEXTS: Readonly<Record<WarningCode, string>> = {
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
  forma_de_otro_ano: 'Horas y precios de estas ofertas son de años distintos',
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

/** What a customer reads in place of a warning that names members of the answer or the question. */
export const TEXTS_FOR_CUSTOMERS: Readonly<Partial<Record<string, string>>> = {
  sin_potencia: 'El coste no lleva la potencia, que no se ha indicado',
  peajes_mezclados: 'Hay ofertas de varios peajes, y un cliente solo puede contratar las del suyo',
  peaje_imposible: 'Hay ofertas de un peaje que no corresponde a la potencia, los periodos o el consumo del cliente',
  placas_sin_excedentes: 'Las ofertas son para placas solares, y no se han indicado excedentes',
  consumo_improbable: 'El consumo no parece el de esa potencia',
  periodo_incoherente: 'Los días y los meses no son el mismo periodo',
  sin_filtro_territorio: 'No se ha indicado el territorio, y no todas las ofertas se ofrecen en los mismos',
  sin_filtro_cliente: 'No se ha indicado el titular, y no todas las ofertas aceptan a los mismos',
  alquiler_sin_indicar: 'La factura no lleva el alquiler del contador',
  tipo_por_confirmar: 'Algún tipo de estos impuestos está por confirmar',
  orden_distinto_con_impuestos: 'Con impuestos la oferta más barata es otra',
};

/** What is to be known of the right power. */
export const POWER_TEXTS: Readonly<Record<PowerNotice, string>> = {
  cabe_en_2_0TD: 'Ningún máximo pasa de 15 kW: el suministro puede caber en 2.0TD',
  necesita_3_0TD: 'Algún máximo pasa de 15 kW: hace falta 3.0TD',
  un_cambio_al_ano: 'La potencia se cambia por derecho una vez cada doce meses',
  derechos_insuficientes: 'Los derechos de extensión no cubren el máximo',
  maximos_por_hora: 'La curva es horaria: cada máximo es la media de cuatro cuartos de hora, y el real puede ser mayor',
  menos_de_un_ano: 'Los datos son de menos de un año: lo que falta puede ser otra temporada',
  maximos_improbables:
    'Los máximos y la potencia de hoy no parecen de la misma unidad: compruebe que son kW, y no vatios',
};

/** What is to be known of the curve of a meter. */
export const CURVE_TEXTS: Readonly<Record<CurveNotice, string>> = {
  consumo_improbable: 'El consumo no parece de este peaje: ¿son kWh, y no Wh ni MWh?',
  excedentes_sin_datos: 'Faltan los excedentes de algunas horas que tienen consumo: no se ha puesto nada en su lugar',
  horas_estimadas: 'Algunas horas son estimadas y no medidas',
  horas_por_inicio:
    'El archivo no muestra si nombra el comienzo o el fin de las horas: se ha leído cada una como el comienzo',
  horas_sin_datos: 'Faltan algunas horas, hasta un 5 %: no se ha puesto nada en su lugar',
  indice_incompleto: 'De algún mes faltan precios por horas: en él valen las medias',
  menos_de_un_ano: 'El archivo es de menos de un año: lo que falta puede ser otra estación',
  totales_mensuales: 'El archivo tiene totales por mes: no hay máximos, y no se sabe si faltan horas',
};

/** What is to be known of an invoice. */
export const INVOICE_TEXTS: Readonly<Record<InvoiceNotice, string>> = {
  base_anual_dudosa: 'No se sabe a cuántos días corresponde el consumo anual: se toma por el de 365',
  consumo_de_una_factura:
    'El consumo es el de una sola factura, y lo que cuesta es por sus días: un año puede ser otro',
  consumo_imposible: 'La factura consume mucho más de lo que cabe en el consumo anual: compruebe los kWh',
  codigo_postal_desconocido: 'El código postal no es de ninguna provincia: la pregunta no lleva territory ni community',
  precio_no_contractual:
    'El contrato no tiene precios fijos, o el código no lo dice: no se compara con los de una factura',
  cuota_fija_desconocida: 'El contrato tiene una cuota mensual, y el código no dice cuánto es',
  potencia_no_cuadra: 'Los precios de la potencia no dan el importe de la factura, ni por año ni por día',
  sin_precio_energia: 'La factura no dice el precio de un periodo con consumo',
  excedentes_sin_medir: 'Se compensaron excedentes y el código no dice cuántos kWh: hay que añadirlos',
  excedentes_sin_precio: 'El código no dice a qué precio se compensan los excedentes: no hay contrato_actual',
  descuento_no_incluido: 'La factura tiene un descuento: sus precios son los de antes del descuento',
  servicios_estimados: 'services_cost se estima con los servicios de una sola factura',
  bono_social: 'El cliente tiene el bono social, que se pierde en el mercado libre',
  potencia_sobrante: 'En algún periodo se contrata bastante más potencia que la mayor del último año',
  potencia_superada: 'En algún periodo la potencia mayor del último año supera la contratada',
  precios_cambian: 'Los precios han cambiado en esta factura o cambian en la siguiente',
  promocion_temporal: 'Hay una promoción que no dura todo el contrato',
  contrato_por_vencer: 'El contrato termina a los 60 días de la factura, o antes',
};

/** The names of the periods of 2.0TD, which customers know. */
export const PERIODS_OF_2_0TD: Readonly<Record<string, readonly string[]>> = {
  energyEur: ['punta', 'llano', 'valle'],
  powerEur: ['punta', 'valle'],
};

/** Parts of the cost in a sentence. */
export const PARTS_IN_SENTENCES: Readonly<Record<string, string>> = {
  energyEur: 'la energía',
  powerEur: 'la potencia',
  fixedEur: 'el término fijo',
  surplusEur: 'los excedentes',
  servicesEur: 'los servicios',
  ssaaEur: 'los servicios de ajuste',
};

/** The limit of an offer that excludes a customer. `#` is its bound. */
export const ONLY_FOR = {
  minPowerKw: 'Solo para potencias desde # kW',
  maxPowerKw: 'Solo para potencias hasta # kW',
  minAnnualKwh: 'Solo para consumos desde # kWh al año',
  maxAnnualKwh: 'Solo para consumos hasta # kWh al año',
} as const;

/** Why an offer has no cost. `#` is a period. */
export const NOT_PRICED = {
  sin_historico: 'Oferta indexada sin histórico de precios',
  sin_mes: 'Oferta indexada sin precios del mes solicitado',
  sin_precio_energia: 'Sin precio de energía en el periodo P#, en el que hay consumo',
  sin_precio_potencia: 'Sin precio de potencia en el periodo P#, en el que hay potencia contratada',
  sin_precio_gas: 'Sin precio de energía o sin término fijo de gas',
} as const;
