import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onServer } from './databases.ts';
import type { PostgresServer } from './server.ts';

/** A certificate authority for tests. */
export interface Authority {
  /** The file that those are given who are to believe it. */
  readonly path: string;
  /** From now on the server shows a certificate of this authority, for a name, and takes connections with TLS. */
  certify(server: PostgresServer, name: string): Promise<void>;
  remove(): void;
}

/** `null` where there is no `openssl` to make certificates with. */
export function newAuthority(): Authority | null {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-ca-'));
  const at = (name: string) => join(folder, name);
  const remove = () => rmSync(folder, { recursive: true });
  /** A certificate and its key, of one file each. */
  const make = (name: string, ...args: readonly string[]) => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at(`${name}.key`)];
    const all = ['req', '-x509', ...key, '-days', '2', '-out', at(`${name}.pem`), ...args];
    execFileSync('openssl', all, { stdio: 'ignore' });
  };
  try {
    make('ca', '-subj', '/CN=An authority');
  } catch {
    remove();
    return null;
  }
  return {
    path: at('ca.pem'),
    remove,
    async certify(server, name) {
      const alternative = /^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`;
      const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'basicConstraints=critical,CA:FALSE'];
      make('server', '-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternative}`, ...by);
      const { uid, gid } = statSync(server.dataDirectory);
      for (const [from, to] of [
        ['server.pem', 'server.crt'],
        ['server.key', 'server.key'],
      ] as const) {
        const path = join(server.dataDirectory, to);
        writeFileSync(path, readFileSync(at(from)), { mode: 0o600 });
        chownSync(path, uid, gid);
      }
      await onServer(server.url(), (client) => client.query('alter system set ssl = on'));
      await server.crash();
    },
  };
}
