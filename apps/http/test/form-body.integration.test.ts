import { createHash } from 'node:crypto';
import { answerTo, inLanguage, isSentForm, operations } from '@tarifario/api';
import { DomainError, FILE_CAPS } from '@tarifario/core/service';
import { openConnection, parseAnswer, readToEnd, sendRaw } from '@tarifario/testkit/http/raw-http';
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_FORM_BYTES } from '../src/form-body.ts';
import type { HttpServer } from '../src/http-server.ts';
import { open } from './echo-server.ts';

const BULK = '/v1/offers/bulk-update';
const UPLOADS = '/v1/uploads';

let httpServer: HttpServer;
/** Every body that was read completely. */
let read: unknown[];
/** The number of bodies whose reading has begun. */
let begun: number;

/** Answers with the form as the server parsed it, or at once without a body. */
beforeEach(async () => {
  read = [];
  begun = 0;
  httpServer = await open({
    config: { host: '127.0.0.1', port: 0, trustedProxyHops: 1 },
    dispatch: async (request) => {
      if (request.kind !== 'operation')
        return inLanguage(answerTo(request.kind === 'unrouted' ? request.refusal : null));
      const { body: takes, sentAs } = request.operation.input;
      if (takes === null) return { status: 204, headers: {}, body: undefined };
      try {
        begun += 1;
        if (request.apiKey === 'slow')
          await new Promise<void>((resolve) => request.closing?.addEventListener('abort', () => resolve()));
        // The address identifies the account. Each test has its own, unless it says otherwise.
        const accountId = Number(request.address.split('.')[3]);
        const beforeForm = async () => {
          if (request.apiKey === 'none') throw new DomainError('missing_scope');
        };
        const body = await request.readBody(sentAs, { accountId, beforeForm });
        read.push(body);
        return { status: 200, headers: {}, body: isSentForm(body) ? shown(body) : { json: body } };
      } catch (error) {
        return inLanguage(answerTo(error));
      }
    },
  });
});

