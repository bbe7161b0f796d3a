import type { Socket } from 'node:net';
import { draftOffer } from '@tarifario/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openConnection } from './raw-http.ts';
import { ask, askFor, type RunningServer, startTestServer } from './running-server.ts';

// Answers of rankings are written in memory that is used again once the socket has let go of it: whoever reads slowly,
// or goes away, must neither see the answer of another nor leave the memory in a state in which others do.

const PATH = '/v1/offers/efficient';
const OFFERS = 250;
/** Answers of 150 kB each: more than the system keeps for a connection that nobody reads. */
const UNREAD = 60;

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer();
  const { store, clock } = server.service;
  const accountId = await server.addAccount('slow');
  key = await server.addKey(accountId, {});
  await store.write({ keyId: null, at: clock.now() }, async (writer) => {
    const firmTerms = { name: 'Asesoría', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
    const firm = await writer.insertFirm(accountId, firmTerms);
    const companyTerms = { firmId: firm.id, name: 'Comercializadora', logoUrl: null, isActive: true };
    const company = await writer.insertCompany(accountId, companyTerms);
    const terms = Array.from({ length: OFFERS }, (_, index) => {
      const sold = { territories: { peninsula: true }, accepts: { dni: true } };
      const prices = { energyEurPerKwh: [0.1 + index / 1000, null, null, null, null, null] } as const;
      const required = { companyId: company.id, offerName: `Tarifa ${index}`, tariffType: '2.0TD' };
      return draftOffer({ ...required, supplyType: 'LUZ' }, { ...sold, ...prices }).terms;
    });
    await writer.insertOffers(accountId, terms);
  });
});

afterAll(() => server.close());

const bodyOf = (turn: number) => ({ supply_type: 'LUZ', energia: { e1: 1000 + turn }, limit: 200 });

const answerTo = (turn: number) => askFor<object>(server, key, { path: PATH, body: bodyOf(turn) });

function requestText(turn: number): string {
  const body = JSON.stringify(bodyOf(turn));
  const head = ['POST /v1/offers/efficient HTTP/1.1', 'Host: x', `X-API-Key: ${key}`, 'Content-Type: application/json'];
  return `${[...head, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`;
}

/** The bodies of the answers that arrive on a connection, in their order. */
async function readBodies(socket: Socket, count: number): Promise<string[]> {
  const bodies: string[] = [];
  let rest = Buffer.alloc(0);
  for await (const chunk of socket) {
    rest = Buffer.concat([rest, chunk]);
    for (let headEnd = rest.indexOf('\r\n\r\n'); headEnd >= 0; headEnd = rest.indexOf('\r\n\r\n')) {
      const length = Number(/^content-length: (\d+)$/im.exec(rest.toString('latin1', 0, headEnd))?.[1]);
      if (rest.length < headEnd + 4 + length) break;
      bodies.push(rest.toString('utf8', headEnd + 4, headEnd + 4 + length));
      rest = rest.subarray(headEnd + 4 + length);
    }
    if (bodies.length === count) break;
  }
  return bodies;
}

it('who asks much and reads late is told what was asked, while others are answered', async () => {
  const slow = await openConnection(server.url);
  slow.pause();
  slow.write(Array.from({ length: UNREAD }, (_, turn) => requestText(turn)).join(''));
  await Promise.all(Array.from({ length: 100 }, (_, turn) => answerTo(1000 + turn)));
  const bodies = await readBodies(slow, UNREAD);
  const expected = await Promise.all(Array.from({ length: UNREAD }, (_, turn) => answerTo(turn)));
  expect(bodies.map((body) => JSON.parse(body))).toEqual(expected);
});

it('who goes away with answers unread harms nobody', async () => {
  const expected = await answerTo(7);
  for (let attempt = 0; attempt < 5; attempt++) {
    const gone = await openConnection(server.url);
    gone.on('error', () => {});
    gone.pause();
    gone.write(Array.from({ length: UNREAD }, (_, turn) => requestText(turn)).join(''));
    await ask(server, key, { path: PATH, body: bodyOf(7) });
    gone.destroy();
    expect(await Promise.all(Array.from({ length: 20 }, () => answerTo(7)))).toEqual(
      Array.from({ length: 20 }, () => expected),
    );
  }
});
