import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nextPreferenceOf } from '../ranking/shown-order.ts';
import { focusFault } from '../shell/keep-focus.ts';
import { usePlace } from '../shell/place.tsx';
import { useTask } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import { answerTo } from './answer.ts';
import type { Draft } from './draft.ts';
import { EMPTY_DRAFT, type Faults, faultsIn, questionOf } from './draft.ts';
import { keepRecent } from './recent.ts';
import type { Reopened } from './reopened.ts';
import type { Dispatch, ReadOf, Study } from './study.ts';

/** Where a new study begins. */
const FIRST_FIELD = 'input:not([type=file], [disabled])';
/** Within how much of the window the first offer is seen at once. */
const IN_SIGHT_PX = 600;

/** The focus goes to the result, and the window to where its first offer is seen. */
function showResult(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
  scrollTo(0, 0);
  const result = heading?.closest('.answers');
  const top = result?.querySelector('[data-offer]')?.getBoundingClientRect().top ?? 0;
  if (top > IN_SIGHT_PX) result?.scrollIntoView();
}

/** Asks for the offers of the form: when the user says so, and by itself for a question that is opened again. */
export function useRanking(
  study: Study,
  { from, dispatch }: { readonly from: Reopened | null; readonly dispatch: Dispatch },
) {
  const session = useOpenSession();
  const { draft } = study;
  /** As of now: a reading may have begun another study while it was asked. */
  const order = useRef(0);
  order.current = study.opened.order;
  const preference = nextPreferenceOf(study);
  const { language } = useTranslation();
  const [faults, setFaults] = useState<Faults>({});
  const { isBusy, error, run } = useTask();
  /** Whether the form is folded to a line: once it is answered it is, and what is wrong in it opens it. */
  const [isFolded, setFolded] = useState(study.asked !== null && 'question' in questionOf(draft, language));
  const formElement = useRef<HTMLFormElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const toFault = () => {
    setFolded(false);
    focusFault(formElement.current);
  };
  /** Whether the last question was asked by itself: then the focus stays where it is. */
  const isFollowing = useRef(false);
  /** What was opened again, and is not yet asked. */
  const opened = useRef(from);
  const isFirst = study.asked === null;
  const rank = async (asks = draft, follows = false, by = preference) => {
    const asked = questionOf(asks, language);
    setFaults('faults' in asked ? asked.faults : {});
    isFollowing.current = follows;
    if ('faults' in asked) {
      // What the last question was refused for is not what this one lacks.
      void run(async () => {});
      return void toFault();
    }
    await run(async () => {
      const { question } = asked;
      const answer = await answerTo(session, question, by);
      // An answer to what was here before would take its ticks away.
      if (opened.current) return;
      dispatch({ name: 'answered', reach: session.reach, asked: question, answer, language });
      keepRecent(session, asks, order.current);
      if (follows) {
        // A field that is typed in stays.
        if (formElement.current?.querySelector('div.question :focus')) setFolded(false);
        return;
      }
      // A switch beside the result leaves the form as it is.
      if (isFirst || asks === draft) setFolded(true);
      requestAnimationFrame(() => showResult(heading.current));
    });
  };
  useLayoutEffect(() => {
    opened.current = from;
  }, [from]);
  useLayoutEffect(() => {
    if (!opened.current || isBusy) return;
    const { typed, preference: by, missing } = opened.current;
    opened.current = null;
    // Once it is answered.
    setFolded(missing.length === 0);
    if (typed === EMPTY_DRAFT) {
      setFaults({});
      // Nor is the error of the study before one of this.
      requestAnimationFrame(() => formElement.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus());
      return void run(async () => {});
    }
    // Where the form lacks something the focus does not leave what says so.
    void rank({ ...typed, firmId: draft.firmId }, missing.length > 0, by);
  }, [from, isBusy]);
  /** What was read. The first question that is whole is asked by itself, later ones once the form rests. */
  const read = (readOf: ReadOf) => {
    dispatch({ name: 'read', readOf });
    const { draft: next } = readOf(draft);
    if (isFirst && 'question' in questionOf(next, language)) void rank(next);
  };
  const refused = faultsIn(error, draft);
  useEffect(() => {
    if (Object.keys(refused).length > 0 && !isFollowing.current) toFault();
  }, [error]);
  const fold = { isFolded, setFolded };
  return { formElement, heading, faults: { ...refused, ...faults }, isBusy, error, rank, read, fold };
}

/** How long the form rests until the answer follows it. */
const REST_MS = 600;

/** Ranks again once a changed form rests. */
export function useFollowing(isDue: boolean, draft: Draft, rank: () => void): void {
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(rank, REST_MS);
    return () => clearTimeout(timer);
  }, [isDue, draft]);
}

/** Ranks again on the way back from the offers, which may have changed there. */
export function useFreshOffers(isAnswered: boolean, rank: () => void): void {
  const { room } = usePlace();
  const wereSeen = useRef(false);
  useEffect(() => {
    if (room === 'ofertas') wereSeen.current = true;
    if (room !== 'estudio' || !wereSeen.current) return;
    wereSeen.current = false;
    if (isAnswered) rank();
  }, [room]);
}
