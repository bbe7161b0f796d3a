import { ADVISOR_WARNINGS, type Issuer } from '@tarifario/core/service';
import { cheapestOf, paidOf, recommendedOf, savingOf } from './figures.ts';
import { advisorPart } from './page-advisor.ts';
import { assumptionsText } from './page-assumptions.ts';
import { esc } from './page-html.ts';
import { noticeItems } from './page-notices.ts';
import { withSums } from './page-parts.ts';
import { STYLE } from './page-style.ts';
import { type Basis, basisOf, type ComparedRequest, figuresTable } from './page-table.ts';
import { termsTable } from './page-terms.ts';
import { type Answer, dayText, eur, NUMBER, type Row } from './page-texts.ts';
import type { proposal } from './proposal.ts';

type Kept = ReturnType<typeof proposal.toWire>;
type StoredRequest = Readonly<Record<string, unknown>> & ComparedRequest;

/** The hash of its style, for a page that shows it in a frame. A test computes it again. */
export const PROPOSAL_STYLE_HASH = 'sha256-ULCv+dJNG2F/OqCAngyky8K7bO6R+VhM4TxWUof8+TA=';

const POLICY = `default-src 'none'; style-src '${PROPOSAL_STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${POLICY}; frame-ancestors 'self'`,
};

/** A4 has room for so many offers beside their concept and the present contract, each with amounts of seven digits. */
const SIDE_BY_SIDE = 4;

/** A table for each few offers, all of about the same width. */
function inTables(proposed: readonly Row[], tableOf: (some: readonly Row[]) => string): string {
  const size = Math.ceil(proposed.length / Math.ceil(proposed.length / SIDE_BY_SIDE));
  return proposed.flatMap((_, at) => (at % size === 0 ? [tableOf(proposed.slice(at, at + size))] : [])).join('');
}

const WHOLE = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 0, useGrouping: 'always' });
/** Few euros have cents, many have none. */
const about = (amount: number) => (Math.abs(amount) < 10 ? eur(amount) : `${WHOLE.format(amount)} €`);

/** What the customer pays with the best of the offers, and saves: what is read if nothing else is. */
function headline(answer: Answer, best: Row, basis: Basis): string {
  // A figure keeps its unit on its line.
  return sentence(answer, best, basis).replaceAll(/ (?=[€%])/g, '\u00a0');
}

function sentence(answer: Answer, best: Row, { isYear, byMonth, inPeriod, period, mayStay }: Basis): string {
  const tax = answer.impuestos ? '' : ' sin impuestos';
  const paid = isYear ? `${eur(byMonth(paidOf(best)))} al mes` : `${eur(paidOf(best))} ${period}`;
  const { eur: savedEur, percent, hasTaxes } = savingOf(best);
  const name = `<b>${esc(best.offer_name)}</b>`;
  const start = `Con ${name} paga ${esc(paid)}${tax}`;
  if (savedEur === null) return `${start}.`;
  const saved = inPeriod(savedEur);
  if (Math.abs(saved) < 0.005) return `${start}, lo mismo que hoy.`;
  const share = percent === null ? '' : ` (${NUMBER.format(Math.abs(Math.round(percent)))} %)`;
  const difference = `${esc(about(Math.abs(saved)))} ${saved > 0 ? 'menos' : 'más'}`;
  const rest = `${difference}${isYear ? ' al año' : ''}${!hasTaxes && answer.impuestos ? ' antes de impuestos' : ''}${share}.`;
  return mayStay ? `Hoy paga menos: con ${name} serían ${esc(paid)}${tax}, ${rest}` : `${start}: ${rest}`;
}

const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Madrid' });
const VALID_DAYS = 15;

/** The last day of the proposal: 15 days after that of making, or the first on which an offer ends. */
function validUntil(madeOn: string, proposed: readonly Row[]): string {
  const last = new Date(Date.parse(madeOn) + VALID_DAYS * 86_400_000).toISOString().slice(0, 10);
  const ends = proposed.flatMap(({ condiciones }) =>
    typeof condiciones?.vigente_hasta === 'string' ? [condiciones.vigente_hasta] : [],
  );
  return [last, ...ends].reduce((first, day) => (day < first ? day : first));
}

