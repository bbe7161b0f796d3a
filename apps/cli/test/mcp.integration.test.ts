import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let place: Workplace;
let key: string;

beforeAll(async () => {
  place = await openWorkplace();
  const args = ['--name', 'Agente', '--email', 'agente@example.com', '--password', 'molinos de viento'];
  await place.json(['account', 'create', ...args]);
  ({ key } = await place.json<{ key: string }>(['key', 'create', '--account', '1', '--mcp']));
});
afterAll(() => place.remove());

const line = (method: string, params: object = {}, id = 1) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe('A-94: tarifario mcp', () => {
  it('answers the messages of its input, writes nothing else to its output, and ends with its input', async () => {
    const stdin = line('tools/call', { name: 'list_offers' }) + line('tools/list', {}, 2) + line('nothing', {}, 3);
    const env = { TARIFARIO_KEY: key, LOG_LEVEL: 'trace' };
    const { status, stdout } = await place.run(['mcp'], { stdin, env });
    expect(status).toBe(0);
    const answers = stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(answers.toSorted((a, b) => a.id - b.id)).toMatchObject([
      {
        id: 1,
        result: {
          content: [{ text: expect.stringMatching(/^{"total":0,"limit":10,"offset":0,"results":\[\],"note":/) }],
          isError: false,
        },
      },
      { id: 2, result: { tools: expect.any(Array) } },
      { id: 3, error: { code: -32601, message: 'no such method' } },
    ]);
  });

  it('records its calls as those of the key', async () => {
    await place.run(['mcp', '--key', key], { stdin: line('tools/call', { name: 'list_catalog_offers' }) });
    const { stdout } = await place.run(['key', 'list', '--account', '1', '--pretty']);
    expect(stdout).toContain('offers:read');
    const wrong = await place.run(['mcp', '--key', 'tfk_wrong'], { stdin: line('ping') });
    expect(JSON.parse(wrong.stdout)).toMatchObject({
      id: 1,
      error: { code: -32000, data: { code: 'unauthenticated' } },
    });
  });

  it('says that a server cannot be reached, in the answer and in the log', async () => {
    const args = ['mcp', '--key', key, '--url', 'http://127.0.0.1:1'];
    const { status, stdout, stderr } = await place.run(args, { stdin: line('ping') });
    expect([status, JSON.parse(stdout).error]).toEqual([0, { code: -32603, message: 'the service cannot be reached' }]);
    expect(JSON.parse(stderr)).toMatchObject({ msg: 'no answer' });
    expect(stderr).not.toContain(key);
  });

  it('ends with status 0 on a signal', async () => {
    const child = place.start(['mcp'], { env: { TARIFARIO_KEY: key } });
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    child.stdin?.write(line('ping'));
    expect(await once(lines, 'line')).toEqual(['{"result":{},"jsonrpc":"2.0","id":1}']);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [['mcp'], 'mcp needs --key, or a key in TARIFARIO_KEY'],
    [['mcp', '--key', 'x', '--url', 'nowhere'], '--url must be an address'],
    [['mcp', '--key', 'x', '--url', 'file:///etc/passwd'], '--url must be an address'],
    [['mcp', '--key', 'x', '--url', 'http://127.0.0.1:3000/mcp?x=1'], 'without credentials, query or fragment'],
    [['mcp', '--key', 'x', '--url', 'http://127.0.0.1:3000/mcp?'], 'without credentials, query or fragment'],
    [['mcp', '--key', 'x', '--url', 'http://127.0.0.1:3000/#a'], 'without credentials, query or fragment'],
    [['mcp', '--key', 'x', '--url', 'http://a:b@127.0.0.1:3000'], 'without credentials, query or fragment'],
  ])('%j is wrong usage', async (args, message) => {
    const { status, stdout, stderr } = await place.runHere(args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
