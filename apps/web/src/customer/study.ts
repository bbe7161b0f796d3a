import type { RankingResult } from '@tarifario/client';
import type { RequestedPreference } from '../ranking/preference.ts';
import { keep, kept } from '../shell/kept.ts';
import type { Language } from '../texts/common.ts';
import type { Answer } from './answer.ts';
import { type CustomerQuestion, changedDraft, type Draft, differenceCount, EMPTY_DRAFT, questionOf } from './draft.ts';
import type { Read } from './readings.ts';
import type { Reopened } from './reopened.ts';

/** A ticked offer, as the answer had it; `null`: it was ticked before the page was loaded, and no answer has it yet. */
interface Chosen {
  readonly id: number;
  readonly result: RankingResult | null;
}

/** What a person does for one customer. Another customer replaces it, and it is brought back, as a whole. */
interface Work {
  readonly draft: Draft;
  readonly preference: RequestedPreference;
  readonly chosen: readonly Chosen[];
  /** What the office calls the customer by. */
  readonly ref: string;
  /** The comment on the proposal. */
  readonly comment: string;
  readonly opened: Opened;
  /** It has been asked once. */
  readonly isRanked: boolean;
}

/** Where a customer comes from. */
interface Opened extends Pick<Reopened, 'proposalId' | 'missing'> {
  /** One number for each customer. */
  readonly order: number;
}

/** One customer, from what is typed to what is proposed. */
export interface Study extends Work {
  /** What was replaced, the last first. */
  readonly earlier: readonly Work[];
  /** The question of the form that was answered. */
  readonly asked: CustomerQuestion | null;
  readonly answer: Answer | null;
  /** The screen is turned to the customer: no commissions, in the order of cost. */
  readonly isForCustomer: boolean;
  /** The account and the rights that preference, choice and answer belong to. */
  readonly reach: string | null;
}

export type Changes = Partial<Draft> | ((now: Draft) => Partial<Draft>);
/** A reading, over the draft before it. */
export type ReadOf = (before: Draft) => Read;
export type StudyEvent =
  | { readonly name: 'typed' | 'replaced'; readonly changes: Changes }
  | { readonly name: 'read'; readonly readOf: ReadOf }
  | { readonly name: 'commented'; readonly comment: string }
  | { readonly name: 'named'; readonly ref: string }
  | { readonly name: 'preferred'; readonly preference: RequestedPreference }
  | { readonly name: 'chosen'; readonly result: RankingResult; readonly isChosen: boolean }
  | { readonly name: 'noneChosen' | 'turned' | 'broughtBack' }
  | {
      readonly name: 'answered';
      readonly reach: string;
      readonly asked: CustomerQuestion;
      readonly answer: Answer;
      readonly language: Language;
    }
  | { readonly name: 'reached'; readonly reach: string }
  | { readonly name: 'reopened'; readonly from: Reopened };
export type Dispatch = (event: StudyEvent) => void;

const EMPTY_WORK: Work = {
  draft: EMPTY_DRAFT,
  preference: null,
  chosen: [],
  ref: '',
  comment: '',
  opened: { order: 0, proposalId: null, missing: [] },
  isRanked: false,
};
const EMPTY: Study = {
  ...EMPTY_WORK,
  earlier: [],
  asked: null,
  answer: null,
  isForCustomer: false,
  reach: null,
};

export function nextStudy(study: Study, event: StudyEvent): Study {
  switch (event.name) {
    case 'typed':
    case 'replaced': {
      const { draft } = study;
      const changes = typeof event.changes === 'function' ? event.changes(draft) : event.changes;
      const next = changedDraft(draft, changes);
      return event.name === 'typed' ? withDraft(study, next) : replacedBy(study, next);
    }
    case 'read': {
      const { draft, isOther } = event.readOf(study.draft);
      return isOther ? ofAnother(study, draft) : replacedBy(study, draft);
    }
    case 'broughtBack':
      return broughtBack(study);
    case 'commented':
      return { ...study, comment: event.comment };
    case 'named':
      return { ...study, ref: event.ref };
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
        : { ...EMPTY, ...typedIn(study), earlier: study.earlier.map(typedIn), reach: event.reach };
    case 'reopened': {
      const { typed: draft, ref, comment, preference, offerIds, proposalId, missing } = event.from;
      // Another new study in place of one in which nothing was done.
      if (draft === EMPTY_DRAFT && differenceCount(study.draft, draft) === 0 && study.asked === null) return study;
      const earlier = [workIn(study), ...earlierIn(study)];
      const opened = { order: earlier.length, proposalId, missing };
      // Who looks at the screen stays the same.
      const { reach, isForCustomer } = study;
      const chosen = ticksOf(offerIds);
      const own = { ...draft, firmId: study.draft.firmId };
      // It is asked at once.
      const isRanked = draft !== EMPTY_DRAFT;
      const work = { draft: own, ref, comment, preference, chosen, opened, isRanked };
      return { ...EMPTY, ...work, reach, isForCustomer, earlier };
    }
  }
}

