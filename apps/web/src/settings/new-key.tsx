import type { ApiKey, Client } from '@tarifario/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { focusFault } from '../shell/keep-focus.ts';
import { useKept } from '../shell/kept.ts';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useLeaveQuestion } from '../shell/use-leave-question.ts';
import { useTask } from '../shell/use-task.ts';
import { scopeText, useTranslation } from '../texts/texts.ts';
import { faultsOf } from './faults.ts';
import { TextField } from './text-field.tsx';

interface KeyDraft {
  readonly name: string;
  /** `null`: of the whole account. */
  readonly firmId: number | null;
  readonly endDay: string;
  readonly isFull: boolean;
  readonly scopes: readonly string[];
}

const EMPTY: KeyDraft = { name: '', firmId: null, endDay: '', isFull: false, scopes: [] };

/** Makes a key, and shows it this once. */
export function NewKey({
  session,
  firms,
  onMade,
}: {
  readonly session: Session;
  readonly firms: readonly Client[];
  readonly onMade: () => void;
}) {
  const { say } = useTranslation();
  const [draft, setDraft] = useKept(session.reach, 'key', EMPTY);
  const [made, setMade] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, error, run } = useTask();
  useLeaveQuestion(made !== null);
  const change = (changes: Partial<KeyDraft>) => {
    setMissing(false);
    setDraft({ ...draft, ...changes });
  };
  const { name, firmId, endDay, isFull, scopes } = draft;
  const refused = faultsOf(error);
  const toFault = () => focusFault(form.current, ', .missing input');
  useEffect(() => {
    if (error !== null) toFault();
  }, [error]);
  const make = () => {
    if (!isFull && scopes.length === 0) {
      setMissing(true);
      toFault();
      return;
    }
    void run(async () => {
      const { key } = await session.api.createKey({
        ...(firmId !== null && { client_id: firmId }),
        body: {
          name: name.trim() === '' ? null : name,
          full_access: isFull,
          scopes: isFull ? [] : (scopes as ApiKey['scopes']),
          expires_at: endDay === '' ? null : endDay,
        },
      });
      setMade(key);
      setDraft(EMPTY);
      onMade();
    });
  };
  return (
    <>
      {made !== null && <MadeKey text={made} onDone={() => setMade(null)} />}
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <fieldset>
          <legend>{say('newKey')}</legend>
          <div class="row">
            <TextField
              name="key_name"
              label={say('keyName')}
              value={name}
              fault={refused.name}
              onText={(text) => change({ name: text })}
            />
            <label>
              {say('firm')}
              <select
                value={firmId ?? ''}
                onChange={({ currentTarget }) => change({ firmId: Number(currentTarget.value) || null })}
              >
                <option value="">{say('allFirms')}</option>
                {firms
                  .filter(({ is_active }) => is_active)
                  .map((firm) => (
                    <option key={firm.id} value={firm.id}>
                      {firm.name}
                    </option>
                  ))}
              </select>
            </label>
            <TextField
              name="expires_at"
              isDay
              label={say('keyEnds')}
              value={endDay}
              fault={refused.expires_at}
              onText={(text) => change({ endDay: text })}
            />
          </div>
          <Rights {...{ session, draft, isMissing, change }} />
          {error !== null && <Problem error={error} isAtField={(path) => path in refused} />}
          <p>
            <button type="submit" class="main" aria-disabled={isBusy}>
              {isBusy ? say('working') : say('makeKey')}
            </button>
          </p>
        </fieldset>
      </form>
    </>
  );
}

function Rights({
  session,
  draft: { isFull, scopes },
  isMissing,
  change,
}: {
  readonly session: Session;
  readonly draft: KeyDraft;
  readonly isMissing: boolean;
  readonly change: (changes: Partial<KeyDraft>) => void;
}) {
  const translation = useTranslation();
  const { say } = translation;
  return (
    <fieldset class={isMissing ? 'missing' : ''}>
      <legend>{say('rights')}</legend>
      <div class="rights">
        {isMissing && <p class="fault">{say('rightsMissing')}</p>}
        <label class="tick">
          <input
            type="checkbox"
            checked={isFull}
            onChange={({ currentTarget }) => change({ isFull: currentTarget.checked })}
          />
          {say('allRights')}
        </label>
        {!isFull &&
          session.scopes.map((scope) => (
            <label key={scope} class="tick">
              <input
                type="checkbox"
                value={scope}
                checked={scopes.includes(scope)}
                onChange={({ currentTarget }) => {
                  const others = scopes.filter((one) => one !== scope);
                  change({ scopes: currentTarget.checked ? [...others, scope] : others });
                }}
              />
              {scopeText(translation, scope)} <code>{scope}</code>
            </label>
          ))}
      </div>
    </fieldset>
  );
}

function MadeKey({ text, onDone }: { readonly text: string; readonly onDone: () => void }) {
  const { say } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  // Ready to be copied with the keyboard.
  useEffect(() => field.current?.select(), [text]);
  return (
    <div class="made" role="status">
      <p>{say('keyMade')}</p>
      <input ref={field} aria-label={say('keyMadeLabel')} readOnly value={text} autocomplete="off" spellcheck={false} />
      <p>
        <button type="button" onClick={onDone}>
          {say('copied')}
        </button>
      </p>
    </div>
  );
}
