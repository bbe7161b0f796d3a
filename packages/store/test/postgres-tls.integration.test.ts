import { migrate, openStore, pendingMigrations } from '@tarifario/store';
import { type Authority, newAuthority } from '@tarifario/testkit/postgres/certificates';
import { emptyDatabase, onServer, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { findBinaries, type PostgresServer, startPostgres } from '@tarifario/testkit/postgres/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleTenant } from './sample-offers.ts';

const [trusted, other] = [newAuthority(), newAuthority()];
if (trusted === null) process.stderr.write('\n*** No openssl: the tests of TLS to PostgreSQL are SKIPPED.\n\n');

const NOBODY_TRUSTED = 'shows a certificate of nobody who is trusted';

describe.skipIf(findBinaries() === null || trusted === null || other === null)('TLS to PostgreSQL', () => {
  const [ours, others] = [trusted, other] as readonly [Authority, Authority];
  let server: PostgresServer;
  let database: TestDatabase;

  beforeAll(async () => {
    // What was answered has to outlive the crashes by which the server gets another certificate.
    server = await startPostgres(findBinaries() ?? '', ['synchronous_commit=on']);
    database = await emptyDatabase(server.url());
  });
  afterAll(async () => {
    await server.stop();
    for (const authority of [ours, others]) authority.remove();
  });

  /** The address of the database under a name of the server, with parameters. */
  const address = (host: string, parameters: Readonly<Record<string, string>>) => {
    const url = new URL(database.url);
    url.hostname = host;
    url.search = new URLSearchParams(parameters).toString();
    return url.href;
  };
  const verifying = (host: string, authority = ours) =>
    address(host, { sslmode: 'verify-full', sslrootcert: authority.path });
  /** Every way in has to be as strict as every other. */
  const refusals = async (url: string) => {
    const reported: string[] = [];
    for (const attempt of [migrate, pendingMigrations, openStore]) {
      reported.push(
        await attempt(url).then(
          () => 'let in',
          (error: unknown) => String(error),
        ),
      );
    }
    return reported;
  };
  const each = (text: string) => Array.from({ length: 3 }, () => expect.stringContaining(text));

  test('a server without TLS is refused', async () => {
    expect(await refusals(verifying('localhost'))).toEqual(each('The server does not support SSL connections'));
  });

  test('a server with the expected name and authority is used, only over TLS', async () => {
    await ours.certify(server, 'localhost');
    const url = verifying('localhost');
    expect((await migrate(url)).applied.length).toBeGreaterThan(0);
    expect(await pendingMigrations(url)).toEqual([]);
    const store = await openStore(url);
    const { account } = await sampleTenant(store);
    expect(await store.read((reader) => reader.accounts.get(account.id))).toEqual(account);
    const { rows } = await onServer(database.url, (client) =>
      client.query(`select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
        where application_name = 'tarifario'`),
    );
    expect(rows).toEqual([{ ssl: true }]);
    await store.close();
  });

  test('a server with a certificate of another authority is refused', async () => {
    await ours.certify(server, 'localhost');
    expect(await refusals(verifying('localhost', others))).toEqual(each(NOBODY_TRUSTED));
    expect(await refusals(address('localhost', { sslmode: 'verify-full' }))).toEqual(each(NOBODY_TRUSTED));
  });

  test('"require" checks as much as verify-full: a private authority has to be named', async () => {
    await ours.certify(server, 'localhost');
    expect(await refusals(address('localhost', { sslmode: 'require' }))).toEqual(each(NOBODY_TRUSTED));
    const url = address('localhost', { sslmode: 'require', sslrootcert: ours.path });
    expect(await pendingMigrations(url)).toEqual([]);
  });

  test('a server with a certificate for another name is refused', async () => {
    await ours.certify(server, 'db.example');
    expect(await refusals(verifying('localhost'))).toEqual(each('shows a certificate for another name'));
    expect(await refusals(verifying('127.0.0.1'))).toEqual(each('shows a certificate for another name'));
  });

  test('an IP address is checked like a name', async () => {
    await ours.certify(server, '127.0.0.1');
    expect(await pendingMigrations(verifying('127.0.0.1'))).toEqual([]);
    expect(await refusals(verifying('localhost'))).toEqual(each('shows a certificate for another name'));
  });

  test('an open pool keeps the same requirements when the server changes its certificate', async () => {
    await ours.certify(server, 'localhost');
    const store = await openStore(verifying('localhost'));
    await others.certify(server, 'localhost');
    await expect(store.read((reader) => reader.accounts.list())).rejects.toMatchObject({ code: 'unavailable' });
    await ours.certify(server, 'localhost');
    await expect.poll(() => store.read((reader) => reader.accounts.list()).catch(() => null)).toHaveLength(1);
    await store.close();
  });
});
