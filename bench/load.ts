import { Agent, request } from 'node:http';
import type { MeasuredServer } from './server.ts';

/** A server, and the key to call it with. */
export interface Target {
  readonly url: string;
  readonly key: string;
}

/** What is sent: a POST when it has a body, unless it says another method. */
interface Call {
  readonly path: string;
  readonly body: string | null;
  readonly method?: string | undefined;
}

/** One call; the length of the answer. */
function send(agent: Agent, { url, key }: Target, { path, body, method }: Call): Promise<number> {
  const content =
    body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      { method: method ?? (body === null ? 'GET' : 'POST'), agent, headers: { ...content, 'x-api-key': key } },
      (response) => {
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          length += chunk.length;
        });
        response.on('end', () => {
          if (response.statusCode === 200) resolve(length);
          else reject(new Error(`answered ${response.statusCode}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

export interface Load {
  readonly cpuMicrosPerRequest: number;
  readonly bytesPerAnswer: number;
}

/** Sends `count` requests over some connections at once, and what each cost the server. */
export async function loadOf(server: MeasuredServer, bodies: readonly string[], count: number): Promise<Load> {
  const connections = 8;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  let bytes = 0;
  const before = await server.cpuMicros();
  const worker = async () => {
    while (next < count) {
      const body = bodies[next++ % bodies.length] ?? '';
      const length = await send(agent, server, { path: '/v1/offers/efficient', body });
      bytes += length;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const used = (await server.cpuMicros()) - before;
  agent.destroy();
  return { cpuMicrosPerRequest: used / count, bytesPerAnswer: bytes / count };
}

export interface TimedQuestion {
  /** Each caller stays with one of them. */
  readonly targets: readonly Target[];
  readonly path: string;
  /** Sent in turn; none: a GET. */
  readonly bodies: readonly string[];
  readonly method?: string | undefined;
  readonly calls: number;
  /** Calls that are under way at once. */
  readonly callers: number;
}

export interface TimedLoad {
  readonly microsPerCall: number;
  /** What 99 of 100 calls were answered within. */
  readonly p99Micros: number;
}

/** Callers that each send the next call when the last was answered: how fast that goes, and how long calls took. */
export async function timedLoad({ targets, path, bodies, method, calls, callers }: TimedQuestion): Promise<TimedLoad> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  let next = 0;
  const caller = async (target: Target) => {
    while (next < calls) {
      const body = bodies[next++ % bodies.length] ?? null;
      const sentAt = performance.now();
      await send(agent, target, { path, body, method });
      times.push(performance.now() - sentAt);
    }
  };
  const startedAt = performance.now();
  const all = Array.from({ length: callers }, (_, i) => targets[i % targets.length] ?? { url: '', key: '' });
  await Promise.all(all.map(caller));
  const microsPerCall = (1000 * (performance.now() - startedAt)) / calls;
  agent.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  return { microsPerCall, p99Micros: 1000 * (sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN) };
}