/** Other data of the same customer. */
function replacedBy(study: Study, draft: Draft): Study {
  if (JSON.stringify(draft) === JSON.stringify(study.draft)) return study;
  return { ...withDraft(study, draft), earlier: [workIn(study), ...study.earlier] };
}

/** Another customer: comment and ticks begin anew. */
function ofAnother(study: Study, draft: Draft): Study {
  const earlier = [workIn(study), ...earlierIn(study)];
  const { preference } = study;
  const opened = { ...EMPTY_WORK.opened, order: earlier.length };
  return { ...study, ...EMPTY_WORK, draft, preference, opened, earlier };
}

const ticksOf = (ids: readonly number[]): readonly Chosen[] => ids.map((id) => ({ id, result: null }));

/** Without the answers, which may have what other rights may not see. */
const workIn = ({ draft, preference, chosen, ref, comment, opened, isRanked }: Work): Work => {
  return { draft, preference, chosen: ticksOf(chosen.map(({ id }) => id)), ref, comment, opened, isRanked };
};

const typedIn = ({ draft, ref, comment, opened, isRanked }: Work): Work => {
  return { ...EMPTY_WORK, draft, ref, comment, opened, isRanked };
};

/** The same work with other data. Of the comment it changes what the page wrote, and nothing that a person did. */
function withDraft<T extends Work>(work: T, draft: Draft): T {
  const { remark } = work.draft;
  if (remark === draft.remark) return { ...work, draft };
  const own = remark === '' ? work.comment : work.comment.replace(remark, '').trim();
  return { ...work, draft, comment: [own, draft.remark].filter((text) => text !== '').join('\n') };
}

/** What was replaced; all data of the same customer have the comment and the ticks of now. */
const earlierIn = (study: Study): readonly Work[] =>
  study.earlier.map((one) => (isSameCustomer(one, study) ? withDraft(workIn(study), one.draft) : one));

export const isSameCustomer = (one: Work, other: Work): boolean => one.opened.order === other.opened.order;

/** Brings back what was replaced, and puts what was there last, so that repeated undoing returns to it. */
function broughtBack(study: Study): Study {
  const [last, ...others] = earlierIn(study);
  if (!last) return study;
  const earlier = [...others, workIn(study)];
  return { ...study, ...last, chosen: chosenIn(last, study.answer, true), earlier };
}

/** How many typed and chosen values the last change has replaced. */
export function replacedCount(study: Study): number {
  const [before] = study.earlier;
  if (!before) return 0;
  const count = differenceCount(before.draft, study.draft);
  return isSameCustomer(before, study) ? count : count + before.chosen.length + (before.comment.trim() === '' ? 0 : 1);
}

/** The ticks with the results of an answer. @param keepsOthers - Also those that it does not have: it is of another question. */
function chosenIn({ chosen }: Work, answer: Answer | null, keepsOthers: boolean): readonly Chosen[] {
  const results = new Map(answer?.ranking.results.map((result) => [result.offer.id, result]));
  const all = chosen.map(({ id }) => ({ id, result: results.get(id) ?? null }));
  return keepsOthers ? all : all.filter(({ result }) => result !== null);
}

/** Ticks stay on the offers that are in the answer to the present question. */
function answered(study: Study, { asked, answer, language }: StudyEvent & { readonly name: 'answered' }): Study {
  const next = { ...study, asked, answer, isRanked: true };
  return { ...next, chosen: chosenIn(study, answer, isStale(next, language)) };
}

/** Whether the answer is one to another question than that of the form, or gone since the page was loaded again. */
export function isStale({ asked, answer, draft }: Study, language: Language): boolean {
  const now = questionOf(draft, language);
  const isAsked = 'question' in now && JSON.stringify(now.question) === JSON.stringify(asked);
  return asked !== null && (answer === null || !isAsked);
}

const NAME = 'study';

/** What the tab keeps while the page is loaded again. */
export function keepStudy(study: Study): void {
  const { earlier, asked, isForCustomer, reach } = study;
  keep(NAME, { ...workIn(study), earlier, asked, isForCustomer, reach });
}

export function keptStudy(): Study {
  const { draft, ...others } = kept(NAME) as Partial<Study>;
  return { ...EMPTY, ...others, draft: { ...EMPTY_DRAFT, ...draft } };
}
