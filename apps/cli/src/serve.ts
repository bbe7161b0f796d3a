import { closeOnSignal, startServer } from '@tarifario/http';
import { mcpMount } from '@tarifario/mcp';
import { type Run, wholeNumberFrom } from './command.ts';
import { readSettings } from './database.ts';

export const serve: Run = async (args) => {
  const { config, log } = readSettings();
  const port = args.value('port');
  const portOrDefault = port === null ? config.port : wholeNumberFrom(port, '--port', { min: 0, max: 65_535 });
  const server = await startServer({ config: { ...config, port: portOrDefault }, log, mounts: [mcpMount] });
  // Signals are handled before the line is written, because its reader may stop the process at once.
  const closed = closeOnSignal(server, log, config);
  process.stdout.write(`listening on ${server.url}\n`);
  await closed;
  return null;
};
