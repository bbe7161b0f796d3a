import { CONTRACT_KINDS, INVOICE_NOTICES, type InvoicePrices, type InvoiceReading } from '@tarifario/core/service';
import { z } from 'zod';
import { communityField, territoryField } from '../fields.ts';
import { answer, day as date } from './answer.ts';
import { noticesOf, toWireNotices } from './notices.ts';
import { asField, byPeriod, IN_PERIOD, WORDS } from './words.ts';

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
        dias: z.int().min(33).max(365).describe(WORDS.dias),
        tariff_type: asField('tariff_type', z.literal('2.0TD')),
        territory: territoryField.optional(),
        community: communityField.optional(),
      })
      .describe('The question, as a ranking takes it.'),
    contrato_actual: z
      .strictObject({
        ...{ e1: asField('e1', price), e2: asField('e2', price), e3: asField('e3', price) },
        ...{ p1: asField('p1', price), p2: asField('p2', price) },
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
      })
      .describe('The present contract, as far as the code has it; null: it does not.'),
    avisos: noticesOf(INVOICE_NOTICES),
  },
  ({ question, contractPrices, invoice, contract, notices }: InvoiceReading) => {
    const [e1, e2, e3] = question.consumptionKwh;
    const [p1, p2] = question.powerKw;
    const { territory, community } = question;
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
      },
      contrato: {
        tipo: contract.kind,
        cuota_fija: contract.hasMonthlyFee,
        fin_contrato: contract.endsOn,
        fin_permanencia: contract.penaltyEndsOn,
        comercializadora: contract.retailerCode,
      },
      avisos: toWireNotices(notices, INVOICE_NOTICES),
    };
  },
);

/** The present contract in the form of a ranking's body; missing prices are left out. */
function toWireContract({ energyEurPerKwh, powerEurPerKwDay }: InvoicePrices) {
  const prices = [
    ...energyEurPerKwh.map((price, index) => [`e${index + 1}`, price] as const),
    ...powerEurPerKwDay.map((price, index) => [`p${index + 1}`, price] as const),
  ];
  return Object.fromEntries(prices.filter(([, price]) => price !== null));
}
