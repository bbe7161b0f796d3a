import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLines } from './lines.ts';

let written: string[];
beforeEach(() => {
  vi.useFakeTimers();
  written = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const open = () =>
  createLines(
    (text) => written.push(text),
    (entry: string) => `${entry}\n`,
  );

describe('lines about requests', () => {
  it('wait some milliseconds and are then written together', () => {
    const { later } = open();
    later('a');
    later('b');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(written).toEqual(['a\nb\n']);
    later('c');
    vi.advanceTimersByTime(20);
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('are written before a later line that is written at once', () => {
    const { later, line } = open();
    later('a');
    line('warning\n');
    expect(written).toEqual(['a\n', 'warning\n']);
    vi.advanceTimersByTime(100);
    expect(written).toEqual(['a\n', 'warning\n']);
  });

  it('do not wait when there are many', () => {
    const { later } = open();
    for (let count = 0; count < 100; count++) later(String(count));
    expect(written).toHaveLength(1);
    vi.advanceTimersByTime(20);
    expect(written).toHaveLength(2);
    expect(written.join('')).toBe(Array.from({ length: 100 }, (_, count) => `${count}\n`).join(''));
  });

  it('are written when the process exits', () => {
    const before = new Set(process.listeners('exit'));
    const { later } = open();
    const [flush] = process.listeners('exit').filter((listener) => !before.has(listener));
    later('last');
    flush?.(0);
    expect(written).toEqual(['last\n']);
  });
});
