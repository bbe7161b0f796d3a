import type { RankingResult } from '@tarifario/client';
import type { RequestedPreference } from '../ranking/preference.ts';
import { keep, kept } from '../shell/kept.ts';
import type { Language } from '../texts/common.ts';
import type { Answer } from './answer.ts';
import { type Draft, EMPTY_DRAFT, type Question, questionOf, replacing } from './draft.ts';
import type { Reopened } from './reopened.ts';

/** A ticked offer, as the answer had it; `null`: it was ticked before the page was loaded, and no answer has it yet. */
interface Chosen {
  readonly id: number;
  readonly result: RankingResult | null;
}

/** One customer, from what is typed to what is proposed. */
export interface Study {
  readonly draft: Draft;
  /** The question of the form that was answered. */
  readonly asked: Question | null;
  readonly answer: Answer | null;
  readonly preference: RequestedPreference;
  readonly chosen: readonly Chosen[];
  /** The comment on the proposal. */
  readonly comment: string;
  /** The screen is turned to the customer: no commissions, in the order of cost. */
  readonly isForCustomer: boolean;
  /** The account and the rights that preference, choice and answer belong to. */
  readonly reach: string | null;
}

export type Changes = Partial<Draft> | ((now: Draft) => Partial<Draft>);
export type StudyEvent =
  | { readonly name: 'typed'; readonly changes: Changes }
  | { readonly name: 'commented'; readonly comment: string }
  | { readonly name: 'preferred'; readonly preference: RequestedPreference }
  | { readonly name: 'chosen'; readonly result: RankingResult; readonly isChosen: boolean }
  | { readonly name: 'noneChosen' | 'turned' }
  | { readonly name: 'answered'; readonly reach: string; readonly asked: Question; readonly answer: Answer }
  | { readonly name: 'reached'; readonly reach: string }
  | { readonly name: 'reopened'; readonly from: Reopened };
export type Dispatch = (event: StudyEvent) => void;

const EMPTY: Study = {
  draft: EMPTY_DRAFT,
  asked: null,
  answer: null,
  preference: null,
  chosen: [],
  comment: '',
  isForCustomer: false,
  reach: null,
};

export function nextStudy(study: Study, event: StudyEvent): Study {
  switch (event.name) {
    case 'typed': {
      const { draft } = study;
      const changes = typeof event.changes === 'function' ? event.changes(draft) : event.changes;
      return { ...study, draft: { ...draft, ...changes } };
    }
    case 'commented':
      return { ...study, comment: event.comment };
    case 'preferred':
      return { ...study, preference: event.preference };
    case 'chosen': {
      const { result, isChosen } = event;
      const others = study.chosen.filter(({ id }) => id !== result.offer.id);
      return { ...study, chosen: isChosen ? [...others, { id: result.offer.id, result }] : others };
    }
    case 'turned':
      return { ...study, isForCustomer: !study.isForCustomer };
    case 'noneChosen':
      return { ...study, chosen: [] };
    case 'answered':
      // An answer to another account or to other rights may have what these may not see.
      return event.reach === study.reach ? answered(study, event) : study;
    case 'reached':
      // Choice and preference under other rights may tell of commissions. What was typed does not.
      return event.reach === study.reach
        ? study
        : { ...EMPTY, draft: study.draft, comment: study.comment, reach: event.reach };
    case 'reopened': {
      const { typed, comment, preference, offerIds } = event.from;
      const chosen = offerIds.map((id) => ({ id, result: null }));
      const draft = { ...study.draft, ...replacing(study.draft, typed) };
      return { ...EMPTY, reach: study.reach, draft, comment, preference, chosen };
    }
  }
}

/** Ticks stay on the offers that are still in the answer. */
function answered(study: Study, { asked, answer }: StudyEvent & { readonly name: 'answered' }): Study {
  const results = new Map(answer.ranking.results.map((result) => [result.offer.id, result]));
  const chosen = study.chosen.flatMap(({ id }) => {
    const result = results.get(id);
    return result ? [{ id, result }] : [];
  });
  return { ...study, asked, answer, chosen };
}

/** Whether the answer is one to another question than that of the form. One without bills is so whatever their rates. */
export function isStale({ asked, answer, draft }: Study, language: Language): boolean {
  const now = questionOf(draft, language);
  const nameOf = ({ impuestos, ...question }: Question) =>
    JSON.stringify([question, answer?.open ? { ...impuestos, tipos: {} } : impuestos]);
  return asked !== null && (!('question' in now) || nameOf(now.question) !== nameOf(asked));
}

const NAME = 'study';

/** What the tab keeps while the page is loaded again. */
export function keepStudy({ asked: _asked, answer: _answer, chosen, ...study }: Study): void {
  keep(NAME, { ...study, chosen: chosen.map(({ id }) => ({ id, result: null })) });
}

export function keptStudy(): Study {
  const { draft, ...others } = kept(NAME) as Partial<Study>;
  return { ...EMPTY, ...others, draft: { ...EMPTY_DRAFT, ...draft } };
}
