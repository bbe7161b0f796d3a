import type { Ranking, RankingQuestion, RankingResult } from '@tarifario/client';
import { RATE_KIND_NAMES, RATE_NAMES } from '@tarifario/core';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Press } from '../shell/form.tsx';
import { useKept } from '../shell/kept.ts';
import { Problem } from '../shell/problem.tsx';
import { noticeText } from '../texts/notices.ts';
import { type TextName, useTranslation } from '../texts/texts.ts';
import { type Column, columnsOf, SaveTable } from './columns.tsx';
import type { Continued } from './orders.ts';
import { type Searchable, useFound } from './orders.ts';
import { shownResults } from './shown-order.ts';
import { useWindow } from './use-window.ts';
import { type Placed, type View, viewed, WHOLE } from './view.ts';
import { ViewFields } from './view-fields.tsx';

/** The offers that are ticked, by their ids. */
export interface Selection {
  readonly chosen: readonly number[];
  readonly isFull: boolean;
  readonly onChoose: (result: RankingResult, isChosen: boolean) => void;
}

/** The offers in order, with what they cost, save and pay. */
export function RankingTable({
  continued,
  searchable,
  selection,
  reach,
  customer,
  onOpen,
  tray,
  ...others
}: {
  readonly continued: Continued;
  /** What the service is asked for by name as long as not all is read. */
  readonly searchable: Searchable;
  /** Another order is on its way. */
  readonly isBusy: boolean;
  readonly selection: Selection;
  readonly reach: string;
  /** The number of the customer. */
  readonly customer: number;
  readonly onOpen: (result: RankingResult) => void;
  /** The choice, which stands in the row of the last tick as long as that is drawn. */
  readonly tray: ComponentChildren;
}) {
  const translation = useTranslation();
  const { say, day, number } = translation;
  const { answer } = continued;
  const { results, total, dias, impuestos } = answer;
  const [of, setOf] = useKept(reach, 'view', { customer, view: WHOLE });
  // What was searched for one customer hides offers of the next.
  const view = of.customer === customer ? of.view : { ...WHOLE, sort: of.view.sort };
  const setView = (next: View) => setOf({ customer, view: next });
  const columns = useMemo(() => columnsOf(answer, translation), [answer, translation]);
  const { isForCustomer, question } = searchable;
  const { found, ...search } = useFound(searchable, total > results.length ? view.search : '');
  const isBusy = others.isBusy || search.isBusy;
  const placed = useMemo(() => {
    const read = new Set(results.map(({ offer }) => offer.id));
    const more = found?.results.filter(({ offer }) => !read.has(offer.id)) ?? [];
    return [
      ...results.map((result, index) => ({ place: index + 1, result })),
      ...shownResults(more, { isForCustomer }).map((result) => foundAt(result, isForCustomer)),
    ];
  }, [results, found, isForCustomer]);
  const rows = useMemo(() => {
    const keyOf = (id: string, { place, result }: Placed) =>
      id === 'place' ? place : id === 'name' ? result.offer.offer_name : (columnOf(columns, id)?.of(result) ?? null);
    return viewed(placed, view, keyOf);
  }, [placed, columns, view]);
  const { element, from, to, abovePx, belowPx } = useWindow(rows.length, JSON.stringify(view));
  const drawn = rows.slice(from, to);
  const lastChosen = drawn.find(({ result }) => result.offer.id === selection.chosen.at(-1));
  const marks = useMemo(() => marksOf(answer, (code) => noticeText(code, translation.language)), [answer, translation]);
  const tax = impuestos ? say('taxesOf', { day: day(impuestos.fecha) }) : say('beforeTaxes');
  const counts = { count: number(rows.length), total: number(total) };
  const sortBy = (column: string) => {
    const isDown = view.sort?.column === column && !view.sort.isDown;
    setView({ ...view, sort: column === 'place' ? null : { column, isDown } });
  };
  return (
    <section class="card" aria-labelledby="ranking-title" aria-busy={isBusy}>
      <h2 id="ranking-title">
        {say('roomOffers')}{' '}
        <small>
          {say('rankedCount', { count: number(total), days: dias, tax })}{' '}
          {found
            ? say('foundOf', { ...counts, found: number(found.encontradas ?? 0) })
            : (total > results.length || rows.length < results.length) &&
              say('shownOf', { ...counts, read: number(results.length) })}{' '}
          {isBusy && say('working')}
        </small>
      </h2>
      <ViewFields results={results} view={view} onView={setView} />
      {search.error !== null && <Problem error={search.error} onRetry={search.retry} />}
      {search.hasChanged && <p class="problem">{say('listChanged')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard (WCAG 2.1.1) */}
      <section class="scroll list" tabIndex={0} aria-label={say('tableOfOffers')} ref={element}>
        <table class="ranking" aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">{say('choose')}</span>
              </th>
              {[{ id: 'place', head: '#' }, { id: 'name', head: say('offer') }, ...columns].map(({ id, head }) => (
                <th key={id} scope="col" class={id === 'name' ? '' : 'n'} aria-sort={sortOf(id, view.sort)}>
                  <button type="button" class="sort" onClick={() => sortBy(id)}>
                    {head}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {abovePx > 0 && <tr style={{ height: `${abovePx}px` }} />}
            {drawn.map((placed, index) => (
              <Row
                key={placed.result.offer.id}
                index={from + index + 2}
                placed={placed}
                byHours={hoursOf(placed.result, question)}
                columns={columns}
                selection={selection}
                mark={marks.get(placed.result.offer.id)}
                onOpen={onOpen}
                tray={placed === lastChosen && tray}
              />
            ))}
            {rows.length === 0 && !isBusy && (
              <tr>
                <td colSpan={columns.length + 3}>{say('noneSuch')}</td>
              </tr>
            )}
            {belowPx > 0 && <tr style={{ height: `${belowPx}px` }} />}
          </tbody>
        </table>
      </section>
      {!lastChosen && tray}
      {total > results.length && <Next {...continued} />}
      <SaveTable answer={answer} rows={rows} columns={columns} />
      {impuestos && <Rates {...impuestos} />}
    </section>
  );
}

/** An offer that the service found. Its place is that by cost, which is not the order of bills. */
function foundAt(result: RankingResult, isForCustomer: boolean): Placed {
  const { puesto = null, factura_estimada } = result;
  return { place: isForCustomer && factura_estimada ? null : puesto, result };
}

const columnOf = (columns: readonly Column[], id: string) => columns.find((column) => column.id === id);

function sortOf(id: string, sort: typeof WHOLE.sort): 'ascending' | 'descending' | undefined {
  if ((sort?.column ?? 'place') !== id) return undefined;
  return sort?.isDown ? 'descending' : 'ascending';
}

/** What warnings say of single offers. A warning names the first 50; a result says of itself that its tariff is impossible. */
function marksOf({ avisos, results }: Ranking, textOf: (code: string) => string | null): ReadonlyMap<number, string> {
  const marks = new Map<number, string>();
  const impossible = results.flatMap(({ offer, peaje_imposible }) => (peaje_imposible ? [offer.id] : []));
  for (const { codigo, mensaje, offer_ids } of avisos) {
    const ids = codigo === 'peaje_imposible' ? new Set([...offer_ids, ...impossible]) : offer_ids;
    for (const id of ids) marks.set(id, [marks.get(id), textOf(codigo) ?? mensaje].filter(Boolean).join('. '));
  }
  return marks;
}

/** What of an offer is priced by the hours of the customer in all parts of the period. */
function hoursOf({ por_horas }: RankingResult, { perfil = [] }: RankingQuestion): TextName | null {
  if (!por_horas) return null;
  const bought = perfil.filter(({ energia = {} }) => Object.values(energia).some((kwh) => kwh > 0)).length;
  if (por_horas.energia === bought) return 'byHours';
  const exported = perfil.filter(({ excedentes = 0 }) => excedentes > 0).length;
  return por_horas.excedentes > 0 && por_horas.excedentes === exported ? 'surplusByHours' : null;
}

/** The rates of the bills, with their laws. */
function Rates({ fecha, tipos }: NonNullable<Ranking['impuestos']>) {
  const { say, number, language, day } = useTranslation();
  return (
    <details class="note">
      <summary>
        {say('billOf', { day: day(fecha) })} {say('ratesUsed')}
      </summary>
      <ul>
        {tipos.map(({ concepto, aplica, valor, unidad, norma, seguro }) => (
          <li key={concepto + aplica}>
            {RATE_NAMES[concepto][language]} ({RATE_KIND_NAMES[aplica][language]}): {number(valor, 0, 8)}{' '}
            {unidad.replace('EUR/año', say('eurPerYear')).replace('EUR/mes', say('eurPerMonth')).replace('EUR', '€')}.{' '}
            {norma}
            {!seguro && ` (${say('rateUncertain')})`}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Next({ answer: { results, total }, nextCount, isBusy, error, hasChanged, goOn }: Continued) {
  const { say } = useTranslation();
  if (error !== null) return <Problem error={error} onRetry={() => goOn(false)} />;
  if (hasChanged) return <p class="problem">{say('listChanged')}</p>;
  if (nextCount === 0) return <p class="note">{say('listEnds', { count: results.length })}</p>;
  const rest = total - results.length;
  return (
    <p class="next">
      <Press text="showNext" values={{ count: nextCount }} class="plain" isBusy={isBusy} onPress={() => goOn(false)} />
      {rest > nextCount && !isBusy && (
        <Press text="showRest" values={{ count: rest }} class="plain" onPress={() => goOn(true)} />
      )}
    </p>
  );
}

function Row({
  index,
  placed,
  byHours,
  columns,
  selection: { chosen, isFull, onChoose },
  mark,
  onOpen,
  tray,
}: {
  /** The number of the row in the table. */
  readonly index: number;
  readonly placed: Placed;
  readonly byHours: TextName | null;
  readonly columns: readonly Column[];
  readonly selection: Selection;
  readonly mark: string | undefined;
  readonly onOpen: (result: RankingResult) => void;
  readonly tray: ComponentChildren;
}) {
  const { say, month } = useTranslation();
  const { place, result } = placed;
  const { offer, indexada, en_frontera } = result;
  const isChosen = chosen.includes(offer.id);
  const last = indexada && (indexada.mes ?? indexada.hasta);
  return (
    <tr data-offer={offer.id} aria-rowindex={index} class={isChosen ? 'chosen' : ''}>
      <td>
        <input
          type="checkbox"
          aria-label={say('chooseOffer', { name: offer.offer_name })}
          checked={isChosen}
          disabled={isFull && !isChosen}
          onChange={({ currentTarget }) => onChoose(result, currentTarget.checked)}
        />
        {tray}
      </td>
      <td class="n">{place ?? '–'}</td>
      <th scope="row">
        <button type="button" class="name" onClick={() => onOpen(result)}>
          {offer.offer_name}
        </button>
        {en_frontera && <Mark sign="◆" text={say('onFrontier')} />}
        {mark && <Mark sign="⚠" text={mark} />}
        <small>
          {offer.company.name}
          {last && ` · ${say('indexedTo', { month: month(last) })}`}
          {byHours && ` · ${say(byHours)}`}
        </small>
      </th>
      {columns.map(({ id, cell, kind }) => (
        <td key={id} class={`n ${kind(result)}`}>
          {cell(result)}
        </td>
      ))}
    </tr>
  );
}

function Mark({ sign, text }: { readonly sign: string; readonly text: string }) {
  return (
    <span class="mark" role="img" title={text} aria-label={text}>
      {sign}
    </span>
  );
}
