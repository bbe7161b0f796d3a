import type { Curve, InvoiceReading } from '@tarifario/client';
import { maximaOf } from '../power/maxima.ts';
import type { Language } from '../texts/common.ts';
import { type Draft, EMPTY_DRAFT, PRESENT } from './draft.ts';
import { typedNumber } from './numbers.ts';

function typedAll(values: object, prefix: string, language: Language): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => typeof value === 'number');
  return Object.fromEntries(entries.map(([name, value]) => [prefix + name, typedNumber(value, language)]));
}

/**
 * A whole draft of the values of an invoice, as if they had been typed. The customer may be another one, so that of the
 * draft before only what is named here stays: the holder, the territory where the postcode gives none, and whether and of
 * which day bills are shown.
 */
export function draftOfInvoice(reading: InvoiceReading, before: Draft, language: Language): Draft {
  const { efficient, contrato_actual } = reading;
  const { energia, potencia, dias, tariff_type, territory, community } = efficient;
  const { holder, withTaxes, taxDay } = before;
  return {
    ...EMPTY_DRAFT,
    ...{ holder, withTaxes, taxDay },
    tariff: tariff_type,
    territory: territory ?? before.territory,
    community: community ?? null,
    present: contrato_actual ? 'presentPrices' : 'presentNone',
    values: {
      ...typedAll({ ...energia, ...potencia }, '', language),
      ...(dias === 365 ? {} : { dias: String(dias) }),
      ...typedAll(contrato_actual ?? {}, PRESENT, language),
      ...maximaOf(reading, language),
    },
  };
}

/** What a meter says. */
const METERED = /^(e\d|excedentes|dias)$/;

/** A whole draft with the values of a meter. It knows neither power nor contract: they stay, as all of the same customer does. */
export function draftOfCurve({ dias, energia, excedentes, perfil }: Curve, before: Draft, language: Language): Draft {
  const months = perfil.map(({ mes, dias: days, energia: kwh, excedentes: surplus }) => {
    return { ...(mes === null ? {} : { mes }), dias: days, energia: kwh, excedentes: surplus };
  });
  const others = Object.entries(before.values).filter(([name]) => !METERED.test(name));
  const totals = { ...energia, ...(excedentes > 0 ? { excedentes } : {}), ...(dias === 365 ? {} : { dias }) };
  return { ...before, months, values: { ...Object.fromEntries(others), ...typedAll(totals, '', language) } };
}
