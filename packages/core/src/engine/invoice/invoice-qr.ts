import { MAX_KW_OF_2_0TD } from '../bounds.ts';
import { dayAfter } from '../calendar.ts';
import { DomainError, refuseIfAny } from '../errors.ts';
import { type Message, say } from '../messages/message.ts';
import { roundHalfUp } from '../numbers.ts';

import { MAX_URL_LENGTH } from '../text.ts';
import { daysBetween, type Fields, fieldsOf } from './invoice-fields.ts';
import {
  type ContractKind,
  INVOICE_NOTICES,
  type InvoiceLines,
  type InvoiceNotice,
  type InvoiceReading,
} from './invoice-reading.ts';
import { consumptionOf, type InvoiceUse } from './invoice-use.ts';
import { placeOfPostcode } from './postcode.ts';
import { contractPricesOf } from './present-prices.ts';
import { addressParameters, malformedAddress, NO_DAY, type QrParameters } from './qr-address.ts';

/** By the letter in the code. */
const KINDS_BY_LETTER: Readonly<Record<string, ContractKind>> = {
  A: 'pvpc',
  B: 'indexado',
  C: 'indexado',
  D: 'indexado',
  E: 'fijo_tres_periodos',
  F: 'fijo_un_precio',
  G: 'flexible',
  H: 'tarifa_plana',
};

//
/**
 * Reads the address in the QR code of an invoice of 2.0TD (CNMC resolutions of 2021-06-24 and 2022-10-06,
 * BOE-A-2022-16989). The result does not have the supply point.
 *
 * @param address - At most 2 048 characters; `&` or `&amp;` between parameters, their names in any case and order.
 * @throws DomainError `invalid_request` that names each missing, repeated or invalid parameter, and never repeats a
 *   value; `business_rule` for an invoice that corrects another, is of another tariff, or has no quantity.
 */
export function readInvoiceQr(address: string): InvoiceReading {
  if (address.length > MAX_URL_LENGTH)
    throw malformedAddress('url', say('must have at most {max} characters', { max: MAX_URL_LENGTH }));
  const parameters = addressParameters(address);
  const fields = fieldsOf(parameters);
  parameters.finish();
  if (!['', 'N'].includes(parameters.text('tf').toUpperCase())) {
    throw refused('url.tf', 'the invoice corrects another one: only an ordinary invoice can be read');
  }
  refuseIfAny(
    namesOfOtherTariffs(fields, parameters.text('peaje')).map((name) => ({ path: `url.${name}`, message: OTHER })),
  );
  const use = consumptionOf(fields);
  if ([...use.consumptionKwh, ...fields.contractedKw].every((quantity) => quantity === 0)) {
    throw refused('url.caP1', 'neither consumption nor contracted power is above 0');
  }
  return readingOf(fields, use, parameters);
}

const OTHER = 'the invoice is not of 2.0TD: only that tariff can be read';

/** The parameters that only another tariff than 2.0TD has. */
function namesOfOtherTariffs({ contractedKw, ofSixPeriods }: Fields, tariffCode: string): readonly string[] {
  return [
    ...(/^(0*18|2\.?0TD)?$/i.test(tariffCode) ? [] : ['peaje']),
    ...contractedKw.flatMap((kw, period) => (kw > MAX_KW_OF_2_0TD ? [`pP${period + 1}`] : [])),
    ...ofSixPeriods.flatMap(({ name, quantity }) => (quantity > 0 ? [name] : [])),
  ];
}

function refused(path: string, message: Message): DomainError {
  return new DomainError('business_rule', { issues: [{ path, message }] });
}

