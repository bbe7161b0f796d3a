import { line, type Row } from '../line.ts';
import { loadOf } from '../load.ts';
import { customers } from '../market.ts';
import { medianOf } from '../measure.ts';
import { toBody } from '../question-body.ts';
import { startServerChild } from '../server.ts';

const OFFERS = 5_000;
const ROUNDS = 7;
const REQUESTS = 1_000;

/**
 * Processor time of the whole server process (all threads) per request: key, limits, validation, a ranking of 5,000
 * offers on SQLite, 50 results, log, metrics and records of use, against Express 5 that sends a constant body of that
 * size, everything switched off that can be, with the request parsed by `express.json` and with its body not even
 * read. Eight connections that are kept.
 */
export const httpLine = line({
  name: 'A ranking over HTTP',
  run: async () => {
    const bodies = customers(64).map((customer) => JSON.stringify(toBody(customer)));
    const ours = await startServerChild('serve', [String(OFFERS)]);
    const first = await loadOf(ours, bodies, 2 * REQUESTS);
    const size = String(Math.round(first.bytesPerAnswer));
    const parsed = await startServerChild('express-constant', [size, 'parsed']);
    const unread = await startServerChild('express-constant', [size, 'unread']);
    const servers = [ours, parsed, unread];
    try {
      const times = servers.map((): number[] => []);
      for (const server of servers) await loadOf(server, bodies, REQUESTS);
      for (let round = 0; round < ROUNDS; round++) {
        for (const [index, server] of servers.entries()) {
          times[index]?.push((await loadOf(server, bodies, REQUESTS)).cpuMicrosPerRequest);
        }
      }
      const [oursMicros = 0, parsedMicros = 0, unreadMicros = 0] = times.map(medianOf);
      const row = { what: 'one request', oursMicros };
      const rows: readonly Row[] = [
        { ...row, peer: 'Express, body parsed', peerMicros: parsedMicros, ratio: 'ours/theirs', goal: { atMost: 2.5 } },
        { ...row, peer: 'Express, body not read', peerMicros: unreadMicros, ratio: 'ours/theirs', goal: null },
      ];
      return rows;
    } finally {
      for (const server of servers) await server.end();
    }
  },
});
