import { DomainError } from '../../engine/errors.ts';
import { readInvoiceQr } from '../../engine/invoice/invoice-qr.ts';
import type { InvoiceReading } from '../../engine/invoice/invoice-reading.ts';
import type { Caller } from '../access/caller.ts';
import type { Deps } from './deps.ts';
import { resolveFirmId } from './record-access.ts';

/**
 * Reads the QR code of an invoice. Nothing of it is stored.
 *
 * @throws DomainError as `readInvoiceQr`, and `foreign_firm`: after what is malformed, before what breaks a rule.
 */
export async function readInvoiceForCaller(
  deps: Deps,
  caller: Caller,
  { firmId, address }: { readonly firmId: number | null; readonly address: string },
): Promise<InvoiceReading> {
  const read = () => readInvoiceQr(address);
  const reading = readUnlessAgainstRules(read);
  await deps.store.read((reader) => resolveFirmId(reader, caller, firmId));
  return reading ?? read();
}

/** `null`: the reading breaks a rule, which is reported after access was checked. */
function readUnlessAgainstRules(read: () => InvoiceReading): InvoiceReading | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'business_rule') return null;
    throw error;
  }
}
