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

const open = () => createLines((text) => written.push(text));

describe('lines about requests', () => {
  it('wait for others a moment, then all are written at once', () => {
    const { requestLine } = open();
    requestLine('a\n');
    requestLine('b\n');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(20);
    expect(written).toEqual(['a\nb\n']);
    requestLine('c\n');
    vi.advanceTimersByTime(20);
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('come before a line that is written at once', () => {
    const { requestLine, line } = open();
    requestLine('a\n');
    line('warning\n');
    expect(written).toEqual(['a\n', 'warning\n']);
    vi.advanceTimersByTime(100);
    expect(written).toEqual(['a\n', 'warning\n']);
  });

  it('do not wait when they are many', () => {
    const { requestLine } = open();
    for (let count = 0; count < 100; count++) requestLine(`${'x'.repeat(400)}\n`);
    expect(written.length).toBe(2);
    vi.advanceTimersByTime(20);
    expect(written.join('')).toBe(`${'x'.repeat(400)}\n`.repeat(100));
  });

  it('are written when the process ends', () => {
    const before = new Set(process.listeners('exit'));
    const { requestLine } = open();
    const [flush] = process.listeners('exit').filter((listener) => !before.has(listener));
    requestLine('last\n');
    flush?.(0);
    expect(written).toEqual(['last\n']);
  });
});
