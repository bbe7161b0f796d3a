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
  /** A certificate of this authority for a name, and its key. */
  issue(name: string): { readonly cert: string; readonly key: string };
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
  const issue: Authority['issue'] = (name) => {
    const alternative = /^[\d.]+$/.test(name) ? `IP:${name}` : `DNS:${name}`;
    const by = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-addext', 'basicConstraints=critical,CA:FALSE'];
    make('server', '-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternative}`, ...by);
    return { cert: readFileSync(at('server.pem'), 'utf8'), key: readFileSync(at('server.key'), 'utf8') };
  };
  return {
    path: at('ca.pem'),
    remove,
    issue,
    async certify(server, name) {
      const { cert, key } = issue(name);
      const { uid, gid } = statSync(server.dataDirectory);
      for (const [to, text] of [
        ['server.crt', cert],
        ['server.key', key],
      ] as const) {
        const path = join(server.dataDirectory, to);
        writeFileSync(path, text, { mode: 0o600 });
        chownSync(path, uid, gid);
      }
      await onServer(server.url(), (client) => client.query('alter system set ssl = on'));
      await server.crash();
    },
  };
}
