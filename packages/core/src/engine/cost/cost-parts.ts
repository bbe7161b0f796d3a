import type { SupplyType } from '../offers/offer.ts';

interface CostPartSpec {
  /** The name in JSON and in the columns of spreadsheets. */
  readonly wire: string;
  /** -1: a credit, which is never positive. */
  readonly sign: 1 | -1;
  /** The only supply whose tables on a terminal have a column for it. */
  readonly supply?: SupplyType;
  readonly es: string;
  readonly en: string;
  /** The English name in the columns of a terminal, where it is too long. */
  readonly short?: string;
  /** What it is, for OpenAPI. */
  readonly about: string;
}

/** The rows, in the order of the wire, in which they are added up. */
const TABLE = {
  energyEur: { wire: 'energia', sign: 1, es: 'Energía', en: 'Energy', about: 'Energy with its fee' },
  powerEur: { wire: 'potencia', sign: 1, supply: 'LUZ', es: 'Potencia', en: 'Power', about: 'Power with its fee' },
  fixedEur: { wire: 'fijo', sign: 1, supply: 'GAS', es: 'Fijo', en: 'Fixed', about: 'Fixed term of gas' },
  surplusEur: {
    wire: 'excedentes',
    sign: -1,
    es: 'Excedentes',
    en: 'Surplus',
    short: 'surpl.',
    about: 'Credit for exported energy, 0 or negative',
  },
  servicesEur: { wire: 'servicios', sign: 1, es: 'Servicios', en: 'Services', short: 'serv.', about: 'Extra services' },
} as const satisfies Readonly<Record<string, CostPartSpec>>;

/** A part of the cost by its name in a breakdown. */
export type CostPartName = keyof typeof TABLE;

/** A part of the cost with its names. */
export interface CostPart extends CostPartSpec {
  readonly name: CostPartName;
  readonly wire: (typeof TABLE)[CostPartName]['wire'];
}

/** The parts of the cost, in the order of the wire. */
export const COST_PARTS: readonly CostPart[] = (Object.keys(TABLE) as CostPartName[]).map((name) => ({
  name,
  ...TABLE[name],
}));

/** One value for each part. */
export function byPart<T>(make: (name: CostPartName) => T): Record<CostPartName, T> {
  return Object.fromEntries(COST_PARTS.map(({ name }) => [name, make(name)])) as Record<CostPartName, T>;
}

/** The part that a cost has only where it is asked for. */
export const SSAA_PART = {
  name: 'ssaaEur',
  wire: 'ssaa',
  sign: 1,
  supply: 'LUZ',
  es: 'Servicios de ajuste',
  en: 'Balancing',
  short: 'bal.',
  about: 'Balancing services, only with `ssaa_eur_mwh` and an offer that bills them apart',
} as const;

/** The parts of the cost in the order in which they are shown to people: credits last. */
export const SHOWN_COST_PARTS: readonly CostPart[] = COST_PARTS.toSorted((a, b) => b.sign - a.sign);

/** The same, with the part of balancing services where some of the costs has it. */
export function shownPartsOf(costs: readonly { readonly ssaa?: number | undefined }[]) {
  const charges = SHOWN_COST_PARTS.filter(({ sign }) => sign > 0);
  const credits = SHOWN_COST_PARTS.filter(({ sign }) => sign < 0);
  return [...charges, ...(costs.some(({ ssaa }) => ssaa !== undefined) ? [SSAA_PART] : []), ...credits];
}

/** The parts of the commission of a ranked offer, in the order of the wire. */
export const COMMISSION_PARTS = [
  { name: 'energyEur', wire: 'energia', about: 'By consumption' },
  { name: 'powerEur', wire: 'potencia', about: 'By power' },
] as const;
