import { esc } from './page-html.ts';
import { type Answer, counted, daysText, type Row, warningText } from './page-texts.ts';

/** What a period that is no year does not say of one. */
function periodItems(dias: number): readonly string[] {
  if (dias === 365) return [];
  const rest = dias < 365 ? ': el resto del año puede ser muy distinto' : '';
  return [`<li>Lo de un año y de un mes es lo de ${daysText(dias)}, en proporción${rest}</li>`];
}

/** The warnings about the customer and the proposed offers, which they name; those about other offers are left out. */
export function noticeItems(avisos: Answer['avisos'], proposed: readonly Row[], dias: number): readonly string[] {
  const items = avisos.flatMap((notice) => {
    const { codigo, offer_ids, total } = notice;
    const names = proposed.flatMap((one) => (offer_ids.includes(one.offer_id) ? [one.offer_name] : []));
    const isOfCustomer = total === 0 || codigo === 'sin_potencia';
    // Of more offers than it names it may be about these, too.
    const isUnknown = total > offer_ids.length;
    if (names.length === 0 && !isOfCustomer && !isUnknown) return [];
    const about = names.length > 0 ? names.join(', ') : isOfCustomer ? '' : counted(total, 'oferta', 'ofertas');
    const html = `<li>${esc(warningText(notice))}${about === '' ? '' : ` (${esc(about)})`}</li>`;
    return [{ html, isFirst: codigo === 'sin_potencia' || names.length > 0 }];
  });
  const inOrder = [...items.filter(({ isFirst }) => isFirst), ...items.filter(({ isFirst }) => !isFirst)];
  return [...periodItems(dias), ...inOrder.map(({ html }) => html)];
}
