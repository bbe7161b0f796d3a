import { esc } from './page-html.ts';
import { type Answer, counted, type Row, warningText } from './page-texts.ts';

/**
 * The warnings about the customer and the proposed offers, which they name; those about other offers are left out. First
 * that less than a year is known, also where no saving is.
 */
export function noticeItems(
  { avisos, dias }: Pick<Answer, 'avisos' | 'dias'>,
  proposed: readonly Row[],
): readonly string[] {
  const items = avisos.flatMap((notice) => {
    const { codigo, offer_ids, total } = notice;
    const names = proposed.flatMap((one) => (offer_ids.includes(one.offer_id) ? [one.offer_name] : []));
    const isOfCustomer = total === 0 || codigo === 'sin_potencia';
    // Of more offers than it names it may be about these, too.
    const isUnknown = total > offer_ids.length;
    if (names.length === 0 && !isOfCustomer && !isUnknown) return [];
    const about = names.length > 0 ? names.join(', ') : isOfCustomer ? '' : counted(total, 'oferta', 'ofertas');
    const html = `<li>${esc(warningText(notice))}${about === '' ? '' : ` (${esc(about)})`}</li>`;
    return [{ html, place: codigo === 'menos_de_un_ano' ? 0 : codigo === 'sin_potencia' || names.length > 0 ? 1 : 2 }];
  });
  const inOrder = items.sort((one, other) => one.place - other.place);
  const isSaid = dias >= 365 || inOrder[0]?.place === 0;
  return [...(isSaid ? [] : [PART_OF_A_YEAR]), ...inOrder.map(({ html }) => html)];
}

const PART_OF_A_YEAR = '<li>Se conoce menos de un año, y lo que falta puede ser otra estación</li>';
