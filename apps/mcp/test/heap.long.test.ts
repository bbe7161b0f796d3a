import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { mirrored, modern, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { expect, it } from 'vitest';

const CALLS = 20_000;
const AT_ONCE = 20;
/** 200 bytes a call: what one forgotten entry of a map would take. */
const MAX_GROWTH_BYTES = CALLS * 200;

it('the heap of a server is no larger after 20 000 messages than before', async () => {
  // Its database is filled by a server of this process, which then has nothing more to do.
  const filler = await startMcpServer();
  const { key, sample } = await fillServer(filler, 'heap');
  const settings = JSON.stringify({ ...filler.config, logLevel: 'warn' });
  const program = fileURLToPath(new URL('./child-server.ts', import.meta.url));
  const child = fork(program, [settings], {
    execArgv: ['--conditions=tarifario-source', '--expose-gc'],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [started]: { readonly url: string }[] = await once(child, 'message');
  const url = started?.url ?? '';
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  const questions = [
    request('initialize', { protocolVersion: '2025-11-25' }),
    request('tools/list'),
    request('tools/call', { name: 'list_offers' }),
    request('tools/call', { name: 'rank_offers', arguments: { supply_type: 'LUZ', energia: { e1: 1000 }, limit: 5 } }),
    request('tools/call', { name: 'get_offer', arguments: { id: sample.luzId } }),
    request('tools/call', { name: 'get_offer', arguments: { id: 'x' } }),
    request('tools/call', { name: 'nothing' }),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
  ];
  const messages = [
    ...questions.map((message) => ({ body: JSON.stringify(message), mirrors: {} })),
    ...questions.slice(1, -1).map((message) => ({ body: JSON.stringify(modern(message)), mirrors: mirrored(message) })),
  ];
  const send = async (index: number) => {
    const { body = '', mirrors } = messages[index % messages.length] ?? {};
    const length = { 'Content-Length': Buffer.byteLength(body) };
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', ...length, ...mirrors };
    const sent = httpRequest(`${url}/mcp`, { method: 'POST', agent, headers });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    await buffer(answer);
    expect([200, 202]).toContain(answer.statusCode);
  };
  const sendMany = async (count: number) => {
    let next = 0;
    const work = async () => {
      while (next < count) await send(next++);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Calls are recorded within a second.
    await sleep(1500);
  };
  const heapBytes = async () => {
    const answer = once(child, 'message');
    child.send('heap');
    const [bytes] = await answer;
    return Number(bytes);
  };

  await sendMany(4000);
  const before = await heapBytes();
  const startedAt = performance.now();
  await sendMany(CALLS);
  const seconds = (performance.now() - startedAt) / 1000;
  const growth = (await heapBytes()) - before;
  process.stdout.write(`heap ${before} bytes, ${growth} more after ${CALLS} messages in ${seconds.toFixed(0)} s\n`);
  agent.destroy();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await filler.close();
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
});
