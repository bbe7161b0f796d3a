import { createLog } from '@tarifario/runtime';
import { closeOnSignal } from '../src/server.ts';

/** A process that cannot close what it has open, and gives it `STOP_MS`. */
const [stopMs] = process.argv.slice(2);

const open = setInterval(() => undefined, 1000);
const closed = closeOnSignal(() => Promise.withResolvers<void>().promise, createLog('info'), Number(stopMs));
process.stdout.write('open\n');
await closed;
clearInterval(open);
