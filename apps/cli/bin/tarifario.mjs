#!/usr/bin/env -S node --conditions=tarifario-source
// Plain JavaScript on purpose, with no package imported before this check: an older Node would crash in a native module
// before it could report its version.
import { existsSync } from 'node:fs';

const hasSources = existsSync(new URL('../src', import.meta.url));
const NODE_API = 10;
if (Number(process.versions.napi) < NODE_API) {
  const hint = hasSources ? ' (run it through npx)' : '';
  console.error(`tarifario: Node ${process.versions.node} is too old: Node 22.14 or newer is needed${hint}`);
  process.exit(1);
}

// Workspaces are read from their TypeScript sources under the export condition "tarifario-source". The first line and
// the npm scripts set it. Started in another way, the program starts itself again with it. A published package has no
// sources, and runs as it is.
const readsSources = import.meta.resolve('@tarifario/cli').endsWith('.ts');
if (hasSources) {
  const { setup } = await import('../../../deploy/generated.mjs');
  await setup().catch(() => {
    console.error('tarifario: files are missing that are made of the sources: npm ci && npm run build');
    process.exit(1);
  });
}
if (!hasSources || (readsSources && process.features.typescript)) {
  const { main } = await import('@tarifario/cli');
  process.exitCode = await main(process.argv.slice(2));
} else {
  const { runInPlace } = await import('./child.mjs');
  const { fileURLToPath } = await import('node:url');
  const flags = [
    '--conditions=tarifario-source',
    ...(process.features.typescript ? [] : ['--experimental-strip-types']),
  ];
  runInPlace(process.execPath, [
    ...process.execArgv,
    ...flags,
    fileURLToPath(import.meta.url),
    ...process.argv.slice(2),
  ]);
}
