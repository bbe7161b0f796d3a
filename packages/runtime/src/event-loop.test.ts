import { expect, it } from 'vitest';
import { createYieldQueue } from './event-loop.ts';

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

it('pieces of work that start together run in order, one per turn of the event loop, with other events in between', async () => {
  const yieldToEventLoop = createYieldQueue();
  const seen: string[] = [];
  const workers = ['a', 'b', 'c'].map(async (name) => {
    await yieldToEventLoop(1);
    seen.push(name);
  });
  for (let others = 0; others < 3; others++) {
    await soon();
    seen.push('other');
  }
  await Promise.all(workers);
  expect(seen).toEqual(['other', 'a', 'other', 'b', 'other', 'c']);
});

it('A-61: keys take turns, even if much work of one key waits', async () => {
  const yieldToEventLoop = createYieldQueue();
  const seen: string[] = [];
  const come = async (key: number, name: string) => {
    await yieldToEventLoop(key);
    seen.push(name);
  };
  const crowd = ['a1', 'a2', 'a3', 'a4'].map((name) => come(1, name));
  await Promise.all([...crowd, come(2, 'b1'), come(2, 'b2')]);
  expect(seen).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

it('a single piece of work waits for at most one turn', async () => {
  const yieldToEventLoop = createYieldQueue();
  for (let round = 0; round < 3; round++) {
    const other = soon();
    let isDone = false;
    const alone = yieldToEventLoop(1).then(() => {
      isDone = true;
    });
    await other;
    await soon();
    expect(isDone).toBe(true);
    await alone;
  }
});
