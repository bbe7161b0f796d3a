// Bills and taxes, power, curves, invoices and indices.

export { CURVE_NOTICES, type CurveNotice, type CurveTerms } from '../../engine/consumption/curve.ts';
export {
  type HourlyPrices,
  MAX_INDICES,
  MAX_PROFILE_ENTRIES,
  type ProfileEntry,
  profileTotals,
  YEARS,
} from '../../engine/consumption/profile.ts';
export { MEASURED_TARIFFS, TARIFFS } from '../../engine/consumption/tariff-periods.ts';
export {
  type IndexDay,
  type IndexMonth,
  type IndexSummary,
  pricedHours,
  spanOf,
} from '../../engine/indices/index-days.ts';
export { createIndexFileReader, type IndexChoice } from '../../engine/indices/index-file.ts';
export {
  CONTRACT_KINDS,
  INVOICE_NOTICES,
  type InvoiceNotice,
  type InvoicePrices,
} from '../../engine/invoice/invoice-reading.ts';
export {
  POWER_NOTICES,
  type PowerAdvice,
  type PowerCost,
  type PowerNotice,
} from '../../engine/power/optimize-power.ts';
export { METER_TYPES, SENT_POWER_PRICE } from '../../engine/power/power-question.ts';
export {
  POWER_TARIFFS,
  REGULATED_PRICES,
  REGULATED_UNITS,
  type RegulatedConcept,
  type RegulatedPrice,
  withOperatorPrices,
} from '../../engine/power/regulated-prices.ts';
export type { Bill } from '../../engine/taxes/bill.ts';
export { BILL_LINES } from '../../engine/taxes/bill-lines.ts';
export {
  BILL_BOUNDS,
  type BillDefinition,
  billIssues,
  hasIndustrialUse,
  indirectTaxName,
} from '../../engine/taxes/bill-terms.ts';
export { DUE_DAYS, dueRows, firstOpenDay } from '../../engine/taxes/due-rows.ts';
export { withOperatorRates } from '../../engine/taxes/operator-rates.ts';
export {
  type PlacedRate,
  RATE_KIND_NAMES,
  RATE_KINDS,
  RATE_NAMES,
  RATE_UNITS,
  RATES,
  type Rate,
  ratesInForce,
  type SettledRate,
} from '../../engine/taxes/rates.ts';
export {
  type AskedIndices,
  type IndexedCurve,
  readCurve,
  readCurveForCaller,
  refuseUnknown,
} from '../usecases/readings/curves.ts';
export { importIndex, importIndexBy, listIndexMonths, listIndices } from '../usecases/readings/indices.ts';
export { type CheckedInvoice, checkedInvoice, readInvoiceForCaller } from '../usecases/readings/invoices.ts';
export {
  answerPower,
  listRegulatedPrices,
  optimizePowerForCaller,
  type PowerInput,
} from '../usecases/readings/power.ts';
export { listTaxes, type Taxes } from '../usecases/readings/taxes.ts';
