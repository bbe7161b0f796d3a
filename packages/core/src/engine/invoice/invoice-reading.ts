import type { Day } from '../calendar.ts';
import type { Community, Territory } from '../offers/offer.ts';

/** Kinds of contract. The wire values are used, because there is nothing to translate. */
export const CONTRACT_KINDS = [
  'pvpc',
  'indexado',
  'fijo_tres_periodos',
  'fijo_un_precio',
  'flexible',
  'tarifa_plana',
] as const;
export type ContractKind = (typeof CONTRACT_KINDS)[number];

/** What to know about a reading. The codes are wire values. */
export const INVOICE_NOTICES = [
  'base_anual_dudosa',
  'consumo_de_una_factura',
  'consumo_imposible',
  'codigo_postal_desconocido',
  'precio_no_contractual',
  'cuota_fija_desconocida',
  'potencia_no_cuadra',
  'sin_precio_energia',
  'excedentes_sin_medir',
  'excedentes_sin_precio',
  'descuento_no_incluido',
  'servicios_estimados',
  'bono_social',
  'potencia_sobrante',
  'potencia_superada',
  'precios_cambian',
  'promocion_temporal',
  'contrato_por_vencer',
] as const;
export type InvoiceNotice = (typeof INVOICE_NOTICES)[number];

/** Prices of the present contract in the units of an offer; `null`: no such price is needed. */
export interface InvoicePrices {
  /** EUR/kWh, P1 to P3. */
  readonly energyEurPerKwh: readonly [number | null, number | null, number | null];
  /** EUR per kW and day, P1 and P2. */
  readonly powerEurPerKwDay: readonly [number | null, number | null];
  /** Additional services, EUR a month, out of one invoice; `null`: it has none. */
  readonly servicesEurPerMonth: number | null;
}

/** The content of the QR code of an invoice: a question to rank, and the invoice it comes from. */
export interface InvoiceReading {
  /** A customer of electricity on 2.0TD. */
  readonly question: {
    /** kWh over `days`, P1 to P3. */
    readonly consumptionKwh: readonly [number, number, number];
    /** Contracted kW, P1 and P2. */
    readonly powerKw: readonly [number, number];
    /** Days. */
    readonly days: number;
    readonly territory: Territory | null;
    readonly community: Community | null;
  };
  /** `null` unless every price that the question needs is known and is a price of the contract. */
  readonly contractPrices: InvoicePrices | null;
  /** Each is `null` where the code does not have it. */
  readonly invoice: {
    /** First and last day, both included. */
    readonly firstDay: Day | null;
    readonly lastDay: Day | null;
    /** Days; `null`: not known. */
    readonly days: number | null;
    readonly issuedOn: Day | null;
    /** EUR. */
    readonly totalEur: number | null;
    /** EUR. */
    readonly powerEur: number | null;
    /** EUR. */
    readonly energyEur: number | null;
    /** EUR. */
    readonly servicesEur: number | null;
    /** EUR as printed: -1 for PVPC, 0 where it is part of the price. */
    readonly socialBonusEur: number | null;
    /** Highest kW of the last year, P1 and P2. */
    readonly highestKw: readonly [number | null, number | null];
  };
  /** Each is `null` where the code does not have it. */
  readonly contract: {
    readonly kind: ContractKind | null;
    readonly hasMonthlyFee: boolean | null;
    readonly endsOn: Day | null;
    readonly penaltyEndsOn: Day | null;
    /** Such as `R2-760`. */
    readonly retailerCode: string | null;
    /** Whether it sells electricity of renewable origin. */
    readonly isGreen: boolean | null;
    /** After how many months its prices are revised. */
    readonly revisionMonths: number | null;
  };
  /** What is billed before tax, to compute the total again; `null` unless the code has all of it. */
  readonly lines: InvoiceLines | null;
  readonly notices: readonly InvoiceNotice[];
}

/** What an invoice bills before tax, EUR. */
export interface InvoiceLines {
  /** kWh. */
  readonly consumedKwh: number;
  /** EUR. */
  readonly energyEur: number;
  /** EUR. */
  readonly powerEur: number;
  /** EUR of surplus and discounts, 0 or below. */
  readonly creditsEur: number;
  /** EUR. */
  readonly socialBonusEur: number;
  /** EUR. */
  readonly otherTaxedEur: number;
  /** EUR of the rental of the meter, and of what else bears no electricity tax. */
  readonly otherUntaxedEur: number;
  /** EUR. */
  readonly servicesEur: number;
}
