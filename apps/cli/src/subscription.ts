import { subscription } from '@tarifario/api';
import {
  DEFAULT_FIRM_LIMIT,
  monthFor,
  PLANS,
  type Plan,
  type Quotas,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionTerms,
} from '@tarifario/core/service';
import { type Arguments, idFrom, oneOf, type Run, UsageError, wholeNumberFrom } from './command.ts';
import { noSuchAccount, withDatabase } from './database.ts';

const MAX_FIRMS = 1_000_000;
const MAX_CALLS_PER_MINUTE = 10_000_000;
const MAX_RECORDS = 1_000_000_000;
const MAX_BYTES = 1e15;
const NOTHING = 'none';
const PERIOD_DAYS = 30;
const MS_PER_DAY = 24 * 60 * 60 * 1000;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

export const setSubscription: Run = async (args) => {
  const accountId = idFrom(args.required('account'), '--account');
  // Errors in the arguments are reported before the database is opened.
  const wanted = wantedSubscription(args);
  if (wanted === null) throw new UsageError('subscription set needs --plan');
  return withDatabase(async ({ store, clock }) => {
    const now = clock.now();
    const json = await store.write({ keyId: null, at: now, concerns: [accountId] }, async (writer) => {
      if ((await writer.accounts.get(accountId)) === null) throw noSuchAccount(accountId);
      const terms = subscriptionTerms(wanted, { current: await writer.accounts.subscription(accountId), now });
      return shownSubscription(await writer.accounts.putSubscription(accountId, terms));
    });
    return { json };
  });
};

/** The values of a subscription in the arguments: `undefined` was not given, `null` clears the value. */
export type WantedSubscription = ReturnType<typeof wantedFrom>;

/**
 * Reads the arguments; `null` without `--plan`. `none` clears the end of a trial or an override.
 *
 * @throws UsageError
 */
export function wantedSubscription(args: Arguments): WantedSubscription | null {
  const plan = args.value('plan');
  if (plan !== null) return wantedFrom(args, oneOf(PLANS, plan, '--plan'));
  if (args.value('clients-limit') !== null) throw new UsageError('--clients-limit needs --plan');
  return null;
}

function wantedFrom(args: Arguments, plan: Plan) {
  const option = <T>(name: string, parse: (given: string, name: string) => T): T | undefined => {
    const text = args.value(name);
    return text === null ? undefined : parse(text, `--${name}`);
  };
  const clearable = <T>(name: string, parse: (given: string, name: string) => T): T | null | undefined =>
    option(name, (text, flag) => (text === NOTHING ? null : parse(text, flag)));
  const whole = (min: number, max: number) => (text: string, name: string) => wholeNumberFrom(text, name, { min, max });
  const calls = whole(1, MAX_CALLS_PER_MINUTE);
  const records = whole(0, MAX_RECORDS);
  const bytes = whole(0, MAX_BYTES);
  const quotas: Readonly<Record<keyof Quotas, number | null | undefined>> = {
    companies: clearable('companies-limit', records),
    offers: clearable('offers-limit', records),
    months: clearable('months-limit', records),
    historyBytes: clearable('history-limit', bytes),
    proposalsBytes: clearable('proposals-limit', bytes),
  };
  return {
    plan,
    status: option('status', (text, name) => oneOf(SUBSCRIPTION_STATUSES, text, name)),
    firmLimit: option('clients-limit', whole(0, MAX_FIRMS)),
    trialEndsAt: clearable('trial-ends-at', instantFrom),
    currentPeriodEnd: option('current-period-end', instantFrom),
    callsPerMinute: clearable('calls-per-minute', calls),
    firmCallsPerMinute: clearable('client-calls-per-minute', calls),
    quotas,
  };
}

/**
 * The new subscription: values that were not given stay as they are; the number of firms only if the plan stays the
 * same.
 */
export function subscriptionTerms(
  wanted: WantedSubscription,
  { current, now }: { readonly current: Subscription | null; readonly now: string },
): SubscriptionTerms {
  const limit = current?.plan === wanted.plan ? current.firmLimit : DEFAULT_FIRM_LIMIT[wanted.plan];
  return {
    plan: wanted.plan,
    status: wanted.status ?? current?.status ?? 'active',
    firmLimit: wanted.firmLimit ?? limit,
    trialEndsAt: orCurrent(wanted.trialEndsAt, current?.trialEndsAt),
    currentPeriodEnd: wanted.currentPeriodEnd ?? current?.currentPeriodEnd ?? endOfPeriod(now),
    callsPerMinute: orCurrent(wanted.callsPerMinute, current?.callsPerMinute),
    firmCallsPerMinute: orCurrent(wanted.firmCallsPerMinute, current?.firmCallsPerMinute),
    quotas: Object.fromEntries(
      Object.entries(wanted.quotas).flatMap(([kind, given]) => {
        const quota = orCurrent(given, current?.quotas[kind as keyof Quotas]);
        return quota === null ? [] : [[kind, quota]];
      }),
    ),
  };
}

/** The default end of the first period of a new subscription. */
export function endOfPeriod(now: string): string {
  return new Date(Date.parse(now) + PERIOD_DAYS * MS_PER_DAY).toISOString();
}

/** With what the operator agreed, which callers do not see. */
export function shownSubscription(stored: Subscription): object {
  const { created_at, ...shown } = subscription.toWire(stored);
  return {
    ...shown,
    calls_per_minute: stored.callsPerMinute,
    client_calls_per_minute: stored.firmCallsPerMinute,
    companies_limit: stored.quotas.companies ?? null,
    offers_limit: stored.quotas.offers ?? null,
    months_limit: stored.quotas.months ?? null,
    history_limit: stored.quotas.historyBytes ?? null,
    proposals_limit: stored.quotas.proposalsBytes ?? null,
    created_at,
  };
}

function orCurrent<T>(wanted: T | null | undefined, current: T | null | undefined): T | null {
  return wanted === undefined ? (current ?? null) : wanted;
}

/** Converts a day, or a time with its zone, to a stored instant. */
export function instantFrom(text: string, name: string): string {
  const isReal = INSTANT.test(text) && monthFor(text.slice(0, 10)) !== null && !Number.isNaN(Date.parse(text));
  if (!isReal) throw new UsageError(`${name} must be a time such as 2027-01-31T23:59:59Z`);
  return new Date(text).toISOString();
}
