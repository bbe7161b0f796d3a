import { CURVE_NOTICES, type Curve } from '@tarifario/core/service';

/** A curve by period and month, in wire names. */
export function toWireCurve({ tariff, territory, days, coverage, notices, maximaKw, months, ...whole }: Curve) {
  return {
    tariff_type: tariff,
    zona: territory,
    dias: days,
    energia: byPeriod('e', whole.consumptionKwh),
    excedentes: whole.exportedKwh,
    perfil: months.map(({ month, days: dias, consumptionKwh, exportedKwh }) => ({
      mes: month,
      dias,
      energia: byPeriod('e', consumptionKwh),
      excedentes: exportedKwh,
    })),
    maximos: maximaKw && byPeriod('p', maximaKw),
    cobertura: {
      horas: coverage.hours,
      horas_esperadas: coverage.expectedHours,
      estimadas: coverage.estimatedHours,
    },
    avisos: notices.map((codigo) => ({ codigo, mensaje: CURVE_NOTICES[codigo] })),
  };
}

function byPeriod(letter: 'e' | 'p', values: readonly number[]): Readonly<Record<string, number>> {
  return Object.fromEntries(values.map((value, index) => [`${letter}${index + 1}`, value]));
}
