import type { Ranking } from '@tarifario/client';
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';
import { RefField } from '../chosen/ref-field.tsx';
import { PowerCard } from '../power/power-card.tsx';
import { RankingView } from '../ranking/ranking-view.tsx';
import { nextPreferenceOf } from '../ranking/shown-order.ts';
import { Form, Press, Pressed } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { type Session, useOpenSession } from '../shell/session.ts';
import type { Language } from '../texts/common.ts';
import { type TextName, useTranslation } from '../texts/texts.ts';
import { isWithoutRates } from './answer.ts';
import {
  billDayOf,
  type Draft,
  differenceCount,
  EMPTY_DRAFT,
  exampleIn,
  fieldOfPath,
  questionOf,
  withoutRates,
} from './draft.ts';
import type { FormParts } from './fields.tsx';
import { OpenRates } from './open-rates.tsx';
import { QuestionFields } from './question-form.tsx';
import { keepRates, type OpenRate } from './rates.ts';
import type { Reopened } from './reopened.ts';
import { Sources } from './sources.tsx';
import {
  isSameCustomer,
  isStale,
  keepStudy,
  keptStudy,
  nextStudy,
  replacedCount,
  type Study,
  type StudyEvent,
} from './study.ts';
import { supplyLine } from './supply-line.ts';
import { useFollowing, useFreshOffers, useRanking } from './use-ranking.ts';

/** On its own: an effect of the tab that captured the study would hold its answer longer than the rights to it. */
function useKeeping(study: Study) {
  useLayoutEffect(() => keepStudy(study), [study]);
}

/** The study of the tab, for the rights of the session. */
function useStudy({ reach }: Session, from: Reopened | null) {
  const [study, dispatch] = useReducer(nextStudy, null, keptStudy);
  useKeeping(study);
  useLayoutEffect(() => dispatch({ name: 'reached', reach }), [reach]);
  // At once: what is pressed next is about the study that is opened.
  useLayoutEffect(() => {
    if (from) dispatch({ name: 'reopened', from });
  }, [from]);
  return [study, dispatch] as const;
}

const BACK: StudyEvent = { name: 'broughtBack' };

/** What has to be ranked once it is brought back, as the answer is that of another customer. Apart, as `useKeeping` is. */
function rankedBack(study: Study, language: Language): Pick<Study, 'draft' | 'preference'> | null {
  const back = nextStudy(study, BACK);
  if (isSameCustomer(back, study) || !('question' in questionOf(back.draft, language))) return null;
  return { draft: back.draft, preference: nextPreferenceOf(back) };
}

