import { MAX_URL_LENGTH, readInvoiceForCaller } from '@tarifario/core/service';
import { z } from 'zod';
import { ONLY_CLIENT_QUERY } from '../fields.ts';
import { defineOperation, NO_PATH } from '../operation.ts';
import { toWireInvoice } from '../wire/invoice.ts';
import { invoiceShape } from '../wire/reading-shapes.ts';

export const readInvoice = defineOperation({
  id: 'readInvoice',
  method: 'POST',
  path: '/v1/invoices/qr',
  summary: 'Read the QR code of an invoice',
  description:
    'Reads the address in the QR code of a Spanish invoice of electricity (CNMC, BOE-A-2022-16989): a question that can ' +
    'be ranked as it is, the prices of the present contract where they are fixed, and the invoice. Whose supply point ' +
    'it is (`cups`) is neither answered nor kept; it may be cut off before. Pictures are not taken.',
  scopes: ['offers:read'],
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z.strictObject({ url: z.string().max(MAX_URL_LENGTH) }),
  },
  output: invoiceShape,
  refusals: ['business_rule'],
  mcp: 'read_invoice_qr',
  perform: async ({ deps, caller }, { query, body }) => {
    const reading = await readInvoiceForCaller(deps, caller, { firmId: query.client_id ?? null, address: body.url });
    return { status: 200, body: toWireInvoice(reading) };
  },
});
