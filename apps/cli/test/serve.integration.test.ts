import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { addressOf, openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { newOffersWorkbook } from '@tarifario/testkit/http/bulk-files';
import { FORM_TYPE, formBytes } from '@tarifario/testkit/http/forms';
import { beginRequest, openConnection, parseAnswer, readToEnd } from '@tarifario/testkit/http/raw-http';
import { further, shareOf } from '@tarifario/testkit/share';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let place: Workplace;

beforeEach(async () => {
  place = await openWorkplace();
});

afterEach(() => place.remove());

const PERSON = ['--name', 'A', '--email', 'a@tarifario.example', '--password', 'molinos de viento'];

/** A key of a new account that may do everything, made by the command line. */
async function newKey() {
  const { id: accountId } = await place.json<{ id: number }>(['account', 'create', ...PERSON]);
  const args = ['key', 'create', '--account', String(accountId), '--full-access'];
  return { accountId, ...(await place.json<{ id: number; key: string }>(args)) };
}

describe('serve', () => {
  it('migrates, serves, and immediately sees the changes that the command line makes to accounts and keys', async () => {
    const child = place.start(['serve', '--port', '0']);
    const url = await addressOf(child);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/mcp`, { method: 'POST' })).status).toBe(401);
    const { accountId, id, key } = await newKey();
    const status = async () => (await fetch(`${url}/v1/clients`, { headers: { 'X-API-Key': key } })).status;
    expect(await status()).toBe(200);
    await place.json(['account', 'deactivate', String(accountId)]);
    expect(await status()).toBe(403);
    await place.json(['account', 'activate', String(accountId)]);
    expect(await status()).toBe(200);
    await place.json(['key', 'revoke', String(id)]);
    expect(await status()).toBe(401);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each(shareOf<{ nodeFlags: string[] }>([{ nodeFlags: [] }, { nodeFlags: ['--conditions=tarifario-source'] }], 2))(
    'finishes the file that it applies when it gets a signal to stop, with the flags $nodeFlags',
    async ({ nodeFlags }) => {
      const child = place.start(['serve', '--port', '0'], { nodeFlags });
      const url = await addressOf(child);
      const { key } = await newKey();
      const json = { 'X-API-Key': key, 'Content-Type': 'application/json' };
      await fetch(`${url}/v1/clients`, { method: 'POST', headers: json, body: JSON.stringify({ name: 'Norte' }) });
      const bytes = formBytes({
        bytes: await newOffersWorkbook({ offers: 500, indexed: 0 }),
        fileName: 'ofertas.xlsx',
      });
      const socket = await openConnection(url);
      const type = `Content-Type: ${FORM_TYPE}\r\nContent-Length: ${bytes.length}\r\nX-API-Key: ${key}\r\n`;
      await beginRequest(socket, `POST /v1/offers/bulk-update HTTP/1.1\r\nHost: x\r\n${type}`);
      const answer = readToEnd(socket);
      await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
      child.kill('SIGTERM');
      const { status, body } = parseAnswer(await answer);
      expect([status, JSON.parse(body)]).toMatchObject([200, { created: 500 }]);
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  it.each(shareOf(['SIGTERM', 'SIGHUP', 'SIGINT'] as const, 3))(
    'finishes the request under way on %s, then ends with status 0',
    async (signal) => {
      const { key } = await newKey();
      // Without the condition: the signal has to reach the process behind the one that was started.
      // Ctrl+C waits for no load balancer.
      const env = { LOG_LEVEL: 'info', DRAIN_SECONDS: signal === 'SIGINT' ? '15' : '0' };
      const child = place.start(['serve', '--port', '0'], { nodeFlags: [], env });
      const log = text(child.stderr ?? process.stdin);
      const messages = new Set<string>();
      child.stderr?.on('data', (lines) => messages.add(/"msg":"(\w+)"/.exec(String(lines))?.[1] ?? ''));
      const url = await addressOf(child);
      const socket = await openConnection(url);
      const body = JSON.stringify({ name: 'Asesoría' });
      const length = Buffer.byteLength(body);
      await beginRequest(
        socket,
        `POST /v1/clients HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`,
      );
      const answer = readToEnd(socket);
      socket.write(body.slice(0, 1));
      child.kill(signal);
      await expect.poll(() => [...messages]).toContain('draining');
      await expect(fetch(`${url}/healthz`)).rejects.toThrow();
      socket.write(body.slice(1));
      expect(await answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(await once(child, 'exit')).toEqual([0, null]);
      const lines = (await log)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      // That taxes end soon is said at the start, on days on which they do.
      expect(lines.map(({ msg }) => msg).filter((msg) => !msg.includes('taxes --due'))).toEqual([
        'draining',
        'request',
        'closed',
      ]);
      expect(JSON.stringify(lines)).not.toContain(key.slice(0, 20));
    },
  );

  it('takes calls while /readyz answers 503 for DRAIN_SECONDS', async () => {
    const { key } = await newKey();
    const child = place.start(['serve', '--port', '0'], { env: { DRAIN_SECONDS: '15' } });
    const url = await addressOf(child);
    const socket = await openConnection(url);
    const json = `X-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 12\r\n`;
    await beginRequest(socket, `POST /v1/clients HTTP/1.1\r\nHost: x\r\n${json}`);
    const underWay = readToEnd(socket);
    const readyz = async () => (await fetch(`${url}/readyz`)).status;
    expect(await readyz()).toBe(200);
    child.kill('SIGTERM');
    await expect.poll(readyz).toBe(503);
    const answer = await fetch(`${url}/v1/clients`, { headers: { 'X-API-Key': key } });
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    socket.write('{"name":"A"}');
    const { status, headers } = parseAnswer(await underWay);
    expect([status, headers.get('connection')]).toEqual([201, 'close']);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  further('closes by itself once DRAIN_SECONDS are over', async () => {
    const child = place.start(['serve', '--port', '0'], { env: { DRAIN_SECONDS: '1' } });
    const url = await addressOf(child);
    const startedAt = performance.now();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(performance.now() - startedAt).toBeGreaterThan(990);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('refuses a wrong DRAIN_SECONDS with status 2 and one line', async () => {
    const { status, stderr } = await place.runHere(['serve'], { DRAIN_SECONDS: '16' });
    expect([status, stderr]).toEqual([2, 'tarifario: DRAIN_SECONDS must be a whole number from 0 to 15\n']);
  });

  further('survives the readers of its log and of its output', async () => {
    const child = place.start(['serve', '--port', '0'], { env: { LOG_LEVEL: 'info' } });
    const url = await addressOf(child);
    child.stderr?.destroy();
    child.stdout?.destroy();
    // The line about each is written, in vain.
    for (let i = 0; i < 5; i += 1) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  further('serves and ends on a signal when nothing reads its log', async () => {
    const child = place.start(['serve', '--port', '0'], { env: { LOG_LEVEL: 'info' } });
    const url = await addressOf(child);
    const headers = { 'X-Request-Id': 'x'.repeat(128) };
    // More lines than a pipe and its two ends hold.
    for (let count = 0; count < 2000; count += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/healthz`, { headers })));
      for (const answer of answers) expect(await answer.json()).toEqual({ status: 'ok' });
    }
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  further('ends with one line when the port is taken', async () => {
    const other = createServer();
    await once(other.listen(0), 'listening');
    const { port } = other.address() as AddressInfo;
    const { status, stdout, stderr } = await place.run(['serve', '--port', String(port)]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^tarifario: .*EADDRINUSE[^\n]+\n$/);
    other.close();
  });

  it('refuses an invalid port', async () => {
    for (const port of ['x', '65536', '']) expect((await place.runHere(['serve', '--port', port])).status).toBe(2);
  });
});
