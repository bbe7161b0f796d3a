import { createHmac } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@tarifario/testkit/temporary-folder';
import { afterAll, expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, 'webhooks.md'), 'utf8');
const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"type":"upload.finished","data":{"upload_id":1}}';

/** As the text of Standard Webhooks says: id, seconds and body, each after a point. */
function signed(secret: string, seconds: number, body: string) {
  const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64')).update(`msg_1.${seconds}.${body}`);
  const signature = `v1,${hmac.digest('base64')}`;
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
}

test('A-122: the function of the page takes what was signed with its secret lately, and nothing else', async () => {
  const [, block] = /```js verify\n(.*?)```/s.exec(page) ?? [];
  const path = join(folder, 'verify.mjs');
  writeFileSync(path, block ?? '');
  const { readEvent } = await import(pathToFileURL(path).href);
  const now = Math.floor(Date.now() / 1000);
  const headers = signed(SECRET, now, BODY);
  expect(readEvent(SECRET, headers, BODY)).toEqual({ id: 'msg_1', type: 'upload.finished', data: { upload_id: 1 } });
  const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` };
  expect(readEvent(SECRET, both, BODY)).toMatchObject({ id: 'msg_1' });
  expect(() => readEvent('whsec_AAAA', headers, BODY)).toThrow('forged');
  expect(() => readEvent(SECRET, headers, BODY.replace('1', '2'))).toThrow('forged');
  expect(() => readEvent(SECRET, signed(SECRET, now - 400, BODY), BODY)).toThrow('old');
});
