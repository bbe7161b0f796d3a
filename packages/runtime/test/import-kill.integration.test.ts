import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KillPlace, openKillPlace } from './kill-place.ts';

// A process may be killed at any step of applying a file. Before its commit nothing has changed, after it everything;
// the upload tells which, and one that was killed is taken up again when its lease is over. Every single step is killed
// in `import-kill.long.test.ts`.

let place: KillPlace;
beforeAll(async () => {
  place = await openKillPlace();
});
afterAll(() => place.remove());

const KILLED = 5;

it('A-38: an import that is killed at one of five steps has done all or nothing, and its upload says which', {
  timeout: 600_000,
}, async () => {
  const { steps, expectAllOrNothing } = place;
  // The steps are of all its phases, so five that are spread over them are too.
  expect(steps.filter((name) => name === 'committed')).toHaveLength(3);
  const phases = [
    'claimUpload',
    'a part of ofertas',
    'extendLease',
    'insertOffers',
    'updateOffers',
    'before the commit',
  ];
  expect(steps).toEqual(expect.arrayContaining(phases));
  expect(steps.length).toBeGreaterThan(18);
  await expectAllOrNothing(
    Array.from({ length: KILLED }, (_, index) => Math.round(((index + 1) * steps.length) / KILLED)),
  );
});
