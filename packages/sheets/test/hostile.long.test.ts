import { createServer } from 'node:http';
import { BOMBS, HOSTILE_FILES, xmlAttacks } from '@tarifario/testkit/files/hostile-files';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkbookReader } from '../src/workbook-reader.ts';
import { expectHarmless } from './harmless.ts';
import { outcomeOf, readAsBrowser } from './whole-files.ts';

const PORT = 9_999;
const reader = createWorkbookReader();
let connections = 0;
const listener = createServer((_, response) => response.end('<!-- -->')).on('connection', () => {
  connections += 1;
});

beforeAll(() => new Promise<void>((resolve) => listener.listen(PORT, '127.0.0.1', resolve)));
afterAll(() => {
  listener.close();
  reader.close();
});

describe('a hostile file harms only the process that reads it', { timeout: 60_000 }, () => {
  test.each([...HOSTILE_FILES, ...BOMBS])('$name: $outcome', (file) => expectHarmless(reader, file));

  test.each(BOMBS)('$name in a browser: $outcome', async ({ bytes, outcome }) => {
    // Where a process has no memory left, a browser may have it. A browser tells no processor time: the clock decides there.
    expect([...outcome.split(' or '), 'cell_too_long', 'too_costly']).toContain(
      (await outcomeOf(readAsBrowser(bytes()))).split(' ')[0],
    );
  });

  test.each(xmlAttacks(`http://127.0.0.1:${PORT}`))('$name: $outcome, and nothing is fetched', async (file) => {
    await expectHarmless(reader, file);
    expect(connections).toBe(0);
  });

  test('the test server would have noticed a request', async () => {
    await fetch(`http://127.0.0.1:${PORT}/entity`);
    expect(connections).toBe(1);
  });
});
