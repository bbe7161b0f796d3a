import { createHmac } from 'node:crypto';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import { assert, type Delivery, type SendOutcome, type Webhook } from '@tarifario/core/service';
import { type HostAddress, publicAddressesOf } from './public-addresses.ts';
import { startOutgoingSpan } from './tracing.ts';

/** How long a receiver may take, from the look-up of its name to the status of its answer. */
const ANSWER_MS = 15_000;
/** As Standard Webhooks recommends. */
const MAX_BODY_BYTES = 20_000;
const HTTPS_PORT = 443;

/** How receivers are reached. */
export interface Receivers {
  /** The addresses that a host may be asked at. @throws where there is none, or one that must not be asked. */
  readonly addressesOf: (host: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;
  readonly request: (options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) => ClientRequest;
}

const PUBLIC_RECEIVERS: Receivers = { addressesOf: publicAddressesOf, request };

/** Sends an event. Never rejects: whatever goes wrong is a failure, which is tried again. */
export type SendEvent = (delivery: Delivery, stop: AbortSignal) => Promise<SendOutcome>;

export function createSendEvent(
  {
    bodyOf,
    nowMs = Date.now,
    answerMs = ANSWER_MS,
  }: {
    readonly bodyOf: (delivery: Delivery) => string;
    readonly nowMs?: () => number;
    readonly answerMs?: number;
  },
  receivers: Receivers = PUBLIC_RECEIVERS,
): SendEvent {
  return async (delivery, stop) => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(answerMs)]);
    const span = startOutgoingSpan(`webhook ${delivery.event.type}`, delivery.event.traceparent);
    let status: number | null = null;
    try {
      const body = bodyOf(delivery);
      assert(Buffer.byteLength(body) <= MAX_BODY_BYTES, 'a body of an event is short');
      status = await post(receivers, { delivery, body, signal, nowMs: nowMs(), headers: span.headers });
    } catch {
      // As an answer that is none.
    }
    const isDelivered = status !== null && status >= 200 && status < 300;
    span.end(!isDelivered);
    if (status === 410) return 'gone';
    return isDelivered ? 'delivered' : 'failed';
  };
}

/** Connects to the address that was checked, follows no redirect, and reads no more than the head of the answer. */
async function post(
  { addressesOf, request: ask }: Receivers,
  {
    delivery,
    body,
    signal,
    nowMs,
    headers,
  }: {
    readonly delivery: Delivery;
    readonly body: string;
    readonly signal: AbortSignal;
    readonly nowMs: number;
    readonly headers: OutgoingHttpHeaders;
  },
): Promise<number> {
  const { webhook, event } = delivery;
  const { hostname, port, pathname, search } = new URL(webhook.url);
  // An address is connected to without a look-up, whatever was looked up before.
  assert(isIP(hostname) === 0, 'a host is a name');
  const addresses = await addressesOf(hostname, signal);
  const [first] = addresses;
  assert(first !== undefined, 'a host has an address');
  const id = `msg_${Date.parse(event.createdAt)}_${event.id}`;
  const seconds = Math.floor(nowMs / 1000);
  return new Promise((resolve, reject) => {
    const sent = ask(
      {
        method: 'POST',
        host: hostname,
        port: port === '' ? HTTPS_PORT : Number(port),
        path: pathname + search,
        headers: {
          ...headers,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'Tarifario',
          'webhook-id': id,
          'webhook-timestamp': seconds,
          'webhook-signature': secretsInForce(webhook, nowMs)
            .map((secret) => signatureOf(secret, `${id}.${seconds}.${body}`))
            .join(' '),
        },
        agent: false,
        // Also where NODE_TLS_REJECT_UNAUTHORIZED is 0, for a database or a collector.
        rejectUnauthorized: true,
        signal,
        lookup: (_host, { all }, answer) =>
          all === true ? answer(null, [...addresses]) : answer(null, first.address, first.family),
      },
      (answer) => {
        answer.destroy();
        resolve(answer.statusCode ?? 0);
      },
    );
    sent.on('error', reject);
    // Also after an upgrade that nobody asked for, which is neither an answer nor an error.
    sent.on('close', () => reject(new Error('the connection was closed')));
    sent.end(body);
  });
}

function secretsInForce({ secret, formerSecret, formerUntil }: Webhook, nowMs: number): readonly string[] {
  const isFormerInForce = formerSecret !== null && formerUntil !== null && nowMs < Date.parse(formerUntil);
  return isFormerInForce ? [secret, formerSecret] : [secret];
}

/** A symmetric signature of Standard Webhooks. @param secret - `whsec_` and Base64. */
export function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
