import { DomainError } from '../src/engine/errors.ts';
import { perPeriod } from '../src/engine/periods.ts';
import { optimizePower, type PowerCost } from '../src/engine/power/optimize-power.ts';
import type { MeterType } from '../src/engine/power/power-question.ts';
import { REGULATED_PRICES } from '../src/engine/power/regulated-prices.ts';

type ByPeriod = Readonly<Record<string, number>>;

/** A question about power in the words of the wire; `cuartos`: quarter-hours in place of their maximum. */
export interface WirePower {
  readonly tariff_type: '2.0TD' | '3.0TD' | '6.1TD';
  readonly potencia: ByPeriod;
  readonly tipo_medida?: MeterType | undefined;
  readonly fecha: string;
  readonly precios?: ByPeriod | undefined;
  readonly periodos: readonly {
    readonly mes?: number;
    readonly dias: number;
    readonly maximos?: ByPeriod;
    readonly cuartos?: Readonly<Record<string, readonly number[]>>;
  }[];
  readonly minimo?: ByPeriod | undefined;
  readonly margen_kw?: number | undefined;
  readonly derechos_kw?: number | undefined;
  /** Prices of excess in place of those of the table, for both kinds of meters. */
  readonly excesos?: ByPeriod | undefined;
}

export interface WireCost {
  readonly potencia: ByPeriod;
  readonly fijo: number;
  readonly excesos: number;
  readonly total: number;
}

/** What the second program answers. */
export interface WireAdvice {
  readonly actual: WireCost;
  readonly optima: WireCost;
  readonly cubriente: WireCost;
  readonly ahorro_anual: number;
  readonly detalle: readonly { readonly periodo: string; readonly fijo: number; readonly excesos: number }[];
  readonly excesos_hoy: readonly object[];
  readonly periodos_sin_maximos?: readonly string[];
  readonly avisos: readonly string[];
}

const keyOf = (period: number) => `p${period + 1}`;

function six<T>(sent: Readonly<Record<string, T>>) {
  return perPeriod((period) => sent[keyOf(period)] ?? null);
}

function costOf({ powerKw, fixedEur, excessEur, totalEur }: PowerCost): WireCost {
  const potencia = Object.fromEntries(powerKw.map((kw, period) => [keyOf(period), kw]));
  return { potencia, fijo: fixedEur, excesos: excessEur, total: totalEur };
}

/** The advice of core in the words of the wire, or the paths of what is refused. */
export function adviceTo(given: WirePower): WireAdvice | readonly string[] {
  try {
    return answered(given);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'business_rule') throw error;
    return (error.details.issues ?? []).map(({ path }) => path);
  }
}

/** @throws DomainError for a question that is refused. */
export function answered({ precios, minimo, excesos, ...given }: WirePower): WireAdvice {
  const [like] = REGULATED_PRICES;
  const table = REGULATED_PRICES.filter(({ concept }) => !excesos || !concept.startsWith('exceso'));
  for (const concept of ['exceso_tipos_1_3', 'exceso_tipos_4_5'] as const) {
    if (excesos && like) table.push({ ...like, concept, tariff: given.tariff_type, prices: six(excesos) });
  }
  const advice = optimizePower(
    {
      tariff: given.tariff_type,
      powerKw: six(given.potencia),
      meterType: given.tipo_medida,
      day: given.fecha,
      pricesEurPerKwDay: precios && six(precios),
      measured: given.periodos.some(({ cuartos }) => cuartos) ? 'quarter_hours' : 'maxima',
      entries: given.periodos.map(({ mes = null, dias, maximos = {}, cuartos }) => ({
        month: mes,
        days: dias,
        loadsKw: cuartos
          ? six(cuartos)
          : perPeriod((period) => {
              const maximum = maximos[keyOf(period)];
              return maximum === undefined ? null : [maximum];
            }),
      })),
      leastKw: minimo && six(minimo),
      marginKw: given.margen_kw,
      rightsKw: given.derechos_kw,
    },
    table,
  );
  return {
    actual: costOf(advice.present),
    optima: costOf(advice.optimum),
    cubriente: costOf(advice.covering),
    ahorro_anual: advice.yearlySavingEur,
    detalle: advice.periods.map((own) => ({
      ...{ periodo: keyOf(own.period), potencia: own.powerKw, optima: own.optimumKw },
      ...{ fijo: own.fixedEur, excesos: own.excessEur, dias_rentables: own.breakEvenDays },
      ...{ dias_del_periodo: own.days, maximos_por_encima: own.maximaAbove },
    })),
    excesos_hoy: advice.presentExcesses.map(({ month, period, excessKw, excessEur }) => ({
      ...{ mes: month, periodo: keyOf(period), kw: excessKw, eur: excessEur },
    })),
    ...(advice.unmeasuredPeriods.length > 0 && { periodos_sin_maximos: advice.unmeasuredPeriods.map(keyOf) }),
    avisos: advice.notices,
  };
}