function head(kept: Kept, { issuer, proposed, isInternal }: Shown): string {
  const { name, logo, contact } = issuer;
  const madeOn = DAY.format(new Date(kept.created_at));
  const picture = logo === null ? '' : `<img src="${esc(logo)}" alt="${esc(name)}">`;
  const reach = contact === null ? '' : `<p>${esc(contact)}</p>`;
  const ref = kept.ref === null ? '' : `<p>Referencia: ${esc(kept.ref)}</p>`;
  return `<header><div>${picture}<p><strong class="name">${esc(name)}</strong></p>${reach}</div><div><p><strong>Propuesta ${kept.id}${
    isInternal ? ' · Versión interna' : ''
  }</strong></p><p>${dayText(madeOn)}</p><p>Válida hasta el ${dayText(validUntil(madeOn, proposed))}</p>${ref}</div></header>`;
}

interface Shown {
  readonly issuer: Issuer;
  readonly proposed: readonly Row[];
  readonly isInternal: boolean;
}

/** Where the customer says yes. */
function signature(proposed: readonly Row[]): string {
  const [first] = proposed;
  const choice =
    proposed.length === 1
      ? `<p>Acepto la oferta ${esc(first?.offer_name)}.</p>`
      : `<p class="picks">Acepto la oferta: ${proposed.map(({ offer_name }) => `<span>${esc(offer_name)}</span>`).join('')}</p>`;
  return `<section class="box"><h2>Aceptación</h2>${choice}<div class="sign"><span>Nombre y DNI o CIF</span><span>Fecha</span><span>Firma</span></div></section>`;
}

/** A result as a row of the page with commissions, in the order of the answer, with what is known from the other page. */
const rowOf =
  (page: readonly Row[]) =>
  ({ offer, cost, factura_estimada, ahorro }: Answer['results'][number], index: number): Row => {
    const { id: offer_id, offer_name, company, tariff_type } = offer;
    return {
      ...page.find((row) => row.offer_id === offer_id),
      ...{ puesto: index + 1, offer_id, offer_name, company_name: company.name, tariff_type },
      ...{ cost, factura_estimada, ahorro },
    };
  };

/**
 * A proposal for A4 in Spanish, with all that it needs and no script: two pages for up to four offers.
 *
 * @param issuer - Who hands it over, with a data: URI as its picture.
 * @param asksCommissions - The advisor's version: commissions, and the order that depends on them, where the proposal has
 *   any. The customer's version has the proposed offers alone, from `pagina`.
 */
export function proposalPage(
  kept: Kept,
  { issuer, asksCommissions }: { readonly issuer: Issuer; readonly asksCommissions: boolean },
): string {
  const answer = kept.answer as Answer;
  const chosen = new Set(kept.offer_ids);
  const isInternal = asksCommissions && answer.results.some(({ commission }) => commission !== null);
  const page = kept.pagina as readonly Row[];
  const rows = isInternal ? answer.results.map(rowOf(page)) : page;
  const proposed = rows.filter(({ offer_id }) => chosen.has(offer_id));
  const request = withSums(kept.request as StoredRequest);
  const basis = basisOf(answer, proposed);
  const best = cheapestOf(proposed);
  const avisos = answer.avisos.filter(({ codigo }) => isInternal || !ADVISOR_WARNINGS.has(codigo));
  const notices = noticeItems({ ...answer, avisos }, proposed);
  const terms = inTables(proposed, (some) => termsTable(some, basis, recommendedOf(proposed)));
  const body = [
    head(kept, { issuer, proposed, isInternal }),
    '<p id="destinatario"></p>',
    best === undefined ? '' : `<h1>${headline(answer, best, basis)}</h1>`,
    kept.nota === null ? '' : `<p class="note">${esc(kept.nota)}</p>`,
    inTables(proposed, (some) => figuresTable(answer, some, { request, proposed, isInternal })),
    isInternal || terms === '' ? '' : `<h2>Condiciones</h2>${terms}`,
    notices.length === 0 ? '' : `<h2>Avisos</h2><ul>${notices.join('')}</ul>`,
    // What is signed stands with what is agreed, not behind the small print.
    isInternal ? advisorPart(answer, chosen) : signature(proposed),
    `<h2>Cómo se ha calculado</h2><p class="small">${esc(assumptionsText(answer, proposed, request))}</p>`,
  ].join('');
  const title = `Propuesta ${kept.id}${isInternal ? ' · Versión interna' : ''}`;
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${esc(POLICY)}"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main><footer>SHA-256 ${esc(kept.sha256)} · se comprueba en <span id="servicio"></span>/app/propuestas/${kept.id}</footer></body></html>`;
}