function readingOf(fields: Fields, use: InvoiceUse, { text, optional }: QrParameters): InvoiceReading {
  const { start, end, issuedOn, endsOn, penaltyEndsOn, totalEur, energyEur, servicesEur, socialBonusEur } = fields;
  const notices: InvoiceNotice[] = [...use.notices];
  const place = placeOfPostcode(text('cp'));
  if (place === null) notices.push('codigo_postal_desconocido');
  const [letter = '', fee = ''] = text('tc').toUpperCase();
  const kind = KINDS_BY_LETTER[letter] ?? null;
  const hasMonthlyFee = fee === '1' || (fee === '0' ? false : null);
  const contractPrices = contractPricesOf(fields, { kind, hasMonthlyFee, ...use, notices });
  notices.push(...noticesOfContract(fields, { text, optional }));
  const retailer = text('com');
  const months = text('rev');
  return {
    question: {
      consumptionKwh: use.consumptionKwh,
      powerKw: fields.contractedKw,
      days: use.days,
      territory: place?.territory ?? null,
      community: place?.community ?? null,
    },
    contractPrices,
    invoice: {
      firstDay: start && dayAfter(start),
      lastDay: end,
      days: fields.invoiceDays,
      issuedOn,
      totalEur,
      powerEur: fields.powerEur,
      energyEur,
      servicesEur,
      socialBonusEur,
      highestKw: fields.highestKw,
    },
    contract: {
      kind,
      hasMonthlyFee,
      endsOn,
      penaltyEndsOn,
      // A code of a register, too short for the number of a supply point.
      retailerCode: /^[A-Z]\d-\d{1,5}$/i.test(retailer) ? retailer.toUpperCase() : null,
      isGreen: YES_OR_NO[text('verde').toUpperCase()] ?? null,
      revisionMonths: /^\d{1,3}$/.test(months) ? Number(months) : null,
    },
    lines: linesOf(fields, optional),
    notices,
  };
}

const YES_OR_NO: Readonly<Record<string, boolean>> = { 1: true, S: true, 0: false, N: false };
/** Days before its end in which a contract is about to end. */
const MAX_DAYS_TO_END = 60;

/** What an advisor tells about the present contract. */
function noticesOfContract(
  { contractedKw, highestKw, end, endsOn }: Fields,
  { text, optional }: Pick<QrParameters, 'text' | 'optional'>,
): readonly InvoiceNotice[] {
  const isSaid = (name: string) => !['', '0', 'N', NO_DAY].includes(text(name).toUpperCase());
  const some = (isSo: (kw: number, highest: number) => boolean) =>
    contractedKw.some((kw, period) => kw > 0 && isSo(kw, highestKw[period] || kw));
  const daysToEnd = end === endsOn ? 0 : daysBetween(end, endsOn);
  const conditions: Partial<Record<InvoiceNotice, boolean>> = {
    bono_social: amountOf(optional('dtoBS')) !== 0,
    potencia_sobrante: some((kw, highest) => kw > roundHalfUp(1.25 * highest, 6) && roundHalfUp(kw - highest, 6) > 0.5),
    potencia_superada: some((kw, highest) => highest > roundHalfUp(1.05 * kw, 6)),
    precios_cambian: isSaid('cambio'),
    promocion_temporal: isSaid('promo'),
    contrato_por_vencer: end !== null && daysToEnd !== null && daysToEnd <= MAX_DAYS_TO_END,
  };
  return INVOICE_NOTICES.filter((code) => conditions[code]);
}

/** -1 stands for what the prices of a regulated tariff include. */
function amountOf(eur: number | null): number {
  return eur === null || eur === -1 ? 0 : eur;
}

/** Amounts are printed with either sign. */
function linesOf(
  { energyEur, powerEur, servicesEur, socialBonusEur, surplusEur, discountEur }: Fields,
  optional: QrParameters['optional'],
): InvoiceLines | null {
  const consumed = ['cfP1', 'cfP2', 'cfP3'].map(optional);
  if (energyEur === null || powerEur === null || consumed.includes(null)) return null;
  const credits = [discountEur, optional('dtoBS')].reduce<number>((sum, eur) => sum + Math.abs(amountOf(eur)), 0);
  return {
    consumedKwh: consumed.reduce<number>((sum, kwh) => sum + (kwh ?? 0), 0),
    energyEur,
    powerEur,
    creditsEur: 0 - credits - Math.min(Math.abs(surplusEur ?? 0), Math.max(0, energyEur)),
    socialBonusEur: amountOf(socialBonusEur),
    otherTaxedEur: (optional('impOtrosConIE') ?? 0) + amountOf(optional('ajuste')),
    otherUntaxedEur: optional('impOtrosSinIE') ?? 0,
    servicesEur: servicesEur ?? 0,
  };
}
