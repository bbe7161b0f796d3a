import type { RankingQuestion } from '@tarifario/client';
import type { Language } from '../texts/common.ts';
import type { TextName } from '../texts/texts.ts';

import type { Community } from './communities.ts';

export const TARIFFS = {
  LUZ: ['2.0TD', '3.0TD', '3.0TDVE', '6.1TD', '6.1TDVE', '6.2TD', '6.3TD', '6.4TD'],
  GAS: ['RL.1', 'RL.2', 'RL.3', 'RL.4', 'RL.5', 'RL.6', 'RL.7', 'RL.8', 'RL.9', 'RL.10', 'RL.11'],
} as const;
export const TERRITORIES = ['peninsula', 'baleares', 'canarias', 'ceuta_melilla'] as const;
export const HOLDERS = ['dni', 'cif', 'cdad'] as const;

export type Supply = keyof typeof TARIFFS;
export type PresentForm = 'presentNone' | 'presentPrices' | 'presentTotal' | 'presentBill';
/** The rental of the meter: none, or that of a regulated meter. */
export const RENTALS = ['noRental', 'monofasico', 'trifasico'] as const;
export type Rental = (typeof RENTALS)[number];

/** The texts as they were typed, so that none is ever lost. */
export interface Draft extends Typed {
  /** The values that readings have replaced, the last first. */
  readonly earlier: readonly Typed[];
}

export interface Typed {
  readonly supply: Supply;
  readonly tariff: string;
  readonly territory: (typeof TERRITORIES)[number];
  /** `null`: any, and offers for one community alone are ranked too. */
  readonly community: Community | null;
  readonly holder: (typeof HOLDERS)[number];
  readonly present: PresentForm;
  /** The day of the taxes of bills; `null`: without taxes. */
  readonly taxDay: string | null;
  readonly rental: Rental;
  /** By the name on the wire; a field of the present contract begins with `contrato_actual.`. */
  readonly values: Readonly<Record<string, string>>;
  /** The months of a meter; `null`: only totals are known. */
  readonly months: NonNullable<RankingQuestion['perfil']> | null;
}

export const EMPTY_DRAFT: Draft = {
  supply: 'LUZ',
  tariff: '2.0TD',
  territory: 'peninsula',
  community: null,
  holder: 'dni',
  present: 'presentNone',
  taxDay: null,
  rental: 'noRental',
  values: {},
  months: null,
  earlier: [],
};

const CHOICES = ['supply', 'tariff', 'territory', 'community', 'present', 'months'] as const;

/** Changes that may replace typed values, which are remembered. */
export function replacing({ earlier, ...before }: Draft, changes: Partial<Typed>): Partial<Draft> {
  return { ...changes, earlier: [before, ...earlier] };
}

/** Brings the replaced values back, and puts the present ones last, so that repeated undoing returns to them. */
export function broughtBack({ earlier: [last, ...others], ...now }: Draft): Partial<Draft> {
  return last ? { ...last, earlier: [...others, now] } : {};
}

/** How many typed and chosen values the last change has replaced. */
export function replacedCount({ earlier: [before], ...now }: Draft): number {
  if (!before) return 0;
  const typed = Object.entries(before.values).filter(([name, text]) => text.trim() !== '' && now.values[name] !== text);
  const chosen = CHOICES.filter((name) => before[name] !== EMPTY_DRAFT[name] && before[name] !== now[name]);
  return typed.length + chosen.length;
}

export const PRESENT = 'contrato_actual.';
/** How the names of rates in place of those of the law begin. */
export const RATE = 'impuestos.tipos.';
export const RATE_FIELDS = ['iee', 'indirecto', 'indirecto_servicios', 'hidrocarburos', 'bono_social'] as const;

const TAXES = 'impuestos.';
/** What is sent where a customer differs from what bills assume, and for whom it is asked. */
export const TAX_TICKS = [
  {
    name: 'vulnerable_severo',
    sends: true,
    isFor: ({ supply, holder }: Draft) => supply === 'LUZ' && holder === 'dni',
  },
  { name: 'financiacion_bono', sends: false, isFor: ({ supply }: Draft) => supply === 'LUZ' },
  {
    name: 'vivienda',
    sends: false,
    isFor: ({ supply, holder, territory }: Draft) => supply === 'LUZ' && holder === 'dni' && territory === 'canarias',
  },
  { name: 'uso_gas', sends: 'profesional', isFor: ({ supply }: Draft) => supply === 'GAS' },
] as const;
/** Excess of power, EUR over the period. */
export const EXCESS = `${TAXES}otros.con_iee`;

export const isTicked = ({ values }: Draft, name: string): boolean => values[TAXES + name] === 'yes';
export const ticking = ({ values }: Draft, name: string, isOn: boolean): Partial<Draft> => ({
  values: { ...values, [TAXES + name]: isOn ? 'yes' : '' },
});

