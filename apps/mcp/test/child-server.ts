import { startServer } from '@tarifario/http';
import { createLog, readConfig } from '@tarifario/runtime';
import { mcpMount } from '../src/index.ts';

/**
 * A server in a process of its own, started with `--expose-gc`: settings as a JSON object that is laid over those of
 * the environment. Asked by any message, it collects its garbage and says how many bytes are left.
 */
const [settings = '{}'] = process.argv.slice(2);

const config = { ...readConfig(process.env), ...JSON.parse(settings) };
const { url, close } = await startServer({ config, log: createLog(config.logLevel), mounts: [mcpMount] });

process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage().heapUsed);
});
process.on('SIGTERM', async () => {
  process.disconnect();
  await close();
});

process.send?.({ url });
