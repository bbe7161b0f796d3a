import { expect, it } from 'vitest';
import { openKillPlace } from './kill-place.ts';

it('an import that is killed at any of its steps has done all or nothing, and its upload says which', async () => {
  const { steps, expectAllOrNothing, remove } = await openKillPlace();
  expect(steps.length).toBeGreaterThan(18);
  await expectAllOrNothing(steps.map((_, index) => index + 1));
  remove();
});
