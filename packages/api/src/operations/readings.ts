import { MAX_URL_LENGTH, MEASURED_TARIFFS, readCurveForCaller, readInvoiceForCaller } from '@tarifario/core/service';
import { z } from 'zod';
import { communityField, territoryField } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { csvForm } from '../sent-form.ts';
import { curve } from '../wire/curve.ts';
import { invoiceReading } from '../wire/invoice.ts';
import { asField } from '../wire/words.ts';

const readInvoice = defineOperation({
  id: 'readInvoice',
  method: 'POST',
  path: '/v1/invoices/qr',
  summary: 'Read the QR code of an invoice',
  description:
    'Reads the address in the QR code of an invoice of 2.0TD (CNMC, BOE-A-2022-16989): a question that can ' +
    'be ranked as it is, the prices of the present contract where they are fixed, and the invoice. Whose supply point ' +
    'it is (`cups`) is neither answered nor kept; it may be cut off before. Pictures are not taken.',
  scopes: ['offers:read'],
  body: z.strictObject({
    url: z
      .string()
      .max(MAX_URL_LENGTH)
      .describe(
        'The address in the code, at most 2048 characters. Its `cups` may be cut off; it is neither answered nor kept.',
      ),
  }),
  output: invoiceReading,
  refusals: ['business_rule'],
  mcp: 'read_invoice_qr',
  examples: [
    {
      summary: 'An invoice of a contract with three fixed prices',
      body: {
        url:
          'https://comparador.cnmc.gob.es/comparador/QRE?cp=28013&pP1=4.6&pP2=4.6&tc=E0&com=R2-999' +
          '&finContrato=2026-12-31&tf=N&iniF=2025-12-31&finF=2026-01-31&fFact=2026-02-03&caP1=1200&caP2=900&caP3=1400' +
          '&iniA=2025-01-31&imp=62.40&impPot=12.83&impEner=38.50&prP1=0.08&prP2=0.01&prE1=0.18&prE2=0.13&prE3=0.09',
      },
    },
    {
      summary: 'A code that says the least',
      body: {
        url:
          'https://comparador.cnmc.gob.es/comparador/QRE2?pP1=3.3&pP2=3.3&caP1=500&caP2=400&caP3=600&tc=A0' +
          '&cups=ES0021000000000001AB0F',
      },
    },
  ],
  answer: ({ deps, caller }, { firmId, body: { url: address } }) =>
    readInvoiceForCaller(deps, caller, { firmId, address }),
});

/** Characters that a model can still send: some two months by the hour. */
const MAX_TEXT = 100_000;
const csv = z
  .string()
  .max(MAX_TEXT)
  .describe(
    'The file as a text, at most 100 000 characters. Leave the column with the CUPS out, or as it is: it is neither answered nor kept.',
  );

const readConsumption = defineOperation({
  id: 'readConsumption',
  method: 'POST',
  path: '/v1/consumption/periods',
  summary: 'Read the curve of a meter by period and month',
  description:
    'Reads the CSV that Datadis and distributors give to every customer, by the hour, the quarter-hour or the month: up ' +
    'to 10 MB and 40 000 rows, as `text/csv`, as a form with a part `file`, or as a short text in JSON. It answers ' +
    'kWh by period of the access tariff, and `perfil`, the same by month. Sums are those of the file; more ' +
    'than 5 % of the hours missing, an hour twice, and more than one supply point are refused. HH:MM is the end of ' +
    'an hour in a file that has 24:00, otherwise its beginning, which `avisos` says. Nothing is ' +
    'kept, and whose supply point it is (`CUPS`) is not answered.',
  scopes: ['offers:read'],
  longRead: 'curve',
  query: {
    tariff_type: asField('tariff_type', z.enum(MEASURED_TARIFFS)),
    territory: territoryField,
    community: communityField.describe('Needed for six periods in `ceuta_melilla`: `ceuta` or `melilla`.').optional(),
  },
  body: z.union([z.strictObject({ csv }), csvForm]),
  output: curve,
  refusals: ['business_rule', 'too_large'],
  mcp: 'read_curve',
  examples: [
    {
      summary: 'Totals of two months',
      query: { tariff_type: '2.0TD', territory: 'peninsula' },
      body: {
        csv: [
          'CUPS;Fecha;Valle;Llano;Punta;Energia_vertida_kWh',
          'ES0021000000000001AB0F;2026/01;110;70;90,5;0',
          'ES0021000000000001AB0F;2026/02;95;64;80;12',
        ].join('\n'),
      },
    },
  ],
  answer: ({ deps, caller }, { firmId, query: { tariff_type: tariff, territory, community = null }, body }) => {
    const file = 'file' in body ? body.file.bytes : body.csv;
    return readCurveForCaller(deps, caller, { firmId, file, terms: { tariff, territory, community } });
  },
});

export const READINGS: readonly Operation[] = [readInvoice, readConsumption];