/** One customer: from the known quantities to offers in order. */
export function CustomerTab({
  from,
}: {
  /** The question that is opened again; `null`: none. */
  readonly from: Reopened | null;
}) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say, language } = translation;
  const [study, dispatch] = useStudy(session, from);
  const { draft, preference, isForCustomer } = study;
  const { formElement, heading, faults, isBusy, error, rank, read, fold } = useRanking(study, { from, dispatch });
  const { isTyping, type } = useTyping(study.opened.order, from, formElement);
  // Other rights must not see the answer. An element that is made from it once more would keep it in memory.
  const isOld = isStale(study, language);
  const isSeen = study.reach === session.reach;
  const rankAfter = (event: StudyEvent, changes: Partial<Draft>) => {
    dispatch(event);
    void rank({ ...draft, ...changes });
  };
  const turnTaxes = () => {
    const changes = { isBilled: !draft.isBilled };
    rankAfter({ name: 'typed', changes }, changes);
  };
  const chooseRates = (rates: readonly OpenRate[]) => {
    keepRates(session.accountId, rates, billDayOf(draft) ?? '');
    const changes = { values: withoutRates(draft.values) };
    rankAfter({ name: 'typed', changes }, changes);
  };
  const form: FormParts = {
    draft,
    faults,
    change: (changes) => dispatch({ name: 'typed', changes }),
    replace: (changes) => dispatch({ name: 'replaced', changes }),
    read,
  };
  const [before] = study.earlier;
  // What was never ranked is not ranked because another reading has replaced it.
  const isRanked = study.asked !== null || error !== null || before?.isRanked;
  const back = isRanked ? rankedBack(study, language) : null;
  const bringBack = () => {
    dispatch(BACK);
    if (back) void rank(back.draft, true, back.preference);
  };
  const now = questionOf(draft, language);
  // After a failure, such as too many requests, it waits for a press.
  const isDue = isOld && isSeen && 'question' in now && !isBusy && error === null;
  useFollowing(isDue, draft, () => void rank(draft, true));
  useFreshOffers(isSeen && study.answer !== null && !isOld, () => void rank(draft, true));
  const answered = isSeen ? (study.answer?.ranking ?? null) : null;
  const line = 'question' in now ? supplyLine(now.question, answered, translation) : draft.tariff;
  // Of other data, or of members that the form does not have, another amount is no change of a price.
  const isAsOpened =
    !isOld && from !== null && from.proposalId === study.opened.proposalId && isSameQuestion(from, draft, language);
  const isAnswered = isSeen && study.answer !== null;
  const asksRates = !isOld && study.answer !== null && isWithoutRates(study.answer);
  const isFolded = isAnswered && fold.isFolded;
  const isEmpty = !isTyping && error === null && isUntouched(study);
  const tryExample = () => {
    // Another customer: how a reading before it went is gone with it.
    read((now) => ({ draft: { ...now, ...exampleIn(language) }, isOther: true }));
    dispatch({ name: 'named', ref: say('exampleRef') });
  };
  return (
    <div class={`desk ${isFolded ? 'folded' : isEmpty ? 'empty' : ''}`}>
      <Form class="card question" element={formElement} onSend={() => rank()}>
        <FoldLine {...{ line, ...fold, isFolded, isThere: isAnswered }}>
          <RefField name={study.ref} dispatch={dispatch} />
        </FoldLine>
        <OpenedFrom {...study.opened} />
        <div hidden={draft.supply !== 'LUZ'}>
          <Sources {...{ form, from, isFolded }} order={study.opened.order} />
        </div>
        <Replaced count={replacedCount(study)} isOther={isAnother(study)} onBack={bringBack} />
        {isEmpty && <Beginnings onType={type} onExample={tryExample} />}
        <div class="question" hidden={isFolded || isEmpty}>
          <QuestionFields form={form} />
          <Press text="rank" type="submit" class="main" isBusy={isBusy} />
          <PowerCard
            form={form}
            order={{ preference, isForCustomer }}
            onStudy={({ typed }) => rankAfter({ name: 'replaced', changes: typed }, typed)}
          />
        </div>
        {error !== null && (
          <Problem error={error} isAtField={(path) => fieldOfPath(path) in faults} onRetry={() => rank()} />
        )}
      </Form>
      {isSeen && study.answer && (
        <div class={`answers ${isOld ? 'stale' : ''}`}>
          {isOld && <Old onRank={() => void rank()} />}
          <RankingView
            heading={heading}
            study={{ ...study, answer: study.answer }}
            isStale={isOld}
            dispatch={dispatch}
            actions={
              <Pressed
                text={asksRates ? 'withoutTaxes' : 'withTaxes'}
                isOn={billDayOf(draft) !== null && !asksRates}
                onPress={turnTaxes}
              />
            }
          >
            {from && isAsOpened && answered && <ProposedThen from={from} answer={answered} />}
            {!isOld && <OpenRates study={study} onChoose={chooseRates} />}
          </RankingView>
        </div>
      )}
    </div>
  );
}

/** Whether the fields of a study are asked for, of which a new one shows none. */
function useTyping(order: number, from: Reopened | null, form: RefObject<HTMLElement | null>) {
  const [typing, setTyping] = useState<{ readonly order: number; readonly from: Reopened | null } | null>(null);
  const type = () => {
    setTyping({ order, from });
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('select')?.focus());
  };
  return { isTyping: typing?.order === order && typing.from === from, type };
}

const isSameQuestion = ({ typed, missing }: Reopened, draft: Draft, language: Language): boolean =>
  missing.length === 0 &&
  JSON.stringify(questionOf({ ...typed, firmId: draft.firmId }, language)) ===
    JSON.stringify(questionOf(draft, language));

const isAnother = ({ earlier: [before], ...study }: Study): boolean =>
  before !== undefined && !isSameCustomer(before, study);

/** Nothing was typed, read or opened. */
const isUntouched = ({ asked, draft, opened: { proposalId, missing } }: Study): boolean =>
  asked === null && differenceCount(draft, EMPTY_DRAFT) === 0 && proposalId === null && missing.length === 0;

