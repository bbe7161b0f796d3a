import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { isLoopback, listenOnMany } from './listen.ts';

it('of several starts on one port at the same moment one listens, and the port is free when it has closed', async () => {
  const first = await listenOnMany(createServer(), { host: '127.0.0.1', port: 0, setting: 'PORT' });
  const place = { host: '127.0.0.1', port: Number(new URL(first.url).port), setting: 'PORT' };
  await expect(listenOnMany(createServer(), place)).rejects.toThrow('it is taken (EADDRINUSE)');
  await first.close();
  for (let round = 0; round < 2; round += 1) {
    const places = ['127.0.0.1', 'localhost', '127.0.0.1', 'localhost'].map((host) => ({ ...place, host }));
    const starts = await Promise.allSettled(places.map((one) => listenOnMany(createServer(), one)));
    const listening = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    await Promise.all(listening.map(({ close }) => close()));
    expect(listening).toHaveLength(1);
  }
});

it('an unknown host is refused in one line, however long its name is', async () => {
  const place = { host: 'x'.repeat(200), port: 1, setting: 'PORT' };
  const message = /^cannot listen on PORT 1 of x{200}: [^\n]+ \((ENOTFOUND|EAI_AGAIN)\)$/;
  await expect(listenOnMany(createServer(), place)).rejects.toThrow(message);
});

it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', '[::1]'])('%s is within this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

it.each([
  '0.0.0.0',
  '::',
  '[::]',
  '192.168.1.7',
  'example.org',
  '127.0.0.1.example.org',
  'localhost.example.org',
  '::11',
])('%s is beyond this machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});
