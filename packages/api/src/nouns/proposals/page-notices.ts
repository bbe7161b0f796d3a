import type { Compared } from './figures.ts';
import { esc } from './page-html.ts';
import { counted, type Row, warningText } from './page-texts.ts';

/** What less than a year does not say of one, where no warning about the saving says it. */
function periodItems({ avisos, dias }: Compared): readonly string[] {
  const isSaid = dias >= 365 || avisos.some(({ codigo }) => codigo === 'menos_de_un_ano');
  return isSaid ? [] : ['<li>Se conoce menos de un año, y lo que falta puede ser otra estación</li>'];
}

/** The warnings about the customer and the proposed offers, which they name; those about other offers are left out. */
export function noticeItems({ avisos, dias }: Compared, proposed: readonly Row[]): readonly string[] {
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
  return [...periodItems({ avisos, dias }), ...inOrder.map(({ html }) => html)];
}
