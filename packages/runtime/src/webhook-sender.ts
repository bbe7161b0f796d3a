import { createHmac } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request as requestPlain } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  assert,
  type Delivery,
  messageIdOf,
  type SendAttempt,
  type SendFailure,
  type SendOutcome,
  type Webhook,
} from '@tarifario/core/service';
import { type HostAddress, publicAddressesOf } from './public-addresses.ts';
import { startOutgoingSpan } from './tracing.ts';

/** How long a receiver may take, from the look-up of its name to the status of its answer. */
const ANSWER_MS = 15_000;
/** As Standard Webhooks recommends. */
const MAX_BODY_BYTES = 20_000;

/** How receivers are reached. */
export interface Receivers {
  /** The addresses that a host may be asked at. @throws where there is none, or one that must not be asked. */
  readonly addressesOf: (host: string, signal: AbortSignal) => Promise<readonly HostAddress[]>;
  readonly request: (options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) => ClientRequest;
}

export const PUBLIC_RECEIVERS: Receivers = { addressesOf: publicAddressesOf, request };

/** Programs listen at either, and Node goes on to the other. */
const THIS_MACHINE: readonly HostAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** For development: the public ones, and programs of this machine at `localhost` and what ends with it. */
export const LOCAL_RECEIVERS: Receivers = {
  addressesOf: async (host, signal) =>
    /(?:^|\.)localhost$/.test(host) ? THIS_MACHINE : publicAddressesOf(host, signal),
  request: (options, onAnswer) => (options.protocol === 'http:' ? requestPlain : request)(options, onAnswer),
};

/** Sends an event. Never rejects: whatever goes wrong is a failure, which is tried again. */
export type SendEvent = (
  delivery: Delivery,
  stop: AbortSignal,
) => Promise<{ readonly outcome: SendOutcome; readonly attempt: SendAttempt }>;

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
    const tooLate = AbortSignal.timeout(answerMs);
    const signal = AbortSignal.any([stop, tooLate]);
    const beganMs = performance.now();
    const sentAtMs = nowMs();
    const span = startOutgoingSpan(`webhook ${delivery.event.type}`, delivery.event.traceparent);
    let status: number | null = null;
    let failure: SendFailure | null = null;
    try {
      const body = bodyOf(delivery);
      assert(Buffer.byteLength(body) <= MAX_BODY_BYTES, 'a body of an event is short');
      status = await post(receivers, { delivery, body, signal, nowMs: sentAtMs, headers: span.headers });
    } catch (error) {
      failure = tooLate.aborted ? 'timeout' : error instanceof SendProblem ? error.failure : 'other';
    }
    const isDelivered = status !== null && status >= 200 && status < 300;
    span.end(!isDelivered);
    const outcome = status === 410 ? 'gone' : isDelivered ? 'delivered' : 'failed';
    const durationMs = Math.round(performance.now() - beganMs);
    return { outcome, attempt: { sentAt: new Date(sentAtMs).toISOString(), durationMs, status, failure } };
  };
}

/** What went wrong, without the words of Node, which may name addresses. */
class SendProblem extends Error {
  readonly failure: SendFailure;
  constructor(failure: SendFailure) {
    super(failure);
    this.name = 'SendProblem';
    this.failure = failure;
  }
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
  const { protocol, hostname, port, pathname, search } = new URL(webhook.url);
  // An address is connected to without a look-up, whatever was looked up before.
  assert(isIP(hostname) === 0, 'a host is a name');
  const addresses = await addressesOf(hostname, signal).catch(() => Promise.reject(new SendProblem('address')));
  const [first] = addresses;
  assert(first !== undefined, 'a host has an address');
  const id = messageIdOf(event);
  const seconds = Math.floor(nowMs / 1000);
  return new Promise((resolve, reject) => {
    const sent = ask(
      {
        method: 'POST',
        protocol,
        host: hostname,
        ...(port !== '' && { port: Number(port) }),
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
    sent.on('error', () => {
      const isUntrusted = sent.socket instanceof TLSSocket && sent.socket.authorizationError != null;
      reject(new SendProblem(isUntrusted ? 'certificate' : 'connection'));
    });
    // Also after an upgrade that nobody asked for, which is neither an answer nor an error.
    sent.on('close', () => reject(new SendProblem('connection')));
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
