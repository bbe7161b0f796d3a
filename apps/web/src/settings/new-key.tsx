import type { ApiKey, Client } from '@tarifario/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { faultsOf } from '../shell/faults.ts';
import { Choice, Form, type Option, Press, TextField, Tick } from '../shell/form.tsx';
import { focusFault } from '../shell/keep-focus.ts';
import { useKept } from '../shell/kept.ts';
import { Problem } from '../shell/problem.tsx';
import { useTask } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { useLeaveQuestion } from '../shell/use-leave-question.ts';
import { scopeText, useTranslation } from '../texts/texts.ts';

interface KeyDraft {
  readonly name: string;
  /** `null`: of the whole account. */
  readonly firmId: number | null;
  readonly endDay: string;
  readonly isFull: boolean;
  readonly scopes: readonly string[];
}

interface KeyParts {
  readonly draft: KeyDraft;
  readonly change: (changes: Partial<KeyDraft>) => void;
}

const EMPTY: KeyDraft = { name: '', firmId: null, endDay: '', isFull: false, scopes: [] };

/** Makes a key, and shows it this once. */
export function NewKey({ firms, onMade }: { readonly firms: readonly Client[]; readonly onMade: () => void }) {
  const session = useOpenSession();
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
  const { isFull, scopes } = draft;
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
      const { key } = await session.api.createKey(askedFor(draft));
      setMade(key);
      setDraft(EMPTY);
      onMade();
    });
  };
  return (
    <>
      {made !== null && <MadeKey text={made} onDone={() => setMade(null)} />}
      <Form element={form} onSend={make}>
        <fieldset>
          <legend>{say('newKey')}</legend>
          <KeyFields {...{ draft, firms, refused, change }} />
          <Rights {...{ draft, isMissing, change }} />
          {error !== null && <Problem error={error} isAtField={(path) => path in refused} />}
          <p>
            <Press text="makeKey" type="submit" class="main" isBusy={isBusy} />
          </p>
        </fieldset>
      </Form>
    </>
  );
}

function askedFor({ name, firmId, endDay, isFull, scopes }: KeyDraft) {
  return {
    ...(firmId !== null && { client_id: firmId }),
    body: {
      name: name.trim() === '' ? null : name,
      full_access: isFull,
      scopes: isFull ? [] : (scopes as ApiKey['scopes']),
      expires_at: endDay === '' ? null : endDay,
    },
  };
}

/** The name of the key, whose it is and until when. */
function KeyFields({
  draft: { name, firmId, endDay },
  firms,
  refused,
  change,
}: KeyParts & { readonly firms: readonly Client[]; readonly refused: ReturnType<typeof faultsOf> }) {
  const { say } = useTranslation();
  return (
    <div class="row">
      <TextField
        name="key_name"
        label={say('keyName')}
        value={name}
        fault={refused.name}
        onText={(text) => change({ name: text })}
      />
      <Choice
        label={say('firm')}
        value={`${firmId ?? ''}`}
        options={[['', say('allFirms')], ...firms.filter(({ is_active }) => is_active).map(optionOf)]}
        onChoose={(id) => change({ firmId: Number(id) || null })}
      />
      <TextField
        name="expires_at"
        type="date"
        label={say('keyEnds')}
        value={endDay}
        fault={refused.expires_at}
        onText={(text) => change({ endDay: text })}
      />
    </div>
  );
}

const optionOf = ({ id, name }: Client): Option<string> => [`${id}`, name];

function Rights({ draft: { isFull, scopes }, isMissing, change }: KeyParts & { readonly isMissing: boolean }) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  return (
    <fieldset class={isMissing ? 'missing' : ''}>
      <legend>{say('rights')}</legend>
      <div class="rights">
        {isMissing && <p class="fault">{say('rightsMissing')}</p>}
        <Tick isOn={isFull} onTurn={(isFull) => change({ isFull })}>
          {say('allRights')}
        </Tick>
        {!isFull &&
          session.scopes.map((scope) => (
            <Tick
              key={scope}
              value={scope}
              isOn={scopes.includes(scope)}
              onTurn={(isOn) => {
                const others = scopes.filter((one) => one !== scope);
                change({ scopes: isOn ? [...others, scope] : others });
              }}
            >
              {scopeText(translation, scope)} <code>{scope}</code>
            </Tick>
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
        <Press text="copied" onPress={onDone} />
      </p>
    </div>
  );
}
