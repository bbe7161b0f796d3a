import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { further, shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PERSON = ['--name', 'Una', '--email', 'una@tarifario.example', '--password', 'molinos de viento'];

let place: Workplace;

beforeAll(async () => {
  place = await openWorkplace();
});

afterAll(() => place.remove());

describe('every command', () => {
  it('prints one document and ends with status 0, also as a process of its own', async () => {
    const other = await openWorkplace();
    const copy = join(other.folder, 'copy.db');
    const [offers, customer] = [join(other.folder, 'offers.json'), join(other.folder, 'customer.json')];
    await writeFile(offers, '[]');
    await writeFile(customer, JSON.stringify({ supply_type: 'GAS', consumo_gas: 1 }));
    const commands = [
      ['migrate'],
      ['demo', 'seed'],
      ['account', 'create', ...PERSON],
      ['account', 'list'],
      ['account', 'deactivate', '2'],
      ['account', 'activate', '2'],
      ['account', 'set', '2', '--catalog-editor', 'true'],
      ['subscription', 'set', '--account', '2', '--plan', 'pro'],
      ['key', 'create', '--account', '2', '--mcp'],
      ['key', 'list', '--account', '2'],
      ['key', 'revoke', '1'],
      ['catalog', 'unsubscribe', '--client', '1', '--all'],
      ['catalog', 'subscribe', '--client', '1', '--company', '1'],
      ['backup', copy],
      ['rank', '--offers', offers, '--customer', customer],
    ];
    const asProcesses = shareOf(commands, 8);
    for (const command of commands) {
      const run = asProcesses.includes(command) ? other.run : other.runHere;
      const { status, stdout, stderr } = await run(command);
      expect([status, stderr], command.join(' ')).toEqual([0, '']);
      expect(stdout).toMatch(/^[[{][\s\S]*[\]}]\n$/);
      expect(() => JSON.parse(stdout)).not.toThrow();
    }
    await other.remove();
  });
});

describe('the program', () => {
  it('shows its usage on request, and after a wrong call', async () => {
    const { status, stdout } = await place.runHere(['--help']);
    expect(status).toBe(0);
    const commands = ['account create', 'subscription set', 'key revoke', 'catalog unsubscribe', 'demo run', 'rank'];
    for (const words of commands) expect(stdout).toContain(`tarifario ${words}`);
    for (const args of [['nonsense'], ['account'], ['account', 'destroy'], ['key', 'list', '--accounts', '1']]) {
      const result = await place.runHere(args);
      expect([result.status, result.stdout], args.join(' ')).toEqual([2, '']);
      expect(result.stderr).toMatch(/^tarifario: .*--help shows the commands/);
    }
  });

  it('prints tables with --pretty', async () => {
    await place.json(['account', 'create', ...PERSON]);
    const { stdout } = await place.runHere(['account', 'list', '--pretty']);
    const [titles, rule, first] = stdout.split('\n');
    expect(titles).toMatch(/^id name +email +is_active/);
    expect(rule).toMatch(/^[─ ]+$/);
    expect(first).toMatch(/^1 +Una +una@tarifario\.example +true/);
  });

  it('stops with one line and status 2 when a setting is wrong', async () => {
    for (const env of [{ DATABASE_URL: 'mysql://x' }, { PORT: 'eighty' }, { LOG_LEVEL: 'loud' }]) {
      for (const args of [['serve'], ['account', 'list']]) {
        const { status, stdout, stderr } = await place.runHere(args, env);
        expect([status, stdout]).toEqual([2, '']);
        expect(stderr).toMatch(new RegExp(`^tarifario: ${Object.keys(env)[0]} [^\\n]+\\n$`));
      }
    }
  });

  it('stops with one line when the database cannot be opened', async () => {
    const { status, stderr } = await place.runHere(['account', 'list'], { DATABASE_URL: 'sqlite:/dev/null/x.db' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tarifario: [^\n]+\n$/);
  });

  further('ends with the status of a child process that it started', async () => {
    expect(await place.run(['nonsense'], { nodeFlags: [] })).toMatchObject({ status: 2, stdout: '' });
    expect(await place.run(['serve'], { env: { PORT: 'eighty' } })).toMatchObject({
      status: 2,
      stderr: 'tarifario: PORT must be a whole number from 0 to 65535\n',
    });
    expect(await place.run(['key', 'revoke', '999'])).toMatchObject({ status: 1, stdout: '' });
  });

  it('works without the export condition too', async () => {
    expect(await place.json(['account', 'list'], { nodeFlags: [] })).toEqual(await place.json(['account', 'list']));
  });

  it('refuses to run on a Node that is too old, and says so', async () => {
    const folder = join(place.folder, 'old');
    await mkdir(folder);
    const pretend = join(folder, 'old-node.mjs');
    await writeFile(pretend, "Object.defineProperty(process.versions, 'napi', { value: '9' });");
    const nodeFlags = ['--conditions=tarifario-source', '--import', pretend];
    const { status, stdout, stderr } = await place.run(['account', 'list'], { nodeFlags });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^tarifario: Node [\d.]+ is too old[^\n]+\n$/);
  });
});
