import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { firstLineOf } from './first-line.ts';

const question = 'password: ';

describe('the first line', () => {
  it('on a terminal is prompted for, is not echoed, and ends with the key Enter', async () => {
    const [input, terminal] = [new PassThrough(), new PassThrough()];
    const line = firstLineOf(input, { terminal, question });
    input.write('molinos X\x7fde viento\r');
    expect(await line).toBe('molinos de viento');
    expect(String(terminal.read())).toBe('password: \n');
    expect(input.isPaused()).toBe(true);
  });

  it('on a terminal is abandoned with Ctrl-C', async () => {
    const [input, terminal] = [new PassThrough(), new PassThrough()];
    const line = firstLineOf(input, { terminal, question });
    input.write('molinos\x03');
    expect(await line).toBe('');
  });

  it.each(['una\notra\n', 'una\r\notra', 'una\n'])('of %j is read although the input stays open', async (sent) => {
    const input = new PassThrough();
    const line = firstLineOf(input, { terminal: null, question });
    input.write(sent);
    expect(await line).toBe('una');
    expect(input.isPaused()).toBe(true);
  });

  it.each([
    ['una', 'una'],
    ['', ''],
  ])('of %j at the end of the input is %j', async (sent, expected) => {
    const input = new PassThrough();
    const line = firstLineOf(input, { terminal: null, question });
    input.end(sent);
    expect(await line).toBe(expected);
  });
});
