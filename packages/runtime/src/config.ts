import { DEFAULT_CACHE_MB, type Imprint } from '@tarifario/core/service';
import { claimName, DEFAULT_CLAIM, type OAuthConfig, tokenSecret, tokenUrl } from './oauth-config.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The settings that come from environment variables. */
export interface Config {
  /** `sqlite:PATH` or `postgres://...`. */
  readonly databaseUrl: string;
  /** Connections to PostgreSQL at most; SQLite has its own number. */
  readonly databasePoolMax: number;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** `null`: no metrics. */
  readonly metricsPort: number | null;
  /** Proxies in front of the server whose `X-Forwarded-For` is believed. */
  readonly trustedProxyHops: number;
  /** Besides those of the loopback interface. */
  readonly mcpAllowedOrigins: readonly string[];
  readonly mcpAllowedHosts: readonly string[];
  readonly usageRetentionDays: number;
  /** Memory for the cache of offers, in units of 1 048 576 bytes. */
  readonly cacheMb: number;
  /** After a stop signal: how long the server still takes calls while `/readyz` answers 503. */
  readonly drainSeconds: number;
  /** Whether webhooks may lead to programs of this machine, as for development. */
  readonly takesLocalReceivers: boolean;
  readonly logLevel: LogLevel;
  /** `null`: no tokens are taken. */
  readonly oauth: OAuthConfig | null;
  /** A file with taxes and prices of power that settle days which are open here; `null`: none. */
  readonly regulatedRowsFile: string | null;
  /** What `GET /v1/about` says of the operator. */
  readonly imprint: Imprint;
}

/** A setting that cannot be used. Its message is one line that names the variable. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings of this process.
 *
 * A variable that is set must be valid. An empty one does not count as missing: an empty `DATABASE_URL` is more often a
 * mistake in a script than a wish for the default file.
 *
 * @throws ConfigError for the first variable that is wrong.
 */
export function readConfig(env: Environment): Config {
  return {
    databaseUrl: read(env, 'DATABASE_URL', 'sqlite:./data/tarifario.db', databaseUrl),
    databasePoolMax: read(env, 'DATABASE_POOL_MAX', 10, (text) => integer(text, 2, 1000)),
    host: read(env, 'HOST', '127.0.0.1', host),
    port: read(env, 'PORT', 3000, (text) => integer(text, 0, 65_535)),
    metricsPort: read(env, 'METRICS_PORT', null, (text) => (text === 'off' ? null : integer(text, 1, 65_535))),
    trustedProxyHops: read(env, 'TRUST_PROXY', 0, (text) => integer(text, 0, 100)),
    mcpAllowedOrigins: read(env, 'MCP_ALLOWED_ORIGINS', [], (text) => list(text, origin)),
    mcpAllowedHosts: read(env, 'MCP_ALLOWED_HOSTS', [], (text) => list(text, host)),
    usageRetentionDays: read(env, 'USAGE_RETENTION_DAYS', 400, (text) => integer(text, 1, 36_500)),
    cacheMb: read(env, 'CACHE_MB', DEFAULT_CACHE_MB, (text) => integer(text, 1, 1_000_000)),
    // A process stops within 25 seconds of the signal, so some of them are left for what is under way.
    drainSeconds: read(env, 'DRAIN_SECONDS', 6, (text) => integer(text, 0, 15)),
    takesLocalReceivers: read(env, 'WEBHOOK_LOOPBACK', false, onOrOff),
    logLevel: read(env, 'LOG_LEVEL', 'info', logLevel),
    oauth: oauthFrom(env),
    regulatedRowsFile: regulatedRowsFileIn(env),
    imprint: {
      owner: read(env, 'ABOUT_OWNER', null, sentence),
      financing: read(env, 'ABOUT_FINANCING', null, sentence),
      contact: read(env, 'ABOUT_CONTACT', null, sentence),
    },
  };
}

/** The setting of these rows alone, for commands that need no other. @throws ConfigError */
export function regulatedRowsFileIn(env: Environment): string | null {
  return read(env, 'TAX_ROWS', null, filePath);
}

/** All that tokens need, or nothing. */
function oauthFrom(env: Environment): OAuthConfig | null {
  const issuer = read(env, 'OAUTH_ISSUER', null, tokenUrl);
  const audience = read(env, 'OAUTH_AUDIENCE', null, tokenUrl);
  const jwksUrl = read(env, 'OAUTH_JWKS_URL', null, tokenUrl);
  const secret = read(env, 'OAUTH_SECRET', null, tokenSecret);
  const claim = read(env, 'OAUTH_CLAIM', null, claimName);
  if (issuer !== null && audience !== null && jwksUrl !== null && secret !== null) {
    return { issuer, audience, jwksUrl, secret, claim: claim ?? DEFAULT_CLAIM };
  }
  const needed = { OAUTH_ISSUER: issuer, OAUTH_AUDIENCE: audience, OAUTH_JWKS_URL: jwksUrl, OAUTH_SECRET: secret };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === null ? [name] : []));
  if (missing.length === Object.keys(needed).length && claim === null) return null;
  throw new ConfigError(`${missing.join(', ')} must be set too: tokens need all of OAUTH_*`);
}

function read<T>(env: Environment, name: string, fallback: T, parse: (text: string) => T): T {
  const text = env[name];
  if (text === undefined) return fallback;
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The message does not show the value: a database address may contain a password.
    throw new ConfigError(`${name} ${text === '' ? 'is empty: unset it for the default' : error.message}`);
  }
}

function integer(text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new RangeError(`must be a whole number from ${min} to ${max}`);
}

function sentence(text: string): string {
  if (/^\S[^\p{Cc}]{0,498}$/u.test(text)) return text;
  throw new RangeError('must be a text of one line, at most 499 characters');
}

function filePath(text: string): string {
  if (/^[^\0\r\n]+$/.test(text)) return text;
  throw new RangeError('must be the path of a file');
}

function databaseUrl(text: string): string {
  const isPostgres = /^postgres(ql)?:\/\/[^\s\0]+$/.test(text) && URL.canParse(text);
  if (!isPostgres && !/^sqlite:[^\0\r\n]+$/.test(text)) {
    throw new RangeError('must be sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE');
  }
  return text;
}

function host(text: string): string {
  if (!/^[\w.:[\]-]+$/.test(text)) throw new RangeError('must be a host name or an address');
  return text;
}

function origin(text: string): string {
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new RangeError('must be a list of origins such as https://example.org, separated by commas');
  }
  return text;
}

function logLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((candidate) => candidate === text);
  if (level === undefined) throw new RangeError(`must be one of ${LOG_LEVELS.join(', ')}`);
  return level;
}

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new RangeError('must be on or off');
}

function list(text: string, parse: (item: string) => string): string[] {
  return text.split(',').map((item) => parse(item.trim()));
}
