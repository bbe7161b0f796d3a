import { CURVE_NOTICES, type Curve, MEASURED_TARIFFS, TERRITORIES } from '@tarifario/core/service';
import { z } from 'zod';
import { noticesOf, toWireNotices } from './notices.ts';

const kwh = z.number().min(0);
const kw = z.number().min(0);
const energy = z.strictObject({
  e1: kwh,
  e2: kwh,
  e3: kwh,
  e4: kwh.optional(),
  e5: kwh.optional(),
  e6: kwh.optional(),
});

export const curveShape = z.strictObject({
  tariff_type: z.enum(MEASURED_TARIFFS),
  zona: z.enum(TERRITORIES),
  dias: z.int().min(1),
  energia: energy,
  excedentes: kwh,
  perfil: z.array(
    z.strictObject({ mes: z.int().min(1).max(12), dias: z.int().min(1), energia: energy, excedentes: kwh }),
  ),
  maximos: z
    .strictObject({ p1: kw, p2: kw, p3: kw.optional(), p4: kw.optional(), p5: kw.optional(), p6: kw.optional() })
    .nullable(),
  cobertura: z.strictObject({
    horas: z.number().min(0),
    horas_esperadas: z.int().min(1),
    estimadas: z.number().min(0),
  }),
  avisos: noticesOf(CURVE_NOTICES),
});

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
    avisos: toWireNotices(notices, CURVE_NOTICES),
  };
}

function byPeriod(letter: 'e' | 'p', values: readonly number[]): Readonly<Record<string, number>> {
  return Object.fromEntries(values.map((value, index) => [`${letter}${index + 1}`, value]));
}
