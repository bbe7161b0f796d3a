import { describe, expect, it } from 'vitest';
import { addWait, createLog, withRequestIds } from './log.ts';
import { createSecrets } from './secrets.ts';

function logged(work: (log: ReturnType<typeof createLog>) => void): { text: string; lines: Record<string, unknown>[] } {
  const lines: string[] = [];
  work(createLog('info', (line) => lines.push(line)));
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line)) };
}

describe('the log', () => {
  it('has one JSON object per line, with time, level and message', () => {
    const { text, lines } = logged((log) => log.warn({ route: '/v1/offers' }, 'slow'));
    expect(text).toMatch(/^\{.*\}\n$/);
    expect(lines).toEqual([{ level: 'warn', time: expect.any(String), route: '/v1/offers', msg: 'slow' }]);
    expect(new Date(String(lines[0]?.time)).toISOString()).toBe(lines[0]?.time);
  });

  it('leaves out lines below its level', () => {
    expect(logged((log) => log.debug('x')).lines).toEqual([]);
  });

  it('never has a password, a body, a query string or a header', () => {
    const { text } = logged((log) => {
      log.info({ password: 'canary', request: { body: 'canary', query: 'canary', headers: { a: 'canary' } } }, 'x');
      log.error({ error: Object.assign(new Error('bad JSON'), { body: 'canary', url: '/v1?canary' }) }, 'x');
    });
    expect(text).toContain('bad JSON');
    expect(text).not.toContain('canary');
  });

  it('shows only the prefix of a key, wherever it occurs', () => {
    const { key, prefix } = createSecrets().newKey();
    const { text } = logged((log) => {
      log.info({ apiKey: key, other: [`x${key}x`] }, `refused ${key}`);
      log.error({ error: new Error(`no such key: ${key}`, { cause: new Error(key) }) }, 'x');
    });
    expect(text).toContain(`${prefix}...`);
    expect(text).not.toContain(key.slice(0, 16));
  });

  it('has message, stack and cause of an error', () => {
    const cause = Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    const { lines } = logged((log) => log.error({ error: new RangeError('no', { cause }) }, 'failed'));
    expect(lines[0]?.error).toMatchObject({
      type: 'RangeError',
      message: 'no',
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'Error', message: 'disk full', code: 'SQLITE_FULL' },
    });
  });

  it('says in the line of a request how long its writes waited together, and outside of one nothing', () => {
    addWait(7);
    const ids = { requestId: 'a' };
    withRequestIds(ids, () => {
      addWait(120.4);
      addWait(200);
    });
    const of = { level: 'info', method: 'POST', route: null, status: 200, ms: 330, keyPrefix: null } as const;
    const { lines } = logged((log) => log.request({ ...of, ...ids, isAborted: false }));
    expect(lines).toMatchObject([{ requestId: 'a', ms: 330, waitedMs: 320 }]);
  });

  it('adds the request id to every line of a request, also after an await', async () => {
    const lines: string[] = [];
    const log = createLog('info', (line) => lines.push(line));
    const later = (id: string) =>
      withRequestIds({ requestId: id }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.info('done');
      });
    await Promise.all([later('one'), later('two')]);
    log.info('outside');
    expect(lines.map((line) => JSON.parse(line)).map(({ requestId }) => requestId)).toEqual(['one', 'two', undefined]);
  });
});
