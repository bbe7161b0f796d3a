import { closeOnSignal, startServer } from '@tarifario/http';
import { ConfigError, createLog, readConfig } from '@tarifario/runtime';
import { mcpMount } from './index.ts';

const DEFAULT_PORT = '3001';

try {
  // npm runs this in the folder of the package; paths in settings are meant from where it was called.
  process.chdir(process.env.INIT_CWD ?? '.');
  const config = readConfig({ PORT: DEFAULT_PORT, ...process.env });
  const log = createLog(config.logLevel);
  // Nobody hears where it listens: it does all the same.
  process.stdout.on('error', () => {});
  const server = await startServer({ config, log, mounts: [mcpMount], servesRest: false });
  // Whoever reads the line may stop it at once.
  const closed = closeOnSignal(server, log, config);
  process.stdout.write(`listening on ${server.url}\n`);
  await closed;
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`tarifario: ${error.message}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
