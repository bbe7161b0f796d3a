import { readConfig } from '@tarifario/runtime';
import { type ApiDocument, readContract } from '@tarifario/testkit/api/contract';
import { ask } from '@tarifario/testkit/http/running-server';
import { shareOf } from '@tarifario/testkit/share';
import { expect, it } from 'vitest';
import { exampleServer } from './example-server.ts';

// What a program does that imports the document, as Postman does: it knows nothing besides the document and a key.

interface ExampleRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Every request that the document shows; a file is in no document. */
function requestsOf({ rows }: ReturnType<typeof readContract>): readonly ExampleRequest[] {
  return rows.flatMap(({ method, path, operation }): readonly ExampleRequest[] => {
    const { operationId: id, parameters = [], requestBody } = operation;
    const search = new URLSearchParams();
    let filled = path;
    for (const { name, in: place, example } of parameters) {
      if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
      else if (place === 'query' && example !== undefined) {
        for (const value of [example].flat()) search.append(name, String(value));
      }
    }
    const sent = { id, method, path: `${filled}?${search}` };
    if (!requestBody) return [sent];
    const shown = Object.values(requestBody.content['application/json']?.examples ?? {});
    return shown.map(({ value }) => ({ ...sent, body: value }));
  });
}

it('every example request of the document can be sent unchanged and succeeds', { timeout: 300_000 }, async () => {
  let { server, key } = await exampleServer();
  try {
    const document: ApiDocument = JSON.parse((await ask(server, key, { path: '/openapi.json' })).text);
    // Postman puts the first server before each path as it stands, and sends nothing to a relative one.
    const { host, port } = readConfig({});
    expect(document.servers).toMatchObject([{ url: `http://${host}:${port}` }, { url: '/' }]);
    const contract = readContract(document);
    const requests = requestsOf(contract);
    const exampleIds = new Set(requests.map(({ id }) => id));
    const ofFiles = contract.rows.map(({ operation }) => operation.operationId).filter((id) => !exampleIds.has(id));
    expect(ofFiles).toEqual(['bulkUpdateOffers', 'bulkUpdateCatalogOffers']);
    // That all are answered as documented is tested without a socket; each write needs a server of its own.
    const reads = requests.filter(({ method }) => method === 'GET');
    const writes = requests.filter(({ method }) => method !== 'GET');
    for (const { id, ...request } of [...reads, ...shareOf(writes, 6)]) {
      const { status, text, headers } = await ask(server, key, request);
      const about = `${id} ${JSON.stringify(request)} was answered ${status} ${text.slice(0, 500)}`;
      expect(status, about).toBeLessThan(300);
      const row = contract.rows.find(({ operation }) => operation.operationId === id);
      if (!row) throw new Error(`${id} is documented`);
      expect(contract.problemsOf(row, { status, text, header: (name) => headers.get(name) }), about).toEqual([]);
      if (request.method === 'GET') continue;
      // The next one finds the records as the examples have them.
      await server.close();
      ({ server, key } = await exampleServer());
    }
  } finally {
    await server.close();
  }
});
