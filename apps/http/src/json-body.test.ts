import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { DomainError } from '@tarifario/core/service';
import { expectWithin } from '@tarifario/testkit/share';
import { expect, test } from 'vitest';
import { readJsonBody } from './json-body.ts';

function request(): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.headers = { 'content-type': 'application/json' };
  return message;
}

const exchange = (message: IncomingMessage) => ({
  request: message,
  response: new ServerResponse(message),
});

async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  return error instanceof DomainError ? error.message : 'no refusal';
}

test('a body is not awaited once its caller has disconnected, before or while it is read', async () => {
  const disconnected = request();
  disconnected.destroy();
  expect(await refusalOf(readJsonBody(exchange(disconnected), 1))).toBe('the body ended early');
  const closed = request();
  const reading = readJsonBody(exchange(closed), 1);
  closed.push(Buffer.from('{"a":'));
  closed.destroy();
  expect(await refusalOf(reading)).toBe('the body ended early');
});

/** What reading a body takes of a processor, in milliseconds, and the refusal. */
async function costOf(text: string, values: number): Promise<{ readonly ms: number; readonly refusal: string }> {
  const message = request();
  const reading = readJsonBody(exchange(message), 1, { bytes: 2_097_152, values });
  message.push(Buffer.from(text));
  message.push(null);
  await once(message, 'end');
  const before = process.threadCpuUsage();
  const refusal = await refusalOf(reading);
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1000, refusal };
}

test('a body with far too many values is refused before it is parsed; one at the limit is parsed, whatever its texts', async () => {
  const names = Array.from({ length: 170_000 }, (_, index) => `"${index.toString(36)}":1`);
  const refusal = 'the body has too many values';
  expect(await costOf(`{${names.join()}}`, 40_000)).toMatchObject({ refusal });
  expectWithin((await costOf(`{${names.join()}}`, 40_000)).ms, 30);
  const most = Array.from({ length: 40_000 }, () => '[]').join();
  expect(await costOf(`[${most}]`, 40_000)).toMatchObject({ refusal: 'no refusal' });
  expect(await costOf(`[${most},[]]`, 40_000)).toMatchObject({ refusal });
  expect(await costOf(`["${'[{,\\\\\\"'.repeat(100_000)}"]`, 1)).toMatchObject({ refusal: 'no refusal' });
});
