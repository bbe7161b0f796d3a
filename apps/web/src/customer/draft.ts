import type { RankingQuestion } from '@tarifario/client';
import type { Community, TARIFFS } from '@tarifario/core';
import { faultsOf } from '../shell/faults.ts';
import type { OfFirm } from '../shell/session.ts';
import type { Language } from '../texts/common.ts';
import type { TextName } from '../texts/texts.ts';
import { today } from './day.ts';
import { type Fault, numberFault, unitFault } from './number-fault.ts';
import { readNumber, typedNumber } from './numbers.ts';

export const TERRITORIES = ['peninsula', 'baleares', 'canarias', 'ceuta_melilla'] as const;
export const HOLDERS = ['dni', 'cif', 'cdad'] as const;

/** Which offers are ranked: those for customers with solar panels are for nobody else. */
export const PANELS = ['anyPanels', 'withoutPanels', 'onlyPanels'] as const;

/** Whether the energy of an offer has to be green. */
export const GREEN = ['anyGreen', 'yes', 'no'] as const;
/** The numbers of the filter on what a contract says. */
export const TERMS = ['permanencia_max', 'precio_fijo_min'] as const;

export type Supply = keyof typeof TARIFFS;
/** What is known of the present contract. */
export const PRESENTS = ['presentNone', 'presentPrices', 'presentOffer', 'presentTotal', 'presentBill'] as const;
/** The rental of the meter: none, that of a regulated meter of electricity, or an amount. */
export const RENTALS = {
  LUZ: ['noRental', 'monofasico', 'trifasico', 'rentalEur'],
  GAS: ['noRental', 'rentalEur'],
} as const;
export type Rental = (typeof RENTALS)['LUZ'][number];
/** The use of electricity, which decides its least tax; else the tariff does. */
export const USES = ['useByTariff', 'general', 'industrial'] as const;
export type Use = (typeof USES)[number];

/** The texts as they were typed, so that none is ever lost. */
export interface Draft {
  /** The firm that advises, whose offers are ranked and whose sheet is printed; `null`: any. It is not the customer's. */
  readonly firmId: number | null;
  readonly supply: Supply;
  readonly tariff: string;
  readonly territory: (typeof TERRITORIES)[number];
  /** `null`: any, and offers for one community alone are ranked too. */
  readonly community: Community | null;
  /** Of the invoice that was read; `null`: of none. */
  readonly postcode: string | null;
  readonly holder: (typeof HOLDERS)[number];
  readonly panels: (typeof PANELS)[number];
  readonly green: (typeof GREEN)[number];
  readonly present: (typeof PRESENTS)[number];
  /** Whether bills are asked for. */
  readonly isBilled: boolean;
  /** The day of the taxes of bills; `null`: today. */
  readonly taxDay: string | null;
  readonly rental: Rental;
  readonly use: Use;
  /** The contract has no term of power, which is said and not assumed. */
  readonly isWithoutPower: boolean;
  /** By the name on the wire; a field of the present contract begins with `contrato_actual.`. */
  readonly values: Readonly<Record<string, string>>;
  /** The months of a meter; `null`: only totals are known. */
  readonly months: NonNullable<RankingQuestion['perfil']> | null;
  /** What the page says of these powers to the customer, as part of the comment. */
  readonly remark: string;
}

export const EMPTY_DRAFT: Draft = {
  firmId: null,
  supply: 'LUZ',
  tariff: '2.0TD',
  territory: 'peninsula',
  community: null,
  postcode: null,
  holder: 'dni',
  panels: 'anyPanels',
  green: 'anyGreen',
  present: 'presentNone',
  isBilled: true,
  taxDay: null,
  rental: 'noRental',
  use: 'useByTariff',
  isWithoutPower: false,
  values: {},
  months: null,
  remark: '',
};

const EXAMPLE = { e1: 1200, e2: 900, e3: 1400, p1: 4.6, p2: 4.6 };
const EXAMPLE_PRICES = { e1: 0.19, e2: 0.14, e3: 0.11, p1: 0.09, p2: 0.03 };

/** A household with its contract, to try the page with. */
export function exampleIn(language: Language): Pick<Draft, 'values' | 'present'> {
  const prices = Object.entries(EXAMPLE_PRICES).map(([name, eur]) => [PRESENT + name, eur] as const);
  const values = [...Object.entries(EXAMPLE), ...prices].map(([name, value]) => [name, typedNumber(value, language)]);
  return { present: 'presentPrices', values: Object.fromEntries(values) };
}

