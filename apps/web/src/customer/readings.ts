import type { Curve, InvoiceReading } from '@tarifario/client';
import { maximaOf } from '../power/maxima.ts';
import type { Language } from '../texts/common.ts';
import { type Draft, PRESENT } from './draft.ts';
import { typedNumber } from './numbers.ts';

function typedAll(values: object, prefix: string, language: Language): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(entries.map(([name, value]) => [prefix + name, typedNumber(value, language)]));
}

/**
 * The values of an invoice, as if they had been typed. The type of customer stays, and so does the territory where its
 * postcode gives none.
 */
export function draftOfInvoice(reading: InvoiceReading, before: Draft, language: Language): Partial<Draft> {
  const { efficient, contrato_actual } = reading;
  const { energia, potencia, dias, tariff_type, territory, community } = efficient;
  return {
    supply: 'LUZ',
    tariff: tariff_type,
    territory: territory ?? before.territory,
    community: community ?? null,
    present: contrato_actual ? 'presentPrices' : 'presentNone',
    months: null,
    remark: '',
    values: {
      ...typedAll({ ...energia, ...potencia }, '', language),
      ...(dias === 365 ? {} : { dias: String(dias) }),
      ...typedAll(contrato_actual ?? {}, PRESENT, language),
      ...maximaOf(reading, language),
    },
  };
}

/** The values of a meter. Power and the present contract stay as they were typed. */
export function draftOfCurve(
  { energia, excedentes, perfil }: Curve,
  before: Draft,
  language: Language,
): Partial<Draft> {
  const months = perfil.map(({ mes, dias, energia: kwh, excedentes: surplus }) => {
    return { ...(mes === null ? {} : { mes }), dias, energia: kwh, excedentes: surplus };
  });
  const totals = { ...energia, ...(excedentes > 0 ? { excedentes } : {}) };
  return { months, values: { ...before.values, ...typedAll(totals, '', language) } };
}
