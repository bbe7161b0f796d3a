import { expect, it } from 'vitest';
import { oneEachTurn } from './turns.ts';

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

it('work of one key that comes together gets a turn each, in its order, and what else is ready runs in between', async () => {
  const turn = oneEachTurn();
  const seen: string[] = [];
  const workers = ['a', 'b', 'c'].map(async (name) => {
    await turn(1);
    seen.push(name);
  });
  for (let others = 0; others < 3; others++) {
    await soon();
    seen.push('other');
  }
  await Promise.all(workers);
  expect(seen).toEqual(['other', 'a', 'other', 'b', 'other', 'c']);
});

it('A-61: keys get turns one after the other, however much work of one of them waits', async () => {
  const turn = oneEachTurn();
  const seen: string[] = [];
  const come = async (key: number, name: string) => {
    await turn(key);
    seen.push(name);
  };
  const crowd = ['a1', 'a2', 'a3', 'a4'].map((name) => come(1, name));
  await Promise.all([...crowd, come(2, 'b1'), come(2, 'b2')]);
  expect(seen).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

it('work that comes alone waits for no more than one turn', async () => {
  const turn = oneEachTurn();
  for (let round = 0; round < 3; round++) {
    const other = soon();
    let isDone = false;
    const alone = turn(1).then(() => {
      isDone = true;
    });
    await other;
    await soon();
    expect(isDone).toBe(true);
    await alone;
  }
});
