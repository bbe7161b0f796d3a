#!/usr/bin/env -S node --conditions=tarifario-source
// Plain JavaScript on purpose, with nothing imported before this check: an older Node would crash in a native module
// before it could say what it lacks.
const NODE_API = 10;
if (Number(process.versions.napi) < NODE_API) {
  console.error(
    `tarifario: Node ${process.versions.node} is too old: Node 22.14 or newer is needed (run it through npx)`,
  );
  process.exit(1);
}

// Workspaces are read from their TypeScript sources under the export condition "tarifario-source". The first line and the npm
// scripts set it; started in another way, the program starts itself once more with it.
const readsSources = import.meta.resolve('@tarifario/cli').endsWith('.ts');
if (readsSources && process.features.typescript) {
  const { main } = await import('@tarifario/cli');
  process.exitCode = await main(process.argv.slice(2));
} else {
  const { spawn } = await import('node:child_process');
  const { fileURLToPath } = await import('node:url');
  const flags = [
    '--conditions=tarifario-source',
    ...(process.features.typescript ? [] : ['--experimental-strip-types']),
  ];
  const program = [...process.execArgv, ...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(process.execPath, program, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}
