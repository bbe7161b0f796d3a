import { operations } from '@tarifario/api';
import { compose, createLog } from '@tarifario/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './run-program.ts';

let place: Workplace;

beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

it('the ceilings that the operator sets hold for the next call, and go when they are cleared', async () => {
  const password = ['--password', 'molinos de viento'];
  const create = ['account', 'create', '--name', 'A', '--email', 'a@tarifario.example', ...password, '--plan', 'pro'];
  const account = String((await place.json<{ id: number }>(create)).id);
  const { key } = await place.json<{ key: string }>(['key', 'create', '--account', account, '--full-access']);
  const operation = operations.find(({ id }) => id === 'getAccount');
  if (!operation) throw new Error('there is such an operation');
  const service = await compose(`sqlite:${place.databaseFile}`, createLog('silent'));
  const policy = async () => {
    const nothing = { params: {}, query: new URLSearchParams(), readBody: async () => undefined };
    const { status, headers } = await service.dispatch({ operation, apiKey: key, address: '::1', ...nothing });
    return [status, headers['RateLimit-Policy']];
  };
  const set = (...words: string[]) =>
    place.json(['subscription', 'set', '--account', account, '--plan', 'pro', ...words]);
  try {
    expect(await policy()).toEqual([200, '"account";q=150;w=60']);
    await set('--calls-per-minute', '2');
    expect(await policy()).toEqual([200, '"account";q=2;w=60']);
    expect(await policy()).toEqual([429, '"account";q=2;w=60']);
    await set('--calls-per-minute', 'none');
    expect(await policy()).toEqual([200, '"account";q=150;w=60']);
  } finally {
    await service.close();
  }
});
