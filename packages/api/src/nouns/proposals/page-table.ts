import { BILL_LINES, byYearAndMonth, indirectTaxName, shownPartsOf, type Territory } from '@tarifario/core/service';
import { isDearerLater, mayStay, recommendedOf, savingOf } from './figures.ts';
import { esc } from './page-html.ts';
import { apartFrom, type PrintedRequest, pricesOf } from './page-parts.ts';
import { type Answer, daysText, dayText, eur, NOT_FOR_CUSTOMER, NUMBER, PRICE_NAMES, type Row } from './page-texts.ts';

type Json = Readonly<Record<string, unknown>>;

/** What a stored question says about bills, which need a territory, and the present contract. */
export interface ComparedRequest extends PrintedRequest {
  readonly territory: Territory;
  readonly impuestos?: { readonly tipos?: Readonly<Record<string, number>> };
  readonly contrato_actual?: Json & { readonly factura_total?: number; readonly offer_id?: number };
}

/** One column: the present contract, or an offer. Amounts are in EUR of the period of the answer. */
interface Column {
  /** The HTML of its head. */
  readonly head: string;
  readonly isBest: boolean;
  readonly prices: Json;
  /** What the total is the sum of, by the names of lines; `null`: a line that is not known. */
  readonly lines: ReadonlyMap<string, number | null>;
  readonly totalEur: number | null;
  /** Before taxes. */
  readonly costEur: number | null;
  readonly saving: ReturnType<typeof savingOf> | null;
  readonly commissionEur: number | null;
}

/** Over which period a proposal compares: a year, unless what comes after a discount is not known. */
export function basisOf(answer: Answer, proposed: readonly Row[]) {
  const { dias } = answer;
  const isYear = !proposed.some((row) => isDearerLater(row, answer));
  return {
    isYear,
    /** None of the offers saves anything. */
    mayStay: mayStay(proposed),
    period: isYear ? 'al año' : `en ${daysText(dias)}`,
    inPeriod: (amountEur: number) => (isYear ? byYearAndMonth(amountEur, { days: dias }).yearEur : amountEur),
    exactly: (amountEur: number) => (isYear ? (amountEur * 365) / dias : amountEur),
    byMonth: (amountEur: number) => byYearAndMonth(amountEur, { days: dias }).monthEur,
  };
}
export type Basis = ReturnType<typeof basisOf>;

/**
 * Amounts in whole cents, of which the total is the sum: each is rounded, and those that were rounded most take what is
 * left.
 */
export function inCents(amounts: readonly number[], totalEur: number): readonly number[] {
  // Without -0, which is printed.
  const cents = amounts.map((amount) => Math.round(amount * 100) || 0);
  const left = Math.round(totalEur * 100) - cents.reduce((sum, one) => sum + one, 0);
  const lost = (at: number) => ((amounts[at] ?? 0) * 100 - (cents[at] ?? 0)) * Math.sign(left);
  const order = [...cents.keys()].filter((at) => amounts[at] !== 0).sort((a, b) => lost(b) - lost(a));
  if (Math.abs(left) > order.length) return cents;
  for (const at of order.slice(0, Math.abs(left))) cents[at] = (cents[at] ?? 0) + Math.sign(left);
  return cents;
}

type Amounts = Readonly<Record<string, number | null | undefined>>;
const isKnown = (amount: number | null | undefined): amount is number => typeof amount === 'number';

/** The lines of a column: of its bill, or else of its cost, with balancing services in a line of their own. */
function linesOf(bill: Amounts | null, cost: Amounts, territory: Territory): Map<string, number | null> {
  const ssaaEur = cost.ssaa ?? 0;
  if (bill === null)
    return new Map(shownPartsOf([cost as { ssaa?: number }]).map(({ wire, es }) => [es, cost[wire] ?? null]));
  return new Map(
    BILL_LINES.filter(({ isBeside }) => !isBeside).flatMap(({ name, wire, es }): [string, number | null][] => {
      const amount = bill[wire] ?? null;
      if (name === 'indirectTaxEur') return [[indirectTaxName(territory).es, amount]];
      if (wire !== 'energia') return [[es, amount]];
      return [
        [es, amount === null ? null : amount - ssaaEur],
        ['Servicios de ajuste', amount === null ? null : ssaaEur],
      ];
    }),
  );
}

const PARTS = [
  ['energia', 'Energía'],
  ['potencia', 'Potencia'],
] as const;

