import { closeOnSignal, startServer } from '@tarifario/http';
import { ConfigError, createLog, readConfig } from '@tarifario/runtime';
import { mcpMount } from './index.ts';

const DEFAULT_PORT = '3001';

try {
  // npm runs this in the folder of the package, but paths in settings are relative to where npm was called.
  process.chdir(process.env.INIT_CWD ?? '.');
  const config = readConfig({ PORT: DEFAULT_PORT, ...process.env });
  const log = createLog(config.logLevel);
  // The server runs even if its standard output is closed, so a failed write of the address is ignored.
  process.stdout.on('error', () => {});
  const server = await startServer({ config, log, mounts: [mcpMount], servesRest: false });
  // Signals are handled before the line is written, because its reader may stop the process at once.
  const closed = closeOnSignal(server, log, config);
  process.stdout.write(`listening on ${server.url}\n`);
  await closed;
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`tarifario: ${error.message}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
