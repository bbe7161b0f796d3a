import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { openStore } from '@tarifario/store';
import { systemClock } from '../src/clock.ts';
import { createLog } from '../src/index.ts';
import { startWebhookJobs } from '../src/webhook-jobs.ts';
import { createSendEvent } from '../src/webhook-sender.ts';
import { loopbackReceivers } from './webhook-receiver.ts';

/** A clock that is ahead, so that a test need not wait for leases and retries. */
export function clockAhead(seconds: () => number) {
  const now = () => new Date(Date.now() + seconds() * 1000).toISOString();
  return { now, monotonicMs: systemClock.monotonicMs };
}

// Programs to be killed. `send DATABASE_URL SECONDS`: sends the events of a database, with a clock that many seconds ahead.
// `receive PORT FILE`: takes events, and writes the id of each to a file before it answers.
if (process.argv[1] === import.meta.filename) {
  const [what, first = '', second = ''] = process.argv.slice(2);
  if (what === 'send') {
    const sendEvent = createSendEvent({ bodyOf: ({ event }) => JSON.stringify(event.data) }, loopbackReceivers);
    const parts = { store: await openStore(first), clock: clockAhead(() => Number(second)), sendEvent };
    startWebhookJobs(parts, { log: createLog('silent') });
    setInterval(() => {}, 60_000);
  } else {
    const server = createServer((request, response) => {
      request.resume();
      request.on('end', () => {
        appendFileSync(second, `${request.headers['webhook-id']}\n`);
        response.writeHead(204).end();
      });
    });
    server.listen(Number(first), '127.0.0.1', () => process.stdout.write('listens\n'));
  }
}
