import type { ApiKey } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { Press } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { allFirms, firstOf, useAnswer, useTask, useVisits } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { Table } from '../shell/table.tsx';
import { scopeText, type Translation, useTranslation } from '../texts/texts.ts';
import { NewKey } from './new-key.tsx';

const nameOf = ({ name, prefix }: ApiKey): string => name ?? `${prefix}…`;

/** The keys that are not revoked: seen, made, revoked. */
export function Keys({ isOpen }: { readonly isOpen: boolean }) {
  const session = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  const visits = useVisits(isOpen);
  const [gone, setGone] = useState<string | null>(null);
  const { error: failure, run } = useTask();
  const { answer, error, retry } = useAnswer([session.reach, visits], async (signal) => ({
    keys: await firstOf(session.api.listKeys({ limit: 200 }, { signal })),
    firms: await allFirms(session, signal),
  }));
  const revoke = (key: ApiKey) => {
    if (!confirm(say(key.is_own ? 'revokeOwnQuestion' : 'revokeQuestion', { name: nameOf(key) }))) return;
    void run(async () => {
      await session.api.revokeKey({ id: key.id });
      setGone(nameOf(key));
      // Its row goes, and the focus would go with it.
      document.getElementById('keys-title')?.focus();
      retry();
    });
  };
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {failure !== null && <Problem error={failure} />}
      <div role="status">{gone !== null && <p>{say('revoked', { name: gone })}</p>}</div>
      {answer && (
        <>
          <KeyTable {...answer} translation={translation} onRevoke={revoke} />
          <NewKey firms={answer.firms} onMade={retry} />
        </>
      )}
    </>
  );
}

function KeyTable({
  keys,
  firms,
  translation,
  onRevoke,
}: {
  readonly keys: readonly ApiKey[];
  readonly firms: Awaited<ReturnType<typeof allFirms>>;
  readonly translation: Translation;
  readonly onRevoke: (key: ApiKey) => void;
}) {
  const { say, time } = translation;
  const endOf = ({ expires_at }: ApiKey) => {
    if (expires_at === null) return say('never');
    return Date.parse(expires_at) > Date.now() ? time(expires_at) : say('hasEnded', { time: time(expires_at) });
  };
  const rightsOf = ({ full_access, scopes }: ApiKey) =>
    full_access ? say('allRights') : scopes.map((scope) => scopeText(translation, scope)).join(', ') || '–';
  return (
    <Table
      name={say('tableOfKeys')}
      rows={keys}
      rowOf={({ id }) => ({ key: id, 'data-key': id })}
      columns={[
        [
          say('offer_name'),
          (key) => (
            <>
              {nameOf(key)}
              <small>
                {key.name !== null && <code>{key.prefix}… </code>}
                {key.is_own && say('ownKey')}
              </small>
            </>
          ),
        ],
        [say('rights'), rightsOf],
        [say('firm'), (key) => firms.find(({ id }) => id === key.client_id)?.name ?? say('allFirms')],
        [say('expires'), endOf],
        [say('lastUse'), ({ last_used_at: last }) => (last === null ? say('never') : time(last))],
        [
          say('revoke'),
          (key) => (
            <Press
              text="revoke"
              class="plain"
              aria-label={`${say('revoke')} ${nameOf(key)}`}
              onPress={() => onRevoke(key)}
            />
          ),
        ],
      ]}
    />
  );
}
