import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from './running-server.ts';

const COUNT = 320;

it.skipIf(process.platform !== 'linux')(
  'connections that arrive together are accepted, several in each turn of the event loop',
  async () => {
    const server = await startTestServer();
    onTestFinished(() => server.close());
    let accepted = 0;
    const count = () => {
      accepted += 1;
    };
    subscribe('net.server.socket', count);
    onTestFinished(() => void unsubscribe('net.server.socket', count));
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: COUNT }, () => connect(Number(port), hostname));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    let turns = 0;
    while (accepted < COUNT) {
      await nextTurn();
      turns += 1;
    }
    // One in each turn: a caller waits for as many turns as there are connections before his.
    expect(turns).toBeLessThan(COUNT / 4);
  },
);
