import type { Ranking } from '@tarifario/client';
import { shownPartsOf } from '@tarifario/core/service';
import { formatReasons } from './reasons-view.ts';
import { type Column, formatTable } from './table.ts';

/** A ranking on the wire. */
export type WireRanking = Ranking;

type WireResult = WireRanking['results'][number];
type WireExclusion = WireRanking['excluded'][number];
type WireSegment = NonNullable<WireRanking['umbrales']>[number];

/** Colours for a terminal; identity functions without colour. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly weak: (text: string) => string;
  readonly good: (text: string) => string;
}

export const PLAIN: Paint = { strong: (text) => text, weak: (text) => text, good: (text) => text };

const OPTIMAL = '★';
const ON_FRONTIER = '◆';
const INDEXED = '~';
const IMPOSSIBLE = '✗';
const BAR_WIDTH = 40;

/** A ranking for people: the table, the winners by weight, the excluded offers and why. 120 characters wide. */
export function formatRanking(ranking: WireRanking, paint: Paint = PLAIN): string[] {
  return [
    ...formatWarnings(ranking, paint),
    ...formatPresent(ranking),
    ...formatResults(ranking, paint),
    ...formatWinners(ranking, paint),
    ...formatConflict(ranking),
    ...formatReasons(ranking),
    ...formatExcluded(ranking, paint),
  ];
}

/** Why the offers may not be comparable, shown above the list. */
export function formatWarnings({ avisos }: WireRanking, paint: Paint): string[] {
  const lines = avisos.flatMap(({ codigo, mensaje, total, umbral_eur_mwh = null }) => {
    const most = umbral_eur_mwh === null ? '' : `; the cheapest stays so up to ${umbral_eur_mwh} EUR/MWh`;
    const about = total > 0 ? ` (${total} ${total === 1 ? 'offer' : 'offers'}${most})` : '';
    return (
      `! ${codigo}: ${mensaje}${about}`.match(/.{1,116}(?= |$)/g)?.map((part, i) => (i === 0 ? part : ` ${part}`)) ?? []
    );
  });
  return lines.length === 0 ? [] : [...lines.map(paint.strong), ''];
}

/** The present contract, where it is known: then results have savings. */
export function formatPresent({ actual }: WireRanking): string[] {
  const bill = actual?.factura_estimada ? `, its bill ${actual.factura_estimada.total.toFixed(2)} EUR` : '';
  return actual?.cost ? [`The present contract costs ${actual.cost.total.toFixed(2)} EUR before tax${bill}.`, ''] : [];
}

/** What the commission costs the customer, in money. */
export function formatConflict({ conflicto, w }: WireRanking): string[] {
  const rate = conflicto?.euros_cliente_por_euro_comision ?? null;
  if (rate === null) return [];
  return ['', `At w = ${w} one EUR of commission may cost the customer up to ${rate.toFixed(2)} EUR a year.`];
}

/** One line for each ranked offer, best first. */
export function formatResults(ranking: WireRanking, paint: Paint): string[] {
  const { w, dias, meses, total, results, impuestos } = ranking;
  const bills = impuestos ? `; BILL: with the taxes of ${impuestos.fecha}` : '';
  const period = `${dias} days, ${meses} months, before tax, EUR${bills}`;
  const title = `${total} offers ranked at w = ${w} (${period})`;
  const [head = '', rule = '', ...rows] = formatTable(columnsFor(results), results);
  const lines = rows.map((row, index) => paintResult(row, results[index], paint));
  const shown = results.length < total ? [paint.weak(`... and ${total - results.length} more`)] : [];
  return [...titledTable(title, [head, rule, ...lines], paint), ...shown, paint.weak(legendOf(results))];
}

function titledTable(title: string, [head = '', rule = '', ...rows]: readonly string[], paint: Paint): string[] {
  return [paint.strong(title), '', paint.strong(head), paint.weak(rule), ...rows];
}

/** Explains the marks in the last column and the notas before it. */
function legendOf(results: readonly WireResult[]): string {
  const seesCommissions = results.some(({ en_frontera }) => en_frontera !== null);
  const marks = [
    `${OPTIMAL} best nota`,
    seesCommissions ? `${ON_FRONTIER} on the frontier: none is both cheaper and better paid` : '',
    results.some(({ indexada }) => indexada !== null) ? `${INDEXED} indexed: prices of its monthly history` : '',
    results.some(({ peaje_imposible }) => peaje_imposible) ? `${IMPOSSIBLE} not a tariff of this customer` : '',
  ];
  return marks.filter((mark) => mark !== '').join('   ');
}

