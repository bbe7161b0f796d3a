/** Runs work so that no more than some of it is under way at once; the rest waits in the order it came. */
export function atMostAtOnce(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (work) => {
    if (underWay >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return await work();
    } finally {
      // Whoever waits longest takes over the place, so nobody who comes now can slip in between.
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
}

/**
 * Makes everyone who waits wait for a turn of the event loop of their own, in the order they came. Work that many begin
 * at the same moment does not add up to one long stop: whatever else is ready runs in between.
 */
export function oneEachTurn(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const runNext = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(runNext);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(runNext);
    });
}
