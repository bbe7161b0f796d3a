import type { Client } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { firstOf } from '../shell/first-of.ts';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { ShowMore } from '../shell/table.tsx';
import { useAnswer } from '../shell/use-answer.ts';
import { useTask } from '../shell/use-task.ts';
import { useTranslation } from '../texts/texts.ts';

const PAGE = 100;

/** The retailers of the catalog, with those that a firm subscribes to. */
export function Subscriptions({
  session: { api, reach, scopes },
  firm: { id, name },
}: {
  readonly session: Session;
  readonly firm: Client;
}) {
  const { say } = useTranslation();
  const [count, setCount] = useState(PAGE);
  /** What was changed since the list was read, by retailer. */
  const [changed, setChanged] = useState<ReadonlyMap<number, boolean>>(new Map());
  const { error: failure, run } = useTask();
  const { answer, error, retry } = useAnswer([reach, id, count], async (signal) => {
    const list = api.listCatalogSubscriptions({ id, limit: PAGE }, { signal });
    const { total } = await list;
    return { total, entries: await firstOf(list, count) };
  });
  const decide = (companyId: number, isSubscribed: boolean) =>
    run(async () => {
      const change = isSubscribed ? api.subscribeToCatalogCompany : api.unsubscribeFromCatalogCompany;
      const { company, subscribed } = await change({ id, company_id: companyId });
      setChanged((before) => new Map(before).set(company.id, subscribed));
    });
  return (
    <section class="card panel" aria-labelledby="subscriptions-title">
      <h2 id="subscriptions-title">{say('subscriptions', { name })}</h2>
      <p class="note">{say('subscriptionsNote')}</p>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {failure !== null && <Problem error={failure} />}
      {answer?.total === 0 && <p>{say('noCatalog')}</p>}
      {answer?.entries.map(({ company, subscribed }) => (
        <label key={company.id} class="tick">
          <input
            type="checkbox"
            checked={changed.get(company.id) ?? subscribed}
            disabled={!scopes.includes('clients:write')}
            onChange={({ currentTarget }) => {
              const isSubscribed = currentTarget.checked;
              // It shows what the service has answered.
              currentTarget.checked = !isSubscribed;
              void decide(company.id, isSubscribed);
            }}
          />
          {company.name} {!company.is_active && <small>{say('inactive')}</small>}
        </label>
      ))}
      <ShowMore
        shown={answer?.entries.length ?? 0}
        total={answer?.total ?? 0}
        page={PAGE}
        onMore={() => setCount(count + PAGE)}
      />
    </section>
  );
}