/** How many typed and chosen values of a draft are others by now. */
export function differenceCount(before: Draft, now: Draft): number {
  const typed = Object.entries(before.values).filter(([name, text]) => text.trim() !== '' && now.values[name] !== text);
  const { values: _values, remark: _remark, postcode: _postcode, firmId: _firm, ...choices } = EMPTY_DRAFT;
  const names = Object.keys(choices) as (keyof typeof choices)[];
  const chosen = names.filter((name) => before[name] !== choices[name] && before[name] !== now[name]);
  return typed.length + chosen.length;
}

/** The draft after a change. Once another power is typed, what the page said of the power is no longer true. */
export function changedDraft(draft: Draft, changes: Partial<Draft>): Draft {
  const next = { ...draft, ...changes };
  const isRemarked = 'remark' in changes || powersIn(draft) === powersIn(next);
  return isRemarked ? next : { ...next, remark: '' };
}

/** Whether a reading is of another supply, as far as postcode, tariff and power tell. */
export function isOfAnother(before: Draft, read: Draft, language: Language): boolean {
  const isOtherPlace = before.postcode !== null && read.postcode !== null && before.postcode !== read.postcode;
  const powers = periodNames('p', 6);
  const hasNone = !before.isWithoutPower && powers.every((name) => (before.values[name] ?? '').trim() === '');
  const supplyIn = ({ tariff, values }: Draft) =>
    JSON.stringify([tariff, powers.map((name) => readNumber(values[name] ?? '', language))]);
  return isOtherPlace || (!hasNone && supplyIn(before) !== supplyIn(read));
}

const powersIn = ({ supply, tariff, isWithoutPower, values }: Draft): string =>
  JSON.stringify([supply, tariff, isWithoutPower, periodNames('p', 6).map((name) => values[name] ?? '')]);

export const PRESENT = 'contrato_actual.';
/** The id of the offer that the customer has. */
export const PRESENT_OFFER = `${PRESENT}offer_id`;
/** How the names of rates in place of those of the law begin. */
export const RATE_PREFIX = 'impuestos.tipos.';
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
/** The day of the bills, of which the service may refuse one. */
export const BILL_DAY = `${TAXES}fecha`;
/** The rental in EUR a month. */
export const RENTAL_EUR = `${TAXES}alquiler`;

/** The day of the taxes of bills; `null`: bills are not asked for. */
export const billDayOf = ({ isBilled, taxDay }: Draft): string | null => (isBilled ? (taxDay ?? today()) : null);

/** The rental of the supply: that of electricity does not stay for gas. */
export const rentalOf = ({ supply, rental }: Draft): Rental =>
  (RENTALS[supply] as readonly Rental[]).includes(rental) ? rental : 'noRental';

export const isTicked = ({ values }: Draft, name: string): boolean => values[TAXES + name] === 'yes';
export const ticking = ({ values }: Draft, name: string, isOn: boolean): Partial<Draft> => ({
  values: { ...values, [TAXES + name]: isOn ? 'yes' : '' },
});

/** Typed values without rates: those of one day, place or supply are not those of another. */
export function withoutRates(values: Draft['values']): Draft['values'] {
  const kept = Object.entries(values).filter(([name]) => !name.startsWith(RATE_PREFIX));
  return kept.length === Object.keys(values).length ? values : Object.fromEntries(kept);
}

/** How many periods of energy and of power an access tariff has. */
export function periodsOf(tariff: string): { readonly energy: number; readonly power: number } {
  return tariff === '2.0TD' ? { energy: 3, power: 2 } : { energy: 6, power: 6 };
}

