import type { Ranking, RankingResult, Tarifario } from '@tarifario/client';
import { RATE_NAMES, SHOWN_COST_PARTS } from '@tarifario/core';
import { useState } from 'preact/hooks';
import { Problem } from '../shell/problem.tsx';
import { Scroll } from '../shell/scroll.tsx';
import { type Heading, TableHead } from '../shell/table-head.tsx';
import { useTranslation } from '../texts/texts.ts';
import { Months } from './months.tsx';
import { savedBy } from './saving.ts';
import type { Rest } from './use-rest.ts';

/** How many offers are shown until all are requested: the page is shorter, and follows a slider without delay. */
const FEW = 50;

/** Which columns the table has: a part that is 0 for all offers, or unknown to the caller, has no column. */
interface Columns extends Choosing {
  readonly api: Tarifario;
  readonly parts: typeof SHOWN_COST_PARTS;
  readonly hasSaving: boolean;
  /** The savings are those of bills. */
  readonly savesBills: boolean;
  readonly bills: Ranking | null;
  readonly hasCommission: boolean;
}

/** The offers that are ticked, by their ids. */
export interface Choosing {
  readonly chosen: readonly number[];
  readonly isFull: boolean;
  readonly onChoose: (result: RankingResult, isChosen: boolean) => void;
}

