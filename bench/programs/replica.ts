import { startServer } from '@tarifario/http';
import { createLog, readConfig } from '@tarifario/runtime';
import { answerAsServer } from '../server.ts';

/**
 * The whole service over a PostgreSQL database that is filled already, as `tarifario serve` runs it.
 *
 * Arguments: the address of the database, and a key to call it with.
 */
const [databaseUrl = '', key = ''] = process.argv.slice(2);
const config = readConfig({ DATABASE_URL: databaseUrl, PORT: '0' });
const server = await startServer({ config, log: createLog('info') });
answerAsServer({ url: server.url, key }, server.close);