export function periodNames(start: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${start}${index + 1}`);
}

export type Faults = Readonly<Record<string, Fault>>;

/** A number that was most likely meant in another unit, with what to write instead. */
function meantFault(name: string, value: number, { tariff }: Draft): Fault | null {
  if (/^p\d$/.test(name)) return tariff === '2.0TD' ? unitFault('kW', value) : null;
  if (/^contrato_actual\.(e\d|gas_energy|precio_excedentes)$/.test(name)) return unitFault('EUR/kWh', value);
  return /^contrato_actual\.p\d$/.test(name) ? unitFault('EUR/kW·day', value) : null;
}

/** The field that a member of the question comes from. */
export const fieldOfPath = (path: string): string => path.replace(/^(energia|potencia)\./, '');

/** What a refusal says of fields that the form has. */
export function faultsIn(error: unknown, draft: Draft): Faults {
  const names = [...namesFor(draft), BILL_DAY];
  const all = Object.entries(faultsOf(error)).map(([path, fault]) => [fieldOfPath(path), () => fault] as const);
  return Object.fromEntries(all.filter(([name]) => names.includes(name)));
}

/** The part of the question that every ranking of this customer has. */
export type CustomerQuestion = Omit<RankingQuestion, 'limit' | 'w' | 'tolerancia'> & OfFirm;

const isElectric = ({ supply }: Draft): boolean => supply === 'LUZ';
const isGas = ({ supply }: Draft): boolean => supply === 'GAS';
const hasPrices = ({ present }: Draft): boolean => present === 'presentPrices';
const hasBills = (draft: Draft): boolean => billDayOf(draft) !== null;
/** The months of a meter have these numbers. */
const isByMonths = (draft: Draft): boolean => isElectric(draft) && draft.months !== null;

type Unit = 'kWh' | 'kW' | 'd' | '€' | '€/kWh' | '€/kW·d' | TextName;

/** The numbers of the form but those of periods: label, unit, and which drafts have them. Those of another are not sent. */
export const NUMBERS: Readonly<Record<string, readonly [TextName, Unit, (draft: Draft) => boolean]>> = {
  consumo_gas: ['gasEnergy', 'kWh', isGas],
  excedentes: ['surplus', 'kWh', (draft) => isElectric(draft) && !isByMonths(draft)],
  dias: ['days', 'd', (draft) => !isByMonths(draft)],
  permanencia_max: ['mostPermanence', 'inMonths', () => true],
  precio_fijo_min: ['leastFixedPrice', 'inMonths', () => true],
  [`${PRESENT}coste_total`]: ['presentTotalEur', '€', ({ present }) => present === 'presentTotal'],
  [`${PRESENT}factura_total`]: ['presentBillEur', '€', (draft) => draft.present === 'presentBill' && hasBills(draft)],
  [`${PRESENT}gas_energy`]: ['priceEnergy', '€/kWh', (draft) => isGas(draft) && hasPrices(draft)],
  [`${PRESENT}gas_fixed`]: ['gasFixed', 'eurPerMonth', (draft) => isGas(draft) && hasPrices(draft)],
  [`${PRESENT}services_cost`]: ['services', 'eurPerMonth', (d) => hasPrices(d) || d.present === 'presentOffer'],
  [`${PRESENT}precio_excedentes`]: ['priceSurplus', '€/kWh', (draft) => isElectric(draft) && hasPrices(draft)],
  [RENTAL_EUR]: ['rentalMonthly', 'eurPerMonth', (draft) => hasBills(draft) && rentalOf(draft) === 'rentalEur'],
  [EXCESS]: ['excess', '€', (draft) => hasBills(draft) && isElectric(draft)],
};

/** The numbers of each period: how their names begin, unit, and which drafts have them. */
export const OF_PERIODS = {
  energy: ['e', 'kWh', (draft) => isElectric(draft) && !isByMonths(draft)],
  power: ['p', 'kW', (draft) => isElectric(draft) && !draft.isWithoutPower],
  priceEnergy: [`${PRESENT}e`, '€/kWh', (draft) => isElectric(draft) && hasPrices(draft)],
  pricePower: [`${PRESENT}p`, '€/kW·d', (draft) => isElectric(draft) && hasPrices(draft)],
} as const satisfies Readonly<Record<string, readonly [string, Unit, (draft: Draft) => boolean]>>;

/** The numbers of the periods that a draft has; none where it has none. */
export function periodsIn(draft: Draft, kind: keyof typeof OF_PERIODS): readonly string[] {
  const [start, , isOf] = OF_PERIODS[kind];
  const { energy, power } = periodsOf(draft.tariff);
  return isOf(draft) ? periodNames(start, start.endsWith('e') ? energy : power) : [];
}

/** The names of the fields that a draft has. */
function namesFor(draft: Draft): readonly string[] {
  const periods = (Object.keys(OF_PERIODS) as (keyof typeof OF_PERIODS)[]).flatMap((kind) => periodsIn(draft, kind));
  const others = Object.entries(NUMBERS).flatMap(([name, [, , isOf]]) => (isOf(draft) ? [name] : []));
  const rates = hasBills(draft) ? RATE_FIELDS.map((name) => RATE_PREFIX + name) : [];
  return [...periods, ...others, ...(draft.present === 'presentOffer' ? [PRESENT_OFFER] : []), ...rates];
}

/** The field of a member of a question; `null`: the form has none. */
export function fieldAt(path: string): string | null {
  const name = fieldOfPath(path);
  const isOfPeriod = /^(contrato_actual\.)?[ep]\d$/.test(name);
  return isOfPeriod || name in NUMBERS || name === PRESENT_OFFER || name.startsWith(RATE_PREFIX) ? name : null;
}

/** The body of a ranking, or the errors by field. */
export function questionOf(
  draft: Draft,
  language: Language,
): { readonly question: CustomerQuestion } | { readonly faults: Faults } {
  const sent = new Map<string, number>();
  const faults: Record<string, Fault> = {};
  const refuse = (name: string, text: TextName) => {
    faults[name] ??= ({ say }) => say(text);
  };
  for (const name of namesFor(draft)) {
    const text = draft.values[name] ?? '';
    if (text.trim() === '') continue;
    const value = readNumber(text, language);
    const fault = typeof value === 'string' ? numberFault(value, text) : meantFault(name, value, draft);
    if (fault) faults[name] = fault;
    else if (typeof value === 'number') sent.set(name, value);
  }
  const group = (pattern: RegExp): Readonly<Record<string, number>> =>
    Object.fromEntries(
      [...sent].flatMap(([name, value]) => (pattern.test(name) ? [[name.split('.').at(-1), value]] : [])),
    );
  const { supply, tariff, territory, community, holder, panels, green, months, present } = draft;
  const billDay = billDayOf(draft);
  const consumed = supply === 'GAS' ? group(/^consumo_gas$/) : group(/^e\d$/);
  const potencia = group(/^p\d$/);
  const isAny = Object.values({ ...consumed, ...potencia }).some((quantity) => quantity > 0);
  const hasPower = Object.values(potencia).some((kw) => kw > 0);
  const hasMonths = months !== null && supply === 'LUZ';
  if (!isAny && !hasMonths) refuse(supply === 'GAS' ? 'consumo_gas' : 'e1', 'nothingConsumed');
  else if (supply === 'LUZ' && !hasPower && !draft.isWithoutPower) refuse('p1', 'powerMissing');
  if (present === 'presentOffer' && !sent.has(PRESENT_OFFER)) refuse(PRESENT_OFFER, 'presentOfferMissing');
  if (Object.keys(faults).length > 0) return { faults };
  const contrato_actual = group(/^contrato_actual\./);
  const quantities = hasMonths ? { perfil: months } : group(/^(excedentes|dias)$/);
  const question: CustomerQuestion = {
    ...(draft.firmId === null ? {} : { client_id: draft.firmId }),
    supply_type: supply,
    tariff_type: tariff,
    territory,
    ...(community === null ? {} : { community }),
    client_type: holder,
    ...(supply === 'LUZ' && panels !== 'anyPanels' ? { placas_solares: panels === 'onlyPanels' } : {}),
    ...group(/^(permanencia_max|precio_fijo_min)$/),
    ...(green === 'anyGreen' ? {} : { energia_verde: green === 'yes' }),
    ...quantities,
    ...(supply === 'GAS' ? consumed : { ...(hasMonths ? {} : { energia: consumed }), potencia }),
    // No price typed is no contract known.
    ...(Object.keys(contrato_actual).length === 0 ? {} : { contrato_actual }),
    ...(billDay === null ? {} : { impuestos: { fecha: billDay, ...taxTermsOf(draft, group) } }),
  };
  return { question };
}

/** What bills depend on besides their day. */
function taxTermsOf(draft: Draft, group: (pattern: RegExp) => Readonly<Record<string, number>>) {
  const { supply, use, values } = draft;
  const ticked = TAX_TICKS.filter(({ name, isFor }) => isFor(draft) && isTicked(draft, name));
  const rental = rentalOf(draft);
  const { alquiler = 0 } = group(/^impuestos\.alquiler$/);
  return {
    ...(rental === 'noRental' ? {} : { alquiler: rental === 'rentalEur' ? alquiler : rental }),
    ...(supply === 'LUZ' && use !== 'useByTariff' ? { uso: use } : {}),
    ...Object.fromEntries(ticked.map(({ name, sends }) => [name, sends])),
    ...(supply === 'LUZ' && EXCESS in values ? { otros: group(/^impuestos\.otros\./) } : {}),
    tipos: group(/^impuestos\.tipos\./),
  };
}

/** The question without bills, for a day whose rates are not known. */
export function withoutTaxes({ impuestos: _taxes, contrato_actual, ...question }: CustomerQuestion): CustomerQuestion {
  const isBill = contrato_actual?.factura_total !== undefined;
  return contrato_actual && !isBill ? { ...question, contrato_actual } : question;
}