/** Typed values without rates: those of one day, place or supply are not those of another. */
export function withoutRates(values: Typed['values']): Typed['values'] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith(RATE)));
}

/** How many periods of energy and of power an access tariff has. */
export function periodsOf(tariff: string): { readonly energy: number; readonly power: number } {
  return tariff === '2.0TD' ? { energy: 3, power: 2 } : { energy: 6, power: 6 };
}

export function periodNames(letter: 'e' | 'p', count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

/** A number in Spanish or English notation. A text that could mean two numbers is refused. */
export function readNumber(text: string, language: Language): number | TextName {
  const plain = text.trim().replace(',', '.');
  // The decimal mark of the language does not separate thousands.
  const other = language === 'es' ? '.' : ',';
  if (text.includes(other) && /^[1-9]\d{0,2}\.\d{3}$/.test(plain)) return 'ambiguous';
  return /^-?\d+(\.\d*)?$|^-?\.\d+$/.test(plain) ? Number(plain) : 'notNumber';
}

export type Faults = Readonly<Record<string, TextName>>;
/** The part of the question that every ranking of this customer has. */
export type Question = Omit<RankingQuestion, 'limit' | 'w' | 'tolerancia'>;

/** The names of the fields that the supply has, so that those of another one are not sent. */
function namesFor({ supply, tariff, present, taxDay }: Draft): readonly string[] {
  const { energy, power } = periodsOf(tariff);
  const periods = [...periodNames('e', energy), ...periodNames('p', power)];
  const own = supply === 'LUZ' ? [...periods, 'excedentes'] : ['consumo_gas'];
  const prices = supply === 'LUZ' ? [...periods, 'precio_excedentes'] : ['gas_energy', 'gas_fixed'];
  const contract = {
    presentNone: [],
    presentPrices: [...prices, 'services_cost'],
    presentTotal: ['coste_total'],
    presentBill: taxDay === null ? [] : ['factura_total'],
  }[present];
  const rates = taxDay === null ? [] : RATE_FIELDS.map((name) => RATE + name);
  const excess = taxDay === null || supply === 'GAS' ? [] : [EXCESS];
  return [...own, 'dias', ...contract.map((name) => PRESENT + name), ...rates, ...excess];
}

/** The body of a ranking, or the errors by field. */
export function questionOf(
  draft: Draft,
  language: Language,
): { readonly question: Question } | { readonly faults: Faults } {
  const sent = new Map<string, number>();
  const faults: Record<string, TextName> = {};
  for (const name of namesFor(draft)) {
    const text = draft.values[name] ?? '';
    if (text.trim() === '') continue;
    const value = readNumber(text, language);
    if (typeof value === 'string') faults[name] = value;
    else sent.set(name, value);
  }
  const group = (pattern: RegExp): Readonly<Record<string, number>> =>
    Object.fromEntries(
      [...sent].flatMap(([name, value]) => (pattern.test(name) ? [[name.split('.').at(-1), value]] : [])),
    );
  const { supply, tariff, territory, community, holder, months, present, taxDay, rental } = draft;
  const consumed = supply === 'GAS' ? group(/^consumo_gas$/) : group(/^e\d$/);
  const isAny = Object.values({ ...consumed, ...group(/^p\d$/) }).some((quantity) => quantity > 0);
  const hasMonths = months !== null && supply === 'LUZ';
  if (!isAny && !hasMonths) faults[supply === 'GAS' ? 'consumo_gas' : 'e1'] ??= 'nothingConsumed';
  if (Object.keys(faults).length > 0) return { faults };
  const tipos = group(/^impuestos\.tipos\./);
  const otros = group(/^impuestos\.otros\./);
  const ticked = TAX_TICKS.filter(({ name, isFor }) => isFor(draft) && isTicked(draft, name));
  const ticks = Object.fromEntries(ticked.map(({ name, sends }) => [name, sends]));
  const alquiler = rental === 'noRental' || supply === 'GAS' ? {} : { alquiler: rental };
  const contrato_actual = group(/^contrato_actual\./);
  const quantities = hasMonths ? { perfil: months } : group(/^(excedentes|dias)$/);
  const question: Question = {
    supply_type: supply,
    tariff_type: tariff,
    territory,
    ...(community === null ? {} : { community }),
    client_type: holder,
    ...quantities,
    ...(supply === 'GAS' ? consumed : { ...(hasMonths ? {} : { energia: consumed }), potencia: group(/^p\d$/) }),
    ...(present === 'presentNone' || (present === 'presentBill' && taxDay === null) ? {} : { contrato_actual }),
    ...(taxDay === null
      ? {}
      : { impuestos: { fecha: taxDay, ...alquiler, ...ticks, ...(EXCESS in draft.values && { otros }), tipos } }),
  };
  return { question };
}
