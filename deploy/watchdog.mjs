// watchdog.mjs HOST PORT SECONDS COMMAND...: requests /healthz three times, and runs a command if the service accepts
// each connection but never answers in time, which means that it hangs. A service that refuses connections is starting
// or has ended, which systemd notices itself.
import { spawnSync } from 'node:child_process';
import { isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const [host = '', port = '', seconds = '', command = '', ...args] = process.argv.slice(2);
const url = `http://${isIPv6(host) ? `[${host}]` : host}:${port}/healthz`;
const waitMs = 1000 * Number(seconds);
if (!URL.canParse(url) || !(waitMs > 0) || command === '') {
  console.error('watchdog: HOST PORT SECONDS COMMAND... are needed');
  process.exit(2);
}

async function hangs() {
  try {
    await fetch(url, { signal: AbortSignal.timeout(waitMs) });
    return false;
  } catch (error) {
    return error.name === 'TimeoutError';
  }
}

for (let asked = 0; asked < 3; asked += 1) {
  if (!(await hangs())) process.exit(0);
  await sleep(waitMs / 10);
}
console.error(`watchdog: ${url} gave no answer three times in ${seconds} s: ${[command, ...args].join(' ')}`);
process.exit(spawnSync(command, args, { stdio: 'inherit' }).status ?? 1);
