import { YEAR } from '../price/customer.ts';
import { daysBetween, type Fields } from './invoice-fields.ts';
import type { InvoiceNotice } from './invoice-reading.ts';

/** What is consumed over some days, which are 1 to 365. */
export interface InvoiceUse {
  readonly consumptionKwh: readonly [number, number, number];
  readonly days: number;
  readonly notices: readonly InvoiceNotice[];
}

/** A new contract has no year yet: some invoices print the consumption so far, up to this times their own. */
const MAX_INVOICES = 1.5;
/** How many times the share of its days an invoice may consume of a year. */
const MAX_SHARES = 3;

/**
 * The consumption of a year or of what is known of one, and of the invoice alone where the code has no more.
 *
 * @see docs/assumptions.md, A-77
 */
export function consumptionOf(fields: Fields): InvoiceUse {
  const { caKwh, cfKwh, invoiceDays } = fields;
  const [ofBase, ofInvoice] = [sumOf(caKwh ?? cfKwh), sumOf(cfKwh)];
  const isOfInvoice = caKwh === null || isOneInvoice(fields);
  const days = isOfInvoice
    ? baseDays(invoiceDays, 1)
    : baseDays(daysBetween(fields.baseStart, fields.baseEnd ?? fields.end), 33);
  const base = days ?? YEAR.days;
  const isImpossible = invoiceDays !== null && ofInvoice * base > MAX_SHARES * ofBase * invoiceDays;
  return {
    consumptionKwh: caKwh ?? cfKwh ?? [0, 0, 0],
    days: base,
    notices: [
      ...(days === null ? (['base_anual_dudosa'] as const) : []),
      ...(isOfInvoice ? (['consumo_de_una_factura'] as const) : []),
      ...(isImpossible ? (['consumo_imposible'] as const) : []),
    ],
  };
}

/** Whether what is printed as the consumption of a year is that of the invoice. */
function isOneInvoice({ caKwh, cfKwh, invoiceDays, baseStart, start }: Fields): boolean {
  if (caKwh === null || cfKwh === null || invoiceDays === null || sumOf(cfKwh) === 0) return false;
  if (caKwh.every((kwh, period) => kwh === cfKwh[period])) return true;
  return baseStart !== null && baseStart === start && sumOf(caKwh) <= MAX_INVOICES * sumOf(cfKwh);
}

function sumOf(kwh: readonly number[] | null): number {
  return (kwh ?? []).reduce((sum, each) => sum + each, 0);
}

/** 365 for about a year, and `null` for an impossible number. */
function baseDays(days: number | null, least: number): number | null {
  if (days === null || days < least || days > 380) return null;
  return days < 350 ? days : YEAR.days;
}