/** The same with what is no quantity by a printed price in lines of its own. */
function linesOfRow(row: Row, answer: Answer, request: ComparedRequest): Map<string, number | null> {
  const lines = [...linesOf(row.factura_estimada ?? null, row.cost, request.territory)];
  return new Map(
    lines.flatMap(([name, amount]): [string, number | null][] => {
      const [part] = PARTS.find(([, es]) => es === name) ?? [];
      if (part === undefined || amount === null) return [[name, amount]];
      const { feeEur, restEur, reasons } = apartFrom(part, row, answer, request);
      const of = part === 'energia' ? 'en la energía' : 'en la potencia';
      return [
        [name, amount - feeEur - restEur],
        ...(feeEur === 0 ? [] : [[`Margen acordado ${of}`, feeEur] as [string, number]]),
        ...(reasons.length === 0 ? [] : [[`${reasons.join(' o ')} ${of}`, restEur] as [string, number]]),
      ];
    }),
  );
}

/** The present contract; none where nothing of it is known. */
function presentColumn(answer: Answer, request: ComparedRequest): readonly Column[] {
  const { actual, impuestos, results } = answer;
  const { contrato_actual: contract = {}, territory } = request;
  const bill = impuestos ? (actual?.factura_estimada ?? null) : null;
  const cost = actual?.cost ?? null;
  const totalEur = impuestos ? (bill?.total ?? contract.factura_total ?? null) : (cost?.total ?? null);
  if (totalEur === null && cost === null) return [];
  const own = results.find(({ offer }) => offer.id === contract.offer_id);
  const isWhole = impuestos ? bill !== null : cost !== null;
  return [
    {
      head: 'Hoy<small>Contrato actual</small>',
      isBest: false,
      prices: own ? pricesOf(own) : contract,
      lines: isWhole && cost !== null ? linesOf(bill, cost, territory) : new Map(),
      ...{ totalEur, saving: null, costEur: cost?.total ?? null, commissionEur: null },
    },
  ];
}

function offerColumn(row: Row, best: Row | undefined, answer: Answer, request: ComparedRequest): Column {
  const result = answer.results.find(({ offer }) => offer.id === row.offer_id);
  const mark = row.peaje_imposible ? `. ${NOT_FOR_CUSTOMER}` : '';
  const isBest = row === best;
  const tag = isBest ? '<em>Recomendada</em>' : '';
  return {
    head: `${tag}${esc(row.offer_name)}<small>${esc(row.company_name)}${mark}</small>`,
    isBest,
    prices: { ...(result && pricesOf(result)), precio_excedentes: row.precio_excedentes },
    lines: linesOfRow(row, answer, request),
    totalEur: row.factura_estimada?.total ?? row.cost.total,
    saving: savingOf(row),
    costEur: row.cost.total,
    commissionEur: result?.commission?.total ?? null,
  };
}

const cellsOf = (columns: readonly Column[], texts: readonly string[]) =>
  texts.map((text, at) => `<td class="n${columns[at]?.isBest ? ' best' : ''}">${esc(text)}</td>`).join('');
const rowOf = (columns: readonly Column[], name: string, texts: readonly string[], kind = '') =>
  `<tr${kind}><th scope="row">${esc(name)}</th>${cellsOf(columns, texts)}</tr>`;

/** Prices with as many decimals as the longest of them, 2 to 6, so that they stand under each other. */
function pricesIn(values: readonly unknown[]): readonly string[] {
  const decimals = values.map((value) => NUMBER.format(Number(value ?? 0)).split(',')[1]?.length ?? 0);
  const format = new Intl.NumberFormat('es-ES', {
    ...{ minimumFractionDigits: Math.max(2, ...decimals), maximumFractionDigits: 6 },
    useGrouping: 'always',
  });
  return values.map((value) => (value === null ? '—' : format.format(Number(value))));
}

function priceRows(columns: readonly Column[]): readonly string[] {
  return PRICE_NAMES.flatMap(([wire, name]) => {
    const values = columns.map(({ prices }) => prices[wire] ?? null);
    const texts = pricesIn(values);
    return values.every((value) => value === null || Number(value) === 0) ? [] : [rowOf(columns, name, texts)];
  });
}

/** The lines in the period of the proposal, so that each printed total is the sum of what is printed above it. */
function amountRows(columns: readonly Column[], { exactly, inPeriod }: Basis): readonly string[] {
  const names = namesOf(columns);
  const printed = columns.map(({ lines, totalEur }) => {
    const amounts = names.map((name) => lines.get(name) ?? null);
    const isWhole = totalEur !== null && [...lines.values()].every(isKnown) && lines.size > 0;
    if (!isWhole) return amounts.map((amount) => (amount === null ? null : exactly(amount)));
    const cents = inCents(
      amounts.map((amount) => exactly(amount ?? 0)),
      inPeriod(totalEur),
    );
    return cents.map((one) => one / 100);
  });
  return names.flatMap((name, at) => {
    const amounts = printed.map((column) => column[at] ?? null);
    const texts = columns.map(({ lines }, index) => {
      const amount = amounts[index] ?? null;
      return amount === null || !lines.has(name) ? '—' : AMOUNT.format(amount);
    });
    return amounts.every((amount) => Math.abs(amount ?? 0) < 0.005) ? [] : [rowOf(columns, name, texts)];
  });
}

