import { compose, createLog } from '@tarifario/runtime';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { askService } from '@tarifario/testkit/service';
import { afterEach, beforeEach, expect, it } from 'vitest';

let place: Workplace;

const CREATE = ['account', 'create', '--name', 'A', '--password', 'molinos de viento', '--email'];

beforeEach(async () => {
  place = await openWorkplace();
});
afterEach(() => place.remove());

it('A-40: the ceilings that the operator sets hold for the next call, and end when they are cleared', async () => {
  const account = String((await place.json<{ id: number }>([...CREATE, 'a@tarifario.example', '--plan', 'pro'])).id);
  const { key } = await place.json<{ key: string }>(['key', 'create', '--account', account, '--full-access']);
  const service = await compose(`sqlite:${place.databaseFile}`, createLog('silent'));
  const policy = async () => {
    const { status, headers } = await askService(service, key, 'getAccount');
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

it('A-63: the quotas that the operator sets hold for the next call, and end when they are cleared', async () => {
  const account = String((await place.json<{ id: number }>([...CREATE, 'b@tarifario.example', '--plan', 'free'])).id);
  const { key } = await place.json<{ key: string }>(['key', 'create', '--account', account, '--full-access']);
  const service = await compose(`sqlite:${place.databaseFile}`, createLog('silent'));
  const send = (id: string, body: object) => askService(service, key, id, { body });
  const set = (...words: string[]) =>
    place.json(['subscription', 'set', '--account', account, '--plan', 'free', ...words]);
  try {
    expect((await send('createClient', { name: 'Firma' })).body).toMatchObject({ id: 1 });
    const company = (name: string) => send('createCompany', { client_id: 1, name });
    expect((await company('Una')).status).toBe(201);
    await set('--companies-limit', '1');
    const message =
      'the account, on the plan free, may have 1 retailers, inactive ones included; it has 1, and this would add 1';
    expect(await company('Dos')).toMatchObject({ status: 409, body: { detail: { code: 'quota_reached', message } } });
    await set('--companies-limit', 'none');
    expect((await company('Dos')).status).toBe(201);
  } finally {
    await service.close();
  }
});
