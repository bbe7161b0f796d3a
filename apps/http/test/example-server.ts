import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EXAMPLE_PASSWORD, fillExampleWorld } from '@tarifario/testkit/api/example-world';
import { xlsxFile } from '@tarifario/testkit/http/forms';
import { requestOf } from '@tarifario/testkit/http/http-world';
import { askFor, startTestServer } from '@tarifario/testkit/http/running-server';

let filled: ReturnType<typeof fillDatabase> | undefined;

/** A server with the records of the examples, and a key. The records are made once in each process, and then copied. */
export async function exampleServer() {
  filled ??= fillDatabase();
  const { bytes, key } = await filled;
  return { server: await startTestServer({}, {}, bytes), key };
}

async function fillDatabase() {
  const server = await startTestServer();
  const accountId = await server.addAccount('examples');
  const key = await server.addKey(accountId, {});
  const { store, secrets } = server.service;
  const passwordHash = await secrets.hashPassword(EXAMPLE_PASSWORD);
  await fillExampleWorld({
    ...{ store, accountId, email: 'hola@energiaclara.example', passwordHash },
    ...{ makeFile: xlsxFile, now: () => new Date().toISOString() },
    ask: async (id, sent) => Object(await askFor(server, key, requestOf(id, sent))),
  });
  const file = server.config.databaseUrl.replace('sqlite:', '');
  const database = new DatabaseSync(file, { timeout: 60_000 });
  // A server that starts removes old files of uploads.
  database.exec("UPDATE upload_files SET kept_at = strftime('%Y-%m-%dT%H:%M:%fZ')");
  database.exec(`VACUUM INTO '${file}.copy'`);
  database.close();
  const bytes = readFileSync(`${file}.copy`);
  await server.close();
  return { bytes, key };
}
