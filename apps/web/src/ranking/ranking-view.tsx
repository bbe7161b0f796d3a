import type { Ranking, RankingQuestion, RankingResult, Tarifario } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import type { ComponentChildren, RefObject } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { ChosenOffers, MAX_CHOSEN } from '../chosen/chosen-offers.tsx';
import { PROPOSAL_FORM } from '../chosen/proposal.tsx';
import { proposedFrom } from '../chosen/proposed.ts';
import { RefField } from '../chosen/ref-field.tsx';
import { type Answer, isWithoutRates } from '../customer/answer.ts';
import type { Dispatch, Study } from '../customer/study.ts';
import { Press, Pressed } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { useOpenSession } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import { ConsumptionThresholds } from './consumption-thresholds.tsx';
import { Excluded, Notices } from './notices.tsx';
import { type Explain, OfferDrawer } from './offer-drawer.tsx';
import { useContinued, useOrdered } from './orders.ts';
import { canReweigh, toWirePreference } from './preference.ts';
import { RankingTable } from './ranking-table.tsx';
import { preferenceOf, type ShownOrder, shownOf, shownResults } from './shown-order.ts';
import { Summary } from './summary.tsx';
import { TradeOff, WeightSlider } from './trade-off.tsx';

/** A ranking: first the answer of the server, then the order of the sliders. */
export function RankingView({
  study: { answer, chosen, ref, comment, isForCustomer, ...study },
  isStale,
  heading,
  dispatch,
  actions,
  children,
}: {
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
  const session = useOpenSession();
  const { api, scopes } = session;
  const { say } = useTranslation();
  const [open, setOpen] = useState<RankingResult | null>(null);
  const [isPlotAsked, setPlotAsked] = useState(false);
  const { ranking, question } = answer;
  const { advised, byCost, ordered, continued, shown, told, isWithheld, isBusy } = useOrders(api, answer, {
    ...{ preference: study.preference, isForCustomer },
  });
  const explain: Explain = { api, of: tellingOf(api, told, continued.answer, open?.puesto), isStale };
  const known = chosen.flatMap(({ result }) => (result ? [resultAt(continued.answer, result)] : []));
  const chosenResults = shownResults(known, { isForCustomer });
  const chosenIds = known.map(({ offer }) => offer.id);
  const proposed = proposedFrom(question, chosenIds, { advised, byCost: isForCustomer ? byCost : null });
  const summary = (
    <Summary
      key="summary"
      answer={isWithheld ? null : shown}
      chosen={firstOf(shown, chosenResults)}
      isBusy={isBusy}
      lacksRates={isWithoutRates(answer) && study.draft.present !== 'presentNone'}
      heading={heading}
    >
      {actions}
      {ranking.umbrales !== null && (
        <Pressed
          text="customerView"
          title={isForCustomer ? undefined : 'customerViewOf'}
          isOn={isForCustomer}
          onPress={() => dispatch({ name: 'turned' })}
        />
      )}
      {!isWithheld && <Notices answer={shown} />}
      {shown.total > 0 && <ConsumptionThresholds api={api} answer={answer} />}
    </Summary>
  );
  if (shown.total === 0) return [summary, <Excluded key="excluded" answer={shown} />];
  const onPreference = (preference: Study['preference']) => dispatch({ name: 'preferred', preference });
  const weighing = { answer: shown, preference: study.preference, onPreference };
  const isPlot = isPlotAsked && shown.umbrales !== null;
  const isOld = isStale || isWithheld || (isForCustomer && advised.isAwaited && advised.error === null);
  const leftOut = isOld ? [] : chosenResults.filter(({ offer }) => proposed.leftOutIds.includes(offer.id));
  const mayPropose = scopes.includes('proposals:write');
  const trayed = { chosen: chosenResults, name: ref, mayPropose, isOff: isOld || leftOut.length > 0, dispatch };
  const tray = chosenResults.length > 0 && <Tray key={study.opened.order} {...trayed} />;
  return (
    <>
      {summary}
      {children}
      {shown.umbrales && (
        <WeightSlider {...weighing}>
          <Pressed text="showTable" isOn={!isPlot} onPress={() => setPlotAsked(false)} />
          <Pressed text="showPlot" isOn={isPlot} onPress={() => setPlotAsked(true)} />
        </WeightSlider>
      )}
      {isPlot && <TradeOff {...weighing} onOpen={setOpen} />}
      {!canReweigh(ranking) && shown.umbrales && <p class="note">{say('askedAgain', { count: MAX_LIMIT })}</p>}
      {ordered.error !== null && <Problem error={ordered.error} onRetry={ordered.retry} />}
      {!isWithheld && (
        <div hidden={isPlot}>
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
            tray={tray}
          />
        </div>
      )}
      {(isWithheld || isPlot) && tray}
      {open && <OfferDrawer key={open.offer.id} result={open} explain={explain} onClose={() => setOpen(null)} />}
      {!isWithheld && <Excluded answer={shown} />}
      {chosenResults.length > 0 && (
        <ChosenOffers
          answer={shown}
          chosen={chosenResults}
          proposed={proposed}
          mayPropose={mayPropose}
          isStale={isOld}
          leftOut={leftOut.map(({ offer }) => offer.offer_name)}
          noted={{ ref, comment, opened: study.opened }}
          dispatch={dispatch}
        />
      )}
    </>
  );
}

/** An answer in the order of the advisor and in that of the customer, and what is shown of it. */
function useOrders(api: Tarifario, answer: Answer, order: ShownOrder) {
  const { preference, isForCustomer } = order;
  const advised = useOrdered(api, answer, preference);
  const byCost = useOrdered(api, answer, isForCustomer ? preferenceOf(order) : answer.preference);
  const ordered = isForCustomer ? byCost : advised;
  // What was ranked by a weight is not shown to the customer for a moment either.
  const isWithheld = isForCustomer && ordered.isAwaited;
  const isBusy = ordered.isAwaited && ordered.error === null;
  const { question } = answer;
  const continued = useContinued(api, ordered.ranking, { ...question, ...toWirePreference(ordered.preference) });
  const shown = useMemo(() => shownOf(continued.answer, { isForCustomer }), [isForCustomer, continued.answer]);
  const told = { ...question, ...toWirePreference(isForCustomer ? preferenceOf(order) : ordered.preference) };
  return { advised, byCost, ordered, continued, shown, told, isWithheld, isBusy };
}

/** The first chosen offer in the order of the list. */
function firstOf({ results }: Ranking, chosen: readonly RankingResult[]): RankingResult | undefined {
  const ids = new Set(chosen.map(({ offer }) => offer.id));
  return results.find(({ offer }) => ids.has(offer.id)) ?? chosen[0];
}

/** Above all else, so that its place in the document can be that of the last tick, from which it is next by keyboard. */
const showTray = (element: HTMLElement | null): void => element?.showPopover();

/** The choice, in sight wherever the list is scrolled to, and what is done with it. */
function Tray({
  chosen,
  name,
  mayPropose,
  isOff,
  dispatch,
}: {
  readonly chosen: readonly RankingResult[];
  /** What the office calls the customer by. */
  readonly name: string;
  readonly mayPropose: boolean;
  readonly isOff: boolean;
  readonly dispatch: Dispatch;
}) {
  // The head of the study may be out of sight. The field does not go away while it is typed in.
  const asksName = useRef(false);
  asksName.current ||= name.trim() === '';
  return (
    <p class="card tray" popover="manual" ref={showTray}>
      {chosen.map(({ offer }) => offer.offer_name).join(' · ')}{' '}
      {mayPropose && asksName.current && <RefField {...{ name, dispatch }} />}{' '}
      <Press text="toChosen" onPress={() => document.getElementById('chosen-title')?.focus()} />{' '}
      {mayPropose && <Press text="makeProposal" type="submit" class="main" form={PROPOSAL_FORM} disabled={isOff} />}
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
