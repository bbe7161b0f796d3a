import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Ports from here on are given to who asks for any, where the system does not say from where. */
const USUAL_FIRST_GIVEN = 32_768;
const LOWEST = 10_240;

/**
 * A port of this machine that nobody listens on, and that the system gives to nobody who asks for any: it stays free
 * while the program that is to have it starts, and while it starts again.
 */
export async function quietPort(): Promise<number> {
  const end = Math.max(firstGiven(), LOWEST + 1000);
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (end - LOWEST));
    if (await isFree(port)) return port;
  }
}

function firstGiven(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10) || USUAL_FIRST_GIVEN;
  } catch {
    return USUAL_FIRST_GIVEN;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
