import {
  DEFAULT_FIRM_LIMIT,
  monthFor,
  PLANS,
  SUBSCRIPTION_STATUSES,
  type Subscription,
  type SubscriptionTerms,
} from '@tarifario/core';
import { type Arguments, type Command, idFrom, oneOf, UsageError, wholeNumberFrom } from './command.ts';
import { noSuchAccount, withDatabase } from './database.ts';

const MAX_FIRMS = 1_000_000;
const MAX_CALLS_PER_MINUTE = 10_000_000;
const NOTHING = 'none';
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

export const subscriptionCommand: Command = {
  words: 'subscription set',
  usage:
    '--account ID --plan P [--status active|cancelled] [--clients-limit N] [--trial-ends-at T] [--current-period-end T] [--calls-per-minute N] [--client-calls-per-minute N]',
  values: [
    'account',
    'plan',
    'status',
    'clients-limit',
    'trial-ends-at',
    'current-period-end',
    'calls-per-minute',
    'client-calls-per-minute',
  ],
  async run(args) {
    const accountId = idFrom(args.required('account'), '--account');
    args.required('plan');
    // What is wrong with the arguments is said before the database is touched.
    newSubscription(args, null);
    return withDatabase(async ({ store, clock }) => {
      const json = await store.write({ keyId: null, at: clock.now() }, async (writer) => {
        if ((await writer.account(accountId)) === null) throw noSuchAccount(accountId);
        const terms = newSubscription(args, await writer.subscription(accountId));
        if (terms === null) throw new UsageError('subscription set needs --plan');
        return toWireSubscription(await writer.putSubscription(accountId, terms));
      });
      return { json, pretty: null };
    });
  },
};

/**
 * The subscription that the arguments ask for, `null` without `--plan`. What is not given stays as it was; the number
 * of firms stays only with the plan. `none` clears a date or an override.
 *
 * @throws UsageError
 */
export function newSubscription(args: Arguments, current: Subscription | null): SubscriptionTerms | null {
  const [planName, limit] = [args.value('plan'), args.value('clients-limit')];
  if (planName === null) {
    if (limit !== null) throw new UsageError('--clients-limit needs --plan');
    return null;
  }
  const plan = oneOf(PLANS, planName, '--plan');
  const kept = current?.plan === plan ? current.firmLimit : DEFAULT_FIRM_LIMIT[plan];
  const status = args.value('status');
  const override = (name: string, before: number | null | undefined) =>
    optional(args.value(name), before, (given) =>
      wholeNumberFrom(given, `--${name}`, { min: 1, max: MAX_CALLS_PER_MINUTE }),
    );
  const instant = (name: string, before: string | null | undefined) =>
    optional(args.value(name), before, (given) => instantFrom(given, `--${name}`));
  return {
    plan,
    status: status === null ? 'active' : oneOf(SUBSCRIPTION_STATUSES, status, '--status'),
    firmLimit: limit === null ? kept : wholeNumberFrom(limit, '--clients-limit', { min: 0, max: MAX_FIRMS }),
    trialEndsAt: instant('trial-ends-at', current?.trialEndsAt),
    currentPeriodEnd: instant('current-period-end', current?.currentPeriodEnd),
    callsPerMinute: override('calls-per-minute', current?.callsPerMinute),
    firmCallsPerMinute: override('client-calls-per-minute', current?.firmCallsPerMinute),
  };
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
    created_at: subscription.createdAt,
  };
}

function optional<T>(given: string | null, before: T | null | undefined, parse: (given: string) => T): T | null {
  if (given === null) return before ?? null;
  return given === NOTHING ? null : parse(given);
}

/** A day, or a time of a day with its zone, as it is stored. */
function instantFrom(given: string, name: string): string {
  const isReal = INSTANT.test(given) && monthFor(given.slice(0, 10)) !== null && !Number.isNaN(Date.parse(given));
  if (!isReal) throw new UsageError(`${name} must be a time such as 2027-01-31T23:59:59Z, or none`);
  return new Date(given).toISOString();
}
