import { MAX_KW, MAX_KWH } from '../bounds.ts';
import { dayNumber } from '../calendar.ts';

import type { QrParameters } from './qr-address.ts';

export type Fields = ReturnType<typeof fieldsOf>;

/** Prices of one month of an indexed offer may be negative. */
const ENERGY_PRICE = { min: -10, max: 10 };
/** EUR per kW and year; as a price per day it would be far above the bound of an offer. */
const POWER_PRICE = { min: 0, max: 100_000 };
const AMOUNT = { min: -1e9, max: 1e9 };
const OF_YEAR = ['caP1', 'caP2', 'caP3'] as const;

type ThreePeriods = readonly [number, number, number];

/** The values of an address. What it must have is collected as missing. */
export function fieldsOf({ text, number, needed, optional, day }: QrParameters) {
  const invoiceDays = daysBetween(text('iniF'), text('finF'));
  const ofInvoice = threePeriods(['cfP1', 'cfP2', 'cfP3'].map(optional));
  const isWithoutYear = OF_YEAR.every((name) => text(name) === '') && ofInvoice !== null && invoiceDays !== null;
  const highest = (name: string) => {
    const kw = optional(name);
    return kw !== null && kw >= 0 && kw <= MAX_KW ? kw : null;
  };
  return {
    contractedKw: [needed('pP1', MAX_KW), needed('pP2', MAX_KW)] as const,
    /** Of the last year; `null`: only that of the invoice is known. */
    caKwh: isWithoutYear ? null : (OF_YEAR.map((name) => needed(name, MAX_KWH)) as unknown as ThreePeriods),
    /** Of the invoice. */
    cfKwh: ofInvoice,
    invoiceDays,
    baseStart: day('iniA'),
    start: day('iniF'),
    end: day('finF'),
    issuedOn: day('fFact'),
    endsOn: day('finContrato'),
    penaltyEndsOn: day('finPen'),
    energyPrices: [number('prE1', ENERGY_PRICE), number('prE2', ENERGY_PRICE), number('prE3', ENERGY_PRICE)] as const,
    powerPrices: [number('prP1', POWER_PRICE), number('prP2', POWER_PRICE)] as const,
    totalEur: number('imp', AMOUNT),
    powerEur: number('impPot', AMOUNT),
    energyEur: number('impEner', AMOUNT),
    servicesEur: number('impSA', AMOUNT),
    socialBonusEur: number('finBS', AMOUNT),
    surplusEur: number('exc', AMOUNT),
    discountEur: number('dto', AMOUNT),
    /** The end of the last year, in the form of 2021. */
    baseEnd: day('finA'),
    /** What 2.0TD does not have. */
    ofSixPeriods: [
      ...['pP3', 'pP4', 'pP5', 'pP6'].map((name) => ({ name, quantity: number(name, { min: 0, max: MAX_KW }) ?? 0 })),
      ...['caP4', 'caP5', 'caP6'].map((name) => ({ name, quantity: number(name, { min: 0, max: MAX_KWH }) ?? 0 })),
    ],
    highestKw: [highest('pmaxP1'), highest('pmaxP2')] as const,
  };
}

function threePeriods([p1 = null, p2 = null, p3 = null]: readonly (number | null)[]): ThreePeriods | null {
  if (p1 === null || p2 === null || p3 === null) return null;
  return [p1, p2, p3].every((kwh) => kwh >= 0 && kwh <= MAX_KWH) ? [p1, p2, p3] : null;
}

/** Days from one day, excluded, to another, included; `null` where they are not known or not positive. */
export function daysBetween(start: string | null, end: string | null): number | null {
  const [from, to] = [dayNumber(start ?? ''), dayNumber(end ?? '')];
  return from !== null && to !== null && to > from ? to - from : null;
}
