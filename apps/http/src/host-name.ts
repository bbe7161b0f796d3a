import { isIP } from 'node:net';
import { isLoopback } from './listen.ts';

/**
 * Whether a header `Host` names this server: as this machine, or by one of these names, each with any port
 * (`example.org`) or one port (`example.org:8080`). In an attack by DNS rebinding the header has the name of the
 * attacker's site.
 *
 * @param host - `null`: not sent.
 * @param andAddresses - `true`: any IP address too, which DNS rebinding cannot fake.
 */
export function isKnownHost(host: string | null, allowed: readonly string[], andAddresses = false): boolean {
  // The syntax of a name or an address, and a port. Anything else is refused rather than interpreted.
  const [, name] = /^([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  if (host === null || name === undefined) return false;
  if (andAddresses && isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0) return true;
  const forms = [host, name].map((form) => form.toLowerCase());
  return isLoopback(name.toLowerCase()) || allowed.some((entry) => forms.includes(entry.toLowerCase()));
}
