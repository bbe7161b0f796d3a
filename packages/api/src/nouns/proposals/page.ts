import {
  ADVISOR_WARNINGS,
  BILL_LINES,
  byYearAndMonth,
  type ContractTerm,
  type Issuer,
  indirectTaxName,
  RATE_KIND_NAMES,
  RATE_NAMES,
  shownPartsOf,
  type Territory,
} from '@tarifario/core/service';
import { ratesBorne } from '../taxes.ts';
import { advisorPart } from './page-advisor.ts';
import { cell, esc, line, row, table } from './page-html.ts';
import { includedLines, type PrintedRequest, pricesOf, withSums } from './page-parts.ts';
import {
  type Answer,
  comparedText,
  counted,
  daysText,
  dayText,
  eur,
  methodText,
  monthsText,
  monthText,
  NOT_FOR_CUSTOMER,
  NUMBER,
  RATE_FORMAT,
  REQUEST_NAMES,
  type Row,
  unitText,
  valueText,
  warningText,
} from './page-texts.ts';
import type { proposal } from './proposal.ts';

type Result = Answer['results'][number];
type Json = Readonly<Record<string, unknown>>;
type StoredRequest = Json & PrintedRequest & BilledRequest;

const STYLE =
  '@page{size:A4;margin:14mm}body{font:10pt/1.4 system-ui,sans-serif;color:#1a1a1a;background:#fff;max-width:182mm;margin:0 auto;overflow-wrap:anywhere}' +
  'h1{font-size:16pt;margin:0 0 2mm}h2{font-size:12pt;margin:5mm 0 1mm}table{border-collapse:collapse;width:100%}' +
  'caption{text-align:left;margin:1mm 0}table+table{margin-top:3mm}th,td{min-width:4em;border:1px solid #767676;padding:1mm 2mm;text-align:left;vertical-align:top}' +
  'td.n{text-align:right;white-space:pre}thead{background:#eee}tr{break-inside:avoid}.note{white-space:pre-wrap}' +
  'th:first-child{overflow-wrap:normal}img{display:block;max-width:80mm;max-height:18mm}svg{max-width:100%;height:auto}';
/** The hash of its style, for a page that shows it in a frame. A test computes it again. */
export const PROPOSAL_STYLE_HASH = 'sha256-rM8VGdrSVymDwsVrxbetzWaSxcEXZXxzcvNUVb1xJjs=';

const POLICY = `default-src 'none'; style-src '${PROPOSAL_STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`;
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `${POLICY}; frame-ancestors 'self'`,
};

/** A4 has room for so many offers beside their concept and the present contract, each with amounts of seven digits. */
const SIDE_BY_SIDE = 3;

/** A table for each few offers, all of about the same width. */
function inTables(chosen: readonly Row[], tableOf: (some: readonly Row[]) => string): string {
  const size = Math.ceil(chosen.length / Math.ceil(chosen.length / SIDE_BY_SIDE));
  return chosen.flatMap((_, at) => (at % size === 0 ? [tableOf(chosen.slice(at, at + size))] : [])).join('');
}

/** The chosen offers, after the present contract where that is known. */
const namesOf = (present: unknown, chosen: readonly Row[]) => [
  ...(present === null ? [] : ['Contrato actual']),
  ...chosen.map(
    ({ offer_name, company_name, peaje_imposible }) =>
      `${offer_name} (${company_name})${peaje_imposible ? `. ${NOT_FOR_CUSTOMER}` : ''}`,
  ),
];

/** What is compared in a table, and with or without what. */
interface Compared {
  readonly tax: 'con impuestos' | 'sin impuestos';
  readonly chosen: readonly Row[];
  /** Of the offers, after that of the present contract where it is known. */
  readonly totals: readonly (number | null | undefined)[];
  readonly savings: readonly {
    readonly eur?: number | null | undefined;
    readonly percent?: number | null | undefined;
  }[];
  /** Lines between what is paid and what is saved. */
  readonly later?: readonly string[];
}

