import { createTarifario, type Tarifario } from '@tarifario/client';

export interface Session {
  readonly api: Tarifario;
  readonly accountName: string;
  /** Account and rights. An answer to another account may have what this key may not see. */
  readonly reach: string;
  /** What the key may do. */
  readonly scopes: readonly string[];
  /** The key is bound to one advisory firm. */
  readonly isBound: boolean;
  /** It has full access to the whole account, so it may make keys. */
  readonly mayManageKeys: boolean;
}

/**
 * Opens a session if the key is valid. The key is sent in a header of each request and nowhere else.
 *
 * @param onEnd - Called once the key is no longer accepted: it has expired or was revoked.
 * @throws TarifarioError
 */
export async function openSession(key: string, onEnd: () => void): Promise<Session> {
  let isOpen = false;
  const api = createTarifario({
    url: location.origin,
    key,
    // The user decides what is tried again, and sees how long to wait.
    retries: 0,
    // Messages are in the language of the page.
    language: () => (document.documentElement.lang === 'en' ? 'en' : 'es'),
    onStatus: (status) => {
      if (status === 401 && isOpen) onEnd();
    },
  });
  const { id, name, key: rights } = await api.getAccount();
  isOpen = true;
  const reach = JSON.stringify([id, rights]);
  const isBound = rights.client_id !== null;
  const mayManageKeys = rights.full_access && !isBound;
  return { api, accountName: name, reach, scopes: rights.scopes, isBound, mayManageKeys };
}
