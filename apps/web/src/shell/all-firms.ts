import type { Client } from '@tarifario/client';
import type { Session } from './session.ts';

/** The firms that a key sees, inactive ones too. */
export async function allFirms({ api }: Session, signal: AbortSignal): Promise<readonly Client[]> {
  const firms: Client[] = [];
  for await (const firm of api.listClients({ include_inactive: true, limit: 200 }, { signal })) firms.push(firm);
  return firms;
}
