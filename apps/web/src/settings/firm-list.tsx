import { useState } from 'preact/hooks';
import { faultsOf } from '../shell/faults.ts';
import { Form, Press, TextField, Tick } from '../shell/form.tsx';
import { useKept } from '../shell/kept.ts';
import { PlaceLink } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { allFirms, useAnswer, useTask, useVisits } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { lacking, useTranslation } from '../texts/texts.ts';

/** The firms that the key sees, and a form for another one. */
export function FirmList({ isOpen }: { readonly isOpen: boolean }) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  const visits = useVisits(isOpen);
  const { answer, error, retry } = useAnswer([session.reach, visits], (signal) => allFirms(session, signal));
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer?.length === 0 && <p>{say('noFirms')}</p>}
      {answer && answer.length > 0 && (
        <ul>
          {answer.map(({ id, name, is_active }) => (
            <li key={id}>
              <PlaceLink to={{ room: 'ajustes', id }}>{name}</PlaceLink>{' '}
              {!is_active && <small>{say('inactive')}</small>}
            </li>
          ))}
        </ul>
      )}
      {session.isBound ? null : session.scopes.includes('clients:write') ? (
        <NewFirm onMade={retry} />
      ) : (
        <p class="note">{lacking(translation, 'clients:write')}</p>
      )}
    </>
  );
}

function NewFirm({ onMade }: { readonly onMade: () => void }) {
  const session = useOpenSession();
  const { say } = useTranslation();
  const [name, setName] = useKept(session.reach, 'firm', '');
  const [withCatalog, setWithCatalog] = useState(true);
  const { isBusy, error, run } = useTask();
  const faults = faultsOf(error);
  const make = () =>
    run(async () => {
      await session.api.createClient({ body: { name, catalog: withCatalog ? 'all' : 'none' } });
      setName((now) => (now === name ? '' : now));
      onMade();
    });
  return (
    <Form onSend={make}>
      <fieldset>
        <legend>{say('newFirm')}</legend>
        <div class="row">
          <TextField name="firm" label={say('offer_name')} value={name} fault={faults.name} onText={setName} />
          <Tick isOn={withCatalog} onTurn={setWithCatalog}>
            {say('withCatalog')}
          </Tick>
        </div>
        {error !== null && <Problem error={error} isAtField={(path) => path === 'name'} />}
        <p>
          <Press text="add" type="submit" isBusy={isBusy} />
        </p>
      </fieldset>
    </Form>
  );
}
