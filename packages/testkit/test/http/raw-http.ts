import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A connection on which bytes are sent as they are, also such that no client would send. */
export async function openConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return socket;
}

/**
 * Sends the head of a request without the line that ends it, and waits until the server has begun to work on it. What
 * comes from then on is for the next reader.
 */
export async function beginRequest(socket: Socket, head: string): Promise<void> {
  const begun = new Promise<string>((resolve, reject) => {
    socket.once('data', (data) => resolve(String(data)));
    socket.once('close', () => reject(new Error('the server closed the connection')));
  });
  socket.write(`${head}Expect: 100-continue\r\n\r\n`);
  if ((await begun) !== 'HTTP/1.1 100 Continue\r\n\r\n') throw new Error(`the server did not begin: ${await begun}`);
}

/** All that arrives until the server closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  return (await readBytesToEnd(socket)).toString('utf8');
}

/** The same, of an answer that is no text. */
export function readBytesToEnd(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.once('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** Sends text as one request and reads the answer; the request should ask for `Connection: close`. */
export async function sendRaw(url: string, text: string | Buffer): Promise<RawAnswer> {
  const socket = await openConnection(url);
  const answer = readToEnd(socket);
  socket.write(text);
  return parseAnswer(await answer);
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers), body: rest.join('\r\n\r\n') };
}
