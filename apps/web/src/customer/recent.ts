import { keep, keepChosen, kept, keptChosen } from '../shell/kept.ts';
import type { Session } from '../shell/session.ts';
import { withoutCupsIn } from './cups.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import type { Reopened } from './reopened.ts';

// Studies of the last days, in the browser. Without names, comments and ticks: what was typed of a supply, and when.

/** How many days studies may be kept; 0: none is. */
export const STUDY_DAYS = [0, 1, 7, 30] as const;
const USUAL_DAYS = 7;
const MOST = 50;
const DAY_MS = 86_400_000;

export interface RecentStudy {
  /** One for each customer of a tab. */
  readonly id: string;
  /** When it was last ranked. */
  readonly at: string;
  readonly draft: Draft;
}

type Reach = Pick<Session, 'reach'>;

/** For which account and rights they are. */
const STUDIES = 'studies';
const DAYS = 'study-days';

export function studyDays({ reach }: Reach): number {
  const days = keptChosen(reach, DAYS);
  return typeof days === 'number' ? days : USUAL_DAYS;
}

/** The newest first, without those that are older than they may be. */
export function recentStudies(session: Reach, now = Date.now()): readonly RecentStudy[] {
  const since = now - studyDays(session) * DAY_MS;
  const all = (keptChosen(session.reach, STUDIES) ?? []) as readonly RecentStudy[];
  return all.filter(({ at }) => Date.parse(at) > since);
}

const write = ({ reach }: Reach, studies: readonly RecentStudy[]) => keepChosen(reach, STUDIES, studies.slice(0, MOST));

export function keepStudyDays(session: Reach, days: number): void {
  keepChosen(session.reach, DAYS, days);
  write(session, recentStudies(session));
}

/** One for each customer. @param order - Which customer of this tab it is. */
export const customerId = (order: number): string => `${tabId()}.${order}`;

/** Keeps what was ranked, without supply points. The same customer and the same data stay one study. */
export function keepRecent(session: Reach, draft: Draft, order: number, now = new Date()): void {
  const id = customerId(order);
  // What the page has said of a power is a part of the comment.
  const own = withoutCupsIn({ ...draft, remark: '' }) as Draft;
  const study: RecentStudy = { id, at: now.toISOString(), draft: own };
  const isSame = (one: RecentStudy) => one.id === id || JSON.stringify(one.draft) === JSON.stringify(own);
  const others = recentStudies(session, now.getTime()).filter((one) => !isSame(one));
  write(session, studyDays(session) === 0 ? [] : [study, ...others]);
}

export const deleteRecent = (session: Reach, id: string | null): void =>
  write(session, id === null ? [] : recentStudies(session).filter((one) => one.id !== id));

/** As a study that is opened. */
export const openedRecent = ({ draft }: RecentStudy): Reopened => ({
  ...{ typed: { ...EMPTY_DRAFT, ...draft }, ref: '', comment: '', preference: null },
  ...{ offerIds: [], proposalId: null, missing: [] },
});

/** Where the browser keeps nothing it names the tab. */
const LOADED_AT = Date.now();

/** A tab is the same one after it is loaded again. */
function tabId(): string {
  const { id = LOADED_AT } = kept('tab');
  keep('tab', { id });
  return String(id);
}
