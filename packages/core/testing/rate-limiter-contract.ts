import type { Bucket } from '../src/service/access/buckets.ts';
import type { RateLimiter } from '../src/service/ports/machine.ts';
import { equal, holds, type StoreCase } from './contract/assertions.ts';

/** The means that the checks need besides a limiter. */
export interface LimiterWorld {
  /** Two new limiters without counts. They share their counts where several are tested together. */
  make(): Promise<readonly [RateLimiter, RateLimiter]>;
  /** Lets time go by for the limiter. */
  wait(milliseconds: number): Promise<void>;
}

type Subject = Pick<LimiterWorld, 'wait'> & { readonly limiter: RateLimiter; readonly other: RateLimiter };

function bucket(key: string, points: number, windowSeconds = 60): Bucket {
  return { name: key, key, points, windowSeconds };
}

const MORE_THAN_ANY_BUCKET_HAS = 1_000_000;

/** The remaining points of buckets. A call that wants too many points is refused and takes none. */
export async function pointsLeft(limiter: RateLimiter, buckets: readonly Bucket[]): Promise<readonly number[]> {
  return (await limiter.take(buckets, MORE_THAN_ANY_BUCKET_HAS)).states.map(({ remaining }) => remaining);
}

const CASES: readonly { readonly name: string; readonly run: (subject: Subject) => Promise<void> }[] = [
  {
    name: 'as many calls as points are accepted; the next one is refused and costs nothing',
    run: async ({ limiter }) => {
      for (const remaining of [2, 1, 0]) {
        const { accepted, states } = await limiter.take([bucket('a', 3)]);
        equal(
          [accepted, states],
          [true, [{ ...stateOf(bucket('a', 3)), remaining: remaining, resetSeconds: 60 }]],
          'a call',
        );
      }
      for (let i = 0; i < 3; i += 1) equal((await limiter.take([bucket('a', 3)])).accepted, false, 'one too many');
      const { accepted, states } = await limiter.take([bucket('a', 4)]);
      equal([accepted, states[0]?.remaining], [true, 0], 'a call under a ceiling that was raised');
      equal((await limiter.take([bucket('a', 2)])).accepted, false, 'a call under a ceiling that was lowered');
      equal(await pointsLeft(limiter, [bucket('a', 6)]), [2], 'refused calls took nothing');
    },
  },
  {
    name: 'A-40: a call that one bucket refuses takes no points from the others, and begins no window',
    run: async ({ limiter, wait }) => {
      await limiter.take([bucket('small', 1)]);
      for (let i = 0; i < 5; i += 1) {
        const { accepted, states } = await limiter.take([bucket('large', 3, 2), bucket('small', 1)]);
        equal([accepted, states.map((state) => state.remaining)], [false, [3, 0]], 'a refused call');
      }
      await wait(1200);
      const { states } = await limiter.take([bucket('large', 3, 2)]);
      equal([states[0]?.remaining, states[0]?.resetSeconds], [2, 2], 'the first call of a window');
    },
  },
  {
    name: 'A-54: several points are taken from all buckets or from none, up to the last ones',
    run: async ({ limiter, other }) => {
      const buckets = [bucket('a', 20), bucket('b', 10)];
      const { accepted, states } = await limiter.take(buckets, 4);
      equal([accepted, states.map((state) => state.remaining)], [true, [16, 6]], 'four points');
      const refused = await limiter.take(buckets, 7);
      equal([refused.accepted, refused.states.map((state) => state.remaining)], [false, [16, 6]], 'one too many');
      equal((await limiter.take(buckets, 6)).accepted, true, 'all that is left of one');
      equal(await pointsLeft(limiter, buckets), [10, 0], 'points left');
      equal((await limiter.take([bucket('c', 3)], 4)).accepted, false, 'more than a whole window has');
      const [first, second] = [bucket('d', 25), bucket('e', 30)];
      const calls = Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? limiter : other).take(i % 3 === 0 ? [first, second] : [second, first], 3),
      );
      const taken = await Promise.all(calls);
      equal(taken.filter((call) => call.accepted).length, 8, 'calls that passed');
      equal(await pointsLeft(limiter, [first, second]), [1, 6], 'points left after them');
    },
  },
  {
    name: 'A-40: fifty calls at once never exceed the points, whatever the order of their buckets',
    run: async ({ limiter, other }) => {
      const buckets = [bucket('b', 20), bucket('a', 7)];
      const calls = Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? limiter : other).take(i % 3 === 0 ? buckets : buckets.toReversed()),
      );
      const taken = await Promise.all(calls);
      equal(taken.filter(({ accepted }) => accepted).length, 7, 'calls that passed');
      equal(await pointsLeft(limiter, buckets), [13, 0], 'points left');
    },
  },
  {
    name: 'a window ends after its seconds, and the answer says when',
    run: async ({ limiter, wait }) => {
      const short = bucket('a', 1, 2);
      await limiter.take([short]);
      await wait(1200);
      const { accepted, states } = await limiter.take([short]);
      equal([accepted, states[0]?.resetSeconds], [false, 1], 'within the window');
      await wait(900);
      const after = await limiter.take([short], 2);
      equal(after, { accepted: false, states: [stateOf(short)] }, 'after it');
      const again = await Promise.all([limiter.take([short]), limiter.take([short]), limiter.take([short])]);
      equal(again.filter((call) => call.accepted).length, 1, 'calls of the next window');
    },
  },
  {
    name: 'buckets with other windows or other keys share no points',
    run: async ({ limiter }) => {
      await limiter.take([bucket('a', 1, 60)]);
      holds((await limiter.take([bucket('a', 1, 3600)])).accepted, 'the same key with another window');
      holds((await limiter.take([bucket('A', 1, 60)])).accepted, 'another key');
      holds((await limiter.take([bucket("a' or true --\\", 1, 60)])).accepted, 'an odd key');
    },
  },
  {
    name: 'returned points can be taken again, once, and not in a later window',
    run: async ({ limiter, wait }) => {
      const [short, long] = [bucket('a', 1, 1), bucket('b', 1)];
      await limiter.take([short, long]);
      await limiter.giveBack([long]);
      await limiter.giveBack([long]);
      equal(await pointsLeft(limiter, [short, long]), [0, 1], 'given back twice');
      holds((await limiter.take([long])).accepted, 'taken again');
      equal((await limiter.take([long])).accepted, false, 'taken once more');
      await wait(1100);
      await limiter.giveBack([short, bucket('new', 1)]);
      equal(await pointsLeft(limiter, [short, bucket('new', 1)]), [1, 1], 'given back too late');
      await limiter.take([short]);
      equal((await limiter.take([short])).accepted, false, 'two in the later window');
    },
  },
];

function stateOf({ name, points, windowSeconds }: Bucket) {
  return { name, points, windowSeconds, remaining: points, resetSeconds: windowSeconds };
}

/** What every rate limiter must do, as a list of named checks for any test runner: see `storeContract`. */
export function rateLimiterContract(world: LimiterWorld): readonly StoreCase[] {
  return CASES.map(({ name, run }) => ({
    name,
    run: async () => {
      const [limiter, other] = await world.make();
      await run({ limiter, other, wait: world.wait });
    },
  }));
}
