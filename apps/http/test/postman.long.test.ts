import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ask } from '@tarifario/testkit/http/running-server';
import { afterAll, expect, it } from 'vitest';
import { exampleServer } from './example-server.ts';

// What Postman makes of the document, by the program with which it imports it.

const IMPORTER = 'openapi-to-postmanv2@6.3.3';
/** Those of the page about the document: without them Postman sends values of its own for what may be left out. */
const SETTINGS = { parametersResolution: 'Example', enableOptionalParameters: false };

const folder = mkdtempSync(join(tmpdir(), 'tarifario-postman-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

/** A folder of the collection, or a request. */
interface Item {
  readonly item?: readonly Item[];
  readonly request: {
    readonly method: string;
    readonly header: readonly Pair[];
    readonly url: {
      readonly path: readonly string[];
      readonly query: readonly Pair[];
      readonly variable: readonly Pair[];
    };
    readonly body?: { readonly mode: string; readonly raw?: string };
  };
}

interface Collection {
  readonly item: readonly Item[];
  readonly variable: readonly Pair[];
}

/** The collection that Postman has after the import; `null` where no registry can be reached. */
async function imported(document: string): Promise<Collection | null> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--fetch-retries=0'];
  try {
    await promisify(execFile)('npm', ['install', ...flags, IMPORTER], { cwd: folder });
  } catch (error) {
    if (!/E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH)/.test(String(error))) throw error;
    console.warn('LEFT OUT: no registry can be reached, so nothing is known of Postman');
    return null;
  }
  const { convertV2 } = createRequire(join(folder, 'package.json'))('openapi-to-postmanv2');
  const { result, reason, output } = await promisify(convertV2)({ type: 'string', data: document }, SETTINGS);
  if (!result) throw new Error(reason);
  return output[0].data;
}

const requestsIn = (items: readonly Item[]): readonly Item['request'][] =>
  items.flatMap((entry) => (entry.item ? requestsIn(entry.item) : [entry.request]));

const sentOf = (pairs: readonly Pair[]) =>
  pairs.filter(({ disabled }) => disabled !== true).map(({ key, value }): [string, string] => [key, value]);

it('every request that Postman makes of the document succeeds as it stands, but for those with a file', async () => {
  let { server, key } = await exampleServer();
  try {
    const collection = await imported((await ask(server, key, { path: '/openapi.json' })).text);
    if (collection === null) return;
    const variables = Object.fromEntries(sentOf(collection.variable));
    expect(variables.baseUrl).toBe('http://127.0.0.1:3000');
    const requests = requestsIn(collection.item).filter(({ body }) => body?.mode !== 'formdata');
    expect(requests.length).toBeGreaterThan(70);
    for (const { method, url, header, body } of requests) {
      const inPath = { ...variables, ...Object.fromEntries(sentOf(url.variable)) };
      const path = `/${url.path.join('/')}`.replaceAll(
        /:(\w+)|\{\{(\w+)\}\}/g,
        (_all, one, other) => inPath[one ?? other] ?? '',
      );
      const request = {
        ...{
          method,
          path: `${path}?${new URLSearchParams(sentOf(url.query))}`,
          headers: Object.fromEntries(sentOf(header)),
        },
        ...(body?.raw !== undefined && { body: body.raw }),
      };
      const { status, text } = await ask(server, key, request);
      expect(status, `${JSON.stringify(request)} was answered ${text.slice(0, 300)}`).toBeLessThan(300);
      if (method === 'GET') continue;
      // The next one finds the records as the examples have them.
      await server.close();
      ({ server, key } = await exampleServer());
    }
  } finally {
    await server.close();
  }
});
