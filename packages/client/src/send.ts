import { retryAfterOf, unreachable } from './errors.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How much of a body was sent, in bytes. */
export interface Progress {
  readonly sent: number;
  readonly total: number;
}

/** An answer with its status and headers. */
export interface Answered<T> {
  readonly data: T;
  readonly status: number;
  readonly headers: Headers;
}

/** The types of browsers have a name for this type, and those of Node do not. */
export type Body = NonNullable<RequestInit['body']>;

export interface Outgoing {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: Body | null;
  readonly signal: AbortSignal | null;
  readonly onProgress: ((progress: Progress) => void) | null;
  /** After 503 it may have been done. */
  readonly isOnce: boolean;
}

/** How often, and after how many seconds at most, a call is repeated. */
export interface RetryLimits {
  readonly retries: number;
  readonly maxWaitSeconds: number;
}

/** About 25 days: a timer for more than 2^31 ms ends at once. */
const LONGEST_TIMER_SECONDS = 2_147_483;

/**
 * Sends a request, and again after 429 and 503 as `Retry-After` says; one that is done twice after 429 alone.
 *
 * @throws TarifarioError `unreachable`; else the reason of an aborted signal.
 */
export async function sendWithRetries(request: Outgoing, fetch: Fetch, retryLimits: RetryLimits): Promise<Response> {
  const longestSeconds = Math.min(retryLimits.maxWaitSeconds, LONGEST_TIMER_SECONDS);
  for (let tries = 0; ; tries += 1) {
    const response = await sendOnce(request, fetch).catch(unreachable(request.signal));
    const isBusy = response.status === 429 || (response.status === 503 && !request.isOnce);
    // Without `Retry-After`: 1, 2, 4 seconds.
    const seconds = retryAfterOf(response) ?? 2 ** tries;
    if (!isBusy || tries >= retryLimits.retries || seconds > longestSeconds) return response;
    // Not awaited: cancelling a copy of an answer ends only with the other copy.
    response.body?.cancel().catch(() => undefined);
    await wait(seconds, request.signal);
  }
}

function sendOnce(request: Outgoing, fetch: Fetch): Promise<Response> {
  const { url, method, headers, body, signal, onProgress } = request;
  // A redirect would send the key to another address.
  const init: RequestInit = { method, headers, body, signal, redirect: 'error', credentials: 'omit' };
  if (onProgress === null || body === null) return fetch(url, init);
  const { XMLHttpRequest }: { readonly XMLHttpRequest?: new () => BrowserRequest } = Object(globalThis);
  return XMLHttpRequest
    ? sendByXhr({ ...request, body, onProgress }, new XMLHttpRequest())
    : sendCounted({ ...request, body, onProgress }, { init, fetch });
}

type Watched = Outgoing & { readonly body: Body; readonly onProgress: (progress: Progress) => void };

/** Outside of browsers a body may be a stream, which counts the bytes that are read. */
async function sendCounted(
  { url, headers, body, onProgress }: Watched,
  { init, fetch }: { readonly init: RequestInit; readonly fetch: Fetch },
): Promise<Response> {
  // This encodes a form, whose type has its boundary.
  const encoded = new Response(body);
  const type = encoded.headers.get('Content-Type');
  const blob = await encoded.blob();
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      sent += piece.byteLength;
      controller.enqueue(piece);
      onProgress({ sent, total: blob.size });
    },
  });
  // `duplex` is required with a stream, and missing in the types.
  const streamed: RequestInit & { readonly duplex: 'half' } = {
    ...init,
    duplex: 'half',
    headers: { ...(type !== null && { 'Content-Type': type }), ...headers },
    body: blob.stream().pipeThrough(counter),
  };
  return fetch(url, streamed);
}

/** The used part of `XMLHttpRequest`, which is declared in browsers only. */
interface BrowserRequest {
  readonly upload: { onprogress: ((event: { readonly loaded: number; readonly total: number }) => void) | null };
  readonly status: number;
  readonly response: ArrayBuffer;
  readonly responseURL: string;
  responseType: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Body): void;
  abort(): void;
}

/** In browsers `fetch` does not report the progress of a body. */
function sendByXhr(
  { url, method, headers, body, signal, onProgress }: Watched,
  request: BrowserRequest,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    request.open(method, url);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    request.onerror = () => reject(new TypeError('the request failed'));
    request.onabort = () => reject(new TypeError('the request was aborted'));
    request.onload = () => {
      // `fetch` follows no redirect here. `XMLHttpRequest` does, which only the policy of a page can forbid; its answer
      // from there is refused.
      if (request.responseURL !== new URL(url).href) return reject(new TypeError('the request was redirected'));
      const lines = request
        .getAllResponseHeaders()
        .trim()
        .split(/[\r\n]+/);
      const pairs = lines.map((line): [string, string] => {
        const [name = '', ...values] = line.split(': ');
        return [name, values.join(': ')];
      });
      const bytes = request.response.byteLength > 0 ? request.response : null;
      resolve(new Response(bytes, { status: request.status, headers: pairs }));
    };
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

function wait(seconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
