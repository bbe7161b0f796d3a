import { createLog } from '@tarifario/runtime';
import { closeOnSignal } from '../src/server.ts';

/** A process that cannot close what it has open, and gives it `STOP_MS`: closing hangs, or fails. */
const [stopMs, how] = process.argv.slice(2);

const open = setInterval(() => undefined, 1000);
const close = () => (how === 'fails' ? Promise.reject(new Error('in vain')) : Promise.withResolvers<void>().promise);
const closed = closeOnSignal({ drain: () => undefined, close }, createLog('info'), { stopMs: Number(stopMs) });
process.stdout.write('open\n');
await closed.catch(() => {
  process.exitCode = 3;
});
clearInterval(open);