function shown({ fields, file }: { fields: Iterable<[string, string]>; file: { name: string; bytes: Uint8Array } }) {
  const { name, bytes } = file;
  return { fields: [...fields], name, size: bytes.length, hash: hashOf(bytes) };
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Sent {
  readonly path?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(body: string | Uint8Array<ArrayBuffer> | FormData, sent: Sent = {}) {
  const { path = BULK, contentType = 'multipart/form-data; boundary=x', headers = {} } = sent;
  const type = body instanceof FormData ? {} : { 'Content-Type': contentType };
  const response = await fetch(httpServer.url + path, { method: 'POST', headers: { ...type, ...headers }, body });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const headOf = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=x\r\n`;

const refused = (status: number, code: string) => ({ status, body: { detail: { code, message: expect.any(String) } } });
const malformed = refused(400, 'invalid_request');

/** A part with its headers, and parts as a body with the boundary `x`. */
const part = (disposition: string, text = 'PK', ...more: string[]) =>
  [`Content-Disposition: form-data; ${disposition}`, ...more, '', text].join('\r\n');
const FILE = part('name="file"; filename="a.xlsx"');
const bodyOf = (...parts: string[]) => `${parts.map((text) => `--x\r\n${text}\r\n`).join('')}--x--\r\n`;

function formWith(
  bytes: Uint8Array<ArrayBuffer>,
  name = 'ofertas.xlsx',
  fields: Record<string, string> = {},
): FormData {
  const form = new FormData();
  for (const [key, text] of Object.entries(fields)) form.set(key, text);
  form.set('file', new Blob([bytes]), name);
  return form;
}

describe('a form', () => {
  it('is read exactly: every byte of the file, its name and the text fields', async () => {
    const bytes = new Uint8Array(300_000).map((_, index) => (index * 7919) % 251);
    const { status, body } = await post(formWith(bytes, 'ofertas 2026 ñ.xlsx', { kind: 'x', client_id: '7' }));
    expect([status, body]).toEqual([
      200,
      {
        fields: [
          ['kind', 'x'],
          ['client_id', '7'],
        ],
        name: 'ofertas 2026 ñ.xlsx',
        size: bytes.length,
        hash: hashOf(bytes),
      },
    ]);
    const [form] = read;
    // It has memory of its own, so it can be transferred to another thread.
    expect(isSentForm(form) && form.file.bytes.buffer.byteLength).toBe(bytes.length);
  });

  it('may have any file: empty, with line breaks, or with text that looks like a boundary', async () => {
    for (const text of ['', '\r\n', '\r\n--', '\r\n--y--\r\n', '--y', '\r\n--X\r\n', '\r', '-', '\r\n\r\n--']) {
      const { status, body } = await post(bodyOf(part('name="file"; filename="a.xlsx"', text)));
      expect([status, body.size], JSON.stringify(text)).toEqual([200, text.length]);
    }
  });

  it('may be written differently: in another order, with a preamble, with an encoded name', async () => {
    for (const [body, name] of [
      [`preámbulo\r\n${bodyOf(FILE)}`, 'a.xlsx'],
      [`${bodyOf(FILE)}epílogo`, 'a.xlsx'],
      [bodyOf(part('name=file; filename=a.xlsx')), 'a.xlsx'],
      [bodyOf(part('filename="a.xlsx"; name="file"')), 'a.xlsx'],
      [bodyOf(part('name="file"; filename*=UTF-8\'\'a%C3%B1.xlsx')), 'añ.xlsx'],
      [bodyOf(part('name="file"; filename="a.xlsx"', 'PK', 'Content-Type: text/plain')), 'a.xlsx'],
      [bodyOf(part('name="file"; filename="C:\\\\datos\\\\a.xlsx"')), 'a.xlsx'],
      [bodyOf(part('name="file"; filename="../../a.xlsx"')), 'a.xlsx'],
    ] as const) {
      const answer = await post(body);
      expect([answer.status, answer.body.name, answer.body.size], body).toEqual([200, name, 2]);
    }
  });

  it('arrives in pieces as small as one byte', async () => {
    const body = Buffer.from(bodyOf(part('name="kind"', 'x'), FILE));
    const socket = await openConnection(httpServer.url);
    const answer = readToEnd(socket);
    socket.setNoDelay(true);
    socket.write(`${headOf(UPLOADS)}Content-Length: ${body.length}\r\n\r\n`);
    for (const byte of body) {
      socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    const { status, body: text } = parseAnswer(await answer);
    expect([status, JSON.parse(text)]).toMatchObject([200, { fields: [['kind', 'x']], name: 'a.xlsx', size: 2 }]);
  });
});

describe('a body that is not a form with one file called file', () => {
  const many = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, i) => text(i));

  it.each<[string, string]>([
    ['two files', bodyOf(FILE, FILE)],
    ['a second file under another name', bodyOf(FILE, part('name="otro"; filename="b.xlsx"'))],
    ['a file under another name', bodyOf(part('name="fichero"; filename="a.xlsx"'))],
    ['a file in a nested name', bodyOf(part('name="file[0]"; filename="a.xlsx"'))],
    ['no file', bodyOf(part('name="kind"', 'x'))],
    ['a text called file', bodyOf(part('name="file"', 'PK'))],
    ['a text called file beside the file', bodyOf(FILE, part('name="file"', 'PK'))],
    ['an empty file name', bodyOf(part('name="file"; filename=""'))],
    ['bytes without a file name', bodyOf(part('name="file"', 'PK', 'Content-Type: application/octet-stream'))],
    ['a file without a name of its part', bodyOf(part('filename="a.xlsx"'))],
    ['a text without a name', bodyOf(FILE, part('x=1', 'x'))],
    ['a part without a disposition', bodyOf('X-Other: 1\r\n\r\nPK')],
    ['a part without headers', bodyOf('\r\nPK')],
    [
      'a part that is no form data',
      bodyOf('Content-Disposition: attachment; name="file"; filename="a.xlsx"\r\n\r\nPK'),
    ],
    ['no end', bodyOf(FILE).replace('--x--', '')],
    ['an end within the file', bodyOf(FILE).slice(0, -12)],
    ['an end within a header', bodyOf(FILE).slice(0, 30)],
    ['nothing', ''],
    ['only an end', '--x--\r\n'],
    ['another boundary', bodyOf(FILE).replaceAll('--x', '--y')],
    ['line breaks of another kind', bodyOf(FILE).replaceAll('\r\n', '\n')],
    ['11 texts', bodyOf(FILE, ...many(11, (i) => part(`name="t${i}"`, 'x')))],
    ['30 parts that are passed over', bodyOf(...many(30, () => 'X-Other: 1\r\n\r\nx'), FILE)],
    [
      '3 000 headers of a part',
      bodyOf(part('name="file"; filename="a.xlsx"', 'PK', ...many(3000, (i) => `X-${i}: 1`))),
    ],
    ['a header of 20 KB', bodyOf(part('name="file"; filename="a.xlsx"', 'PK', `X-Long: ${'x'.repeat(20_000)}`))],
    ['a header that is none', bodyOf('Content-Disposition form-data\r\n\r\nPK')],
    ['a text of 4 KB', bodyOf(FILE, part('name="kind"', 'x'.repeat(4096)))],
    [
      'a text in an unknown encoding',
      bodyOf(FILE, part('name="kind"', 'x', 'Content-Type: text/plain; charset=klingon')),
    ],
  ])('%s', async (_name, body) => {
    expect(await post(body, { path: UPLOADS })).toMatchObject(malformed);
    expect(read).toEqual([]);
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary',
    'multipart/form-data; x=y',
  ])('the content type %s', async (contentType) => {
    expect(await post(bodyOf(FILE), { contentType })).toMatchObject(malformed);
  });

  it('names of fields are passed on unchanged, even hostile ones, and never nested', async () => {
    const names = ['__proto__', 'constructor', 'a[b]', 'a.b', 'a[]'];
    const { body } = await post(bodyOf(FILE, ...names.map((name) => part(`name="${name}"`, '1'))));
    expect(body.fields).toEqual(names.map((name) => [name, '1']));
    expect(Reflect.get({}, 'a')).toBeUndefined();
  });
});

describe('a body of another kind', () => {
  it.each([
    ['application/json', '{}'],
    ['application/x-www-form-urlencoded', 'file=x'],
    ['multipart/mixed; boundary=x', bodyOf(FILE)],
    ['text/plain', 'PK'],
    ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
  ])('A-28: %s is refused where a file is needed', async (contentType, body) => {
    expect(await post(body, { contentType })).toMatchObject(refused(415, 'unsupported_media_type'));
  });

  it('A-28: is JSON or a form for an upload, and nothing else', async () => {
    expect((await post('{"a":1}', { path: UPLOADS, contentType: 'application/json' })).body).toEqual({
      json: { a: 1 },
    });
    expect((await post(bodyOf(FILE), { path: UPLOADS })).body).toMatchObject({ name: 'a.xlsx' });
    for (const contentType of ['text/plain', 'multipart/mixed; boundary=x', 'application/json; charset=utf-16']) {
      const answer = await post(bodyOf(FILE), { path: UPLOADS, contentType });
      expect(answer).toMatchObject(refused(415, 'unsupported_media_type'));
    }
  });

  it('is not supported when compressed', async () => {
    for (const path of [BULK, UPLOADS]) {
      const answer = await post(bodyOf(FILE), { path, headers: { 'Content-Encoding': 'gzip' } });
      expect(answer).toMatchObject(refused(415, 'unsupported_media_type'));
    }
  });

  it('is CSV only where an operation takes CSV, up to 10 MB, and refused elsewhere', async () => {
    const path = '/v1/consumption/periods?tariff_type=2.0TD&territory=peninsula';
    const sent = { path, contentType: 'text/csv; charset=iso-8859-1' };
    const bytes = new Uint8Array(FILE_CAPS.sentBytes).fill(65);
    const whole = { fields: [], name: 'body.csv', size: bytes.length, hash: hashOf(bytes) };
    expect(await post(bytes, sent)).toMatchObject({ status: 200, body: whole });
    expect(await post(new Uint8Array(FILE_CAPS.sentBytes + 1), sent)).toMatchObject(refused(413, 'too_large'));
    const packed = { ...sent, headers: { 'Content-Encoding': 'gzip' } };
    expect(await post('x', packed)).toMatchObject(refused(415, 'unsupported_media_type'));
    for (const elsewhere of [BULK, UPLOADS, '/v1/invoices/qr']) {
      const answer = await post('x', { ...sent, path: elsewhere });
      expect(answer).toMatchObject(refused(415, 'unsupported_media_type'));
    }
  });

  it('can only be JSON where no file is expected', async () => {
    for (const { path, method, input } of operations) {
      if (input.body === null || input.sentAs.includes('multipart')) continue;
      const address = httpServer.url + path.replaceAll(/\{\w+\}/g, '1');
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
      expect((await fetch(address, { method, headers, body: bodyOf(FILE) })).status, path).toBe(415);
    }
  });
});

describe('a file of 10 MB', () => {
  const fileOf = (size: number) => formWith(new Uint8Array(size));

  it('is accepted completely, and one byte more is too large, on a connection that stays open', async () => {
    expect(await post(fileOf(FILE_CAPS.sentBytes))).toMatchObject({ status: 200, body: { size: FILE_CAPS.sentBytes } });
    for (const size of [FILE_CAPS.sentBytes + 1, 2 * FILE_CAPS.sentBytes]) {
      expect(await post(fileOf(size))).toMatchObject(refused(413, 'too_large'));
    }
    expect((await post(fileOf(1))).status).toBe(200);
  });

  it('is refused by its Content-Length before any of its bytes arrived', async () => {
    const answer = await sendRaw(httpServer.url, `${headOf(BULK)}Content-Length: ${MAX_FORM_BYTES + 1}\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body).detail.code]).toEqual([413, 'too_large']);
  });

  it('without an announced length is refused while it arrives', async () => {
    const socket = await openConnection(httpServer.url);
    const answer = readToEnd(socket);
    socket.write(`${headOf(BULK)}Transfer-Encoding: chunked\r\n\r\n`);
    const piece = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    // The form has no end.
    for (let count = 0; count < 12 && !socket.destroyed; count += 1) socket.write(piece);
    expect(parseAnswer(await answer).status).toBe(413);
    expect(read).toEqual([]);
  });
});