/** What is paid, and saved where the present contract is known. Each figure says whether it is with taxes. */
function totalLines(answer: Answer, { tax, chosen, totals, savings, later = [] }: Compared): readonly string[] {
  const saved = savings.map((saving) => saving.eur);
  const texts = savings.map(({ eur: savedEur, percent }) =>
    typeof percent === 'number' ? `${eur(savedEur)}\n${NUMBER.format(percent)} %` : eur(savedEur),
  );
  const period = answer.dias === 365 ? ' al año' : ` en ${daysText(answer.dias)}`;
  const [savedMonthly = '', ...savedYearly] = ratesOf('Ahorro al', answer, { tax, chosen, amounts: [null, ...saved] });
  const savedInPeriod = line(`Ahorro${period} ${tax}`, ['—', ...texts]);
  return [
    line(`Total ${tax}`, totals.map(eur)),
    ...ratesOf('Al', answer, { tax, chosen, amounts: totals }),
    ...later,
    // By year first.
    ...(totals.length > chosen.length ? [...savedYearly, savedInPeriod, savedMonthly] : []),
  ];
}

/**
 * Amounts of the period by month and, where it is not one, by year. A year has none of an offer whose discount
 * ends in it: a shorter period does not say what the rest of the year costs.
 */
function ratesOf(
  name: string,
  { dias }: Pick<Answer, 'dias'>,
  { tax, chosen, amounts }: Pick<Compared, 'tax' | 'chosen'> & { readonly amounts: Compared['totals'] },
): readonly string[] {
  const by = (of: keyof ReturnType<typeof byYearAndMonth>) =>
    amounts.map((one) => eur(typeof one === 'number' ? byYearAndMonth(one, { days: dias })[of] : null));
  const isDearerLater = (at: number) => {
    const months = chosen[at - amounts.length + chosen.length]?.condiciones?.descuento_meses;
    return dias < 365 && typeof months === 'number' && months < 12;
  };
  const yearly = by('yearEur').map((text, at) => (isDearerLater(at) ? eur(null) : text));
  return [line(`${name} mes ${tax}`, by('monthEur')), ...(dias === 365 ? [] : [line(`${name} año ${tax}`, yearly)])];
}

/** The chosen offers beside the present contract, part by part. */
function comparison(answer: Answer, chosen: readonly Row[], request: PrintedRequest): string {
  const present = answer.actual?.cost ?? null;
  const costs = [...(present ? [present] : []), ...chosen.map(({ cost }) => cost)];
  const body = shownPartsOf(costs).flatMap(({ wire, es }) => [
    line(
      es,
      costs.map((cost) => eur(cost[wire])),
    ),
    ...includedLines(wire, answer, { request, chosen, present: present ? ['—'] : [] }),
  ]);
  const caption = `Coste del periodo de ${daysText(answer.dias)}, sin impuestos ni alquiler de contador`;
  const later = DISCOUNT_NAMES.flatMap(([wire, name]) =>
    chosen.some((one) => (one[wire] ?? null) !== null)
      ? [line(name, [...(present ? ['—'] : []), ...chosen.map((one) => eur(one[wire]))])]
      : [],
  );
  const totals = totalLines(answer, {
    ...{ tax: 'sin impuestos', chosen, later, totals: costs.map(({ total }) => total) },
    savings: chosen.map(({ ahorro }) => ({ eur: ahorro?.eur, percent: ahorro?.porcentaje })),
  });
  return table(caption, ['Concepto', ...namesOf(present, chosen)], [...body, ...totals]);
}

/** What offers with a discount cost besides, by their names on the wire. */
const DISCOUNT_NAMES = [
  ['coste_sin_descuento', 'Sin descuento ni impuestos'],
  ['coste_segundo_anio', 'Doce meses después, sin impuestos'],
] as const;

/** What contracts say besides prices, by their names on the wire. */
const TERM_NAMES: Readonly<Record<ContractTerm, string>> = {
  permanencia_meses: 'Permanencia (meses)',
  penalizacion_eur: 'Penalización (€)',
  penalizacion_pct: 'Penalización (% de la energía pendiente)',
  precio_fijo_meses: 'Precio fijo (meses)',
  descuento_energia_pct: 'Descuento en energía (%)',
  descuento_potencia_pct: 'Descuento en potencia (%)',
  descuento_meses: 'El descuento termina tras (meses)',
  vigente_desde: 'Se contrata desde',
  vigente_hasta: 'Se contrata hasta',
  potencia_min_kw: 'Potencia mínima (kW)',
  potencia_max_kw: 'Potencia máxima (kW)',
  consumo_min_kwh: 'Consumo anual mínimo (kWh)',
  consumo_max_kwh: 'Consumo anual máximo (kWh)',
  energia_verde: 'Energía verde',
  peajes_revisables: 'Cambia con los peajes',
  requisitos: 'Requisitos',
};

