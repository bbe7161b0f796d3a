import type { OfferDetail } from '@tarifario/client';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { useTranslation } from '../texts/texts.ts';
import { valueText } from '../texts/value-text.ts';
import { fieldOf, wireText } from './offer-fields.tsx';
import { storedText } from './stored-text.ts';

const LIMIT = 20;

/** What was done to an offer, the newest first. */
export function OfferHistory({ session, offer }: { readonly session: Session; readonly offer: OfferDetail }) {
  const translation = useTranslation();
  const { say, time } = translation;
  const { id, updated_at } = offer;
  const { answer, error, retry } = useAnswer([session.reach, id, updated_at], (signal) =>
    session.api.getOfferHistory({ id, limit: LIMIT }, { signal }),
  );
  const textOf = (wire: string, value: unknown) => {
    const field = fieldOf(wire);
    return field ? storedText(field, value, translation) : valueText(value, translation);
  };
  return (
    <section class="card" aria-labelledby="offer-history">
      <h2 id="offer-history">{say('offerHistory')}</h2>
      {error !== null && <Problem error={error} onRetry={retry} />}
      <ul>
        {answer?.results.map(({ changed_at, fields }, at) => (
          <li key={at}>
            {time(changed_at)}: {fields.length === 0 && say('offerCreated')}
            {fields.map(({ field, before, after }) => (
              <div key={field}>
                {wireText(field, translation)}: {textOf(field, before)} → {textOf(field, after)}
              </div>
            ))}
          </li>
        ))}
      </ul>
      {answer && answer.total > LIMIT && <p class="note">{say('newestOf', { count: LIMIT, total: answer.total })}</p>}
    </section>
  );
}
