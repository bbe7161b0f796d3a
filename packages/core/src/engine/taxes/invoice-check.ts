import { DomainError } from '../errors.ts';
import type { InvoiceLines, InvoiceReading } from '../invoice/invoice-reading.ts';
import { perPeriod } from '../periods.ts';
import { YEAR } from '../price/customer.ts';
import { billOf } from './bill.ts';
import { type BillTerms, billTerms, REDUCED_UP_TO_KW } from './bill-terms.ts';
import { RATES, type Rate } from './rates.ts';

/** The total of an invoice as its lines and the rates of its day give it, EUR. */
export interface InvoiceCheck {
  /** EUR. */
  readonly totalEur: number;
  /** EUR: what the invoice prints, minus that. */
  readonly differenceEur: number;
  /** Whether the social bonus bears electricity tax; `null` where the total fits with both or with neither. */
  readonly isSocialBonusTaxed: boolean | null;
}

/** How far a total may be from the printed one: the lines are rounded. */
const MAX_DIFFERENCE_CENTS = 2;

//
/**
 * Computes the total of an invoice again. `null` where the code lacks the total, a line, the day or the place, where the
 * rates of the day are open, and in Canarias up to 10 kW, where they depend on whether it is a dwelling.
 *
 * @param table - The rates, with those of an operator.
 */
export function checkInvoice(reading: InvoiceReading, table: readonly Rate[] = RATES): InvoiceCheck | null {
  const { lines, invoice } = reading;
  const terms = lines && termsOf(reading, lines, table);
  const printedEur = invoice.totalEur;
  if (!terms || printedEur === null) return null;
  const checkWith = (isSocialBonusTaxed: boolean): InvoiceCheck => {
    const totalEur = totalOf(lines, terms, isSocialBonusTaxed);
    return { totalEur, differenceEur: Math.round(100 * (printedEur - totalEur)) / 100, isSocialBonusTaxed };
  };
  const both = [checkWith(true), checkWith(false)] as const;
  const fitting = both.filter(({ differenceEur }) => Math.abs(differenceEur) <= MAX_DIFFERENCE_CENTS / 100);
  if (fitting.length === 1 && fitting[0]) return fitting[0];
  const [taxed, untaxed] = both;
  const isUntaxedNearer = Math.abs(untaxed.differenceEur) < Math.abs(taxed.differenceEur);
  return { ...(isUntaxedNearer ? untaxed : taxed), isSocialBonusTaxed: null };
}

function totalOf(lines: InvoiceLines, { extras, rates }: BillTerms, isSocialBonusTaxed: boolean): number {
  const { creditsEur, otherUntaxedEur, ...amounts } = lines;
  const { electricityTax } = rates;
  const cost = { ...amounts, surplusEur: creditsEur };
  // What bears no electricity tax is mostly the rental of the meter, which on the islands and in the cities is a service.
  const others = { ...extras, ...amounts, rentalEur: otherUntaxedEur };
  return billOf(cost, others, { ...rates, electricityTax: electricityTax && { ...electricityTax, isSocialBonusTaxed } })
    .totalEur;
}

function termsOf({ question, invoice }: InvoiceReading, lines: InvoiceLines, table: readonly Rate[]): BillTerms | null {
  const { territory, powerKw } = question;
  const day = invoice.issuedOn ?? invoice.lastDay;
  const isDwellingDecisive = territory === 'canarias' && Math.max(...powerKw) <= REDUCED_UP_TO_KW;
  if (day === null || territory === null || isDwellingDecisive) return null;
  const customer = {
    supplyType: 'LUZ',
    consumptionKwh: perPeriod((period) => (period === 0 ? lines.consumedKwh : 0)),
    powerKw: perPeriod((period) => powerKw[period] ?? 0),
    exportedKwh: 0,
  } as const;
  try {
    const supply = { customer, period: YEAR, territory, customerType: null };
    return billTerms({ day, rental: 0, paysSocialBonus: false }, supply, table);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
