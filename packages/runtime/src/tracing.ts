import {
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Version, trace, span, flags. A later version may say more. */
const TRACEPARENT = /^(?!ff)(?:00|([\da-f]{2}))-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** A request as one span. Without a provider of OpenTelemetry nothing is recorded. */
interface RequestSpan {
  /** The trace that the request belongs to; `undefined`: none. */
  readonly traceId: string | undefined;
  /** What makes other spans part of it; `undefined`: none. */
  readonly traceparent: string | undefined;
  /** Runs `work` within the span. */
  run(work: () => void): void;
  /** @param route - The template of the path; `null`: unknown. */
  end(answered: { readonly route: string | null; readonly status: number }): void;
}

/**
 * @param headers - As received; `traceparent` and `tracestate` of W3C Trace Context. What is not valid is ignored.
 * @see docs/assumptions.md, A-136
 */
export function startRequestSpan(
  method: string,
  headers: { readonly traceparent: string | null; readonly tracestate: string | null },
): RequestSpan {
  const parent = remoteContext(headers);
  const attributes = { 'http.request.method': method };
  const span = tracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  const traceparent = traceparentOf(span);
  return {
    traceId: traceparent && span.spanContext().traceId,
    traceparent,
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end({ route, status }) {
      span.setAttribute('http.response.status_code', status);
      if (route !== null) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      endSpan(span, status >= 500);
    },
  };
}

/** A request of ours to somebody else, as one span. */
interface OutgoingSpan {
  /** What makes the receiver's spans part of the trace; empty where there is none. */
  readonly headers: { readonly traceparent?: string };
  end(isFailed: boolean): void;
}

/** @param cause - The `traceparent` of the request that caused it; `null`: it begins a trace, if there is a provider. */
export function startOutgoingSpan(name: string, cause: string | null): OutgoingSpan {
  const parent = remoteContext({ traceparent: cause, tracestate: null });
  const span = tracer().startSpan(name, { kind: SpanKind.CLIENT }, parent);
  const traceparent = traceparentOf(span);
  return { headers: traceparent === undefined ? {} : { traceparent }, end: (isFailed) => endSpan(span, isFailed) };
}

/** Without a provider that of the parent, as it came. */
function traceparentOf(span: Span): string | undefined {
  const { traceId, spanId, traceFlags } = span.spanContext();
  if (!isSpanContextValid(span.spanContext())) return undefined;
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

// Looked up each time, because a provider may be registered at any time.
const tracer = () => trace.getTracer('tarifario');

function remoteContext({ traceparent, tracestate }: Parameters<typeof startRequestSpan>[1]) {
  const [, laterVersion, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const isOther = laterVersion === undefined && more !== undefined;
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  if (isOther || !isSpanContextValid(spanContext)) return ROOT_CONTEXT;
  const state = tracestate === null ? {} : { traceState: createTraceState(tracestate) };
  return trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, ...state });
}

function endSpan(span: Span, isFailed: boolean): void {
  if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