it('a form from a caller who may not send it is refused before any of its bytes arrived', async () => {
  for (const path of [BULK, UPLOADS]) {
    const head = `${headOf(path)}X-API-Key: none\r\n`;
    const answer = await sendRaw(httpServer.url, `${head}Content-Length: 1000\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body).detail.code]).toEqual([403, 'missing_scope']);
  }
});

describe('files that arrive at the same time', () => {
  const head = headOf(BULK);
  const of = (account: number) => ({ 'X-Forwarded-For': `203.0.113.${account}` });
  const start = async (account: number) => {
    const socket = await openConnection(httpServer.url);
    const answer = readToEnd(socket);
    const length = `Content-Length: ${Buffer.byteLength(bodyOf(FILE))}`;
    socket.write(`${head}X-Forwarded-For: 203.0.113.${account}\r\n${length}\r\n\r\n--x\r\n`);
    return { socket, answer, finish: () => socket.write(bodyOf(FILE).slice('--x\r\n'.length)) };
  };

  it('A-59: are limited to two per account, further ones are refused with Retry-After, and other accounts can still send', async () => {
    const slow = [await start(1), await start(1)];
    await expect.poll(() => begun).toBe(2);
    const turnedAway = await post(bodyOf(FILE), { headers: of(1) });
    expect(turnedAway).toMatchObject(refused(503, 'unavailable'));
    expect(turnedAway.headers.get('retry-after')).toBe('10');
    expect((await post(bodyOf(FILE), { headers: of(2) })).status).toBe(200);
    slow[0]?.finish();
    expect(parseAnswer((await slow[0]?.answer) ?? '').status).toBe(200);
    expect((await post(bodyOf(FILE), { headers: of(1) })).status).toBe(200);
    for (const { socket } of slow) socket.destroy();
  });

  it('are limited to eight, further ones are refused with Retry-After, and each that ends makes room', async () => {
    const slow = await Promise.all([1, 1, 2, 2, 3, 3, 4, 4].map(start));
    await expect.poll(() => begun).toBe(8);
    const turnedAway = await post(bodyOf(FILE));
    expect(turnedAway).toMatchObject(refused(503, 'unavailable'));
    expect(turnedAway.headers.get('retry-after')).toBe('10');
    // Other requests are still answered.
    expect((await fetch(`${httpServer.url}/v1/account`)).status).toBe(204);
    expect((await post('{}', { path: UPLOADS, contentType: 'application/json' })).status).toBe(200);
    slow[0]?.finish();
    expect(parseAnswer((await slow[0]?.answer) ?? '').status).toBe(200);
    expect((await post(bodyOf(FILE))).status).toBe(200);
    // A caller that disconnects frees its place.
    slow[1]?.socket.destroy();
    await expect.poll(async () => (await post(bodyOf(FILE))).status).toBe(200);
    const before = begun;
    const next = await start(1);
    await expect.poll(() => begun).toBe(before + 1);
    next.finish();
    expect(parseAnswer(await next.answer).status).toBe(200);
    for (const { socket } of slow) socket.destroy();
  });

  it('have no effect when their callers disconnect before they are read', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const socket = await openConnection(httpServer.url);
      const whole = turn % 2 === 0 ? bodyOf(FILE) : '--x\r\n';
      socket.write(`${head}X-API-Key: slow\r\nContent-Length: ${Buffer.byteLength(bodyOf(FILE))}\r\n\r\n${whole}`);
      await expect.poll(() => begun).toBe(turn + 1);
      socket.destroy();
    }
    await expect.poll(async () => (await post(bodyOf(FILE))).status).toBe(200);
  });

  it('free their places when they are refused', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      expect((await post('--x--\r\n')).status).toBe(400);
      expect((await post(formWith(new Uint8Array(FILE_CAPS.sentBytes + 1)))).status).toBe(413);
    }
    expect((await post(bodyOf(FILE))).status).toBe(200);
  });
});
