import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogSink } from './log-sink.ts';

/** A stream whose reader takes one write at a time, on demand. */
function slowStream() {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(text, _encoding, done) {
      waiting.push(() => {
        taken.push(text);
        done();
      });
    },
  });
  const readAll = async () => {
    while (waiting.length > 0) {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { stream, taken, readAll };
}

describe('the sink of a log', () => {
  it('buffers unread lines up to a bound, then says how many were lost', async () => {
    const { stream, taken, readAll } = slowStream();
    const write = createLogSink(stream, { maxUnreadBytes: 10 });
    write('a line\n');
    write('another\n');
    for (let i = 0; i < 1000; i += 1) write('lost\nlost as well\n');
    expect(stream.writableLength).toBe(15);
    await readAll();
    for (const line of ['read again\n', 'and again\n']) {
      write(line);
      await readAll();
    }
    expect(taken).toHaveLength(5);
    expect([taken[0], taken[1], taken[3], taken[4]]).toEqual(['a line\n', 'another\n', 'read again\n', 'and again\n']);
    expect(JSON.parse(taken[2] ?? '')).toMatchObject({ level: 'warn', lost: 2000 });
    expect(taken[2]?.endsWith('}\n')).toBe(true);
  });
});
