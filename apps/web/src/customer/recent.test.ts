import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EMPTY_DRAFT } from './draft.ts';
import { deleteRecent, keepRecent, keepStudyDays, openedRecent, recentStudies } from './recent.ts';

function storage() {
  const values = new Map<string, string>();
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    text: () => [...values.values()].join(),
  };
}

const local = storage();
const session = { reach: 'one' };
const draft = { ...EMPTY_DRAFT, values: { e1: '3500', p1: 'ES0021000000000001AB0F' }, remark: 'Ana, con 3,2 kW' };
const day = (number: number) => new Date(Date.UTC(2026, 10, number, 12));
const daysOf = (studies: ReturnType<typeof recentStudies>) => studies.map(({ at }) => Number(at.slice(8, 10)));

beforeEach(() => {
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', storage());
  keepStudyDays(session, 7);
  deleteRecent(session, null);
});
afterEach(() => vi.unstubAllGlobals());

it('A-169: studies are kept without supply points and remarks, one for each customer, the newest first', () => {
  keepRecent(session, draft, 0, day(20));
  const other = { ...draft, values: { e1: '1200' } };
  keepRecent(session, other, 1, day(21));
  keepRecent(session, { ...draft, tariff: '3.0TD' }, 0, day(22));
  // Opened again it is another customer of the tab, with the same data.
  keepRecent(session, other, 2, day(21));
  const studies = recentStudies(session, day(22).getTime());
  expect(daysOf(studies).toSorted()).toEqual([21, 22]);
  expect(local.text()).not.toMatch(/ES0021|Ana/);
  const first = studies.find(({ draft: { tariff } }) => tariff === '3.0TD');
  expect(first && openedRecent(first)).toMatchObject({ typed: { tariff: '3.0TD', values: { e1: '3500' } }, ref: '' });
});

it('A-169: studies are gone once they are older than was chosen, and none is kept for 0 days', () => {
  keepRecent(session, draft, 0, day(1));
  keepRecent(session, { ...draft, values: {} }, 1, day(6));
  expect(daysOf(recentStudies(session, day(9).getTime()))).toEqual([6]);
  keepStudyDays(session, 0);
  keepRecent(session, draft, 2, day(9));
  keepStudyDays(session, 7);
  expect(recentStudies(session, day(9).getTime())).toEqual([]);
});

it('A-169: studies are those of one account and its rights, and one is deleted by itself', () => {
  keepRecent(session, draft, 0, new Date());
  keepRecent(session, { ...draft, values: {} }, 1, new Date());
  expect(recentStudies({ reach: 'other' })).toEqual([]);
  const [last, first] = recentStudies(session);
  deleteRecent(session, last?.id ?? '');
  expect(recentStudies(session)).toEqual([first]);
});
