import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.ts';
import { BUILT } from './index.ts';

await rm(BUILT, { recursive: true, force: true });
await mkdir(BUILT, { recursive: true });
for (const [name, bytes] of await bundle()) await writeFile(join(BUILT, name), bytes);
