import { type Day, dayAfter } from '../calendar.ts';
import { type Message, say } from '../messages/message.ts';
import { SUPPLY_TYPES, type SupplyType, TERRITORIES, type Territory } from '../offers/offer.ts';
import { certain, holdsOn, type RowByDay, uncertain } from '../rows-by-day.ts';

/** What a rate is of, with its unit. The names are wire values. */
export const RATE_UNITS = {
  impuesto_electrico: '%',
  /** The least electricity tax. */
  impuesto_electrico_minimo: 'EUR/MWh',
  iva: '%',
  igic: '%',
  ipsi: '%',
  hidrocarburos: 'EUR/kWh',
  financiacion_bono: 'EUR/año',
  alquiler: 'EUR/mes',
} as const;
export type RateConcept = keyof typeof RATE_UNITS;

/** What a rate is of, as people read it. */
export const RATE_NAMES: Readonly<Record<RateConcept, { readonly es: string; readonly en: string }>> = {
  impuesto_electrico: { es: 'Impuesto eléctrico', en: 'Electricity tax' },
  impuesto_electrico_minimo: { es: 'Impuesto eléctrico mínimo', en: 'Least electricity tax' },
  iva: { es: 'IVA', en: 'VAT' },
  igic: { es: 'IGIC', en: 'IGIC' },
  ipsi: { es: 'IPSI', en: 'IPSI' },
  hidrocarburos: { es: 'Impuesto de hidrocarburos', en: 'Hydrocarbons tax' },
  financiacion_bono: { es: 'Financiación del bono social', en: 'Social bonus' },
  alquiler: { es: 'Alquiler del contador', en: 'Meter rental' },
};

/** To what a rate applies, by its value on the wire, as people read it. */
export const RATE_KIND_NAMES = {
  general: { es: 'general', en: 'general' },
  /** VAT of supplies up to 10 kW in every period, and of severely vulnerable consumers, which is not always reduced. */
  reducido: { es: 'hasta 10 kW o vulnerable severo', en: 'up to 10 kW or severely vulnerable' },
  vivienda: { es: 'vivienda', en: 'dwelling' },
  servicios: { es: 'servicios', en: 'services' },
  industrial: { es: 'industrial', en: 'industrial' },
  profesional: { es: 'profesional', en: 'professional' },
  monofasico: { es: 'monofásico', en: 'single-phase' },
  trifasico: { es: 'trifásico', en: 'three-phase' },
} as const;
export type RateKind = keyof typeof RATE_KIND_NAMES;
export const RATE_KINDS = Object.keys(RATE_KIND_NAMES) as [RateKind, ...RateKind[]];

/** Where a rate holds, and by which law. */
interface RateScope extends RowByDay {
  readonly concept: RateConcept;
  readonly kind: RateKind;
  readonly supplyTypes: readonly SupplyType[];
  readonly territories: readonly Territory[];
}

/** A rate that is known. */
export interface SettledRate extends RateScope {
  /** In the unit of its concept: %, EUR/MWh, EUR/kWh, EUR a month or a year. */
  readonly value: number;
}

/** A rate that a law makes depend on what is not known here. */
export interface UndecidedRate extends RateScope {
  readonly values: readonly PossibleRate[];
  /** What decides it; `null`: the article of the law says. */
  readonly condition: Message | null;
}

/** A value that an undecided rate may have. */
export interface PossibleRate {
  /** In the unit of its concept: %, EUR/MWh, EUR/kWh, EUR a month or a year. */
  readonly value: number;
  readonly condition: Message;
}

/** One row of the table of rates. */
export type Rate = SettledRate | UndecidedRate;

const MAINLAND = ['peninsula', 'baleares'] as const;
const ELECTRICITY_TAX = {
  concept: 'impuesto_electrico',
  kind: 'general',
  supplyTypes: ['LUZ'],
  territories: [...MAINLAND, 'canarias', 'ceuta_melilla'],
} as const;
const LEAST_TAX = { ...ELECTRICITY_TAX, concept: 'impuesto_electrico_minimo' } as const;
const VAT = { concept: 'iva', kind: 'general', supplyTypes: ['LUZ'], territories: MAINLAND } as const;
const REDUCED_VAT = { ...VAT, kind: 'reducido' } as const;
const GAS_VAT = { ...VAT, supplyTypes: ['GAS'] } as const;
const GAS_TAX = { ...GAS_VAT, concept: 'hidrocarburos' } as const;
const IGIC = { concept: 'igic', supplyTypes: ['LUZ', 'GAS'], territories: ['canarias'] } as const;
const IPSI = { concept: 'ipsi', supplyTypes: ['LUZ', 'GAS'], territories: ['ceuta_melilla'] } as const;
const BONUS = { ...ELECTRICITY_TAX, concept: 'financiacion_bono' } as const;
const RENTAL = { ...ELECTRICITY_TAX, concept: 'alquiler' } as const;

