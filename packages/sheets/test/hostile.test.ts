import { HOSTILE_FILES, xmlAttacks } from '@tarifario/testkit/files/hostile-files';
import { describe, expect, test } from 'vitest';
import { outcomeOf, readAsBrowser, readHere } from './whole-files.ts';

// What the same files do to the process that asks is in `hostile.long.test.ts`.
describe('a hostile file ends with its fault', () => {
  test.each([...HOSTILE_FILES, ...xmlAttacks('http://127.0.0.1:9')])('$name: $outcome', async ({ bytes, outcome }) => {
    const [fault] = (await outcomeOf(readHere(bytes()))).split(' ');
    expect(fault).toBe(outcome);
    expect(await outcomeOf(readAsBrowser(bytes())), 'in a browser').toMatch(new RegExp(`^${outcome}( |$)`));
  });
});
