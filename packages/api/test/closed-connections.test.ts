import { createMemoryRateLimiter } from '@tarifario/runtime';
import { fillSample, goodCalls, HOUSEHOLD, type Sample } from '@tarifario/testkit/api/sample';
import { createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';

/** A connection that closes at a pause, and how many pauses there were. */
let closing: AbortController;
let pauses: number;
let closesAt: number;
let world: World;
let sample: Sample;
let calls: ReturnType<typeof goodCalls>;

beforeEach(async () => {
  [closing, pauses, closesAt] = [new AbortController(), 0, Number.POSITIVE_INFINITY];
  const yieldToEventLoop = async () => {
    pauses += 1;
    if (pauses === closesAt) closing.abort();
  };
  world = await createWorld(undefined, createMemoryRateLimiter(), { yieldToEventLoop });
  sample = await fillSample(world);
  calls = goodCalls(sample);
});

const CLOSED = { status: 400, body: { detail: { code: 'invalid_request', message: 'the connection was closed' } } };

describe('A-160: once the connection of a call has closed', () => {
  const customers = Array.from({ length: 1000 }, (_, i) => ({ ref: `c${i}`, ...HOUSEHOLD }));

  it.each([
    ['rankPortfolio', 60],
    ['negotiateOffer', 60],
  ])('A-160: %s goes on with no customer', async (id, at) => {
    const body = { customers, ...(id === 'negotiateOffer' && { offer_id: sample.luzId }) };
    closesAt = pauses + at;
    expect(await world.call(id, { body, closing: closing.signal })).toMatchObject(CLOSED);
    expect(pauses).toBe(closesAt);
    expect(world.bugs).toEqual([]);
  });

  it('A-160: no operation of the table begins, and no write has an effect', async () => {
    closing.abort();
    const before = await world.store.read((reader) => reader.changes.revisions(world.account.id));
    const answers = [];
    for (const { id } of operations) {
      answers.push({ id, ...(await world.call(id, { ...calls[id], closing: closing.signal })) });
    }
    for (const answer of answers) expect(answer, answer.id).toMatchObject(CLOSED);
    expect(await world.store.read((reader) => reader.changes.revisions(world.account.id))).toEqual(before);
    expect(world.bugs).toEqual([]);
  });
});

it('A-160: no call is ended by the connection of another', async () => {
  closesAt = pauses + 5;
  const body = { customers: [{ ref: 'a', ...HOUSEHOLD }] };
  const other = new AbortController();
  const [ended, answered] = await Promise.all([
    world.call('rankPortfolio', { body, closing: closing.signal }),
    world.call('rankPortfolio', { body, closing: other.signal }),
  ]);
  expect([ended.status, answered.status]).toEqual([400, 200]);
});
