import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Operation, operations } from '@tarifario/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord } from '../../../packages/api/test/world.ts';
import { type HostileServer, refusalOf, startHostileServer } from './hostile-server.ts';
import { sendRaw } from './raw-http.ts';
import { ask } from './running-server.ts';

// Headers and bodies that are none of ours, from end to end: a socket, a process and a SQLite file of its own. The
// numbers are those of the table of accidents that the service was planned with.

const BODY_OPERATIONS = operations.filter(({ input }) => input.sentAs.includes('json'));
/** Those that take nothing else. */
const JSON_OPERATIONS = BODY_OPERATIONS.filter(({ input }) => input.sentAs.length === 1);
const DEEP = 50_000;

let hostile: HostileServer;

beforeAll(async () => {
  hostile = await startHostileServer();
});
afterAll(() => hostile.server.close());

describe('a header or an address that is too long', () => {
  it.each([
    ['a header of 20 KB', `GET /v1/account HTTP/1.1\r\nX-Long: hugecanary${'x'.repeat(20_000)}\r\n\r\n`],
    ['an address of 20 KB', `GET /v1/account?hugecanary=${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`],
    ['3 000 headers', `GET /v1/account HTTP/1.1\r\n${'hugecanary: 1\r\n'.repeat(3000)}\r\n`],
  ])('%s is refused, and not logged', async (_name, text) => {
    const answer = await sendRaw(hostile.server.url, text);
    expect(answer.status).toBe(431);
    expect(JSON.parse(answer.body).detail.code).toBe('invalid_request');
    expect(hostile.server.logLines.join('')).not.toContain('hugecanary');
  });

  it('one of exactly the maximum length is answered', async () => {
    const answer = await ask(hostile.server, hostile.world.key, {
      path: `/v1/offers?company_name=${'x'.repeat(15_000)}`,
    });
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(1000);
  });
});

describe('a malformed or unexpected body', () => {
  const multipart = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\nPK\r\n--x--\r\n';
  const good = (operation: Operation) => JSON.stringify(hostile.requestFor(operation).body);

  it.each(BODY_OPERATIONS.map((operation) => [operation.id, operation] as const))(
    'sent to %s is refused',
    async (_id, operation) => {
      const before = hostile.allRows();
      const json = good(operation);
      for (const body of [
        '',
        ' ',
        'null',
        '7',
        '"text"',
        '[]',
        `[${json}]`,
        '{',
        json.slice(0, -1),
        `${json}${json}`,
        `\uFEFF${json}`,
        json.replaceAll('"', "'"),
        `${json} // x`,
        new Uint8Array(Buffer.from(json, 'utf16le')),
        new Uint8Array(Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0x7d])])),
        '['.repeat(DEEP) + ']'.repeat(DEEP),
        `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
      ]) {
        const answer = await hostile.send({ operation, body });
        expect([answer.status, refusalOf(answer).code], String(body).slice(0, 40)).toEqual([400, 'invalid_request']);
      }
      for (const field of Object.keys(asRecord(hostile.requestFor(operation).body))) {
        const nested = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
        const body = JSON.stringify({ ...asRecord(hostile.requestFor(operation).body), [field]: 0 }).replace(
          `"${field}":0`,
          () => `"${field}":${nested}`,
        );
        expect((await hostile.send({ operation, body })).status, field).toBe(400);
      }
      expect(hostile.allRows()).toEqual(before);
    },
  );

  it.each(JSON_OPERATIONS.map((operation) => [operation.id, operation] as const))(
    'in another form sent to %s is not supported',
    async (_id, operation) => {
      const before = hostile.allRows();
      const json = good(operation);
      for (const contentType of [
        'text/plain',
        'text/json',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-16',
        'application/xml',
        'multipart/form-data',
      ]) {
        expect((await hostile.send({ operation, body: json, contentType })).status, contentType).toBe(415);
      }
      for (const contentType of [
        'multipart/form-data; boundary=x',
        'multipart/form-data; boundary=',
        'multipart/mixed',
      ]) {
        expect((await hostile.send({ operation, body: multipart, contentType })).status, contentType).toBe(415);
      }
      const packed = {
        gzip: gzipSync(json),
        deflate: deflateSync(json),
        br: brotliCompressSync(json),
        x: Buffer.from(json),
      };
      for (const [encoding, bytes] of Object.entries(packed)) {
        const answer = await hostile.send({
          operation,
          body: new Uint8Array(bytes),
          headers: { 'Content-Encoding': encoding },
        });
        expect([encoding, answer.status]).toEqual([encoding, 415]);
      }
      expect(hostile.allRows()).toEqual(before);
    },
  );
});

it('none of this was a bug', async () => {
  const { status, stderr } = await hostile.server.stop();
  expect(status).toBe(0);
  expect(stderr).not.toMatch(/"level":"error"/);
});