/** Two values between which a law decides: the one where its condition is met, and the one where it is not. */
function either(law: string, met: number, unmet: number): Pick<UndecidedRate, 'values' | 'condition'> {
  return {
    values: [
      { value: met, condition: say('if the condition of {law} is met', { law }) },
      { value: unmet, condition: say('if the condition of {law} is not met', { law }) },
    ],
    condition: null,
  };
}

const FIRST = '2021-01-01';
const ART_99_1 = certain('Ley 38/1992, art. 99.1', '1992-28741');
const ART_99_2 = certain('Ley 38/1992, art. 99.2', '1992-28741');
const ART_50 = certain('Ley 38/1992, art. 50', '1992-28741');
const ART_90 = certain('Ley 37/1992, art. 90', '1992-28740');
const JUNE_TO_OCTOBER = uncertain('RDL 18/2026 (BOE-A-2026-14112), RDL 25/2026 (BOE-A-2026-20265)', '2026-20265');
const RDL_18 = (article: string) => certain(`RDL 18/2026, ${article}`, '2026-14112');
const RDL_25 = (article: string) => certain(`RDL 25/2026, ${article}`, '2026-20265');
const TO_2023 =
  'RDL 17/2021, DA 6 (BOE-A-2021-14974), RDL 29/2021, DA 1 (BOE-A-2021-21096), RDL 6/2022 (BOE-A-2022-4972)';
const SEPTEMBER = 'the CPI of electricity (04.5.1.0) in September above 15 %, and the validation by Congress';