/** The names of all lines in one order: one that only some columns have stands behind the one before it there. */
function namesOf(columns: readonly Column[]): readonly string[] {
  const names: string[] = [];
  for (const { lines } of columns) {
    let at = -1;
    for (const name of lines.keys()) {
      const found = names.indexOf(name);
      at = found < 0 ? at + 1 : found;
      if (found < 0) names.splice(at, 0, name);
    }
  }
  return names;
}

const AMOUNT = new Intl.NumberFormat('es-ES', {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  useGrouping: 'always',
});
const PERCENT = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 1 });

function totalRows(columns: readonly Column[], answer: Answer, basis: Basis): readonly string[] {
  const tax = answer.impuestos ? 'con impuestos' : 'sin impuestos';
  const texts = (of: (column: Column) => number | null) => columns.map((column) => eur(of(column)));
  const paid = (by: (amountEur: number) => number) =>
    texts(({ totalEur }) => (totalEur === null ? null : by(totalEur)));
  const saved = (by: (amountEur: number) => number) =>
    texts(({ saving }) => (isKnown(saving?.eur) ? by(saving.eur) : null));
  const heavy = ' class="total"';
  const total = [
    rowOf(columns, `Total ${tax}`, paid(basis.inPeriod), heavy),
    rowOf(columns, 'Al mes', paid(basis.byMonth)),
  ];
  const percents = columns.map(({ saving }) =>
    isKnown(saving?.percent) ? `${PERCENT.format(saving.percent)} %` : '—',
  );
  const isCompared = columns.some(({ saving }) => isKnown(saving?.eur));
  // The bill of today is not known, but what it costs.
  const isBefore = answer.impuestos !== undefined && isCompared && !columns.some(({ saving }) => saving?.hasTaxes);
  const costs = texts(({ costEur }) => (costEur === null ? null : basis.inPeriod(costEur)));
  const before = isBefore ? ' sin impuestos' : '';
  const saving = isCompared
    ? [
        ...(isBefore ? [rowOf(columns, 'Total sin impuestos', costs)] : []),
        rowOf(columns, `Ahorro ${basis.period}${before}`, saved(basis.inPeriod), heavy),
        rowOf(columns, `Ahorro al mes${before}`, saved(basis.byMonth)),
        rowOf(columns, 'Ahorro en %', percents),
      ]
    : [];
  return [...total, ...saving];
}

/**
 * Today and the offers side by side: unit prices, what is paid by line, the total and the saving.
 *
 * @param request - With sums.
 * @param isInternal - With what each offer pays.
 */
export function figuresTable(
  answer: Answer,
  shown: readonly Row[],
  {
    request,
    proposed,
    isInternal,
  }: {
    readonly request: ComparedRequest;
    /** All that are proposed, of which the shown ones are some. */
    readonly proposed: readonly Row[];
    readonly isInternal: boolean;
  },
): string {
  const basis = basisOf(answer, proposed);
  const best = recommendedOf(proposed);
  const columns = [...presentColumn(answer, request), ...shown.map((row) => offerColumn(row, best, answer, request))];
  const heads = columns.map(({ head, isBest }) => `<th scope="col" class="n${isBest ? ' best' : ''}">${head}</th>`);
  const days = daysText(answer.dias);
  const of = !basis.isYear ? `${days} en €` : `un año en €${answer.dias === 365 ? '' : `, en proporción a ${days}`}`;
  const caption = answer.impuestos
    ? `Factura estimada de ${of}, con los impuestos del ${dayText(answer.impuestos.fecha)}`
    : `Coste de ${of}, sin impuestos ni alquiler de contador`;
  const group = (name: string, rows: readonly string[], kind = '') =>
    rows.length === 0
      ? ''
      : `<tbody${kind}>${name === '' ? '' : `<tr class="group"><th scope="rowgroup" colspan="${columns.length + 1}">${esc(name)}</th></tr>`}${rows.join('')}</tbody>`;
  const commissions = isInternal
    ? [
        rowOf(
          columns,
          'Comisión al año',
          columns.map(({ commissionEur }) => eur(commissionEur)),
        ),
      ]
    : [];
  return `<table class="figures"><caption>${esc(caption)}</caption><thead><tr><th scope="col">Concepto</th>${heads.join('')}</tr></thead>${group(
    'Precios sin impuestos',
    priceRows(columns),
  )}${group(basis.isYear ? 'Lo que se paga en un año' : 'Lo que se paga en el periodo', amountRows(columns, basis))}${group('', [...totalRows(columns, answer, basis), ...commissions], ' class="totals"')}</table>`;
}
