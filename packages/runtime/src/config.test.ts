import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the settings', () => {
  it('have their documented defaults', () => {
    expect(readConfig({})).toEqual({
      databaseUrl: 'sqlite:./data/tarifario.db',
      databasePoolMax: 10,
      host: '127.0.0.1',
      port: 3000,
      metricsPort: null,
      trustedProxyHops: 0,
      mcpAllowedOrigins: [],
      mcpAllowedHosts: [],
      usageRetentionDays: 400,
      cacheMb: 512,
      drainSeconds: 6,
      takesLocalReceivers: false,
      logLevel: 'info',
      oauth: null,
      regulatedRowsFile: null,
      imprint: { owner: null, financing: null, contact: null },
    });
  });

  const OAUTH = {
    OAUTH_ISSUER: 'https://login.example/realms/a',
    OAUTH_AUDIENCE: 'https://tarifario.example/',
    OAUTH_JWKS_URL: 'https://login.example/keys',
    OAUTH_SECRET: 'x'.repeat(32),
  };

  it('A-100: of tokens are all present or all absent; otherwise one line names the missing ones', () => {
    const { OAUTH_ISSUER: issuer, OAUTH_AUDIENCE: audience, OAUTH_JWKS_URL: jwksUrl, OAUTH_SECRET: secret } = OAUTH;
    const all = { issuer, audience, jwksUrl, secret };
    expect(readConfig(OAUTH).oauth).toEqual({ ...all, claim: 'tarifario_key' });
    expect(readConfig({ ...OAUTH, OAUTH_CLAIM: 'https://a.example/key' }).oauth?.claim).toBe('https://a.example/key');
    expect(readConfig({ ...OAUTH, OAUTH_JWKS_URL: 'http://127.0.0.1:8080/keys' }).oauth).not.toBeNull();
    for (const name of Object.keys(OAUTH)) {
      const missing = new ConfigError(`${name} must be set too: tokens need all of OAUTH_*`);
      expect(() => readConfig({ ...OAUTH, [name]: undefined })).toThrow(missing);
    }
    expect(() => readConfig({ OAUTH_CLAIM: 'sub' })).toThrow('OAUTH_ISSUER, OAUTH_AUDIENCE');
  });

  it.each([
    ['OAUTH_ISSUER', 'login.example'],
    ['OAUTH_ISSUER', 'http://login.example'],
    ['OAUTH_AUDIENCE', 'https://a.example/?x=1'],
    ['OAUTH_JWKS_URL', 'https://user:password@a.example/'],
    ['OAUTH_JWKS_URL', 'file:///etc/passwd'],
    ['OAUTH_SECRET', 'x'.repeat(31)],
    ['OAUTH_CLAIM', ''],
    ['OAUTH_CLAIM', 'a b'],
  ])('A-100: refuse %s=%j in one line', (name, value) => {
    const read = () => readConfig({ ...OAUTH, [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} [^\n]+$`));
    if (value.length > 20) expect(read).not.toThrow(value);
  });

  it('are read from the environment', () => {
    const config = readConfig({
      DATABASE_URL: 'sqlite:/var/lib/tarifario/a b.db',
      DATABASE_POOL_MAX: '25',
      HOST: '::',
      PORT: '0',
      METRICS_PORT: '9100',
      TRUST_PROXY: '2',
      MCP_ALLOWED_ORIGINS: 'https://a.example, http://b.example:8080',
      MCP_ALLOWED_HOSTS: 'a.example,b.example:8080',
      USAGE_RETENTION_DAYS: '30',
      CACHE_MB: '2048',
      DRAIN_SECONDS: '0',
      WEBHOOK_LOOPBACK: 'on',
      LOG_LEVEL: 'warn',
      TAX_ROWS: '/etc/tarifario/regulated-rows.json',
      ABOUT_OWNER: 'Asesoría Norte SL, B00000000',
      ABOUT_CONTACT: 'errores@norte.example',
    });
    expect(config).toEqual({
      databaseUrl: 'sqlite:/var/lib/tarifario/a b.db',
      databasePoolMax: 25,
      host: '::',
      port: 0,
      metricsPort: 9100,
      trustedProxyHops: 2,
      mcpAllowedOrigins: ['https://a.example', 'http://b.example:8080'],
      mcpAllowedHosts: ['a.example', 'b.example:8080'],
      usageRetentionDays: 30,
      cacheMb: 2048,
      drainSeconds: 0,
      takesLocalReceivers: true,
      logLevel: 'warn',
      oauth: null,
      regulatedRowsFile: '/etc/tarifario/regulated-rows.json',
      imprint: { owner: 'Asesoría Norte SL, B00000000', financing: null, contact: 'errores@norte.example' },
    });
  });

  it.each([
    'postgres://tarifario:s%40cret@db.example:5433/tarifario?sslmode=verify-full',
    'postgresql://localhost/tarifario',
    'postgres:///tarifario?host=/run/postgresql',
  ])('take the address of a PostgreSQL database: %s', (url) => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    ['DATABASE_URL', ''],
    ['DATABASE_URL', './data/tarifario.db'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'mysql://localhost'],
    ['DATABASE_URL', 'postgres://someone:hunter2@local host/tarifario'],
    ['DATABASE_URL', 'postgres://someone:hunter2@localhost:port/tarifario'],
    ['DATABASE_URL', 'postgres:someone:hunter2@localhost/tarifario'],
    ['DATABASE_POOL_MAX', '1'],
    ['DATABASE_POOL_MAX', '1001'],
    ['HOST', ''],
    ['HOST', 'http://localhost'],
    ['PORT', 'abc'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', ' 80'],
    ['PORT', '1e3'],
    ['METRICS_PORT', '0'],
    ['METRICS_PORT', 'on'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '101'],
    ['MCP_ALLOWED_ORIGINS', 'a.example'],
    ['MCP_ALLOWED_ORIGINS', 'https://a.example/path'],
    ['MCP_ALLOWED_ORIGINS', 'https://a.example,'],
    ['MCP_ALLOWED_HOSTS', 'a.example,,b.example'],
    ['USAGE_RETENTION_DAYS', '0'],
    ['USAGE_RETENTION_DAYS', 'forever'],
    ['CACHE_MB', '0'],
    ['CACHE_MB', ''],
    ['CACHE_MB', '1.5'],
    ['CACHE_MB', '512M'],
    ['CACHE_MB', '1000001'],
    ['DRAIN_SECONDS', '16'],
    ['DRAIN_SECONDS', '2.5'],
    ['WEBHOOK_LOOPBACK', 'yes'],
    ['LOG_LEVEL', 'INFO'],
    ['LOG_LEVEL', 'verbose'],
  ])('refuse %s=%j with one line that names the variable and not its value', (name, value) => {
    const reading = () => readConfig({ [name]: value });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(new RegExp(`^${name} (must be|is empty|names) ?[^\\n]+$`));
    expect(reading).not.toThrow(/hunter2/);
  });
});
