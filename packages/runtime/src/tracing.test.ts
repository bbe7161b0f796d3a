import {
  type Attributes,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  trace,
} from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { startOutgoingSpan, startRequestSpan } from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const SENT = `00-${TRACE}-${SPAN}-01`;
const OWN: SpanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };

const traceOf = (traceparent: string | null) => startRequestSpan('GET', { traceparent, tracestate: null }).traceId;

interface Recorded {
  name: string;
  readonly options: SpanOptions | undefined;
  readonly parent: SpanContext | undefined;
  readonly attributes: Attributes;
  status: SpanStatus | null;
  ended: number;
}

/** A provider that records, as an operator gives one. */
function record(): readonly Recorded[] {
  const spans: Recorded[] = [];
  const startSpan = (
    name: string,
    options?: SpanOptions,
    context?: Parameters<typeof trace.getSpanContext>[0],
  ): Span => {
    const parent = context && trace.getSpanContext(context);
    const one: Recorded = { name, options, parent, attributes: { ...options?.attributes }, status: null, ended: 0 };
    spans.push(one);
    const span = {
      ...trace.wrapSpanContext(OWN),
      spanContext: () => OWN,
      setAttribute: (key: string, value: string | number) => {
        one.attributes[key] = value;
        return span;
      },
      setStatus: (status: SpanStatus) => {
        one.status = status;
        return span;
      },
      updateName: (text: string) => {
        one.name = text;
        return span;
      },
      end: () => {
        one.ended += 1;
      },
    } as unknown as Span;
    return span;
  };
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: () => expect.unreachable('no span is made active') }),
  });
  return spans;
}

afterEach(() => trace.disable());

describe('A-136: traceparent', () => {
  it('A-136: names the trace of a request', () => {
    expect(traceOf(SENT)).toBe(TRACE);
    expect(traceOf(`00-${TRACE}-${SPAN}-00`)).toBe(TRACE);
  });

  it('A-136: of a later version is read as far as it is known', () => {
    expect(traceOf(`01-${TRACE}-${SPAN}-01-more`)).toBe(TRACE);
    expect(traceOf(`fe-${TRACE}-${SPAN}-01`)).toBe(TRACE);
  });

  it.each([
    ['that was not sent', null],
    ['that is empty', ''],
    ['in large letters', SENT.toUpperCase()],
    ['of a version that is none', `ff-${TRACE}-${SPAN}-01`],
    ['of version 0 with more', `${SENT}-more`],
    ['of a later version with more that is not apart', `01-${TRACE}-${SPAN}-01more`],
    ['with a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['with a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['with a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['with a letter that is no digit', `00-${TRACE.replace('4', 'g')}-${SPAN}-01`],
    ['that was sent twice', `${SENT}, ${SENT}`],
    ['with a line break', `${SENT}\n`],
    ['that begins with a space', ` ${SENT}`],
  ])('A-136: %s is ignored', (_what, sent) => {
    expect(traceOf(sent)).toBeUndefined();
  });
});

describe('without a provider', () => {
  it('A-136: receivers get the trace of the cause as it came', () => {
    expect(startOutgoingSpan('webhook', SENT).headers).toEqual({ traceparent: SENT });
    expect(startRequestSpan('GET', { traceparent: SENT, tracestate: null }).traceparent).toBe(SENT);
  });

  it('nothing is sent to receivers that no request caused', () => {
    expect(startOutgoingSpan('webhook', null).headers).toEqual({});
  });

  it('a request runs as it is', () => {
    let ran = 0;
    const span = startRequestSpan('GET', { traceparent: SENT, tracestate: null });
    span.run(() => {
      ran += 1;
    });
    span.end({ route: '/v1/offers', status: 200 });
    expect(ran).toBe(1);
  });
});

describe('with a provider', () => {
  it('a request is one span by its template, under the span of its caller', () => {
    const spans = record();
    const span = startRequestSpan('GET', { traceparent: SENT, tracestate: 'vendor=1' });
    expect(span.traceId).toBe(OWN.traceId);
    span.end({ route: '/v1/offers/{id}', status: 404 });
    expect(spans).toMatchObject([{ name: 'GET /v1/offers/{id}', status: null, ended: 1 }]);
    expect(spans[0]?.parent).toMatchObject({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true });
    expect(spans[0]?.parent?.traceState?.get('vendor')).toBe('1');
    expect(spans[0]?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/v1/offers/{id}',
      'http.response.status_code': 404,
    });
  });

  it('a request of no caller begins a trace, and one that failed in the service is an error', () => {
    const spans = record();
    startRequestSpan('POST', { traceparent: 'junk', tracestate: null }).end({ route: null, status: 500 });
    expect(spans).toMatchObject([{ name: 'POST', parent: undefined, status: { code: 2 }, ended: 1 }]);
  });

  it('a receiver gets the span that sends', () => {
    const spans = record();
    const sent = startOutgoingSpan('webhook', SENT);
    expect(sent.headers).toEqual({ traceparent: `00-${OWN.traceId}-${OWN.spanId}-01` });
    sent.end(true);
    expect(spans).toMatchObject([{ name: 'webhook', parent: { traceId: TRACE }, status: { code: 2 }, ended: 1 }]);
  });
});