/** The offers in order, with what they cost, save and pay. */
export function RankingTable({
  api,
  rest,
  isBusy,
  choosing,
}: {
  readonly api: Tarifario;
  readonly rest: Rest;
  /** Another order is on its way. */
  readonly isBusy: boolean;
  readonly choosing: Choosing;
}) {
  const { say, day } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  const { results, actual, total, dias, impuestos } = rest.answer;
  const shown = showsAll ? results : results.slice(0, FEW);
  const tax = impuestos ? say('taxesOf', { day: day(impuestos.fecha) }) : say('beforeTaxes');
  const columns: Columns = {
    api,
    ...choosing,
    parts: SHOWN_COST_PARTS.filter(({ wire }) => results.some(({ cost }) => cost[wire] !== 0)),
    hasSaving: actual !== null,
    savesBills: results.some((result) => savedBy(result).isOfBill),
    bills: impuestos ? rest.answer : null,
    hasCommission: results.some(({ commission }) => commission !== null),
  };
  return (
    <section class="card" aria-labelledby="ranking-title" aria-busy={isBusy}>
      <h2 id="ranking-title">
        {say('ranking')} {isBusy && <small>{say('working')}</small>}
      </h2>
      <p class="note">
        {say('rankedCount', { count: total, days: dias, tax })}
        {total > shown.length && ` ${say('firstOf', { count: shown.length })}`}
      </p>
      {impuestos && <Rates {...impuestos} />}
      <Scroll name={say('tableOfOffers')}>
        <table class="ranking">
          <Head {...columns} />
          <tbody>
            {shown.map((result, index) => (
              <Row key={result.offer.id} place={index + 1} result={result} {...columns} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {results.length > shown.length ? (
        <button type="button" class="plain" onClick={() => setShowsAll(true)}>
          {say('showAll', { count: results.length })}
        </button>
      ) : (
        total > results.length && <Next {...rest} />
      )}
    </section>
  );
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
            {RATE_NAMES[concepto][language]} ({aplica}): {number(valor, 0, 8)} {unidad}. {norma}
            {!seguro && ` (${say('rateUncertain')})`}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A bill over the period, by month and, where the period is no year, by year. */
export function BillFigures({ eur: total, period }: { readonly eur: number | null; readonly period: Ranking }) {
  const { say, eur } = useTranslation();
  if (total === null) return <>–</>;
  const { meses, dias } = period;
  return (
    <>
      {eur(total)}
      {meses > 0 && <small>{say('billPerMonth', { eur: eur(total / meses) })}</small>}
      {dias !== 365 && <small>{say('billPerYear', { eur: eur((total * 365) / dias) })}</small>}
    </>
  );
}

/** The way to the results that come next. */
function Next({ answer: { results }, nextCount, isBusy, error, hasChanged, goOn }: Rest) {
  const { say } = useTranslation();
  if (error !== null) return <Problem error={error} onRetry={goOn} />;
  if (hasChanged) return <p class="problem">{say('listChanged')}</p>;
  if (nextCount === 0) return <p class="note">{say('listEnds', { count: results.length })}</p>;
  return (
    <button type="button" class="plain" aria-disabled={isBusy} onClick={goOn}>
      {isBusy ? say('working') : say('showNext', { count: nextCount })}
    </button>
  );
}

function Head({ parts, hasSaving, savesBills, hasCommission, bills }: Columns) {
  const { say, language } = useTranslation();
  const money = (name: string): Heading => [`${name} €`, 'n'];
  const taxed = (name: string, isAfter: boolean): Heading => {
    const of = <small>{say(isAfter ? 'afterTaxes' : 'beforeTaxes')}</small>;
    return [[`${name} €`, of], 'n'];
  };
  const score = (
    <>
      {say('score')}
      {hasCommission && <small>{say('scoreParts')}</small>}
    </>
  );
  return (
    <TableHead
      headings={[
        [<span class="unseen-narrow">{say('choose')}</span>],
        ['#', 'n'],
        [say('offer')],
        bills ? taxed(say('bill'), true) : money(say('total')),
        ...(hasSaving ? [bills ? taxed(say('saving'), savesBills) : money(say('saving'))] : []),
        ...(hasCommission ? [money(say('commission'))] : []),
        [score, 'n'],
        ...(bills ? [taxed(say('total'), false)] : []),
        ...parts.map((part) => money(part[language])),
      ]}
    />
  );
}

function Row({
  place,
  result,
  ...columns
}: Columns & {
  readonly place: number;
  readonly result: RankingResult;
}) {
  const { say, eur, number } = useTranslation();
  const [showsMonths, setShowsMonths] = useState(false);
  const { api, parts, hasSaving, hasCommission, bills, chosen, isFull, onChoose } = columns;
  const { offer, indexada, cost, commission, nota, nota_precio, nota_comision, en_frontera, factura_estimada } = result;
  const saved = savedBy(result).eur;
  const isChosen = chosen.includes(offer.id);
  return (
    <>
      <tr data-offer={offer.id} class={isChosen ? 'chosen' : ''}>
        <td>
          <input
            type="checkbox"
            aria-label={say('chooseOffer', { name: offer.offer_name })}
            checked={isChosen}
            disabled={isFull && !isChosen}
            onChange={({ currentTarget }) => onChoose(result, currentTarget.checked)}
          />
        </td>
        <td class="n">{place}</td>
        <th scope="row">
          {offer.offer_name}
          {en_frontera && (
            <span class="mark" role="img" title={say('onFrontier')} aria-label={say('onFrontier')}>
              ◆
            </span>
          )}
          {indexada && (
            <button
              type="button"
              class="plain small"
              aria-expanded={showsMonths}
              aria-label={say('monthsOf', { name: offer.offer_name })}
              onClick={() => setShowsMonths(!showsMonths)}
            >
              {say('months')}
            </button>
          )}
          <small>{offer.company.name}</small>
        </th>
        <td class="n strong">
          {bills ? <BillFigures eur={factura_estimada?.total ?? null} period={bills} /> : eur(cost.total)}
        </td>
        {hasSaving && <td class={`n ${(saved ?? 0) >= 0 ? 'good' : 'bad'}`}>{eur(saved)}</td>}
        {hasCommission && <td class="n">{eur(commission?.total ?? null)}</td>}
        <td class="n">
          <span class="strong">{number(nota, 2)}</span>
          {nota_comision !== null && (
            <small>
              {number(nota_precio, 2)} · {number(nota_comision, 2)}
            </small>
          )}
        </td>
        {bills && <td class="n part">{eur(cost.total)}</td>}
        {parts.map(({ wire }) => (
          <td key={wire} class="n part">
            {eur(cost[wire])}
          </td>
        ))}
      </tr>
      {showsMonths && (
        <tr>
          <td colSpan={5 + parts.length + Number(bills !== null) + Number(hasSaving) + Number(hasCommission)}>
            <Months api={api} id={offer.id} isCatalog={offer.is_catalog} />
          </td>
        </tr>
      )}
    </>
  );
}
