import { isIP } from 'node:net';
import { isLoopback } from './listen.ts';

/**
 * Whether a header `Host` names this server: as this machine, or by one of these names, each at any port
 * (`example.org`) or at one (`example.org:8080`). A page whose own name was bent to our address shows that name.
 *
 * @param host - `null`: not sent.
 * @param andAddresses - `true`: any address of IP too, which nobody can bend.
 */
export function isKnownHost(host: string | null, allowed: readonly string[], andAddresses = false): boolean {
  // The form of a name or an address, and a port: what is anything else is not understood in some other way.
  const [, name] = /^([\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  if (host === null || name === undefined) return false;
  if (andAddresses && isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0) return true;
  const forms = [host, name].map((form) => form.toLowerCase());
  return isLoopback(name.toLowerCase()) || allowed.some((entry) => forms.includes(entry.toLowerCase()));
}
