import type { Client } from '@tarifario/client';
import { firstOf } from './first-of.ts';
import type { Session } from './session.ts';

/** The firms that a key sees, inactive ones too. */
export const allFirms = ({ api }: Session, signal: AbortSignal): Promise<readonly Client[]> =>
  firstOf(api.listClients({ include_inactive: true, limit: 200 }, { signal }));