function columnsFor(results: readonly WireResult[]): Column<WireResult>[] {
  const isGas = results[0]?.offer.supply_type === 'GAS';
  const hasBills = results[0]?.factura_estimada !== undefined;
  const parts = shownPartsOf(results.map(({ cost }) => cost)).filter(
    ({ supply }) => supply !== (isGas ? 'LUZ' : 'GAS'),
  );
  const number = (title: string, pick: (result: WireResult) => number | null, decimals = 2) => ({
    title,
    align: 'right' as const,
    cell: (result: WireResult) => pick(result)?.toFixed(decimals) ?? '-',
  });
  return [
    { title: '#', align: 'right', cell: (_result, index) => String(index + 1) },
    { title: 'offer', cell: ({ offer }) => offer.offer_name, maxWidth: 26 },
    { title: 'retailer', cell: ({ offer }) => offer.company.name, maxWidth: 23 },
    ...parts.map(({ en, short = en.toLowerCase(), wire }) => number(short, ({ cost }) => cost[wire] ?? null)),
    number('TOTAL', ({ cost }) => cost.total),
    ...(results.some((result) => secondYearOf(result) !== null) ? [number('year 2', secondYearOf)] : []),
    ...(hasBills ? [number('BILL', ({ factura_estimada }) => factura_estimada?.total ?? null)] : []),
    ...(results.some(({ ahorro }) => ahorro !== null)
      ? [number('saves', ({ ahorro }) => (hasBills ? ahorro?.factura : ahorro?.eur) ?? null)]
      : []),
    number('comm.', ({ commission }) => commission?.total ?? null),
    number('nota', ({ nota }) => nota),
    number('precio', ({ nota_precio }) => nota_precio),
    number('comis.', ({ nota_comision }) => nota_comision),
    { title: '', cell: (result) => marksOf(result).trimEnd() },
  ];
}

function secondYearOf({ coste_segundo_anio }: WireResult): number | null {
  return coste_segundo_anio ?? null;
}

function marksOf({ is_optimal, en_frontera, indexada, peaje_imposible }: WireResult): string {
  const others = (indexada === null ? '' : INDEXED) + (peaje_imposible ? IMPOSSIBLE : '');
  return `${is_optimal ? OPTIMAL : ' '}${en_frontera === true ? ON_FRONTIER : ' '}${others}`;
}

function paintResult(line: string, result: WireResult | undefined, paint: Paint): string {
  if (result?.is_optimal) return paint.good(line);
  return result?.en_frontera === false ? paint.weak(line) : line;
}

/** The winners by weight, as bars from 0 to 1; empty for callers who may not see commissions. */
export function formatWinners({ umbrales, results }: WireRanking, paint: Paint): string[] {
  if (umbrales === null || umbrales.length === 0) return [];
  const byId = new Map(results.map((result) => [result.offer.id, result]));
  const columns: Column<WireSegment>[] = [
    { title: 'from w', align: 'right', cell: ({ w_desde }) => w_desde.toFixed(3) },
    { title: 'to w', align: 'right', cell: ({ w_hasta }) => w_hasta.toFixed(3) },
    { title: `0${'commission'.padEnd(BAR_WIDTH / 2 - 1)}${'savings'.padStart(BAR_WIDTH / 2 - 1)}1`, cell: bar },
    { title: 'winner', cell: ({ offer_id }) => nameOf(byId.get(offer_id), offer_id), maxWidth: 45 },
    { title: 'cost', align: 'right', cell: ({ offer_id }) => byId.get(offer_id)?.cost.total.toFixed(2) ?? '' },
    { title: 'comm.', align: 'right', cell: ({ offer_id }) => byId.get(offer_id)?.commission?.total.toFixed(2) ?? '' },
  ];
  return ['', ...titledTable('Who wins at which weight', formatTable(columns, umbrales), paint)];
}

function bar({ w_desde, w_hasta }: WireSegment): string {
  const from = Math.min(Math.round(w_desde * BAR_WIDTH), BAR_WIDTH - 1);
  const length = Math.max(Math.round(w_hasta * BAR_WIDTH) - from, 1);
  return `${'·'.repeat(from)}${'█'.repeat(length)}${'·'.repeat(BAR_WIDTH - from - length)}`;
}

function nameOf(result: WireResult | undefined, id: number): string {
  return result === undefined ? `offer ${id}` : `${result.offer.offer_name}, ${result.offer.company.name}`;
}

/** The excluded offers, and why. */
export function formatExcluded({ excluded, excluded_count }: WireRanking, paint: Paint): string[] {
  if (excluded_count === 0) return [];
  const columns: Column<WireExclusion>[] = [
    { title: 'offer', cell: ({ offer_name }) => offer_name, maxWidth: 24 },
    { title: 'codigo', cell: ({ codigo }) => codigo },
    { title: 'motivo', cell: ({ motivo }) => motivo, maxWidth: 74 },
  ];
  return ['', ...titledTable(`${excluded_count} offers excluded`, formatTable(columns, excluded), paint)];
}
