import { cell, esc } from './page-html.ts';
import { type Answer, counted, eur, NOT_FOR_CUSTOMER, NUMBER } from './page-texts.ts';

/** What the advisor's version of a proposal has besides: all offers and their commissions, never for the customer. */
export function advisorPart(answer: Answer, chosen: ReadonlySet<number>): string {
  return ranking(answer, chosen) + plot(answer.results, chosen);
}

/** All offers in the order of the answer, which depends on commissions. */
function ranking(answer: Answer, chosen: ReadonlySet<number>): string {
  const figures = ['Coste sin impuestos', ...(answer.impuestos ? ['Factura'] : []), 'Comisión al año', 'Puntuación'];
  const heads = [
    ...['#', 'Oferta', 'Peaje'].map((name) => `<th scope="col">${name}</th>`),
    ...figures.map((name) => `<th scope="col" class="n">${name}</th>`),
  ];
  const rows = answer.results.flatMap(({ offer, cost, factura_estimada, commission, nota, peaje_imposible }, index) => {
    const isChosen = chosen.has(offer.id);
    if (index >= SHOWN && !isChosen) return [];
    const mark = peaje_imposible ? `. ${NOT_FOR_CUSTOMER}` : '';
    const name = `<th scope="row">${esc(offer.offer_name)}${isChosen ? ' (propuesta)' : ''}<small>${esc(offer.company.name)}${mark}</small></th>`;
    const facts = `${name}<td class="k">${esc(offer.tariff_type)}</td>`;
    const bill = answer.impuestos ? cell(eur(factura_estimada?.total)) : '';
    const paid = cell(eur(commission?.total)) + cell(NUMBER.format(nota));
    return [`<tr><td>${index + 1}</td>${facts}${cell(eur(cost.total))}${bill}${paid}</tr>`];
  });
  return `<h2>Comparativa</h2><table><caption>${rows.length} de ${counted(answer.total, 'oferta', 'ofertas')}</caption><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** So many of the first offers, so that all is on two pages. */
const SHOWN = 10;

const PLOT = { width: 600, height: 150, margin: 30 } as const;

/** Cost against commission, a point for each result. */
function plot(results: Answer['results'], chosen: ReadonlySet<number>): string {
  const { width, height, margin } = PLOT;
  const points = results.map(({ offer, cost, commission }) => ({
    id: offer.id,
    x: cost.total,
    y: commission?.total ?? 0,
  }));
  const scale = (values: readonly number[], from: number, to: number) => {
    const [min, max] = [Math.min(...values), Math.max(...values)];
    return (value: number) =>
      (max === min ? (from + to) / 2 : from + ((value - min) / (max - min)) * (to - from)).toFixed(1);
  };
  const x = scale(
    points.map((point) => point.x),
    margin,
    width - margin,
  );
  const y = scale(
    points.map((point) => point.y),
    height - margin,
    margin,
  );
  const marks = points.map(
    (point) =>
      `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="${chosen.has(point.id) ? 6 : 3}" fill="${chosen.has(point.id) ? '#0b3d91' : '#767676'}"/>`,
  );
  return `<h2>Coste y comisión</h2><svg role="img" aria-labelledby="plot" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title id="plot">Comisión al año de cada oferta según su coste; las propuestas, en puntos grandes</title><path d="M${margin} ${margin}V${height - margin}H${width - margin}" fill="none" stroke="#1a1a1a"/>${marks.join('')}<text x="${width - margin}" y="${height - 8}" text-anchor="end" font-size="12">Coste sin impuestos (€)</text><text x="${margin}" y="18" font-size="12">Comisión (€ al año)</text></svg>`;
}
