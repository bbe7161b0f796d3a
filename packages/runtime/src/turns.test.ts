import { expect, it } from 'vitest';
import { atMostAtOnce, oneEachTurn } from './turns.ts';

/** Work that ends when it is told to. */
function held(): { readonly promise: Promise<void>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, end: () => resolve() };
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

it('no more than the number given is under way, and the rest follows in its order', async () => {
  const inTurn = atMostAtOnce(2);
  const started: number[] = [];
  const holds = Array.from({ length: 5 }, held);
  const results = holds.map(({ promise }, index) =>
    inTurn(async () => {
      started.push(index);
      await promise;
      return index;
    }),
  );
  await soon();
  expect(started).toEqual([0, 1]);
  holds[1]?.end();
  await soon();
  expect(started).toEqual([0, 1, 2]);
  for (const hold of holds) hold.end();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
});

it('work that fails makes room as well', async () => {
  const inTurn = atMostAtOnce(1);
  const failures = Array.from({ length: 3 }, () => inTurn(() => Promise.reject(new Error('no'))));
  for (const failure of failures) await expect(failure).rejects.toThrow('no');
  expect(await inTurn(async () => 'yes')).toBe('yes');
});

it('whoever comes while a place is handed over does not slip in between', async () => {
  const inTurn = atMostAtOnce(1);
  let underWay = 0;
  let most = 0;
  const work = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await soon();
    underWay -= 1;
  };
  const first = inTurn(work);
  const second = inTurn(work);
  await first;
  await Promise.all([second, inTurn(work), inTurn(work)]);
  expect(most).toBe(1);
});

it('those who come together get a turn each, in their order, and what else is ready runs in between', async () => {
  const turn = oneEachTurn();
  const seen: string[] = [];
  const workers = ['a', 'b', 'c'].map(async (name) => {
    await turn();
    seen.push(name);
  });
  for (let others = 0; others < 3; others++) {
    await soon();
    seen.push('other');
  }
  await Promise.all(workers);
  expect(seen).toEqual(['a', 'other', 'b', 'other', 'c', 'other']);
});

it('who comes alone waits for no more than one turn', async () => {
  const turn = oneEachTurn();
  for (let round = 0; round < 3; round++) {
    const other = soon();
    let isDone = false;
    const alone = turn().then(() => {
      isDone = true;
    });
    await other;
    await soon();
    expect(isDone).toBe(true);
    await alone;
  }
});
