import { FIELD_LIST, fieldPartsOf, type TierHeaders } from '@tarifario/core/service';
import type { z } from 'zod';

// The words of members that stand in several shapes, of questions and of answers.

/** `masked: null`: agents of a caller who may not see commissions read nothing of the member. */
const OF_FIELDS = new Map(
  FIELD_LIST.flatMap(fieldPartsOf).map(({ wire, en, field }) => [
    wire,
    { ...(en && { description: en }), ...(field.section === 'commissions' && { masked: null }) },
  ]),
);

/** The member with the words that the table of offer fields has under this name; one about commissions is marked. */
export function asField<Shape extends z.ZodType>(wire: string, shape: Shape): Shape {
  const words = OF_FIELDS.get(wire);
  return words ? shape.meta(words) : shape;
}

/** The same for several fields. */
export function asFields<Key extends string, Shape extends z.ZodType>(wires: readonly Key[], shape: Shape) {
  return Object.fromEntries(wires.map((wire) => [wire, asField(wire, shape)])) as { readonly [K in Key]: Shape };
}

const OF_TIERS: Readonly<Record<string, string>> = {
  consumption_from: 'MWh per year, included.',
  consumption_to: 'MWh per year, included; null is open.',
  power_from: 'kW, included.',
  power_to: 'kW, included; null is open.',
};

/** The bounds of a tier, in the units of its kind. */
export function tierBounds<From extends z.ZodType, To extends z.ZodType>(
  { from, to }: Pick<TierHeaders, 'from' | 'to'>,
  bounds: { readonly from: From; readonly to: To },
): Readonly<Record<string, From | To>> {
  return { [from]: bounds.from.describe(OF_TIERS[from] ?? ''), [to]: bounds.to.describe(OF_TIERS[to] ?? '') };
}

/** A member for each period, with its number in the words. */
export function byPeriod<Key extends string, Shape extends z.ZodType>(
  keys: readonly Key[],
  shape: Shape,
  words: (period: number) => string,
): { readonly [K in Key]: Shape } {
  return Object.fromEntries(keys.map((key, index) => [key, shape.describe(words(index + 1))])) as {
    readonly [K in Key]: Shape;
  };
}

export const IN_PERIOD = {
  consumed: (period: number) => `Consumption in P${period}, kWh over the calculation period.`,
  contracted: (period: number) => `Contracted power in P${period}, kW.`,
  highest: (period: number) => `Highest power in P${period}, kW.`,
};

export const WORDS = {
  as_of:
    'The instant, in UTC, as of which offers and months are ranked: `YYYY-MM-DDTHH:mm:ssZ`, or a day, which is its last millisecond. Left out: now.',
  avisos: 'Warnings about the answer, in a fixed order: show them before the rest.',
  company_name: "The retailer's name; in questions a part, any case.",
  consumption_mwh: 'Annual consumption in MWh.',
  contrato_actual:
    'What the customer pays today: before tax prices in the units of an offer or `coste_total`, with taxes `factura_total`. Of an invoice null unless they are fixed, and each that the question needs is known.',
  dias: 'Days of the calculation period: count for power and for the annual consumption.',
  endpoint: 'The path with its parameters in braces; of a call of a tool, `mcp:` and its name.',
  energia: 'Consumption of electricity by period.',
  excedentes: 'Energy exported, in kWh over the calculation period.',
  fecha_firma: 'The day of signature: offers not valid on it are excluded.',
  from: 'From this instant on, included; a day without a time begins there.',
  limit: 'Results at most.',
  meses: 'Months of the calculation period: count for what is paid monthly.',
  offset: 'Results to skip.',
  perfil:
    'Consumption and surplus by parts of the period, such as calendar months: 1 to 36. In a question its sums are the consumption, `excedentes` and `dias`, which may be left out.',
  'perfil.dias': 'Days of the entry; of a curve those that the file has.',
  'perfil.excedentes': 'Energy exported in the entry, in kWh: credited up to what its energy costs.',
  'perfil.mes': 'The month of the year, 1 to 12: indexed offers apply the prices of that month.',
  permanencia_max: 'Months of permanence at most.',
  potencia: 'Contracted power by period.',
  power_kw: 'Contracted power in kW.',
  precio_fijo_min: 'Months with fixed prices at least.',
  ref: 'Your name for the customer, which the answer repeats. Null if the name itself is wrong.',
  reference_month:
    'A month: `YYYY-MM` or any day of it is taken, its first day is answered. It is stored from 1990-01 to 2199-12.',
  supply_type: '`LUZ` is electricity, `GAS` is gas.',
  territory: 'Where the supply is.',
  terminos_desconocidos:
    'How many more offers would be here if they said the permanence, fixed price or green energy that is asked for.',
  to: 'Up to this instant, included; a day without a time ends there.',
  top: 'How many of the best offers each customer gets.',
  total: 'How many there are in all.',
  w: 'The weight: 1 looks at savings only, 0 at commission only. 0.5 when left out, 1 without `commissions:read`.',
} as const;
