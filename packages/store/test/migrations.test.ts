import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../src/migrations/index.ts';

const RELEASED = MIGRATIONS.slice(0, 13);

test.each([
  ['sqlite', 'bc959097ee2ddcb3b03da60be89f3f226f255525497c382c730c537ae143363e'],
  ['postgres', '2eba1f14f84b414e9ba60e2178931ed50ac4d3a461215f18e1dd0cc6d0f517ea'],
] as const)('the texts of released migrations for %s are unchanged', (engine, digest) => {
  const text = RELEASED.map((migration) => `${migration.name}\n${migration[engine]}`).join('\n');
  expect(createHash('sha256').update(text).digest('hex')).toBe(digest);
});
