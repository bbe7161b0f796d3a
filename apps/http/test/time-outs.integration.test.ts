import { answerTo, type Dispatch, inLanguage } from '@tarifario/api';
import { openConnection, parseAnswer, readToEnd, sendRaw } from '@tarifario/testkit/http/raw-http';
import { isFullLength } from '@tarifario/testkit/share';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MAX_HELD_BYTES } from '../src/arriving-body.ts';
import type { Mount } from '../src/mount.ts';
import { open } from './echo-server.ts';

if (isFullLength) {
  it('500 callers that do not finish their headers get 408 after 10 seconds, and others are served meanwhile', async () => {
    const { url } = await open();
    const startedAt = performance.now();
    const unfinished = 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ';
    const answers = Promise.all(Array.from({ length: 500 }, () => sendRaw(url, unfinished)));
    for (let call = 0; call < 20; call++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    for (const { status, headers, body } of await answers) {
      expect(status).toBe(408);
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
      expect(JSON.parse(body).detail.code).toBe('request_timeout');
    }
    const seconds = (performance.now() - startedAt) / 1000;
    expect(seconds).toBeGreaterThan(9.5);
    expect(seconds).toBeLessThan(50);
  });
}

describe('a body that comes too slowly', () => {
  const HEADS = [
    ['JSON', 'POST /v1/offers/efficient', 'application/json', '{"supply_type": '],
    ['a form', 'POST /v1/offers/bulk-update', 'multipart/form-data; boundary=x', '--x\r\n'],
    ['what is not taken', 'DELETE /v1/offers/1', 'application/json', '{'],
    ['a message of MCP', 'POST /mcp', 'application/json', '{'],
  ] as const;

  /** A server that reads bodies, and the clock for their time-outs. */
  async function openReading() {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let begun = 0;
    /** Why bodies were not read. */
    const errors: unknown[] = [];
    const accountOf = (key: string | null) => ['many', 'other', 'third'].indexOf(key?.split('-')[0] ?? '');
    const answerError = (error: unknown) => {
      errors.push(error);
      return inLanguage(answerTo(error));
    };
    const dispatch: Dispatch = async (request) => {
      if (request.kind !== 'operation') throw new Error('an operation is asked for');
      begun += 1;
      const form = { accountId: accountOf(request.apiKey), beforeForm: async () => {} };
      const reading = request.readBody(request.operation.input.sentAs, form);
      return reading.then(() => ({ status: 200, headers: {}, body: {} }), answerError);
    };
    const handle: Mount['handle'] = async (request) => {
      begun += 1;
      return request.readBody(10_000, 1).then(
        () => ({ status: 200, headers: {}, body: {} }),
        (error) => inLanguage(answerTo(error)),
      );
    };
    const { url } = await open({ dispatch, mounts: [{ path: '/mcp', handle }] });
    const start = async (head: string, contentType: string, bytes: number) => {
      const before = begun;
      const socket = await openConnection(url);
      const answer = readToEnd(socket);
      socket.write(`${head} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: ${bytes}\r\n\r\n`);
      await expect.poll(() => begun).toBe(before + 1);
      return { socket, answer };
    };
    return { url, start, errors };
  }

  it.each(HEADS)('A-59: %s is abandoned after 10 seconds with 408, and its connection is closed', async (...row) => {
    const [_kind, head, contentType, piece] = row;
    const { start } = await openReading();
    const { socket, answer } = await start(head, contentType, 5000);
    socket.write(piece);
    vi.advanceTimersByTime(9_900);
    await new Promise(setImmediate);
    expect(socket.readableEnded).toBe(false);
    vi.advanceTimersByTime(200);
    const { status, headers, body } = parseAnswer(await answer);
    expect([status, JSON.parse(body).detail.code]).toEqual([408, 'request_timeout']);
    expect(headers.get('connection')).toBe('close');
  });

  it('A-59: releases its place for others', async () => {
    const { url, start } = await openReading();
    const [, head, contentType] = HEADS[1];
    const slow = [await start(head, contentType, 5000), await start(head, contentType, 5000)];
    const send = async () => {
      const form = new FormData();
      form.set('file', new Blob(['PK']), 'a.xlsx');
      return (await fetch(`${url}/v1/offers/bulk-update`, { method: 'POST', body: form })).status;
    };
    expect(await send()).toBe(503);
    vi.advanceTimersByTime(10_100);
    await Promise.all(slow.map(({ answer }) => answer));
    expect(await send()).toBe(200);
  });

  it('A-59: is awaited as long as 10 000 bytes arrive in every 10 seconds', async () => {
    const { start } = await openReading();
    const { socket, answer } = await start(HEADS[0][1], HEADS[0][2], 50_002);
    const text = `"${'x'.repeat(50_000)}"`;
    for (let sent = 0; sent < 50_000; sent += 12_500) {
      const arrived = new Promise<void>((resolve) => socket.write(text.slice(sent, sent + 12_500), () => resolve()));
      await arrived;
      // Its bytes are read before they are counted.
      await fetch(`http://127.0.0.1:${socket.remotePort}/healthz`);
      vi.advanceTimersByTime(10_000);
      await new Promise(setImmediate);
    }
    socket.end(text.slice(50_000));
    expect(parseAnswer(await answer).status).toBe(200);
  });

  it('A-59: is refused in favour of another account where bodies hold 24 MB, and so is a further one of its own account', async () => {
    const { start } = await openReading();
    const send = (key: string, bytes: number) =>
      start('POST /v1/offers/efficient/batch', `application/json\r\nX-API-Key: ${key}`, bytes);
    const large = 2 * 1024 * 1024;
    const uploads = [];
    while (uploads.length * large < MAX_HELD_BYTES) uploads.push(await send('many', large));
    const refused = async (answer: Promise<string> | undefined) => {
      const { status, headers, body } = parseAnswer((await answer) ?? '');
      expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '10', 'close']);
      expect(JSON.parse(body).detail.message).toBe('too many large bodies arrive at once: send fewer');
    };
    await refused((await send('many', large)).answer);
    const other = await send('other', 2);
    await refused(uploads.shift()?.answer);
    other.socket.end('{}');
    expect(parseAnswer(await other.answer).status).toBe(200);
    // The other bodies are still held, and there is room for one more.
    uploads.push(await send('many', large - 2));
    expect(uploads.filter(({ socket }) => socket.readableEnded)).toEqual([]);
    for (const { socket } of uploads) socket.destroy();
  });

  /** A form of 10 MB with one file. */
  const FORM = [
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n',
    'x'.repeat(10 * 1024 * 1024),
    '\r\n--x--\r\n',
  ].join('');

  const startFile = (start: Awaited<ReturnType<typeof openReading>>['start'], key: string) =>
    start('POST /v1/offers/bulk-update', `multipart/form-data; boundary=x\r\nX-API-Key: ${key}`, FORM.length);

  it('A-59: takes as much room as it needs from an account that holds more', async () => {
    const { start, errors } = await openReading();
    const batch = ['POST /v1/offers/efficient/batch', 'application/json\r\nX-API-Key: many', 2 * 1024 * 1024] as const;
    const batches = [];
    for (let count = 0; count < 12; count++) batches.push(await start(...batch));
    const file = await startFile(start, 'other');
    for (const { answer } of batches.splice(0, 6)) expect(parseAnswer(await answer).status).toBe(503);
    file.socket.end(FORM);
    expect(parseAnswer(await file.answer).status).toBe(200);
    expect(errors).toHaveLength(6);
    for (const { socket } of batches) socket.destroy();
  });

  it('A-59: keeps its place where a third account sends as much', async () => {
    const { start } = await openReading();
    const files = [await startFile(start, 'many'), await startFile(start, 'other')];
    const third = await startFile(start, 'third');
    expect(parseAnswer(await third.answer).status).toBe(503);
    for (const { socket } of files) socket.end(FORM);
    for (const { answer } of files) expect(parseAnswer(await answer).status).toBe(200);
  });

  it('A-59: keeps its place where another account sends without end under several keys', async () => {
    const { start, errors } = await openReading();
    const file = await startFile(start, 'other');
    const sent = [];
    for (let count = 0; count < 20; count++) {
      const type = `application/json\r\nX-API-Key: many-${count % 5}`;
      sent.push(await start('POST /v1/offers/efficient/batch', type, 2 * 1024 * 1024));
    }
    file.socket.end(FORM);
    expect(parseAnswer(await file.answer).status).toBe(200);
    // What the other account sent in excess was refused as too many at once, which costs no point.
    expect(errors).toHaveLength(14);
    for (const error of errors) expect(error).toMatchObject({ details: { isQueueFull: true } });
    for (const { socket } of sent) socket.destroy();
  });
});
