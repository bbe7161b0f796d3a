import type { OfferDetail } from '@tarifario/client';
import { PlaceLink } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { useAnswer } from '../shell/query.ts';
import { type Session, useOpenSession } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import { valueText } from '../texts/value-text.ts';
import type { ReadOffer } from './offer-draft.ts';
import { fieldOf, wireText } from './offer-fields.tsx';
import { type OfferCardProps, OfferForm } from './offer-form.tsx';
import { OfferMonths } from './offer-months.tsx';
import { storedText } from './stored-text.ts';

/** One offer: all that is stored of it, which who may can change in place. */
export function OfferPage({ id, onSaved }: { readonly id: number; readonly onSaved: () => void }) {
  const session = useOpenSession();
  const { say } = useTranslation();
  const { answer, error, retry } = useAnswer([session.reach, id], (signal) => readOffer(session, id, signal));
  return (
    <div class="answers">
      <PlaceLink to={{ room: 'ofertas', id: null }}>{say('allOffers')}</PlaceLink>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer && (
        <OfferCards
          read={answer}
          onRead={(hasChanged) => {
            retry();
            if (hasChanged) onSaved();
          }}
        />
      )}
    </div>
  );
}

async function readOffer({ api }: Session, id: number, signal: AbortSignal): Promise<ReadOffer> {
  const { data, headers } = await api.getOffer({ id }, { signal }).withResponse();
  return { offer: data, tag: headers.get('ETag') ?? '' };
}

function OfferCards({ read, onRead }: OfferCardProps) {
  const { say } = useTranslation();
  const { offer } = read;
  return (
    <>
      <section class="card" aria-labelledby="offer-title">
        <h2 id="offer-title">{offer.offer_name}</h2>
        <p class="note">
          {offer.company.name} · {say(offer.supply_type)} · #{offer.id}
          {offer.is_catalog && ` · ${say('catalogOffers')}`}
          {!offer.is_active && ` · ${say('inactive')}`}
        </p>
        <OfferForm read={read} onRead={onRead} />
      </section>
      {offer.is_indexed && <OfferMonths read={read} onRead={onRead} />}
      <OfferHistory offer={offer} />
    </>
  );
}

const LIMIT = 20;

/** What was done to an offer, the newest first. */
export function OfferHistory({ offer }: { readonly offer: OfferDetail }) {
  const session = useOpenSession();
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
