import { describe, expect, test } from 'vitest';
import { createFairQueue, type FairQueue, type FairQueueSettings, type QueueKey } from './fair-queue.ts';

const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Named pieces of work. The test ends each of them. */
function heldWork(queue: FairQueue) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (key: QueueKey, name: string) =>
    queue.run(key, async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await soon();
  };
  return { started, run, end };
}

const queueOf = (changes: Partial<FairQueueSettings> = {}) => createFairQueue({ places: 2, ...changes });

describe('a fair queue', () => {
  test('runs as much work as it has places, and the rest in order', async () => {
    const { started, run, end } = heldWork(queueOf());
    const answers = ['1', '2', '3', '4'].map((name) => run('a', name));
    await soon();
    expect(started).toEqual(['1', '2']);
    await end('2');
    expect(started).toEqual(['1', '2', '3']);
    for (const name of ['1', '3', '4']) await end(name);
    expect(await Promise.all(answers)).toEqual(['1', '2', '3', '4']);
  });

  test('A-61: runs one piece of work per key at a time and gives the other places to other keys', async () => {
    const { started, run, end } = heldWork(queueOf({ placesPerKey: 1 }));
    const crowd = Array.from({ length: 40 }, (_, i) => run('a', `a${i}`));
    await soon();
    expect(started).toEqual(['a0']);
    const other = run('b', 'b');
    await soon();
    expect(started).toEqual(['a0', 'b']);
    await end('b');
    expect(await other).toBe('b');
    for (let i = 0; i < 40; i += 1) {
      expect(started).toHaveLength(i + 2);
      await end(`a${i}`);
    }
    await Promise.all(crowd);
  });

  test('A-61: gives places to keys in turn, however much work one of them has', async () => {
    const { started, run, end } = heldWork(queueOf({ places: 1 }));
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => run(name.charAt(0), name));
    await soon();
    for (let i = 0; i < all.length; i += 1) await end(started[i] ?? '');
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
    await Promise.all(all);
  });

  test('makes room when work fails', async () => {
    const queue = queueOf({ places: 1 });
    const failures = Array.from({ length: 3 }, () => queue.run('a', () => Promise.reject(new Error('no'))));
    for (const failure of failures) await expect(failure).rejects.toThrow('no');
    expect(await queue.run('a', async () => 'yes')).toBe('yes');
  });

  test('does not give a free place to new work before waiting work', async () => {
    const queue = queueOf({ places: 1 });
    let underWay = 0;
    let most = 0;
    const work = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await soon();
      underWay -= 1;
    };
    const [first, second] = [queue.run('a', work), queue.run('a', work)];
    await first;
    await Promise.all([second, queue.run('b', work), queue.run('a', work)]);
    expect(most).toBe(1);
  });

  test('A-61: refuses work that has waited too long, and never runs it', async () => {
    const timers: (() => void)[] = [];
    let ended = 0;
    const startTimer = (giveUp: () => void) => {
      timers.push(giveUp);
      return () => {
        ended += 1;
      };
    };
    const refusal = { message: 'the database is busy', retryAfterSeconds: 7 } as const;
    const { started, run, end } = heldWork(queueOf({ places: 1, refusal, startTimer }));
    const all = ['1', '2', '3'].map((name) => run('a', name));
    await soon();
    // The first one did not have to wait.
    expect(timers).toHaveLength(2);
    timers[0]?.();
    await expect(all[1]).rejects.toMatchObject({ code: 'unavailable', details: refusal });
    await end('1');
    await end('3');
    expect(await Promise.all([all[0], all[2]])).toEqual(['1', '3']);
    expect(started).toEqual(['1', '3']);
    expect(ended).toBe(2);
  });

  test('refuses at once further work of a key with too much waiting work, but accepts that of others', async () => {
    const { run, end } = heldWork(queueOf({ places: 1, waitingPerKey: 1, refusal: { retryAfterSeconds: 3 } }));
    const [first, second] = [run('a', '1'), run('a', '2')];
    await expect(run('a', '3')).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 3 } });
    const other = run('b', 'b');
    for (const name of ['1', '2', 'b']) await soon().then(() => end(name));
    await end('b');
    expect(await Promise.all([first, second, other])).toEqual(['1', '2', 'b']);
  });

  test('once closed, refuses waiting and new work, and lets running work end', async () => {
    const queue = queueOf({ places: 1 });
    const { run, end } = heldWork(queue);
    const [first, second] = [run('a', '1'), run('b', '2')];
    await soon();
    queue.close();
    await expect(second).rejects.toMatchObject({ code: 'unavailable' });
    await expect(run('c', '3')).rejects.toMatchObject({ code: 'unavailable' });
    await end('1');
    expect(await first).toBe('1');
  });
});
