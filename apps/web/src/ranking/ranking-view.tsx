import type { Ranking, RankingQuestion, RankingResult, Tarifario } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import type { ComponentChildren, RefObject } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { ChosenOffers, MAX_CHOSEN } from '../chosen/chosen-offers.tsx';
import { proposedFrom } from '../chosen/proposed.ts';
import type { Answer } from '../customer/answer.ts';
import { Step } from '../customer/step.tsx';
import type { Dispatch, Study } from '../customer/study.ts';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import { ConsumptionThresholds } from './consumption-thresholds.tsx';
import { Excluded } from './excluded.tsx';
import { Notices } from './notices.tsx';
import { type Explain, OfferDrawer } from './offer-drawer.tsx';
import { canReweigh, toWirePreference } from './preference.ts';
import { RankingTable } from './ranking-table.tsx';
import { preferenceOf, shownOf, shownResults } from './shown-order.ts';
import { Summary } from './summary.tsx';
import { TradeOff } from './trade-off.tsx';
import { useContinued } from './use-continued.ts';
import { useOrdered } from './use-ordered.ts';

/** A ranking: first the answer of the server, then the order of the sliders. */
export function RankingView({
  session,
  study: { answer, chosen, ref, comment, isForCustomer, ...study },
  isStale,
  heading,
  dispatch,
  actions,
  children,
}: {
  readonly session: Session;
  readonly study: Study & { readonly answer: Answer };
  /** The form has another question by now. */
  readonly isStale: boolean;
  /** Gets the focus when an answer comes. */
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly dispatch: Dispatch;
  /** Buttons beside the total. */
  readonly actions: ComponentChildren;
  /** What stands above the offers. */
  readonly children: ComponentChildren;
}) {
  const { api, scopes } = session;
  const { say } = useTranslation();
  const [open, setOpen] = useState<RankingResult | null>(null);
  const { ranking, question } = answer;
  const order = { preference: study.preference, isForCustomer };
  const advised = useOrdered(api, answer, study.preference);
  const byCost = useOrdered(api, answer, isForCustomer ? preferenceOf(order) : answer.preference);
  const ordered = isForCustomer ? byCost : advised;
  // What was ranked by a weight is not shown to the customer for a moment either.
  const isWithheld = isForCustomer && ordered.isAwaited;
  const isBusy = ordered.isAwaited && ordered.error === null;
  const continued = useContinued(api, ordered.ranking, { ...question, ...toWirePreference(ordered.preference) });
  const shown = useMemo(() => shownOf(continued.answer, { isForCustomer }), [isForCustomer, continued.answer]);
  const told = { ...question, ...toWirePreference(isForCustomer ? preferenceOf(order) : ordered.preference) };
  const summary = (
    <Summary answer={isWithheld ? null : shown} isBusy={isBusy} heading={heading}>
      {actions}{' '}
      {ranking.umbrales !== null && (
        <button
          type="button"
          aria-pressed={isForCustomer}
          title={isForCustomer ? undefined : say('customerViewOf')}
          onClick={() => dispatch({ name: 'turned' })}
        >
          {say('customerView')}
        </button>
      )}
      {shown.total > 0 && <ConsumptionThresholds api={api} answer={answer} />}
    </Summary>
  );
  const explain: Explain = { api, of: tellingOf(api, told, continued.answer, open?.puesto), isStale };
  if (shown.total === 0) {
    return (
      <>
        {summary}
        <Notices answer={shown} />
        <Excluded answer={shown} />
      </>
    );
  }
  const known = chosen.flatMap(({ result }) => (result ? [resultAt(continued.answer, result)] : []));
  const chosenResults = shownResults(known, { isForCustomer });
  const chosenIds = known.map(({ offer }) => offer.id);
  const proposed = proposedFrom(question, chosenIds, { advised, byCost: isForCustomer ? byCost : null });
  return (
    <>
      {summary}
      <Step name={say('ranking')} line={say('noticeOffers', { count: shown.total })}>
        {children}
        {!isWithheld && <Notices answer={shown} />}
        {shown.umbrales && (
          <TradeOff
            answer={shown}
            preference={study.preference}
            onOpen={setOpen}
            onPreference={(next) => dispatch({ name: 'preferred', preference: next })}
          />
        )}
        {!canReweigh(ranking) && shown.umbrales && <p class="note">{say('askedAgain', { count: MAX_LIMIT })}</p>}
        {ordered.error !== null && <Problem error={ordered.error} onRetry={ordered.retry} />}
        {!isWithheld && (
          <RankingTable
            reach={session.reach}
            customer={study.opened.order}
            continued={{ ...continued, answer: shown }}
            searchable={{ api, first: ordered.ranking, question: told, isForCustomer }}
            onOpen={setOpen}
            isBusy={isBusy}
            selection={{
              chosen: chosenIds,
              isFull: chosenIds.length === MAX_CHOSEN,
              onChoose: (result, isChosen) => dispatch({ name: 'chosen', result, isChosen }),
            }}
          />
        )}
        {open && <OfferDrawer key={open.offer.id} result={open} explain={explain} onClose={() => setOpen(null)} />}
        {!isWithheld && <Excluded answer={shown} />}
      </Step>
      {chosenResults.length > 0 && (
        <Step name={say('proposal')} line={chosenResults.map(({ offer }) => offer.offer_name).join(' · ')}>
          <ChosenOffers
            session={session}
            answer={shown}
            chosen={chosenResults}
            proposed={proposed}
            mayPropose={scopes.includes('proposals:write')}
            isStale={isStale || isWithheld || (isForCustomer && advised.isAwaited && advised.error === null)}
            noted={{ ref, comment }}
            dispatch={dispatch}
          />
        </Step>
      )}
      {chosenResults.length > 0 && <Tray chosen={chosenResults} />}
    </>
  );
}

/** The choice in sight of the ticks. */
function Tray({ chosen }: { readonly chosen: readonly RankingResult[] }) {
  const { say } = useTranslation();
  return (
    <p class="card tray">
      {chosen.map(({ offer }) => offer.offer_name).join(' · ')}{' '}
      <button type="button" onClick={() => document.getElementById('chosen-title')?.focus()}>
        {say('toChosen')}
      </button>
    </p>
  );
}

/**
 * Asks of one offer of an answer, at its place in the order of the service, which is not that of bills.
 *
 * @param found - The place of an offer that the answer does not have.
 */
function tellingOf(api: Tarifario, question: RankingQuestion, { results }: Ranking, found = 1): Explain['of'] {
  return async (id, asked, signal) => {
    const index = results.findIndex(({ offer }) => offer.id === id);
    const body = { ...question, ...asked, limit: 1, offset: index < 0 ? found - 1 : index };
    const told = await api.rankOffers({ body }, { signal });
    const [result = null] = told.results;
    return { ...told, result: result?.offer.id === id ? result : null };
  };
}

/** A result that was chosen, as it is at the weight of an answer that may not have it. */
function resultAt({ results, w }: Ranking, chosen: RankingResult): RankingResult {
  const { offer, nota_precio, nota_comision } = chosen;
  const nota = w * nota_precio + (1 - w) * (nota_comision ?? 0);
  return results.find((one) => one.offer.id === offer.id) ?? { ...chosen, nota };
}
