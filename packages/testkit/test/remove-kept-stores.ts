import { afterAll } from 'vitest';
import { kept } from './kept-stores.ts';

// Loaded anew for each file of tests.
afterAll(async () => {
  for (const remove of kept.splice(0)) await remove();
});
