import { type Day, dayAfter, dayNumber } from '../calendar.ts';
import { MAX_KWH } from '../consumption/profile.ts';
import { DomainError } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';
import type { Community, Territory } from '../offers/offer.ts';
import { MAX_KW, YEAR } from '../ranking/customer.ts';
import { MAX_URL_LENGTH } from '../text.ts';
import { placeOfPostcode } from './postcode.ts';
import { addressParameters, malformedAddress, type QrParameters } from './qr-address.ts';

/** Kinds of contract. The wire values are used, because there is nothing to translate. */
export const CONTRACT_KINDS = [
  'pvpc',
  'indexado',
  'fijo_tres_periodos',
  'fijo_un_precio',
  'flexible',
  'tarifa_plana',
] as const;
export type ContractKind = (typeof CONTRACT_KINDS)[number];

/** By the letter in the code. */
const KINDS_BY_LETTER: Readonly<Record<string, ContractKind>> = {
  A: 'pvpc',
  B: 'indexado',
  C: 'indexado',
  D: 'indexado',
  E: 'fijo_tres_periodos',
  F: 'fijo_un_precio',
  G: 'flexible',
  H: 'tarifa_plana',
};

/** Notices about a reading, by wire code. */
export const INVOICE_NOTICES = {
  base_anual_dudosa: 'the days of the annual consumption are not known: it is taken for that of 365 days',
  codigo_postal_desconocido: 'the postcode names no province: the question has neither territory nor community',
  precio_no_contractual: 'the contract has no fixed prices: those of one invoice are not its terms',
  cuota_fija_desconocida: 'the contract has a monthly fee, and the code does not say how much it is',
  potencia_no_cuadra: 'the prices of power do not give the amount of the invoice, neither by year nor by day',
  sin_precio_energia: 'the invoice prints no price for a period in which energy is consumed',
  excedentes_sin_medir: 'surplus was credited, and the code does not say how many kWh: add them to the question',
  descuento_no_incluido: 'the invoice has a discount: its prices are those before it',
} as const;
export type InvoiceNotice = keyof typeof INVOICE_NOTICES;

/** Prices of the present contract in the units of an offer; `null`: no such price is needed. */
export interface InvoicePrices {
  /** EUR/kWh, P1 to P3. */
  readonly energyEurPerKwh: readonly [number | null, number | null, number | null];
  /** EUR per kW and day, P1 and P2. */
  readonly powerEurPerKwDay: readonly [number | null, number | null];
}

/** The content of the QR code of an invoice: a question to rank, and the invoice it comes from. */
export interface InvoiceReading {
  /** A customer of electricity on 2.0TD. */
  readonly question: {
    /** kWh over `days`, P1 to P3. */
    readonly consumptionKwh: readonly [number, number, number];
    /** Contracted kW, P1 and P2. */
    readonly powerKw: readonly [number, number];
    /** 33 to 365. */
    readonly days: number;
    readonly territory: Territory | null;
    readonly community: Community | null;
  };
  /** `null` unless every price that the question needs is known and is a price of the contract. */
  readonly contractPrices: InvoicePrices | null;
  /** Each is `null` where the code does not have it. */
  readonly invoice: {
    /** First and last day, both included. */
    readonly firstDay: Day | null;
    readonly lastDay: Day | null;
    readonly days: number | null;
    readonly issuedOn: Day | null;
    readonly totalEur: number | null;
    readonly powerEur: number | null;
    readonly energyEur: number | null;
    readonly servicesEur: number | null;
    /** As printed: -1 for PVPC, 0 where it is part of the price. */
    readonly socialBonusEur: number | null;
  };
  /** Each is `null` where the code does not have it. */
  readonly contract: {
    readonly kind: ContractKind | null;
    readonly hasMonthlyFee: boolean | null;
    readonly endsOn: Day | null;
    readonly penaltyEndsOn: Day | null;
    /** Such as `R2-760`. */
    readonly retailerCode: string | null;
  };
  /** What is billed before tax, to compute the total again; `null` unless the code has all of it. */
  readonly lines: InvoiceLines | null;
  readonly notices: readonly InvoiceNotice[];
}

/** What an invoice bills before tax, EUR. */
export interface InvoiceLines {
  readonly consumedKwh: number;
  readonly energyEur: number;
  readonly powerEur: number;
  /** Surplus and discounts, 0 or below. */
  readonly creditsEur: number;
  readonly socialBonusEur: number;
  readonly otherTaxedEur: number;
  /** The rental of the meter, and what else bears no electricity tax. */
  readonly otherUntaxedEur: number;
  readonly servicesEur: number;
}

