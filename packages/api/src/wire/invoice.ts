import {
  COMMUNITIES,
  CONTRACT_KINDS,
  INVOICE_NOTICES,
  type InvoicePrices,
  type InvoiceReading,
  TERRITORIES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { noticesOf, toWireNotices } from './notices.ts';

const kwh = z.number().min(0);
const kw = z.number().min(0);
const eur = z.number().nullable();
const price = z.number().optional();
const day = z.iso.date().nullable();

export const invoiceShape = z.strictObject({
  efficient: z.strictObject({
    supply_type: z.literal('LUZ'),
    energia: z.strictObject({ e1: kwh, e2: kwh, e3: kwh }),
    potencia: z.strictObject({ p1: kw, p2: kw }),
    dias: z.int().min(33).max(365),
    tariff_type: z.literal('2.0TD'),
    territory: z.enum(TERRITORIES).optional(),
    community: z.enum(COMMUNITIES).optional(),
  }),
  contrato_actual: z.strictObject({ e1: price, e2: price, e3: price, p1: price, p2: price }).nullable(),
  factura: z.strictObject({
    desde: day,
    hasta: day,
    dias: z.int().min(1).nullable(),
    fecha: day,
    importe: eur,
    importe_potencia: eur,
    importe_energia: eur,
    importe_servicios: eur,
    financiacion_bono_social: eur,
  }),
  contrato: z.strictObject({
    tipo: z.enum(CONTRACT_KINDS).nullable(),
    cuota_fija: z.boolean().nullable(),
    fin_contrato: day,
    fin_permanencia: day,
    comercializadora: z.string().nullable(),
  }),
  avisos: noticesOf(INVOICE_NOTICES),
});

/** The values of the code of an invoice, in wire names. No member can have the CUPS. */
export function toWireInvoice({ question, contractPrices, invoice, contract, notices }: InvoiceReading) {
  const [e1, e2, e3] = question.consumptionKwh;
  const [p1, p2] = question.powerKw;
  const { territory, community } = question;
  return {
    efficient: {
      supply_type: 'LUZ' as const,
      energia: { e1, e2, e3 },
      potencia: { p1, p2 },
      dias: question.days,
      tariff_type: '2.0TD' as const,
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
}

/** The present contract in the form of a ranking's body; missing prices are left out. */
function toWireContract({ energyEurPerKwh, powerEurPerKwDay }: InvoicePrices) {
  const prices = [
    ...energyEurPerKwh.map((price, index) => [`e${index + 1}`, price] as const),
    ...powerEurPerKwDay.map((price, index) => [`p${index + 1}`, price] as const),
  ];
  return Object.fromEntries(prices.filter(([, price]) => price !== null));
}
