import { useState } from 'preact/hooks';
import { type Api, createApi } from '../api.ts';
import { useSpeech } from '../texts/texts.ts';
import { Problem } from './problem.tsx';

export interface Session {
  readonly api: Api;
  readonly accountName: string;
}

/** Opens a session if the key is one. */
export async function openSession(key: string): Promise<Session> {
  const api = createApi(key);
  const { name } = await api<{ readonly name: string }>('/v1/account');
  return { api, accountName: name };
}

export function SignIn({
  onSession,
  hasEnded,
}: {
  readonly onSession: (session: Session) => void;
  /** A key was valid here before. */
  readonly hasEnded: boolean;
}) {
  const { say } = useSpeech();
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const enter = async () => {
    setBusy(true);
    setError(null);
    try {
      onSession(await openSession(key.trim()));
    } catch (fault) {
      setError(fault);
      setBusy(false);
    }
  };
  return (
    <form
      class="sign-in card"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '') void enter();
      }}
    >
      {hasEnded ? <p class="problem">{say('keyEnded')}</p> : <p class="lead">{say('tagline')}</p>}
      <label>
        {say('apiKey')}
        <input
          name="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
      </label>
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? say('working') : say('signIn')}
      </button>
      {error !== null && <Problem error={error} />}
      <p class="note">{say('keyNote')}</p>
    </form>
  );
}
