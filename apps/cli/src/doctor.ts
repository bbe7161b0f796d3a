import { getServers } from 'node:dns';
import { DUE_DAYS, firstOpenDay } from '@tarifario/core/service';
import { isLoopback } from '@tarifario/http';
import {
  type Config,
  examine,
  exposureOf,
  pendingMigrations,
  readConfig,
  refuseForgottenStatements,
  tablesWith,
} from '@tarifario/runtime';
import type { Run } from './command.ts';

interface Check {
  readonly check: string;
  readonly state: 'good' | 'look' | 'bad';
  readonly about: string;
}

/** A clock that is further off makes the times of limits, keys and records unreliable. */
const MAX_CLOCK_GAP_MS = 2_000;
/** The clock of a machine that runs this version cannot be earlier. */
const RELEASED_AT = Date.UTC(2026, 0, 1);

/** Checks everything that a server needs, and changes nothing. Status 1 where something is bad. */
export const doctor: Run = async () => {
  const json = await checksOf(process.env);
  return { json, records: json, status: json.some(({ state }) => state === 'bad') ? 1 : 0 };
};

function verdict(check: string, state: Check['state'], about: string): Check {
  return { check, state, about };
}

async function checksOf(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return [verdict('settings', 'bad', wordsOf(error))];
  }
  return [
    verdict('settings', 'good', `serves on ${config.host}, port ${config.port}`),
    ...(await databaseChecks(config.databaseUrl)),
    clockCheck(),
    ratesCheck(config),
    webhooksCheck(config),
    verdict('proxy headers', ...proxyState(config)),
  ];
}

async function databaseChecks(url: string): Promise<readonly Check[]> {
  try {
    const { version, clockAheadMs, lacks } = await examine(url);
    const exposure = exposureOf(url);
    const missing = (await pendingMigrations(url)).length;
    const isNear = Math.abs(clockAheadMs ?? 0) <= MAX_CLOCK_GAP_MS;
    return [
      verdict('database', exposure === null ? 'good' : 'look', `${version}${EXPOSURES[exposure ?? 'none']}`),
      missing === 0
        ? verdict('migrations', 'good', 'none is missing')
        : verdict('migrations', 'look', `${missing} missing: tarifario migrate, or the next start`),
      await poolerCheck(url),
      lacks.length === 0
        ? verdict('permissions', 'good', 'as needed')
        : verdict('permissions', 'bad', `lacks: ${lacks.join('; ')}`),
      ...(clockAheadMs === null
        ? []
        : [verdict('clock of the database', isNear ? 'good' : 'bad', `${clockAheadMs} ms ahead of this machine`)]),
    ];
  } catch (error) {
    return [verdict('database', 'bad', wordsOf(error))];
  }
}

const EXPOSURES = {
  none: '',
  plain: ', reached without encryption: set sslmode',
  unverified: ', whose certificate is not checked: set sslmode=verify-full',
} as const;

async function poolerCheck(url: string): Promise<Check> {
  try {
    await refuseForgottenStatements(url);
    return verdict('pooler', 'good', 'none that loses prepared statements');
  } catch (error) {
    return verdict('pooler', 'bad', wordsOf(error));
  }
}

/** Whether what bills and advised powers need is known for the next months. */
function ratesCheck({ regulatedRowsFile }: Config): Check {
  try {
    const today = new Date().toISOString().slice(0, 10);
    const open = firstOpenDay(tablesWith(regulatedRowsFile), today);
    return open === null
      ? verdict('taxes', 'good', `known for the next ${DUE_DAYS} days`)
      : verdict('taxes', 'look', `not all are known from ${open} on: tarifario taxes --due`);
  } catch (error) {
    return verdict('taxes', 'bad', wordsOf(error));
  }
}

/** Whether events can leave: the hosts of their receivers are looked up at name servers, not in the file of hosts. */
function webhooksCheck({ takesLocalReceivers }: Config): Check {
  if (takesLocalReceivers) {
    return verdict(
      'webhooks',
      'look',
      'WEBHOOK_LOOPBACK is on: webhooks may send requests to programs of this machine',
    );
  }
  const servers = getServers();
  return servers.length > 0
    ? verdict(
        'webhooks',
        'good',
        `hosts are looked up at ${servers.join(', ')}; GET /v1/webhooks/{id}/deliveries has results`,
      )
    : verdict('webhooks', 'look', 'no name server is configured: no event can be sent');
}

function clockCheck(): Check {
  const now = new Date().toISOString();
  return Date.now() < RELEASED_AT ? verdict('clock', 'bad', `${now} is long past`) : verdict('clock', 'good', now);
}

function proxyState({ host, trustedProxyHops }: Config): [state: Check['state'], about: string] {
  if (trustedProxyHops > 0) {
    return [
      'good',
      `X-Forwarded-For of ${trustedProxyHops} proxies is trusted: each proxy must set it, and no caller may reach the server without them`,
    ];
  }
  if (isLoopback(host)) {
    return [
      'look',
      'X-Forwarded-For is not believed: behind a proxy set TRUST_PROXY=1, or all callers share its limits',
    ];
  }
  return ['look', 'plain HTTP beyond this machine and no proxy: keys are readable on the way'];
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
