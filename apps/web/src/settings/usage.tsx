import { TarifarioError } from '@tarifario/client';
import { Problem } from '../shell/problem.tsx';
import { useAnswer, useVisits } from '../shell/query.ts';
import { type Session, useOpenSession } from '../shell/session.ts';
import { Table } from '../shell/table.tsx';
import { type TextName, useTranslation } from '../texts/texts.ts';

/** The calls of the last 30 days, and what the account may do, as the service tells. */
export function Usage({ isOpen }: { readonly isOpen: boolean }) {
  const session = useOpenSession();
  const { say, number, day } = useTranslation();
  const visits = useVisits(isOpen);
  const { answer, error, retry } = useAnswer([session.reach, visits], (signal) => usageOf(session, signal));
  return (
    <section class="card panel" aria-labelledby="usage-title">
      <h2 id="usage-title">{say('usage')}</h2>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer && (
        <>
          <p>
            {say('usageOf', { calls: number(answer.summary.total_calls) })}{' '}
            {answer.summary.p95_response_time_ms !== null &&
              say('usageP95', { ms: number(answer.summary.p95_response_time_ms) })}
          </p>
          {answer.ceiling && (
            <p>
              {say('usageQuota', {
                points: number(answer.ceiling.points),
                remaining: number(answer.ceiling.remaining),
              })}
            </p>
          )}
          <p>
            {answer.plan
              ? say('plan', {
                  plan: answer.plan.plan,
                  count: number(answer.plan.clients_limit),
                  day: day(answer.plan.current_period_end.slice(0, 10)),
                })
              : say('noPlan')}
          </p>
          {answer.summary.calls_by_endpoint.length > 0 && (
            <Table
              name={say('calls')}
              rows={callsByWork(answer.summary.calls_by_endpoint)}
              columns={[
                [say('endpoint'), ([work]) => say(work)],
                [say('calls'), ([, calls]) => number(calls), 'n'],
              ]}
            />
          )}
        </>
      )}
    </section>
  );
}

/** What calls are for, in words of the page: the first that fits their endpoint. */
const WORKS: readonly (readonly [endpoint: RegExp, work: TextName])[] = [
  [/efficient\/batch/, 'customers'],
  [/efficient/, 'rank'],
  [/power/, 'powerAdvice'],
  [/invoices|consumption|taxes|indices/, 'readings'],
  [/proposals/, 'roomProposals'],
  [/offers|catalog|companies|uploads|prices/, 'roomOffers'],
  [/clients|keys|account|usage|subscription/, 'roomSettings'],
  [/(?:)/, 'otherCalls'],
];

/** The most frequent work first. */
function callsByWork(endpoints: readonly { readonly endpoint: string; readonly calls: number }[]) {
  const sums = new Map<TextName, number>();
  for (const { endpoint, calls } of endpoints) {
    const work = WORKS.find(([pattern]) => pattern.test(endpoint))?.[1] ?? 'otherCalls';
    sums.set(work, (sums.get(work) ?? 0) + calls);
  }
  return [...sums].toSorted(([, a], [, b]) => b - a);
}

async function usageOf({ api }: Session, signal: AbortSignal) {
  const { data: summary, headers } = await api.getUsageSummary({}, { signal }).withResponse();
  const plan = await api.getSubscription({}, { signal }).catch((error: unknown) => {
    if (error instanceof TarifarioError && error.code === 'no_subscription') return null;
    throw error;
  });
  return { summary, plan, ceiling: ceilingIn(headers) };
}

/** The calls a minute of the account, where they are the tightest limit. */
function ceilingIn(headers: Headers) {
  const points = /"account";q=(\d+);w=60/.exec(headers.get('RateLimit-Policy') ?? '')?.[1];
  const remaining = /^"account";r=(\d+)/.exec(headers.get('RateLimit') ?? '')?.[1];
  return points && remaining ? { points: Number(points), remaining: Number(remaining) } : null;
}
