import { type ClientDetail, TarifarioError } from '@tarifario/client';
import { useRef, useState } from 'preact/hooks';
import { faultsOf } from '../shell/faults.ts';
import { Form, TextField } from '../shell/form.tsx';
import { useKept } from '../shell/kept.ts';
import { PlaceLink } from '../shell/place-link.tsx';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { typedSince } from '../shell/typed-since.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { useTask } from '../shell/use-task.ts';
import { lacking, useTranslation } from '../texts/texts.ts';
import { Logo, LogoField } from './logo-field.tsx';
import { Subscriptions } from './subscriptions.tsx';

/** A firm as it was read, and its tag. */
interface ReadFirm {
  readonly firm: ClientDetail;
  readonly tag: string;
}

interface TypedFirm {
  readonly name?: string;
  readonly image_url?: string;
  readonly contact?: string;
  /** A data: URI; `null`: it is removed. */
  readonly logo?: string | null;
  /** The tag of the firm over which it was typed; the firm may have been read again since. */
  readonly over?: string;
}
const NOTHING: TypedFirm = {};
/** The texts of a firm, and what they are called. */
const TEXTS = [
  ['name', 'offer_name'],
  ['image_url', 'imageUrl'],
  ['contact', 'contact'],
] as const;

/** One firm: name, pictures, whether it is active, and what of the catalog it subscribes to. */
export function FirmPage({ session, id }: { readonly session: Session; readonly id: number }) {
  const { say } = useTranslation();
  const { answer, error, retry } = useAnswer([session.reach, id], async (signal): Promise<ReadFirm> => {
    const { data, headers } = await session.api.getClient({ id }, { signal }).withResponse();
    return { firm: data, tag: headers.get('ETag') ?? '' };
  });
  return (
    <div class="answers">
      <PlaceLink to={{ room: 'ajustes', id: null }}>{say('allSettings')}</PlaceLink>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer && <FirmCard session={session} read={answer} onRead={retry} />}
      {answer && <Subscriptions session={session} firm={answer.firm} />}
    </div>
  );
}

function FirmCard({
  session,
  read: { firm, tag },
  onRead,
}: {
  readonly session: Session;
  readonly read: ReadFirm;
  readonly onRead: () => void;
}) {
  const translation = useTranslation();
  const { say } = translation;
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error, run } = useTask();
  const { id, is_active } = firm;
  const [typed, setTyped] = useKept<TypedFirm>(session.reach, `firm.${id}`, NOTHING);
  const faults = faultsOf(error);
  /** The tag that a save gave to the firm which is shown: it is read again a moment later. */
  const own = useRef({ read: tag, tag });
  const known = own.current.read === tag ? own.current.tag : tag;
  const type = (changes: typeof typed) => {
    setSaved(false);
    // What is read of a file comes later than what was typed meanwhile.
    setTyped((former) => ({ over: known, ...former, ...changes }));
  };
  /** The user knows what has changed, or was told that something has. */
  const overNext = () => setTyped(({ over: _over, ...others }) => others);
  const save = () =>
    run(async () => {
      if (typed === NOTHING) return;
      const { over = known, ...changes } = typed;
      const texts = Object.fromEntries(
        (['image_url', 'contact'] as const).flatMap((name) => {
          const text = changes[name]?.trim();
          return text === undefined ? [] : [[name, text === '' ? null : text]];
        }),
      );
      // Somebody else may have changed the firm: nothing is saved over that unseen.
      const saving = session.api.updateClient({ id, body: { ...changes, ...texts } }, { ifMatch: over }).withResponse();
      saving.catch((fault: unknown) => fault instanceof TarifarioError && fault.status === 412 && overNext());
      const { headers } = await saving.finally(onRead);
      own.current = { read: tag, tag: headers.get('ETag') ?? tag };
      setTyped((now) => {
        const { over: _over, ...left } = typedSince(now, typed);
        return Object.keys(left).length === 0 ? NOTHING : { ...left, over: own.current.tag };
      });
      setSaved(true);
    });
  const toggle = () => {
    if (is_active && !confirm(say('deactivateQuestion', { name: firm.name }))) return;
    void run(async () => {
      const { headers } = await session.api.toggleClient({ id }, { ifMatch: known }).withResponse().finally(onRead);
      own.current = { read: tag, tag: headers.get('ETag') ?? tag };
      if (typed.over === known) overNext();
    });
  };
  return (
    <section class="card panel" aria-labelledby="firm-title">
      <h2 id="firm-title">
        {firm.name} {!is_active && <small>{say('inactive')}</small>}
      </h2>
      {error !== null && <Problem error={error} isAtField={(path) => path in faults} />}
      {session.scopes.includes('clients:write') ? (
        <Form onSend={save}>
          <div class="row">
            {TEXTS.map(([name, label]) => (
              <TextField
                key={name}
                name={name}
                label={say(label)}
                value={typed[name] ?? firm[name] ?? ''}
                fault={faults[name]}
                onText={(text) => type({ [name]: text })}
              />
            ))}
          </div>
          <LogoField
            name={firm.name}
            logo={typed.logo === undefined ? firm.logo : typed.logo}
            fault={faults.logo}
            onLogo={(logo) => type({ logo })}
          />
          <p role="status">
            <button type="submit" class="main" aria-disabled={isBusy || typed === NOTHING}>
              {isBusy ? say('working') : say('save')}
            </button>{' '}
            <button type="button" aria-disabled={isBusy} onClick={toggle}>
              {say(is_active ? 'deactivate' : 'activate')}
            </button>{' '}
            {isSaved && typed === NOTHING && <span class="done">{say('saved')}</span>}
          </p>
        </Form>
      ) : (
        <>
          {firm.logo !== null && <Logo logo={firm.logo} name={firm.name} />}
          <p class="note">{lacking(translation, 'clients:write')}</p>
        </>
      )}
    </section>
  );
}
