import { DomainError } from '../../../engine/errors.ts';
import { readInvoiceQr } from '../../../engine/invoice/invoice-qr.ts';
import type { InvoiceReading } from '../../../engine/invoice/invoice-reading.ts';
import { checkInvoice, type InvoiceCheck } from '../../../engine/taxes/invoice-check.ts';
import type { Caller } from '../../access/caller.ts';
import type { Deps } from '../requests/deps.ts';
import { resolveFirmId } from '../requests/record-access.ts';

/** An invoice, and its total computed again; `null` where that cannot be done. */
export interface CheckedInvoice extends InvoiceReading {
  readonly check: InvoiceCheck | null;
}

/** Reads the QR code of an invoice and checks its total. @throws DomainError as `readInvoiceQr`. */
export function checkedInvoice(address: string, { rates }: Pick<Deps, 'rates'>): CheckedInvoice {
  const reading = readInvoiceQr(address);
  return { ...reading, check: checkInvoice(reading, rates) };
}

/**
 * Reads the QR code of an invoice. Nothing of it is stored.
 *
 * @throws DomainError as `readInvoiceQr`, and `foreign_firm`: after what is malformed, before what breaks a rule.
 */
export async function readInvoiceForCaller(
  deps: Deps,
  caller: Caller,
  { firmId, address }: { readonly firmId: number | null; readonly address: string },
): Promise<CheckedInvoice> {
  const read = () => checkedInvoice(address, deps);
  const reading = readUnlessAgainstRules(read);
  await deps.store.read((reader) => resolveFirmId(reader, caller, firmId));
  return reading ?? read();
}

/** `null`: the reading breaks a rule, which is reported after access was checked. */
function readUnlessAgainstRules(read: () => CheckedInvoice): CheckedInvoice | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'business_rule') return null;
    throw error;
  }
}
