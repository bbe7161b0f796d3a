import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { RunningServer } from './http/running-server.ts';

/** What is planted, and every form in which it could come out. */
interface Corpus {
  readonly trace: RegExp;
}

/**
 * Commissions that occur nowhere else: 7919.1507 for what would pay 50, with a point, a comma, neither, or an exponent;
 * not the digits inside of a longer number, such as a time.
 */
export const AMOUNTS = {
  planted: (base: number) => Number(`7919.1${base}7`),
  trace: /(?<!\d[.,]?)7[.,_' \u00a0]?9[.,_' \u00a0]?1[.,_' \u00a0]?9[.,_' \u00a0]?1[.,_' \u00a0]?\d+7/,
};

/** The number of a supply point, which says where somebody lives. */
export const CUPS = { planted: 'ES0021000073519284KB0F', trace: /ES ?0021 ?0000|7351 ?9284/i };

type Channels = Readonly<Record<string, string | readonly string[]>>;

/** Expects nothing of a corpus in any channel, and shows what is around the first trace. */
export function expectNoTrace({ trace }: Corpus, channels: Channels): void {
  for (const [channel, texts] of Object.entries(channels)) {
    for (const text of [texts].flat()) {
      const at = text.search(trace);
      expect(at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 60), channel).toBe('');
    }
  }
}

type Server = Pick<RunningServer, 'config' | 'logLines' | 'metricsUrl'>;

/** The log of a server, and the files beside its database, which are all that it keeps. */
export function keptBy({ config, logLines }: Server): Channels {
  const folder = dirname(config.databaseUrl.replace('sqlite:', ''));
  const files = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'latin1')]);
  expect(files.length).toBeGreaterThan(0);
  return { ...Object.fromEntries(files), log: logLines };
}

export async function metricsOf({ metricsUrl }: Server): Promise<string> {
  const answer = await fetch(`${metricsUrl}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}
