import {
  type CheckedInvoice,
  CONTRACT_KINDS,
  type InvoicePrices,
  MAX_URL_LENGTH,
  readInvoiceForCaller,
} from '@tarifario/core/service';
import { z } from 'zod';
import { communityField, territoryField } from '../fields.ts';
import { INVOICE_TEXTS } from '../messages/es.ts';
import { defineOperation } from '../operation.ts';
import { answer, day as date } from '../wire/answer.ts';
import { noticesOf, toWireNotices } from '../wire/notices.ts';
import { asField, byPeriod, IN_PERIOD, WORDS } from '../wire/words.ts';

const kwh = z.number().min(0);
const kw = z.number().min(0);
const eur = z.number().nullable();
const price = z.number().optional();
const day = date.nullable();

/** The values of the code of an invoice. No member can have the CUPS. */
export const invoiceReading = answer(
  'InvoiceReading',
  {
    efficient: z
      .strictObject({
        supply_type: z.literal('LUZ').describe(WORDS.supply_type),
        energia: z.strictObject(byPeriod(['e1', 'e2', 'e3'], kwh, IN_PERIOD.consumed)).describe(WORDS.energia),
        potencia: z.strictObject(byPeriod(['p1', 'p2'], kw, IN_PERIOD.contracted)).describe(WORDS.potencia),
        dias: z.int().min(1).max(365).describe(WORDS.dias),
        tariff_type: asField('tariff_type', z.literal('2.0TD')),
        territory: territoryField.optional(),
        community: communityField.optional(),
      })
      .describe('The question, as a ranking takes it.'),
    contrato_actual: z
      .strictObject({
        ...{ e1: asField('e1', price), e2: asField('e2', price), e3: asField('e3', price) },
        ...{ p1: asField('p1', price), p2: asField('p2', price) },
        services_cost: price.describe('Extra services, EUR/month, out of one invoice.'),
      })
      .nullable()
      .describe(WORDS.contrato_actual),
    factura: z
      .strictObject({
        desde: day.describe('First day of the invoice, included.'),
        hasta: day.describe('Last day of the invoice, included.'),
        dias: z.int().min(1).nullable().describe('Days of the invoice.'),
        fecha: day.describe('The day on which the invoice was made.'),
        importe: eur.describe('Amount of the invoice with taxes, EUR.'),
        importe_potencia: eur.describe('Its part for power, EUR.'),
        importe_energia: eur.describe('Its part for energy, EUR.'),
        importe_servicios: eur.describe('Its part for additional services, EUR. They are no price of the contract.'),
        financiacion_bono_social: eur.describe(
          'Share of the social bonus, EUR; -1 for PVPC, 0 where it is part of the price.',
        ),
        potencia_maxima: z
          .strictObject(byPeriod(['p1', 'p2'], kw.nullable(), IN_PERIOD.highest))
          .describe('Highest power of the last year.'),
        comprobacion: z
          .strictObject({
            total_calculado: z
              .number()
              .describe('Its amount computed again from its lines and the taxes of its day, EUR.'),
            diferencia: z.number().describe('What is printed minus that, EUR. Above 0.02 ask the retailer.'),
            bono_en_iee: z
              .boolean()
              .nullable()
              .describe('Whether the social bonus bears electricity tax; null: both fit, or neither does.'),
          })
          .nullable()
          .describe('Null where a line, the place or a rate is not known.'),
      })
      .describe('The invoice, as far as the code tells; null: it does not.'),
    contrato: z
      .strictObject({
        tipo: z.enum(CONTRACT_KINDS).nullable().describe('Which kind of prices it has.'),
        cuota_fija: z
          .boolean()
          .nullable()
          .describe('Whether the contract has a monthly fee. The code does not say its amount.'),
        fin_contrato: day.describe('Last day of the contract.'),
        fin_permanencia: day.describe('Last day on which ending the contract costs a penalty.'),
        comercializadora: z
          .string()
          .nullable()
          .describe('The code of the retailer in its register, such as `R2-760`; null: the code says none.'),
        verde: z.boolean().nullable().describe('Whether the electricity is of renewable origin.'),
        revision_meses: z.int().min(0).nullable().describe('After how many months prices are revised.'),
      })
      .describe('The present contract, as far as the code has it; null: it does not.'),
    avisos: noticesOf(INVOICE_TEXTS),
  },
  ({ question, contractPrices, invoice, contract, check, notices }: CheckedInvoice) => {
    const [e1, e2, e3] = question.consumptionKwh;
    const [p1, p2] = question.powerKw;
    const { territory, community } = question;
    const [p1Highest, p2Highest] = invoice.highestKw;
    return {
      efficient: {
        supply_type: 'LUZ',
        energia: { e1, e2, e3 },
        potencia: { p1, p2 },
        dias: question.days,
        tariff_type: '2.0TD',
        ...(territory === null ? {} : { territory }),
        ...(community === null ? {} : { community }),
      },
      contrato_actual: contractPrices && toWireContract(contractPrices),
      factura: {
        desde: invoice.firstDay,
        hasta: invoice.lastDay,
        dias: invoice.days,
        fecha: invoice.issuedOn,
        importe: invoice.totalEur,
        importe_potencia: invoice.powerEur,
        importe_energia: invoice.energyEur,
        importe_servicios: invoice.servicesEur,
        financiacion_bono_social: invoice.socialBonusEur,
        potencia_maxima: { p1: p1Highest, p2: p2Highest },
        comprobacion: check && {
          total_calculado: check.totalEur,
          diferencia: check.differenceEur,
          bono_en_iee: check.isSocialBonusTaxed,
        },
      },
      contrato: {
        tipo: contract.kind,
        cuota_fija: contract.hasMonthlyFee,
        fin_contrato: contract.endsOn,
        fin_permanencia: contract.penaltyEndsOn,
        comercializadora: contract.retailerCode,
        verde: contract.isGreen,
        revision_meses: contract.revisionMonths,
      },
      avisos: toWireNotices(notices, INVOICE_TEXTS),
    };
  },
);

/** The present contract in the form of a ranking's body; missing prices are left out. */
function toWireContract({ energyEurPerKwh, powerEurPerKwDay, servicesEurPerMonth }: InvoicePrices) {
  const prices = [
    ...energyEurPerKwh.map((price, index) => [`e${index + 1}`, price] as const),
    ...powerEurPerKwDay.map((price, index) => [`p${index + 1}`, price] as const),
    ['services_cost', servicesEurPerMonth] as const,
  ];
  return Object.fromEntries(prices.filter(([, price]) => price !== null));
}

export const INVOICE_READING = defineOperation({
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
