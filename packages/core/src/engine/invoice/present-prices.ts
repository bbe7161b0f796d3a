import { dayNumber } from '../calendar.ts';
import { roundHalfUp } from '../numbers.ts';
import { meantAs } from '../plausible.ts';
import { YEAR } from '../price/customer.ts';
import { daysBetween, type Fields } from './invoice-fields.ts';
import type { ContractKind, InvoiceNotice, InvoicePrices } from './invoice-reading.ts';

/** Prices of the present contract, where the invoice prints all of them and they are prices of the contract. */
export function contractPricesOf(
  fields: Fields,
  contract: {
    readonly kind: ContractKind | null;
    readonly hasMonthlyFee: boolean | null;
    readonly consumptionKwh: readonly number[];
    readonly notices: InvoiceNotice[];
  },
): InvoicePrices | null {
  const { kind, hasMonthlyFee, consumptionKwh, notices } = contract;
  // What is credited has a price too, and the code does not say it.
  const hasSurplus = (fields.surplusEur ?? 0) !== 0;
  const ofSurplus = hasSurplus ? (['excedentes_sin_medir', 'excedentes_sin_precio'] as const) : [];
  if (kind !== 'fijo_tres_periodos' && kind !== 'fijo_un_precio') {
    notices.push('precio_no_contractual', ...ofSurplus);
    return null;
  }
  const before = notices.length;
  if (hasMonthlyFee) notices.push('cuota_fija_desconocida');
  const [e1, e2, e3] = fields.energyPrices;
  const energyEurPerKwh = kind === 'fijo_un_precio' ? ([e1, e2 ?? e1, e3 ?? e1] as const) : fields.energyPrices;
  // A price in cents is not known: nothing says that it is.
  const isKnown = (price: number | null | undefined) => price != null && meantAs('EUR/kWh', price) === null;
  if (consumptionKwh.some((kwh, index) => kwh > 0 && !isKnown(energyEurPerKwh[index])))
    notices.push('sin_precio_energia');
  const powerEurPerKwDay = dailyPowerPrices(fields);
  if (powerEurPerKwDay === null) notices.push('potencia_no_cuadra');
  notices.push(...ofSurplus);
  if (notices.length > before || powerEurPerKwDay === null) return null;
  if ((fields.discountEur ?? 0) !== 0) notices.push('descuento_no_incluido');
  const servicesEurPerMonth = monthlyServices(fields);
  if (servicesEurPerMonth !== null) notices.push('servicios_estimados');
  return { energyEurPerKwh, powerEurPerKwDay, servicesEurPerMonth };
}

/** Services as a price by month, to the cent; `null` without any, and where the days of the invoice are not known. */
function monthlyServices({ servicesEur, invoiceDays }: Fields): number | null {
  if (servicesEur === null || servicesEur <= 0 || invoiceDays === null) return null;
  return roundHalfUp((servicesEur * YEAR.days) / YEAR.months / invoiceDays, 2);
}

/** How far from the printed amount the prices of power may be, EUR: amounts and prices are printed rounded. */
const MAX_DIFFERENCE_EUR = 0.05;
/** The most that an offer may ask for power, EUR per kW and day. */
const MAX_POWER_PRICE = 1;

/**
 * Prices of power by day. Invoices print them by year, of 365 days or in a leap year of 366, or by day, and do not say which.
 * The unit is the one with which they come nearest to the amount of the invoice, over its days or one more.
 */
function dailyPowerPrices(fields: Fields): InvoicePrices['powerEurPerKwDay'] | null {
  const { contractedKw, powerPrices, powerEur, invoiceDays: days } = fields;
  if (contractedKw.every((kw) => kw === 0)) return [null, null];
  if (powerEur === null || days === null) return null;
  if (contractedKw.some((kw, index) => kw > 0 && powerPrices[index] === null)) return null;
  let [daily, least]: [InvoicePrices['powerEurPerKwDay'] | null, number] = [null, MAX_DIFFERENCE_EUR];
  for (const divisor of [YEAR.days, ...leapYearDays(fields), 1]) {
    const [p1 = null, p2 = null] = powerPrices.map((price) => price && price / divisor);
    const dailyEur = contractedKw[0] * (p1 ?? 0) + contractedKw[1] * (p2 ?? 0);
    const difference = Math.min(...[days, days + 1].map((count) => Math.abs(dailyEur * count - powerEur)));
    const isNearest = daily === null ? difference <= least : difference < least;
    if (isNearest && Math.max(p1 ?? 0, p2 ?? 0) <= MAX_POWER_PRICE) [daily, least] = [[p1, p2], difference];
  }
  return daily;
}

/** The days of a leap year, where the invoice begins or ends in one; and its mean where each day is of its own year. */
function leapYearDays({ start, end, invoiceDays: days }: Fields): readonly number[] {
  if (start === null || end === null || days === null) return [];
  const [first, last] = [daysOfYear(start), daysOfYear(end)];
  const later = daysBetween(`${start.slice(0, 4)}-12-31`, end) ?? 0;
  return first + last === 2 * YEAR.days ? [] : [366, days / ((days - later) / first + later / last)];
}

const daysOfYear = (day: string): number => (dayNumber(`${day.slice(0, 4)}-02-29`) === null ? YEAR.days : 366);
