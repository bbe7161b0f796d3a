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
      logLevel: 'info',
    });
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
      LOG_LEVEL: 'warn',
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
      logLevel: 'warn',
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
    ['LOG_LEVEL', 'INFO'],
    ['LOG_LEVEL', 'verbose'],
  ])('refuse %s=%j with one line that names the variable and not its value', (name, value) => {
    const reading = () => readConfig({ [name]: value });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(new RegExp(`^${name} (must be|is empty|names) ?[^\\n]+$`));
    expect(reading).not.toThrow(/hunter2/);
  });
});