/**
 * Reads the address in the QR code of every Spanish invoice of electricity (CNMC resolution of 2022-10-06,
 * BOE-A-2022-16989). The result does not have the supply point.
 *
 * @param address - At most 2 048 characters; `&` or `&amp;` between parameters, their names in any case and order.
 * @throws DomainError `invalid_request` that names each missing, repeated or invalid parameter, and never repeats a
 *   value; `business_rule` for an invoice that corrects another, or without any quantity.
 * @see docs/assumptions.md, A-76 to A-78
 */
export function readInvoiceQr(address: string): InvoiceReading {
  if (address.length > MAX_URL_LENGTH)
    throw malformedAddress('url', say('must have at most {max} characters', { max: MAX_URL_LENGTH }));
  const parameters = addressParameters(address);
  const fields = fieldsOf(parameters);
  parameters.finish();
  if (!['', 'N'].includes(parameters.text('tf').toUpperCase())) {
    throw refused('url.tf', 'the invoice corrects another one: only an ordinary invoice can be read');
  }
  const { caKwh, contractedKw } = fields;
  if ([...caKwh, ...contractedKw].every((quantity) => quantity === 0)) {
    throw refused('url.caP1', 'neither consumption nor contracted power is above 0');
  }
  return readingOf(fields, parameters);
}

function refused(path: string, message: Message): DomainError {
  return new DomainError('business_rule', { issues: [{ path, message }] });
}

type Fields = ReturnType<typeof fieldsOf>;

/** Prices of one month of an indexed offer may be negative. */
const ENERGY_PRICE = { min: -10, max: 10 };
/** EUR per kW and year; as a price per day it would be far above the bound of an offer. */
const POWER_PRICE = { min: 0, max: 100_000 };
const AMOUNT = { min: -1e9, max: 1e9 };

function fieldsOf({ number, needed, day }: QrParameters) {
  return {
    contractedKw: [needed('pP1', MAX_KW), needed('pP2', MAX_KW)] as const,
    caKwh: [needed('caP1', MAX_KWH), needed('caP2', MAX_KWH), needed('caP3', MAX_KWH)] as const,
    baseStart: day('iniA'),
    start: day('iniF'),
    end: day('finF'),
    issuedOn: day('fFact'),
    endsOn: day('finContrato'),
    penaltyEndsOn: day('finPen'),
    energyPrices: [number('prE1', ENERGY_PRICE), number('prE2', ENERGY_PRICE), number('prE3', ENERGY_PRICE)] as const,
    powerPrices: [number('prP1', POWER_PRICE), number('prP2', POWER_PRICE)] as const,
    totalEur: number('imp', AMOUNT),
    powerEur: number('impPot', AMOUNT),
    energyEur: number('impEner', AMOUNT),
    servicesEur: number('impSA', AMOUNT),
    socialBonusEur: number('finBS', AMOUNT),
    surplusEur: number('exc', AMOUNT),
    discountEur: number('dto', AMOUNT),
  };
}

function readingOf(fields: Fields, { text, optional }: QrParameters): InvoiceReading {
  const { start, end, issuedOn, endsOn, penaltyEndsOn, totalEur, energyEur, servicesEur, socialBonusEur } = fields;
  const notices: InvoiceNotice[] = [];
  const baseDays = annualBaseDays(fields);
  if (baseDays === null) notices.push('base_anual_dudosa');
  const place = placeOfPostcode(text('cp'));
  if (place === null) notices.push('codigo_postal_desconocido');
  const [letter = '', fee = ''] = text('tc').toUpperCase();
  const kind = KINDS_BY_LETTER[letter] ?? null;
  const hasMonthlyFee = fee === '1' || (fee === '0' ? false : null);
  const contractPrices = contractPricesOf(fields, { kind, hasMonthlyFee, notices });
  if ((fields.surplusEur ?? 0) !== 0) notices.push('excedentes_sin_medir');
  if (contractPrices && (fields.discountEur ?? 0) !== 0) notices.push('descuento_no_incluido');
  const retailer = text('com');
  return {
    question: {
      consumptionKwh: fields.caKwh,
      powerKw: fields.contractedKw,
      days: baseDays ?? YEAR.days,
      territory: place?.territory ?? null,
      community: place?.community ?? null,
    },
    contractPrices,
    invoice: {
      firstDay: start && dayAfter(start),
      lastDay: end,
      days: daysBetween(start, end),
      issuedOn,
      totalEur,
      powerEur: fields.powerEur,
      energyEur,
      servicesEur,
      socialBonusEur,
    },
    // A code of a register, too short for the number of a supply point.
    contract: {
      kind,
      hasMonthlyFee,
      endsOn,
      penaltyEndsOn,
      retailerCode: /^[A-Z]\d-\d{1,5}$/i.test(retailer) ? retailer.toUpperCase() : null,
    },
    lines: linesOf(fields, optional),
    notices,
  };
}

