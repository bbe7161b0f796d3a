import { useEffect, useRef, useState } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';
import { Press } from './form.tsx';
import { Problem } from './problem.tsx';
import { useTask } from './query.ts';

export function SignIn({
  onKey,
  hasEnded,
}: {
  /** Signs in. */
  readonly onKey: (key: string) => Promise<void>;
  /** A key was valid here before. */
  readonly hasEnded: boolean;
}) {
  const { say } = useTranslation();
  const [key, setKey] = useState('');
  const { isBusy, error, run } = useTask();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (hasEnded) field.current?.focus();
  }, []);
  return (
    <form
      class="sign-in card"
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== '') void run(() => onKey(key.trim()));
      }}
    >
      {hasEnded ? <p class="problem">{say('keyEnded')}</p> : <p class="lead">{say('tagline')}</p>}
      <label>
        {say('accountName')}
        <input name="account" autocomplete="username" autocapitalize="none" spellcheck={false} />
      </label>
      <label>
        {say('apiKey')}
        <input
          ref={field}
          type="password"
          name="key"
          autocomplete="current-password"
          required
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
      </label>
      <Press text="signIn" type="submit" class="main" isBusy={isBusy} />
      {error !== null && <Problem error={error} isSignIn />}
      <p class="note">{say('keyNote')}</p>
    </form>
  );
}
