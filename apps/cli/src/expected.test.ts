import { readFileSync } from 'node:fs';
import { migrate } from '@tarifario/runtime';
import { describe, expect, test } from 'vitest';
import { CommandError } from './command.ts';
import { isExpected } from './expected.ts';

async function errorOf(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error;
  }
}

describe('an error of a command', () => {
  test.each([
    ['of the command', () => Promise.reject(new CommandError('no'))],
    ['of a database of an unknown kind', () => migrate('mysql:/nowhere')],
    ['of the system', () => readFileSync('/nowhere')],
    ['with one of the system as its cause', () => Promise.reject(new Error('busy', { cause: systemError() }))],
  ])('%s is shown by its message alone', async (_, work) => {
    expect(isExpected(await errorOf(work))).toBe(true);
  });

  test.each([
    ['a plain one', new Error('a thread sent nonsense')],
    ['one of a misused module', Object.assign(new Error('not now'), { code: 'ERR_INVALID_STATE' })],
    ['one of a wrong type', new TypeError('x is not a function')],
    ['anything else', 'text'],
  ])('is a bug where it is %s', (_, error) => {
    expect(isExpected(error)).toBe(false);
  });
});

function systemError(): Error {
  return Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
}
