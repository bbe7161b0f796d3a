import { DomainError } from '../src/engine/errors.ts';
import type { CustomerType, SupplyType, Territory } from '../src/engine/offers/offer.ts';
import { calculationPeriod, defineCustomer } from '../src/engine/price/customer.ts';
import { BILL_LINES } from '../src/engine/taxes/bill-lines.ts';
import { type BillDefinition, billFor, billTerms } from '../src/engine/taxes/bill-terms.ts';

/** A bill asked for in the words of the wire, with the cost that it is of. */
export interface WireBill {
  readonly supply_type: SupplyType;
  readonly tariff_type: string;
  readonly territory: Territory;
  readonly client_type?: CustomerType | undefined;
  readonly potencia?: readonly number[] | undefined;
  readonly kwh: number;
  readonly dias: number;
  readonly cost: Readonly<Record<'energia' | 'potencia' | 'fijo' | 'excedentes' | 'servicios', number>>;
  readonly impuestos: WireTaxes;
}

interface WireTaxes {
  readonly fecha: string;
  readonly vivienda?: boolean | undefined;
  readonly uso?: BillDefinition['use'];
  readonly uso_gas?: BillDefinition['gasUse'];
  readonly vulnerable_severo?: boolean | undefined;
  readonly alquiler?: BillDefinition['rental'];
  readonly financiacion_bono?: boolean | undefined;
  readonly bono_en_iee?: boolean | undefined;
  readonly otros?: { readonly con_iee?: number | undefined; readonly sin_iee?: number | undefined } | undefined;
  readonly tipos?:
    | {
        readonly [Name in 'iee' | 'indirecto' | 'indirecto_servicios' | 'hidrocarburos' | 'bono_social']?:
          | number
          | undefined;
      }
    | undefined;
}

/** The lines of the bill, or the rates that are open: what the second program answers. */
export type WireBillAnswer =
  | { readonly factura_estimada: Readonly<Record<string, number>> }
  | { readonly abiertos: readonly { concepto: string; aplica: string; valores: readonly number[] }[] };

export function definitionOf({ tipos, otros, ...sent }: WireTaxes): BillDefinition {
  return {
    day: sent.fecha,
    isDwelling: sent.vivienda,
    use: sent.uso,
    gasUse: sent.uso_gas,
    isSeverelyVulnerable: sent.vulnerable_severo,
    rental: sent.alquiler,
    paysSocialBonus: sent.financiacion_bono,
    isSocialBonusTaxed: sent.bono_en_iee,
    other: otros && { otherTaxedEur: otros.con_iee, otherUntaxedEur: otros.sin_iee },
    rates: tipos && {
      electricityTaxPercent: tipos.iee,
      indirectPercent: tipos.indirecto,
      servicesPercent: tipos.indirecto_servicios,
      hydrocarbonEurPerKwh: tipos.hidrocarburos,
      socialBonusEurPerYear: tipos.bono_social,
    },
  };
}

/** The bill by the definition. */
export function answerTo({ supply_type: supplyType, kwh, potencia = [], cost, ...given }: WireBill): WireBillAnswer {
  const customer =
    supplyType === 'GAS'
      ? defineCustomer({ supplyType, consumptionKwh: kwh })
      : defineCustomer({ supplyType, consumptionKwh: [kwh], powerKw: potencia });
  const supply = {
    customer,
    period: calculationPeriod({ days: given.dias }),
    territory: given.territory,
    customerType: given.client_type ?? null,
  };
  const costParts = {
    energyEur: cost.energia,
    powerEur: cost.potencia,
    fixedEur: cost.fijo,
    surplusEur: cost.excedentes,
    servicesEur: cost.servicios,
  };
  try {
    const bill = billFor(billTerms(definitionOf(given.impuestos), supply), costParts, given.tariff_type);
    return { factura_estimada: Object.fromEntries(BILL_LINES.map(({ name, wire }) => [wire, bill[name]])) };
  } catch (error) {
    const openRates = error instanceof DomainError && error.code === 'business_rule' ? error.details.openRates : null;
    if (!openRates) throw error;
    return {
      abiertos: openRates.map(({ concept, kind, values }) => ({
        concepto: concept,
        aplica: kind,
        valores: values.map(({ value }) => value).sort((a, b) => a - b),
      })),
    };
  }
}