/** What is known of the contracts of some offers; nothing where nothing is. */
function terms(chosen: readonly Row[]): string {
  const body = Object.entries(TERM_NAMES).flatMap(([wire, name]) => {
    const values = chosen.map(({ condiciones = {} }) => condiciones[wire] ?? null);
    // Requirements are long: unlike figures they may wrap.
    const cells = values.map((value) => `<td>${esc(value === null ? '—' : valueText(value))}</td>`);
    return values.every((value) => value === null)
      ? []
      : [`<tr><th scope="row">${esc(name)}</th>${cells.join('')}</tr>`];
  });
  return body.length === 0 ? '' : table('Condiciones de los contratos', ['Condición', ...namesOf(null, chosen)], body);
}

/** What a stored question says about bills, which need a territory. */
interface BilledRequest {
  readonly territory: Territory;
  readonly impuestos?: { readonly tipos?: Readonly<Record<string, number>> };
  readonly contrato_actual?: { readonly factura_total?: number };
}

/** The bills of some offers beside that of the present contract, line by line. */
function bills(answer: Answer, chosen: readonly Row[], request: BilledRequest): string {
  const { actual, dias, impuestos } = answer;
  const billEur = request.contrato_actual?.factura_total ?? null;
  const present = actual?.factura_estimada ?? (billEur === null ? null : { total: billEur });
  const columns: readonly Partial<NonNullable<Row['factura_estimada']>>[] = [
    ...(present ? [present] : []),
    ...chosen.map(({ factura_estimada = {} }) => factura_estimada),
  ];
  const body = BILL_LINES.flatMap(({ name, wire, es, isBeside }) =>
    !isBeside && columns.some((bill) => bill[wire])
      ? [
          line(
            name === 'indirectTaxEur' ? indirectTaxName(request.territory).es : es,
            columns.map((bill) => eur(bill[wire])),
          ),
        ]
      : [],
  );
  const totals = totalLines(answer, {
    ...{ tax: 'con impuestos', chosen, totals: columns.map(({ total }) => total) },
    savings: chosen.map(({ ahorro }) => ({ eur: ahorro?.factura, percent: ahorro?.factura_porcentaje })),
  });
  const caption = `Factura de ${daysText(dias)}, con los impuestos del ${dayText(impuestos?.fecha ?? '')}`;
  return table(caption, ['Concepto', ...namesOf(present, chosen)], [...body, ...totals]);
}

const PERIODS = [1, 2, 3, 4, 5, 6];
/** The prices of an offer with their units, by their names on the wire. */
const PRICE_NAMES: readonly (readonly [wire: string, name: string])[] = [
  ...PERIODS.map((period) => [`e${period}`, `Energía P${period} (€/kWh)`] as const),
  ...PERIODS.map((period) => [`p${period}`, `Potencia P${period} (€/kW y día)`] as const),
  ['gas_energy', 'Energía (€/kWh)'],
  ['gas_fixed', 'Término fijo (€/mes)'],
  ['services_cost', 'Servicios (€/mes)'],
  ['precio_excedentes', 'Excedentes (€/kWh)'],
];

/** The prices that were applied to some offers, and what those of indexed offers are. */
function unitPrices({ results }: Answer, chosen: readonly Row[]): string {
  const entries = chosen.flatMap(({ offer_id, precio_excedentes }) => {
    const result = results.find(({ offer }) => offer.id === offer_id);
    return result ? { ...result, precio_excedentes } : [];
  });
  const prices = entries.map((entry): Json => ({ ...pricesOf(entry), precio_excedentes: entry.precio_excedentes }));
  const body = PRICE_NAMES.flatMap(([wire, name]) => {
    const values = prices.map((own) => own[wire] ?? null);
    const text = (value: unknown) => (value === null ? '—' : NUMBER.format(Number(value)));
    return values.every((value) => value === null) ? [] : [line(name, values.map(text))];
  });
  const indexed = entries.flatMap(({ offer, indexada }) =>
    indexada ? [`<li>${esc(offer.offer_name)}: ${esc(indexedText(indexada))}</li>`] : [],
  );
  const list = indexed.length === 0 ? '' : `<ul>${indexed.join('')}</ul>`;
  return table('Precios sin impuestos', ['Precio', ...namesOf(null, chosen)], body) + list;
}

