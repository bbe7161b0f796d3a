import { type ContractPrices, INVOICE_NOTICES, type InvoiceReading } from '@tarifario/core/service';

/** What the code of an invoice says, in wire names. No member can hold the CUPS. */
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
    avisos: notices.map((codigo) => ({ codigo, mensaje: INVOICE_NOTICES[codigo] })),
  };
}

/** The present contract as a ranking asks for it: what it has no price for is left out. */
function toWireContract({ energyEurPerKwh, powerEurPerKwDay }: ContractPrices) {
  const prices = [
    ...energyEurPerKwh.map((price, index) => [`e${index + 1}`, price] as const),
    ...powerEurPerKwDay.map((price, index) => [`p${index + 1}`, price] as const),
  ];
  return Object.fromEntries(prices.filter(([, price]) => price !== null));
}
