import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '@tarifario/http';
import { compose, createLog, migrate, readConfig } from '@tarifario/runtime';
import { fillAccount } from '../account.ts';
import { answerAsServer } from '../server.ts';

/**
 * The whole service with a market of LUZ offers on SQLite, as `tarifario serve` runs it: log, metrics and all.
 *
 * Arguments: how many offers.
 */
const folder = mkdtempSync(join(tmpdir(), 'tarifario-bench-'));
const databaseUrl = `sqlite:${join(folder, 'bench.db')}`;
const log = createLog('info');
await migrate(databaseUrl);
const seeding = await compose(databaseUrl, log);
const { key } = await fillAccount(seeding, Number(process.argv[2]));
await seeding.close();
// The system chooses both ports, so that benchmarks run side by side.
const config = { ...readConfig({ DATABASE_URL: databaseUrl, PORT: '0' }), metricsPort: 0 };
const server = await startServer({ config, log });
answerAsServer({ url: server.url, key }, async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
