import { EXAMPLE_PASSWORD, fillExampleWorld } from '../../../packages/api/test/example-world.ts';
import { requestOf } from './http-world.ts';
import { askFor, startTestServer } from './running-server.ts';

/** A server with the records of the examples, and a key. */
export async function exampleServer() {
  const server = await startTestServer();
  const accountId = await server.addAccount('examples');
  const key = await server.addKey(accountId, {});
  const { store, secrets } = server.service;
  const passwordHash = await secrets.hashPassword(EXAMPLE_PASSWORD);
  await fillExampleWorld({
    ...{ store, accountId, email: 'hola@energiaclara.example', passwordHash },
    ask: async (id, sent) => Object(await askFor(server, key, requestOf(id, sent))),
  });
  return { server, key };
}
