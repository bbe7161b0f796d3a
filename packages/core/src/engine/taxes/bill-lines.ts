import { COST_PARTS } from '../price/rule.ts';
import { type Bill, SERVICES } from './bill.ts';

/** A figure of a bill with its names. */
export interface BillLine {
  readonly name: keyof Bill;
  /** The name in JSON and in the columns of spreadsheets. */
  readonly wire: string;
  readonly es: string;
  readonly en: string;
  /** -1: never positive. */
  readonly sign?: 1 | -1;
  /** What it is, for OpenAPI. */
  readonly about: string;
  /** No part of the total. */
  readonly isBeside?: true;
}

/** The figures of a bill, in the order of the wire; those of the cost have their names from there. */
export const BILL_LINES: readonly BillLine[] = [
  ...COST_PARTS.filter(({ name }) => name !== SERVICES),
  {
    name: 'socialBonusEur',
    wire: 'financiacion_bono_social',
    es: 'Financiación del bono social',
    en: 'Social bonus',
    about: 'Financing of the social bonus',
  },
  {
    name: 'otherTaxedEur',
    wire: 'otros_con_iee',
    es: 'Otros con impuesto eléctrico',
    en: 'Other, with electricity tax',
    about: 'Other lines that bear electricity tax',
  },
  {
    name: 'taxBaseEur',
    wire: 'base_impuesto_electrico',
    es: 'Base del impuesto eléctrico',
    en: 'Electricity tax base',
    about: 'What the electricity tax is a share of; no part of the total',
    isBeside: true,
  },
  {
    name: 'electricityTaxEur',
    wire: 'impuesto_electrico',
    es: 'Impuesto eléctrico',
    en: 'Electricity tax',
    about: 'Electricity tax',
  },
  {
    name: 'hydrocarbonTaxEur',
    wire: 'impuesto_hidrocarburos',
    es: 'Impuesto de hidrocarburos',
    en: 'Hydrocarbons tax',
    about: 'Hydrocarbons tax of gas',
  },
  {
    name: 'rentalEur',
    wire: 'alquiler',
    es: 'Alquiler del contador',
    en: 'Meter rental',
    about: 'Rental of the meter',
  },
  {
    name: 'otherUntaxedEur',
    wire: 'otros_sin_iee',
    es: 'Otros sin impuesto eléctrico',
    en: 'Other, without electricity tax',
    about: 'Other lines that bear no electricity tax',
  },
  ...COST_PARTS.filter(({ name }) => name === SERVICES),
  {
    name: 'indirectTaxEur',
    wire: 'impuesto_indirecto',
    es: 'IVA, IGIC o IPSI',
    en: 'Indirect tax',
    about: 'VAT, IGIC or IPSI',
  },
  { name: 'totalEur', wire: 'total', es: 'Total', en: 'Total', about: 'What the customer pays', isBeside: true },
];
