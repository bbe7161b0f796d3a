import { useEffect } from 'preact/hooks';
import { allFirms } from '../shell/all-firms.ts';
import { Choice, type Option } from '../shell/form.tsx';
import { keepChosen, keptChosen } from '../shell/kept.ts';
import type { Session } from '../shell/session.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { useTranslation } from '../texts/texts.ts';
import type { FormParts } from './fields.tsx';

const NAME = 'firm';

/** The firm that advises, for a key of the whole account; the browser remembers it. */
export function FirmChoice({
  session,
  form: { draft, change },
}: {
  readonly session: Session;
  readonly form: FormParts;
}) {
  const { say } = useTranslation();
  const { firmId } = draft;
  const mayAsk = !session.isBound && session.scopes.includes('clients:read');
  const { answer } = useAnswer([session.reach], mayAsk ? (signal) => allFirms(session, signal) : null);
  const firms = (answer ?? []).filter(({ is_active }) => is_active);
  const idAmong = (id: unknown) => firms.find((firm) => firm.id === id)?.id ?? null;
  useEffect(() => {
    if (answer === null && mayAsk) return;
    // Another account does not have it.
    const id = idAmong(firmId) ?? idAmong(keptChosen(session.accountId, NAME));
    if (id !== firmId) change({ firmId: id });
  }, [answer]);
  if (firms.length === 0) return null;
  return (
    <Choice
      label={say('firm')}
      name="firma"
      value={`${firmId ?? ''}`}
      options={[['', say('allFirms')], ...firms.map(({ id, name }): Option<string> => [`${id}`, name])]}
      onChoose={(chosen) => {
        const id = Number(chosen) || null;
        keepChosen(session.accountId, NAME, id);
        change({ firmId: id });
      }}
    />
  );
}