// biome-ignore format: one row a line
/** The rates by law and date. */
export const RATES: readonly Rate[] = [
  { ...ELECTRICITY_TAX, from: FIRST, to: '2021-09-15', value: 5.11269632, ...ART_99_1 },
  { ...ELECTRICITY_TAX, from: '2021-09-16', to: '2023-12-31', value: 0.5, ...certain(`${TO_2023}, RDL 11/2022, art. 17 (BOE-A-2022-10557), RDL 20/2022, art. 2 (BOE-A-2022-22685)`, '2022-22685') },
  { ...ELECTRICITY_TAX, from: '2024-01-01', to: '2024-03-31', value: 2.5, ...certain('RDL 8/2023, art. 22', '2023-26452') },
  { ...ELECTRICITY_TAX, from: '2024-04-01', to: '2024-06-30', value: 3.8, ...certain('RDL 8/2023, art. 22', '2023-26452') },
  { ...ELECTRICITY_TAX, from: '2024-07-01', to: '2026-03-21', value: 5.11269632, ...ART_99_1 },
  { ...ELECTRICITY_TAX, from: '2026-03-22', to: '2026-05-31', value: 0.5, ...certain('RDL 7/2026, art. 40', '2026-6544') },
  { ...ELECTRICITY_TAX, from: '2026-06-01', to: '2026-10-31', value: 5.11269632, ...JUNE_TO_OCTOBER },
  { ...ELECTRICITY_TAX, from: '2026-11-01', to: '2026-11-30', ...RDL_25('art. 20'), ...either('RDL 25/2026, art. 20', 0.5, 5.11269632), condition: SEPTEMBER },
  { ...ELECTRICITY_TAX, from: '2026-12-01', to: '2026-12-31', ...RDL_25('art. 21'), ...either('RDL 25/2026, art. 21', 0.5, 5.11269632), condition: 'the CPI of electricity (04.5.1.0) in October above 15 %' },

  { ...LEAST_TAX, from: FIRST, to: null, value: 1, ...ART_99_2 },
  { ...LEAST_TAX, kind: 'industrial', from: FIRST, to: null, value: 0.5, ...ART_99_2 },

  { ...VAT, from: FIRST, to: null, value: 21, ...ART_90 },
  { ...VAT, kind: 'servicios', supplyTypes: ['LUZ', 'GAS'], from: FIRST, to: null, value: 21, ...ART_90 },
  { ...REDUCED_VAT, from: FIRST, to: '2021-06-25', value: 21, ...ART_90 },
  { ...REDUCED_VAT, from: '2021-06-26', to: '2022-06-30', value: 10, ...uncertain('RDL 12/2021, art. 1 (BOE-A-2021-10584), RDL 29/2021 (BOE-A-2021-21096)', '2021-21096') },
  { ...REDUCED_VAT, from: '2022-07-01', to: '2023-12-31', value: 5, ...certain('RDL 11/2022, art. 18 (BOE-A-2022-10557), RDL 20/2022, art. 1 (BOE-A-2022-22685)', '2022-22685') },
  { ...REDUCED_VAT, from: '2024-01-01', to: '2024-02-29', value: 10, ...certain('RDL 8/2023, art. 21.1', '2023-26452') },
  { ...REDUCED_VAT, from: '2024-03-01', to: '2024-06-30', value: 21, ...uncertain('RDL 8/2023, art. 21.1', '2023-26452') },
  { ...REDUCED_VAT, from: '2024-07-01', to: '2024-12-31', value: 10, ...uncertain('RDL 8/2023, art. 21.1', '2023-26452') },
  { ...REDUCED_VAT, from: '2025-01-01', to: '2026-03-21', value: 21, ...uncertain('Ley 37/1992, art. 90', '1992-28740') },
  { ...REDUCED_VAT, from: '2026-03-22', to: '2026-04-29', value: 10, ...certain('RDL 7/2026, art. 42.a', '2026-6544') },
  { ...REDUCED_VAT, from: '2026-04-30', to: '2026-05-31', value: 10, ...uncertain('RDL 10/2026, DF 2', '2026-9286') },
  { ...REDUCED_VAT, from: '2026-06-01', to: '2026-10-31', value: 21, ...JUNE_TO_OCTOBER },
  { ...REDUCED_VAT, from: '2026-11-01', to: '2026-11-30', ...RDL_25('art. 18.1'), ...either('RDL 25/2026, art. 18.1', 10, 21) },
  { ...REDUCED_VAT, from: '2026-12-01', to: '2026-12-31', ...RDL_25('art. 19.1'), ...either('RDL 25/2026, art. 19.1', 10, 21) },

  { ...IGIC, kind: 'vivienda', supplyTypes: ['LUZ'], from: '2020-01-01', to: null, value: 0, ...certain('Ley 4/2012, art. 52.r', '2012-9282') },
  { ...IGIC, kind: 'general', supplyTypes: ['LUZ'], from: '2020-01-01', to: null, value: 3, ...certain('Ley 4/2012, art. 54.1.a', '2012-9282') },
  { ...IGIC, kind: 'general', supplyTypes: ['GAS'], from: '2020-01-01', to: null, value: 3, ...uncertain('Ley 4/2012, art. 54.1.a', '2012-9282') },
  { ...IGIC, kind: 'servicios', from: '2020-01-01', to: null, value: 7, ...certain('Ley 4/2012, art. 51', '2012-9282') },
  { ...IPSI, kind: 'general', from: FIRST, to: null, value: 1, ...uncertain('Ley 8/1991, art. 18', '1991-7645') },
  { ...IPSI, kind: 'servicios', from: FIRST, to: null, value: 4, ...uncertain('Ley 8/1991, art. 18', '1991-7645') },

  { ...GAS_VAT, from: FIRST, to: '2022-09-30', value: 21, ...ART_90 },
  { ...GAS_VAT, from: '2022-10-01', to: '2023-12-31', value: 5, ...certain('RDL 17/2022, art. 5 (BOE-A-2022-15354), RDL 20/2022 (BOE-A-2022-22685)', '2022-22685') },
  { ...GAS_VAT, from: '2024-01-01', to: '2024-03-31', value: 10, ...certain('RDL 8/2023, art. 21.2', '2023-26452') },
  { ...GAS_VAT, from: '2024-04-01', to: '2026-03-21', value: 21, ...ART_90 },
  { ...GAS_VAT, from: '2026-03-22', to: '2026-05-31', value: 10, ...certain('RDL 7/2026, art. 42.b', '2026-6544') },
  { ...GAS_VAT, from: '2026-06-01', to: '2026-07-31', value: 21, ...certain('RDL 18/2026', '2026-14112') },
  { ...GAS_VAT, from: '2026-08-01', to: '2026-08-31', ...RDL_18('art. 10.2'), ...either('RDL 18/2026, art. 10.2', 10, 21), condition: 'the CPI of gas in June above 15 %' },
  { ...GAS_VAT, from: '2026-09-01', to: '2026-10-31', value: 21, ...certain('RDL 25/2026', '2026-20265') },
  { ...GAS_VAT, from: '2026-11-01', to: '2026-11-30', ...RDL_25('art. 18.2'), ...either('RDL 25/2026, art. 18.2', 10, 21) },
  { ...GAS_VAT, from: '2026-12-01', to: '2026-12-31', ...RDL_25('art. 19.2'), ...either('RDL 25/2026, art. 19.2', 10, 21) },

  // The law has EUR/GJ: 0.65, 0.30, 0.39, 0.48, 0.56, 0.42, and 0.15 for professional use. One kWh is 0.0036 GJ.
  { ...GAS_TAX, from: FIRST, to: '2026-03-21', value: 0.00234, ...ART_50 },
  { ...GAS_TAX, from: '2026-03-22', to: '2026-05-31', value: 0.00108, ...certain('RDL 7/2026, art. 38', '2026-6544') },
  { ...GAS_TAX, from: '2026-06-01', to: '2026-06-30', value: 0.00108, ...uncertain('RDL 7/2026, art. 38', '2026-6544') },
  { ...GAS_TAX, from: '2026-07-01', to: '2026-07-31', value: 0.001404, ...RDL_18('art. 5') },
  { ...GAS_TAX, from: '2026-08-01', to: '2026-08-31', ...RDL_18('art. 6'), ...either('RDL 18/2026, art. 6', 0.00108, 0.001728) },
  { ...GAS_TAX, from: '2026-09-01', to: '2026-09-30', ...RDL_18('art. 7'), ...either('RDL 18/2026, art. 7', 0.001404, 0.002016) },
  { ...GAS_TAX, from: '2026-10-01', to: '2026-10-31', value: 0.00234, ...RDL_25('art. 13') },
  { ...GAS_TAX, from: '2026-11-01', to: '2026-11-30', ...RDL_25('art. 14'), ...either('RDL 25/2026, art. 14', 0.00108, 0.00234) },
  { ...GAS_TAX, from: '2026-12-01', to: '2026-12-31', ...RDL_25('art. 15'), values: [0.00234, 0.001512, 0.00108].map((value) => ({ value, condition: say('as {law} says', { law: 'RDL 25/2026, art. 15' }) })), condition: null },
  { ...GAS_TAX, kind: 'profesional', from: FIRST, to: null, value: 0.00054, ...ART_50 },

  { ...BONUS, from: '2025-01-01', to: '2025-12-31', value: 4.650987, law: 'Orden TED/1487/2024', url: null, isCertain: false },
  { ...BONUS, from: '2026-01-01', to: '2026-06-25', value: 6.979247, ...uncertain('Orden TED/1524/2025', '2025-26705') },
  { ...BONUS, from: '2026-06-26', to: '2026-12-31', value: 9.011295, ...uncertain('Orden TED/634/2026', '2026-13759') },
  { ...RENTAL, kind: 'monofasico', from: '2013-08-03', to: null, value: 0.81, ...certain('Orden IET/1491/2013', '2013-8561') },
  { ...RENTAL, kind: 'trifasico', from: '2013-08-03', to: null, value: 1.36, ...certain('Orden IET/1491/2013', '2013-8561') },
];

