import { line, type Row } from '../line.ts';
import { loadOf } from '../load.ts';
import { customers } from '../market.ts';
import { medianOf } from '../measure.ts';
import { toBody } from '../question-body.ts';
import { startServerChild } from '../server.ts';

/** How many offers, and how many times the time of Express a request may take. */
const GOALS = [
  [300, 3.5],
  [1_000, 4],
] as const;
const ROUNDS = 7;
const REQUESTS = 1_000;

/**
 * Processor time of the whole server process (all threads) per request: key, limits, validation, a ranking on
 * SQLite, 50 results, log, metrics and records of use, against Express 5 that sends a constant body of that size,
 * everything switched off that can be, with the request parsed by `express.json` and with its body not even read. Eight
 * connections that are kept.
 */
export const httpLine = line({
  name: 'A ranking over HTTP',
  run: async () => {
    const rows: Row[] = [];
    for (const [offers, atMost] of GOALS) rows.push(...(await rowsFor(offers, atMost)));
    return rows;
  },
});

async function rowsFor(offers: number, atMost: number): Promise<readonly Row[]> {
  const bodies = customers(64).map((customer) => JSON.stringify(toBody(customer)));
  const ours = await startServerChild('serve', [String(offers)]);
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
    const row = { what: `${offers} offers, one request`, oursMicros };
    return [
      { ...row, peer: 'Express, body parsed', peerMicros: parsedMicros, ratio: 'ours/theirs', goal: { atMost } },
      { ...row, peer: 'Express, body not read', peerMicros: unreadMicros, ratio: 'ours/theirs', goal: null },
    ];
  } finally {
    for (const server of servers) await server.end();
  }
}
