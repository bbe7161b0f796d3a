import { Agent, request } from 'node:http';
import type { MeasuredServer } from './server.ts';

/** One POST; the length of the answer. */
function post(
  agent: Agent,
  { url, key }: { readonly url: string; readonly key: string },
  body: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/v1/offers/efficient`,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-api-key': key },
      },
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
    sent.end(body);
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
      const length = await post(agent, server, body);
      bytes += length;
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const used = (await server.cpuMicros()) - before;
  agent.destroy();
  return { cpuMicrosPerRequest: used / count, bytesPerAnswer: bytes / count };
}
