import { isLoopback } from '@tarifario/http';
import {
  type Config,
  examine,
  exposureOf,
  pendingMigrations,
  readConfig,
  refuseForgetfulPooler,
} from '@tarifario/runtime';
import type { Run } from './command.ts';

interface Check {
  readonly check: string;
  readonly state: 'good' | 'look' | 'bad';
  readonly about: string;
}

/** Beyond this, times of limits, keys and records tell a story that nobody can follow. */
const MAX_CLOCK_GAP_MS = 2_000;
/** No clock of a machine that runs this version shows less. */
const RELEASED_AT = Date.UTC(2026, 0, 1);

/** Looks at everything that a server needs, and changes nothing. Status 1 where something is bad. */
export const doctor: Run = async () => {
  const json = await checksOf(process.env);
  return { json, pretty: null, records: json, status: json.some(({ state }) => state === 'bad') ? 1 : 0 };
};

async function checksOf(env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    return [{ check: 'settings', state: 'bad', about: wordsOf(error) }];
  }
  return [
    { check: 'settings', state: 'good', about: `serves on ${config.host}, port ${config.port}` },
    ...(await databaseChecks(config.databaseUrl)),
    clockCheck(null),
    proxyCheck(config),
  ];
}

async function databaseChecks(url: string): Promise<readonly Check[]> {
  try {
    const { version, clockAheadMs, lacks } = await examine(url);
    const exposure = exposureOf(url);
    const pending = await pendingMigrations(url);
    return [
      {
        check: 'database',
        state: exposure === null ? 'good' : 'look',
        about: `${version}${EXPOSURES[exposure ?? 'none']}`,
      },
      {
        check: 'migrations',
        state: pending.length === 0 ? 'good' : 'look',
        about:
          pending.length === 0 ? 'none is missing' : `${pending.length} missing: tarifario migrate, or the next start`,
      },
      await poolerCheck(url),
      {
        check: 'permissions',
        state: lacks.length === 0 ? 'good' : 'bad',
        about: lacks.length === 0 ? 'as needed' : `lacks: ${lacks.join('; ')}`,
      },
      ...(clockAheadMs === null ? [] : [clockCheck(clockAheadMs)]),
    ];
  } catch (error) {
    return [{ check: 'database', state: 'bad', about: wordsOf(error) }];
  }
}

const EXPOSURES = {
  none: '',
  plain: ', reached without encryption: set sslmode',
  unverified: ', whose certificate is not checked: set sslmode=verify-full',
} as const;

async function poolerCheck(url: string): Promise<Check> {
  try {
    await refuseForgetfulPooler(url);
    return { check: 'pooler', state: 'good', about: 'none that loses prepared statements' };
  } catch (error) {
    return { check: 'pooler', state: 'bad', about: wordsOf(error) };
  }
}

/** @param aheadMs - The clock of the database before that of this machine; `null`: this machine's alone. */
function clockCheck(aheadMs: number | null): Check {
  if (aheadMs === null) {
    const isPast = Date.now() < RELEASED_AT;
    return {
      check: 'clock',
      state: isPast ? 'bad' : 'good',
      about: `${new Date().toISOString()}${isPast ? ' is long past' : ''}`,
    };
  }
  const isNear = Math.abs(aheadMs) <= MAX_CLOCK_GAP_MS;
  return {
    check: 'clock of the database',
    state: isNear ? 'good' : 'bad',
    about: `${aheadMs} ms ahead of this machine`,
  };
}

function proxyCheck({ host, trustedProxyHops }: Config): Check {
  if (trustedProxyHops > 0) {
    const about = `X-Forwarded-For of ${trustedProxyHops} proxies is believed: each of them has to set it, and nobody may pass them by`;
    return { check: 'proxy headers', state: 'good', about };
  }
  if (isLoopback(host)) {
    const about = 'X-Forwarded-For is not believed: behind a proxy set TRUST_PROXY=1, or all callers share its limits';
    return { check: 'proxy headers', state: 'look', about };
  }
  const about = 'plain HTTP beyond this machine and no proxy: keys are readable on the way';
  return { check: 'proxy headers', state: 'look', about };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
