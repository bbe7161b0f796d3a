import { answerTo, inLanguage } from '@tarifario/api';
import { beginRequest, openConnection, readToEnd, sendRaw } from '@tarifario/testkit/http/raw-http';
import { describe, expect, it } from 'vitest';
import { MAX_BODY } from '../src/json-body.ts';
import { codeOf, NO_FORM, open, post, RANK } from './echo-server.ts';

describe('a body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json; profile=x; charset=utf-8',
  ])('is read as %s', async (contentType) => {
    const { url } = await open();
    const response = await post(url, '{"nombre":"ñandú"}', { 'Content-Type': contentType });
    expect(JSON.parse(await response.text()).body).toEqual({ nombre: 'ñandú' });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json+x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'json',
    ';',
  ])('is refused as %s', async (contentType) => {
    const { url } = await open();
    const response = await post(url, '{}', { 'Content-Type': contentType });
    expect([response.status, await codeOf(response)]).toEqual([415, 'unsupported_media_type']);
  });

  it('is refused when compressed', async () => {
    const { url } = await open();
    const response = await post(url, '{}', { 'Content-Encoding': 'gzip' });
    expect([response.status, await codeOf(response)]).toEqual([415, 'unsupported_media_type']);
  });

  it('A-28: is refused without a content type, and reported when missing', async () => {
    const { url } = await open();
    const head = `POST ${RANK} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
    expect((await sendRaw(url, `${head}Content-Length: 2\r\n\r\n{}`)).status).toBe(415);
    expect((await sendRaw(url, `${head}\r\n`)).status).toBe(400);
  });

  it.each([
    ['empty', ''],
    ['blank', '  \n'],
    ['cut short', '{"a":'],
    ['two values', '{} {}'],
    ['with a comment', '{} // x'],
    ['with single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['after a byte order mark', '\uFEFF{}'],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['UTF-16 after a byte order mark', Buffer.from('\uFEFF{}', 'utf16le')],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('that is %s is malformed, and not repeated', async (_name, body) => {
    const { url } = await open();
    const response = await post(url, body);
    expect(response.status).toBe(400);
    const { detail } = JSON.parse(await response.text());
    expect(detail.code).toBe('invalid_request');
    expect(detail.message).toMatch(/^(a JSON body is required|the body is not well-formed JSON in UTF-8)$/);
  });

  it.each(['null', '7', '"text"', '[]', '{}', '{"__proto__":{"x":1}}'])('may be any JSON value: %s', async (body) => {
    const { url } = await open();
    const text = await (await post(url, body)).text();
    expect(text).toContain(`"body":${body}`);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });

  it('may have 1 MB and not a byte more, with or without Content-Length', async () => {
    const { url } = await open();
    const exact = `"${'x'.repeat(MAX_BODY.bytes - 2)}"`;
    expect((await post(url, exact)).status).toBe(200);
    const over = await post(url, `${exact} `);
    expect([over.status, await codeOf(over)]).toEqual([413, 'too_large']);
    const pieces = new ReadableStream({
      start(controller) {
        for (let piece = 0; piece < 20; piece++) controller.enqueue(Buffer.alloc(128 * 1024, 0x20));
        controller.close();
      },
    });
    const init: RequestInit = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: pieces,
      duplex: 'half',
    };
    const streamed = await fetch(url + RANK, init);
    expect([streamed.status, await codeOf(streamed)]).toEqual([413, 'too_large']);
    expect((await post(url, '{}')).status).toBe(200);
  });

  it('that becomes too large leaves the connection open for the next request', async () => {
    const { url } = await open();
    const head = `POST ${RANK} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;
    const piece = `20000\r\n${' '.repeat(0x20000)}\r\n`;
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const body = `${piece.repeat(20)}0\r\n\r\n`;
    const socket = await openConnection(url);
    const answers = readToEnd(socket);
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${body}${next}`);
    const statuses = (await answers).match(/HTTP\/1\.1 \d{3}/g);
    expect(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  it.each([
    ['JSON', RANK, 'application/json', '{"a":'],
    ['a form', '/v1/offers/bulk-update', 'multipart/form-data; boundary=x', '--x\r\n'],
  ])('of a caller that disconnects causes no bug: %s', async (_kind, path, contentType, begin) => {
    const errors: unknown[] = [];
    const { url } = await open({
      dispatch: async (request) => {
        if (request.kind !== 'operation')
          return inLanguage(answerTo(request.kind === 'unrouted' ? request.refusal : null));
        return request.readBody(request.operation.input.sentAs, NO_FORM).then(
          () => ({ status: 200, headers: {}, body: 'read' }),
          (error: unknown) => {
            errors.push(error);
            return inLanguage(answerTo(error));
          },
        );
      },
    });
    const socket = await openConnection(url);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: 99\r\n`;
    await beginRequest(socket, head);
    socket.end(begin);
    await expect.poll(() => errors).toMatchObject([{ code: 'invalid_request' }]);
  });

  it('may be nested 30 000 deep without harm to the server', async () => {
    const { url } = await open({
      dispatch: async (request) => {
        if (request.kind === 'operation') await request.readBody(request.operation.input.sentAs, NO_FORM);
        return { status: 200, headers: {}, body: 'read' };
      },
    });
    expect((await post(url, '['.repeat(30_000) + ']'.repeat(30_000))).status).toBe(200);
  });
});