/** Amounts are printed with either sign; -1 stands for what the prices of a regulated tariff include. */
function linesOf(
  { energyEur, powerEur, servicesEur, socialBonusEur, surplusEur, discountEur }: Fields,
  optional: QrParameters['optional'],
): InvoiceLines | null {
  const consumed = ['cfP1', 'cfP2', 'cfP3'].map(optional);
  if (energyEur === null || powerEur === null || consumed.includes(null)) return null;
  const amount = (eur: number | null) => (eur === null || eur === -1 ? 0 : eur);
  const credits = [discountEur, optional('dtoBS')].reduce<number>((sum, eur) => sum + Math.abs(amount(eur)), 0);
  return {
    consumedKwh: consumed.reduce<number>((sum, kwh) => sum + (kwh ?? 0), 0),
    energyEur,
    powerEur,
    creditsEur: 0 - credits - Math.min(Math.abs(surplusEur ?? 0), Math.max(0, energyEur)),
    socialBonusEur: amount(socialBonusEur),
    otherTaxedEur: (optional('impOtrosConIE') ?? 0) + amount(optional('ajuste')),
    otherUntaxedEur: optional('impOtrosSinIE') ?? 0,
    servicesEur: servicesEur ?? 0,
  };
}

/** Days from one day, excluded, to another, included; `null` where they are not known or not positive. */
function daysBetween(start: Day | null, end: Day | null): number | null {
  if (start === null || end === null) return null;
  const days = (dayNumber(end) ?? 0) - (dayNumber(start) ?? 0);
  return days >= 1 ? days : null;
}

/** The days of the annual consumption: 365 for about a year, and `null` for an impossible number. */
function annualBaseDays({ baseStart, end }: Fields): number | null {
  const days = daysBetween(baseStart, end);
  if (days === null || days < 33 || days > 380) return null;
  return days < 350 ? days : YEAR.days;
}

/** Prices of the present contract, where the invoice prints all of them and they are prices of the contract. */
function contractPricesOf(
  fields: Fields,
  contract: {
    readonly kind: ContractKind | null;
    readonly hasMonthlyFee: boolean | null;
    readonly notices: InvoiceNotice[];
  },
): InvoicePrices | null {
  const { kind, hasMonthlyFee, notices } = contract;
  if (kind !== 'fijo_tres_periodos' && kind !== 'fijo_un_precio') {
    notices.push('precio_no_contractual');
    return null;
  }
  const before = notices.length;
  if (hasMonthlyFee) notices.push('cuota_fija_desconocida');
  const [e1, e2, e3] = fields.energyPrices;
  const energyEurPerKwh = kind === 'fijo_un_precio' ? ([e1, e2 ?? e1, e3 ?? e1] as const) : fields.energyPrices;
  if (fields.caKwh.some((kwh, index) => kwh > 0 && energyEurPerKwh[index] === null)) notices.push('sin_precio_energia');
  const powerEurPerKwDay = dailyPowerPrices(fields);
  if (powerEurPerKwDay === null) notices.push('potencia_no_cuadra');
  return notices.length > before || powerEurPerKwDay === null ? null : { energyEurPerKwh, powerEurPerKwDay };
}

/** How far from the printed amount the prices of power may be, EUR: amounts and prices are printed rounded. */
const MAX_DIFFERENCE_EUR = 0.05;
/** The most that an offer may ask for power, EUR per kW and day. */
const MAX_POWER_PRICE = 1;

/**
 * Prices of power by day. Invoices print them by year or by day, and do not say which. The unit is the one with which
 * they give the amount of the invoice, over its days or one more.
 */
function dailyPowerPrices(fields: Fields): InvoicePrices['powerEurPerKwDay'] | null {
  const { contractedKw, powerPrices, powerEur, start, end } = fields;
  if (contractedKw.every((kw) => kw === 0)) return [null, null];
  const days = daysBetween(start, end);
  if (powerEur === null || days === null) return null;
  if (contractedKw.some((kw, index) => kw > 0 && powerPrices[index] === null)) return null;
  for (const divisor of [YEAR.days, 1]) {
    const daily = powerPrices.map((price) => price && price / divisor);
    const dailyEur = contractedKw.reduce((sum, kw, index) => sum + kw * (daily[index] ?? 0), 0);
    const differences = [days, days + 1].map((count) => Math.abs(dailyEur * count - powerEur));
    const isUsual = daily.every((price) => price === null || price <= MAX_POWER_PRICE);
    if (isUsual && Math.min(...differences) <= MAX_DIFFERENCE_EUR) return [daily[0] ?? null, daily[1] ?? null];
  }
  return null;
}