/** That the answer is one to another question. */
function Old({ onRank }: { readonly onRank: () => void }) {
  const { say } = useTranslation();
  return (
    <div class="old">
      <p class="card">
        {say('stale')} <Press text="rankAgain" onPress={onRank} />
      </p>
    </div>
  );
}

/** The supply in a line, and the button that opens it. */
function FoldLine({
  line,
  isThere,
  isFolded,
  setFolded,
  children,
}: {
  readonly line: string;
  /** There is an answer, so it can be folded. */
  readonly isThere: boolean;
  readonly isFolded: boolean;
  readonly setFolded: (isFolded: boolean) => void;
  /** The name of the customer of an answer. */
  readonly children: ComponentChildren;
}) {
  const { say } = useTranslation();
  return (
    <div class="fold">
      <h2 class={isFolded ? 'unseen' : ''}>{say('customer')}</h2>
      {isThere && children}
      {isFolded && <span>{line}</span>}
      {isThere && (
        <Press
          text={isFolded ? 'edit' : 'fold'}
          class="plain"
          aria-expanded={!isFolded}
          onPress={() => setFolded(!isFolded)}
        />
      )}
    </div>
  );
}

/** How a study begins without a file. */
function Beginnings({ onType, onExample }: { readonly onType: () => void; readonly onExample: () => void }) {
  return (
    <div class="next">
      <Press text="typeIt" class="main" onPress={onType} />
      <Press text="tryExample" onPress={onExample} />
    </div>
  );
}

/** What was here before, and a button that brings it back. */
function Replaced({
  count,
  isOther,
  onBack,
}: {
  readonly count: number;
  /** It was another customer. */
  readonly isOther: boolean;
  readonly onBack: () => void;
}) {
  const { say } = useTranslation();
  return (
    <div role="status">
      {count > 0 && (
        <p>
          {isOther && <strong>{say('newStudyOpen')}</strong>} {say('replaced', { count })}{' '}
          <Press text="bringBack" class="plain" onPress={onBack} />
        </p>
      )}
    </div>
  );
}

/** What the offers of a proposal cost by now that is opened again. */
function ProposedThen({ from, answer }: { readonly from: Reopened; readonly answer: Ranking }) {
  const { say, eur } = useTranslation();
  const changes = (from.proposed ?? []).flatMap((then) => {
    const now = answer.results.find(({ offer }) => offer.id === then.offer_id);
    if (!now) return answer.results.length < answer.total ? [] : [say('isGone', { name: then.offer_name })];
    const paid = [then, now].map((one) => one.factura_estimada?.total ?? null);
    const costs = [then, now].map(({ cost }) => cost.total);
    const [before = null, after = null] = paid.includes(null) ? costs : paid;
    return before === after ? [] : [`${then.offer_name}: ${eur(before)} → ${eur(after)} €`];
  });
  if (changes.length === 0) return null;
  return (
    <p class="card problem" role="status">
      {say('proposedThen', { changes: changes.join(' · ') })}
    </p>
  );
}

/** Members of a question that the form has no field for. */
const WITHOUT_FIELD: Readonly<Record<string, TextName>> = {
  mes: 'questionMonth',
  meses: 'inMonths',
  fecha_firma: 'signingDay',
  ssaa_included: 'ssaaIncluded',
  ssaa_eur_mwh: 'ssaaPrice',
  fee_energia: 'energyFee',
  fee_potencia: 'powerFee',
  company_id: 'onlyRetailer',
  company_name: 'onlyRetailer',
  bono_social: 'socialBonus',
  es_tur: 'lastResort',
};

/** Where a question comes from that was opened again, and what of it the form does not have. */
function OpenedFrom({ proposalId, missing }: Study['opened']) {
  const { say } = useTranslation();
  const nameOf = (path: string) => {
    const text = WITHOUT_FIELD[path.split('.').at(-1) ?? ''];
    return text ? say(text) : path;
  };
  return (
    <>
      {proposalId !== null && <p class="note">{say('reopenedFrom', { id: proposalId })}</p>}
      {missing.length > 0 && <p class="problem">{say('reopenedWithout', { names: missing.map(nameOf).join(', ') })}</p>}
    </>
  );
}
