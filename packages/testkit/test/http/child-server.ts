import { startServer } from '@tarifario/http';
import { createLog, readConfig } from '@tarifario/runtime';

/**
 * A server in a process of its own, for `startServerProcess`: `SETTINGS`, a JSON object that is laid over those of the
 * environment, and `BLOCK_MS`: for how long it stops everything, twice a second, to see whether that is noticed.
 */
const [settings = '{}', blockMs = '0'] = process.argv.slice(2);

const config = { ...readConfig(process.env), ...JSON.parse(settings) };
const { url, metricsUrl, close } = await startServer({ config, log: createLog(config.logLevel) });

// For how long the thread itself worked at most before the loop came round again, however busy the machine is.
const workedMs = () => {
  const { user, system } = process.threadCpuUsage?.() ?? { user: 0, system: 0 };
  return (user + system) / 1000;
};
const block = () => {
  const end = workedMs() + Number(blockMs);
  while (workedMs() < end);
};
const blocking = Number(blockMs) > 0 ? setInterval(block, 500) : undefined;

let longestMs = 0;
let lastMs = workedMs();
const watch = setInterval(() => {
  const nowMs = workedMs();
  longestMs = Math.max(longestMs, nowMs - lastMs);
  lastMs = nowMs;
}, 1);
process.on('message', () => {
  process.send?.(longestMs);
  longestMs = 0;
});

process.on('SIGTERM', async () => {
  process.disconnect();
  clearInterval(watch);
  clearInterval(blocking);
  await close();
  // Whatever is found on any prototype afterwards was put there by a request.
  const leaks = [Object.prototype, Array.prototype, Function.prototype].flatMap((prototype) => Object.keys(prototype));
  process.stdout.write(`${JSON.stringify({ leaks })}\n`);
});

process.stdout.write(`${JSON.stringify({ url, metricsUrl })}\n`);
