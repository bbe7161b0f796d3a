import {
  DEFAULT_FIRM_LIMIT,
  monthFor,
  PLANS,
  type Plan,
  RECORD_KINDS,
  type RecordTotals,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionStatus,
  type SubscriptionTerms,
} from '@tarifario/core/service';
import { type Arguments, idFrom, oneOf, type Run, UsageError, wholeNumberFrom } from './command.ts';
import { noSuchAccount, withDatabase } from './database.ts';

const MAX_FIRMS = 1_000_000;
const MAX_CALLS_PER_MINUTE = 10_000_000;
const MAX_RECORDS = 1_000_000_000;
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
      if ((await writer.account(accountId)) === null) throw noSuchAccount(accountId);
      const terms = subscriptionTerms(wanted, { current: await writer.subscription(accountId), now });
      return toWireSubscription(await writer.putSubscription(accountId, terms));
    });
    return { json, pretty: null };
  });
};

/** The subscription from the arguments: `undefined` was not given, `null` clears the value. */
export interface WantedSubscription {
  readonly plan: Plan;
  readonly status: SubscriptionStatus | undefined;
  readonly firmLimit: number | undefined;
  readonly trialEndsAt: string | null | undefined;
  readonly currentPeriodEnd: string | undefined;
  readonly callsPerMinute: number | null | undefined;
  readonly firmCallsPerMinute: number | null | undefined;
  readonly quotas: Readonly<Record<keyof RecordTotals, number | null | undefined>>;
}

/**
 * Reads the arguments; `null` without `--plan`. `none` clears the end of a trial or an override.
 *
 * @throws UsageError
 */
export function wantedSubscription(args: Arguments): WantedSubscription | null {
  const [plan, limit] = [args.value('plan'), args.value('clients-limit')];
  if (plan === null) {
    if (limit !== null) throw new UsageError('--clients-limit needs --plan');
    return null;
  }
  const [status, periodEnd] = [args.value('status'), args.value('current-period-end')];
  const override = (name: string) =>
    clearable(args.value(name), (given) => wholeNumberFrom(given, `--${name}`, { min: 1, max: MAX_CALLS_PER_MINUTE }));
  const quota = (name: string) =>
    clearable(args.value(name), (given) => wholeNumberFrom(given, `--${name}`, { min: 0, max: MAX_RECORDS }));
  return {
    plan: oneOf(PLANS, plan, '--plan'),
    status: status === null ? undefined : oneOf(SUBSCRIPTION_STATUSES, status, '--status'),
    firmLimit: limit === null ? undefined : wholeNumberFrom(limit, '--clients-limit', { min: 0, max: MAX_FIRMS }),
    trialEndsAt: clearable(args.value('trial-ends-at'), (given) => instantFrom(given, '--trial-ends-at')),
    currentPeriodEnd: periodEnd === null ? undefined : instantFrom(periodEnd, '--current-period-end'),
    callsPerMinute: override('calls-per-minute'),
    firmCallsPerMinute: override('client-calls-per-minute'),
    quotas: { companies: quota('companies-limit'), offers: quota('offers-limit'), months: quota('months-limit') },
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
      RECORD_KINDS.flatMap((kind) => {
        const quota = orCurrent(wanted.quotas[kind], current?.quotas[kind]);
        return quota === null ? [] : [[kind, quota]];
      }),
    ),
  };
}

/** The default end of the first period of a new subscription. */
export function endOfPeriod(now: string): string {
  return new Date(Date.parse(now) + PERIOD_DAYS * MS_PER_DAY).toISOString();
}

export function toWireSubscription(subscription: Subscription): object {
  return {
    id: subscription.id,
    plan: subscription.plan,
    status: subscription.status,
    clients_limit: subscription.firmLimit,
    trial_ends_at: subscription.trialEndsAt,
    current_period_end: subscription.currentPeriodEnd,
    calls_per_minute: subscription.callsPerMinute,
    client_calls_per_minute: subscription.firmCallsPerMinute,
    companies_limit: subscription.quotas.companies ?? null,
    offers_limit: subscription.quotas.offers ?? null,
    months_limit: subscription.quotas.months ?? null,
    created_at: subscription.createdAt,
  };
}

function clearable<T>(given: string | null, parse: (given: string) => T): T | null | undefined {
  if (given === null) return undefined;
  return given === NOTHING ? null : parse(given);
}

function orCurrent<T>(wanted: T | null | undefined, current: T | null | undefined): T | null {
  return wanted === undefined ? (current ?? null) : wanted;
}

/** Converts a day, or a time with its zone, to a stored instant. */
function instantFrom(given: string, name: string): string {
  const isReal = INSTANT.test(given) && monthFor(given.slice(0, 10)) !== null && !Number.isNaN(Date.parse(given));
  if (!isReal) throw new UsageError(`${name} must be a time such as 2027-01-31T23:59:59Z`);
  return new Date(given).toISOString();
}
