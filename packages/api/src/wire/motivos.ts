import type { Exclusion } from '@tarifario/core/service';

/** Why an offer is not ranked, as a text for the customer's screen. */
export function motivoFor(exclusion: Exclusion): string {
  switch (exclusion.code) {
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