function indexedText({ mes, meses_historico, desde, hasta, ponderado }: NonNullable<Result['indexada']>): string {
  const month = (day: string | null) => (day === null ? '' : monthText(day));
  const window =
    mes === null ? `la media de ${monthsText(meses_historico ?? 0)}, de ${month(desde)} a ${month(hasta)}` : month(mes);
  const byMonth = ponderado ? ' La energía de un mes del perfil lleva los de ese mes.' : '';
  return `es indexada, el precio cambia cada mes. Estos precios son los de ${window}.${byMonth}`;
}

/** The warnings, first that of costs without power, then those about proposed offers, which they name. */
function warningItems(avisos: Answer['avisos'], proposed: readonly Row[]): readonly string[] {
  const items = avisos.map((notice) => {
    const names = proposed.flatMap((one) => (notice.offer_ids.includes(one.offer_id) ? [one.offer_name] : []));
    const others = notice.total - names.length;
    const more = others > 0 ? [`${counted(others, 'oferta', 'ofertas')}${names.length > 0 ? ' más' : ''}`] : [];
    const about = [...names, ...more].join(', ');
    return {
      isFirst: names.length > 0 || notice.codigo === 'sin_potencia',
      html: `<li>${esc(warningText(notice))}${about === '' ? '' : ` (${esc(about)})`}</li>`,
    };
  });
  return [...items.filter(({ isFirst }) => isFirst), ...items.filter(({ isFirst }) => !isFirst)].map(
    ({ html }) => html,
  );
}

/** The offers that are proposed: first their bills, where they were asked for, because a bill is what is paid. */
function proposedOffers(answer: Answer, chosen: readonly Row[], request: StoredRequest): string {
  const prices = `<h2>Precios de las ofertas propuestas</h2>${inTables(chosen, (some) => unitPrices(answer, some) + terms(some))}`;
  const compared = inTables(chosen, (some) => comparison(answer, some, request));
  const costs = `<h2>Coste sin impuestos</h2>${compared}<p>${esc(comparedText(answer))}</p>`;
  if (answer.impuestos === undefined) return costs + prices;
  const billed = inTables(chosen, (some) => bills(answer, some, request));
  const borne = ratesBorne(
    answer.impuestos.tipos,
    chosen.map(({ tariff_type }) => tariff_type),
  );
  return `<h2>Factura estimada</h2>${billed}${costs}${prices}<h2>Impuestos</h2>${rates(borne, request)}`;
}

/** The rates of the bills, with their laws, and those that were sent in place of those of the law. */
function rates(tipos: NonNullable<Answer['impuestos']>['tipos'], { territory, impuestos }: BilledRequest): string {
  const tax = indirectTaxName(territory).es;
  const sent = impuestos?.tipos ?? {};
  const sentNames: Readonly<Record<string, readonly [name: string, unit: string]>> = {
    iee: [RATE_NAMES.impuesto_electrico.es, '%'],
    indirecto: [tax, '%'],
    indirecto_servicios: [`${tax} (servicios)`, '%'],
    hidrocarburos: [RATE_NAMES.hidrocarburos.es, '€/kWh'],
    bono_social: [RATE_NAMES.financiacion_bono.es, '€/año'],
  };
  const rate = (name: string, text: string, days: string, law: string) =>
    `<tr><th scope="row">${esc(name)}</th>${cell(text)}<td>${esc(days)}</td><td>${esc(law)}</td></tr>`;
  const ofLaw = tipos.map(({ concepto, aplica, valor, unidad, desde, hasta, norma, seguro }) =>
    rate(
      `${RATE_NAMES[concepto].es}${aplica === 'general' ? '' : ` (${RATE_KIND_NAMES[aplica].es})`}`,
      `${RATE_FORMAT.format(valor)} ${unitText(unidad)}`,
      hasta === null ? `desde ${dayText(desde)}` : `${dayText(desde)} a ${dayText(hasta)}`,
      `${norma}${seguro ? '' : ' (por confirmar)'}`,
    ),
  );
  const ofQuestion = Object.entries(sentNames).flatMap(([field, [name, unit]]) => {
    const value = sent[field];
    return value === undefined
      ? []
      : [rate(name, `${RATE_FORMAT.format(value)} ${unit}`, '—', 'Supuesto de este cálculo')];
  });
  return table('Tipos aplicados', ['Concepto', 'Tipo', 'Vigencia', 'Norma'], [...ofLaw, ...ofQuestion]);
}