/** Which row is asked for. */
export interface RateQuestion {
  readonly concept: RateConcept;
  readonly kind: RateKind;
  readonly supplyType: SupplyType;
  readonly territory: Territory;
  readonly day: Day;
}

/** The rows of a table that answer: none for what is not known, and a settled one before one that is undecided. */
export function ratesOn(table: readonly Rate[], question: RateQuestion): readonly Rate[] {
  const { concept, kind, supplyType, territory, day } = question;
  const rows = table.filter(
    (row) =>
      row.concept === concept &&
      row.kind === kind &&
      row.supplyTypes.includes(supplyType) &&
      row.territories.includes(territory) &&
      holdsOn(row, day),
  );
  return rows.sort((a, b) => Number('values' in a) - Number('values' in b));
}

/** A row for one supply and territory. */
export type PlacedRate = Rate & { readonly supplyType: SupplyType; readonly territory: Territory };

/**
 * The rows of a day, each for one supply and territory: of an undecided one and one that settles it, the latter.
 *
 * @param at - `null`: of all supplies or territories.
 */
export function ratesInForce(
  table: readonly Rate[],
  at: { readonly day: Day; readonly supplyType: SupplyType | null; readonly territory: Territory | null },
): readonly PlacedRate[] {
  const { day } = at;
  const supplyTypes = at.supplyType === null ? SUPPLY_TYPES : [at.supplyType];
  const territories = at.territory === null ? TERRITORIES : [at.territory];
  const inForce = table.filter((row) => holdsOn(row, day));
  return supplyTypes.flatMap((supplyType) =>
    territories.flatMap((territory) =>
      inForce
        .filter((row) => ratesOn(table, { ...row, supplyType, territory, day })[0] === row)
        .map((row) => ({ ...row, supplyType, territory })),
    ),
  );
}

/** The rows that are undecided on a day or later, each once, in the order of the first day on which it is. */
export function undecidedFrom(table: readonly Rate[], at: Parameters<typeof ratesInForce>[1]): readonly PlacedRate[] {
  // What is open changes only where a row begins or has ended.
  const changes = table.flatMap(({ from, to }) => (to === null ? [from] : [from, dayAfter(to)]));
  const days = [at.day, ...new Set(changes.filter((day) => day > at.day).sort())];
  const open = days.flatMap((day) => ratesInForce(table, { ...at, day }).filter((row) => 'values' in row));
  const nameOf = ({ concept, kind, supplyType, territory, from }: PlacedRate) =>
    [concept, kind, supplyType, territory, from].join();
  return [...new Map(open.map((row) => [nameOf(row), row])).values()];
}
