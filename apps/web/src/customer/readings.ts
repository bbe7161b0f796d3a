import type { Curve, InvoiceReading } from '@tarifario/client';
import { maximaOf } from '../power/maxima.ts';
import type { Language } from '../texts/common.ts';
import { type Draft, EMPTY_DRAFT, isOfAnother, PRESENT } from './draft.ts';
import { typedAll } from './numbers.ts';

/** A whole draft that was read, and whether it is of another supply. */
export interface Read {
  readonly draft: Draft;
  readonly isOther: boolean;
}

/** What an invoice says of the values of the form. Prices are of its contract, where it has one. */
const INVOICED = /^([ep]\d|excedentes|dias|maximos\..*)$/;

/**
 * The values of an invoice, as if they had been typed. Of the draft before each field has its line here: what the customer
 * is and wants stays where the supply is the same, and nothing does where it is another.
 *
 * @param isOther - `null`: no supply point tells.
 */
export function draftOfInvoice(
  reading: InvoiceReading,
  before: Draft,
  { postcode, isOther, language }: { postcode: string | null; isOther: boolean | null; language: Language },
): Read {
  const { efficient, contrato_actual } = reading;
  const { energia, potencia, dias, tariff_type, territory, community } = efficient;
  const draftFrom = (base: Draft): Draft => ({
    firmId: base.firmId,
    supply: 'LUZ',
    tariff: tariff_type,
    territory: territory ?? base.territory,
    community: community ?? (territory ? null : base.community),
    postcode,
    holder: base.holder,
    panels: base.panels,
    green: base.green,
    present: contrato_actual || asksForPrices(reading) ? 'presentPrices' : base.present,
    isBilled: base.isBilled,
    taxDay: base.taxDay,
    rental: base.rental,
    use: base.use,
    isWithoutPower: false,
    values: {
      ...valuesWithout(base, contrato_actual ? PRICED : INVOICED),
      ...typedAll({ ...energia, ...potencia }, '', language),
      ...(dias === 365 ? {} : { dias: String(dias) }),
      ...typedAll(contrato_actual ?? {}, PRESENT, language),
      ...maximaOf(reading, language),
    },
    months: null,
    remark: '',
  });
  const same = draftFrom(before);
  return (isOther ?? isOfAnother(before, same, language))
    ? { draft: draftFrom(emptyAt(before)), isOther: true }
    : { draft: same, isOther: false };
}

/** Nothing of a customer: the day of the bills is that of who asks. */
export const emptyAt = ({ taxDay, firmId }: Draft): Draft => ({ ...EMPTY_DRAFT, taxDay, firmId });
const PRICED = new RegExp(`${INVOICED.source}|^${PRESENT.replace('.', '\\.')}`);

const valuesWithout = ({ values }: Draft, read: RegExp): Draft['values'] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !read.test(name)));

/** Warnings that tell to type a price: its field is shown. */
const ASKING = ['potencia_no_cuadra', 'sin_precio_energia', 'cuota_fija_desconocida', 'excedentes_sin_precio'];
const asksForPrices = ({ avisos }: InvoiceReading) => avisos.some(({ codigo }) => ASKING.includes(codigo));

/** What a meter says. */
const METERED = /^(e\d|excedentes|dias)$/;

/** A whole draft with the values of a meter. It knows neither power nor contract: they stay where the supply is the same. */
export function draftOfCurve({ dias, energia, excedentes, perfil }: Curve, before: Draft, language: Language): Draft {
  const months = perfil.map(({ mes, dias: days, energia: kwh, excedentes: surplus, anio, indices }) => {
    const hours = { ...(anio && { anio }), ...(indices && { indices }) };
    return { ...(mes === null ? {} : { mes }), dias: days, energia: kwh, excedentes: surplus, ...hours };
  });
  const totals = { ...energia, ...(excedentes > 0 ? { excedentes } : {}), ...(dias === 365 ? {} : { dias }) };
  return { ...before, months, values: { ...valuesWithout(before, METERED), ...typedAll(totals, '', language) } };
}