const NOT_BILLED = 'Todo sin impuestos ni alquiler de contador: sirve para comparar y no es el importe de una factura.';
const BILLED =
  'El coste es sin impuestos. La factura estimada los suma, con los tipos de un día para todo el periodo y redondeada una vez, no factura a factura.';
const BILLED_SSAA = ' Su línea de energía lleva también los servicios de ajuste.';

/** A result as a row of the page with commissions, in the order of the answer, with what is known from the other page. */
const rowOf =
  (page: readonly Row[]) =>
  ({ offer, cost, factura_estimada, ahorro }: Result, index: number): Row => {
    const { id: offer_id, offer_name, company, tariff_type } = offer;
    return {
      ...page.find((row) => row.offer_id === offer_id),
      ...{ puesto: index + 1, offer_id, offer_name, company_name: company.name, tariff_type },
      ...{ cost, factura_estimada, ahorro },
    };
  };

/** An instant for readers in Spain. */
const INSTANT = new Intl.DateTimeFormat('es-ES', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Madrid' });

/**
 * A proposal for A4 in Spanish, with all that it needs and no script.
 *
 * @param issuer - Who hands it over, with a data: URI as its picture.
 * @param asksCommissions - The advisor's version: commissions, and the order that depends on them, where the proposal has
 *   any. The customer's version has the proposed offers alone, from `pagina`.
 */
export function proposalPage(
  kept: ReturnType<typeof proposal.toWire>,
  { issuer, asksCommissions }: { readonly issuer: Issuer; readonly asksCommissions: boolean },
): string {
  const answer = kept.answer as Answer;
  const chosen = new Set(kept.offer_ids);
  const isInternal = asksCommissions && answer.results.some(({ commission }) => commission !== null);
  const page = kept.pagina as readonly Row[];
  const rows = isInternal ? answer.results.map(rowOf(page)) : page;
  const proposed = rows.filter(({ offer_id }) => chosen.has(offer_id));
  const request = withSums(kept.request as StoredRequest);
  const requestRows = Object.entries(REQUEST_NAMES).flatMap(([name, text]) =>
    request[name] === undefined
      ? []
      : [row(text, name === 'mes' ? monthText(String(request[name])) : valueText(request[name]))],
  );
  const { dias, meses } = answer;
  const avisos = answer.avisos.filter(({ codigo }) => isInternal || !ADVISOR_WARNINGS.has(codigo));
  const notices = warningItems(avisos, proposed);
  const title = `Propuesta ${kept.id}${isInternal ? ' · Versión interna' : ''}`;
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${esc(POLICY)}"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main>${
    issuer.logo === null ? '' : `<p><img src="${esc(issuer.logo)}" alt="${esc(issuer.name)}"></p>`
  }<p><strong>${esc(issuer.name)}</strong></p><h1>${title}</h1><p>${esc(INSTANT.format(new Date(kept.created_at)))}</p>${
    kept.nota === null ? '' : `<p class="note">${esc(kept.nota)}</p>`
  }${proposedOffers(answer, proposed, request)}<h2>Suministro</h2><table><caption>Datos del cálculo</caption><tbody>${requestRows.join('')}${row('Periodo', `${daysText(dias)}, ${monthsText(meses)}`)}</tbody></table>${
    notices.length === 0 ? '' : `<h2>Avisos</h2><ul>${notices.join('')}</ul>`
  }${isInternal ? advisorPart(answer, chosen) : ''}<h2>Cómo se calcula</h2><p>${methodText(request)} Una oferta indexada se calcula con sus precios mensuales, o con su media. ${answer.impuestos ? BILLED + (request.ssaa_eur_mwh === undefined ? '' : BILLED_SSAA) : NOT_BILLED} Ahorro: lo que cuesta el contrato actual menos lo que cuesta la oferta.</p><h2>Comprobación</h2><p>SHA-256 de esta propuesta (RFC 8785): <code>${esc(kept.sha256)}</code></p></main></body></html>`;
}
