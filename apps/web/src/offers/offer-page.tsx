import { PlaceLink } from '../shell/place-link.tsx';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { useTranslation } from '../texts/texts.ts';
import type { ReadOffer } from './offer-draft.ts';
import { type OfferCardProps, OfferForm } from './offer-form.tsx';
import { OfferHistory } from './offer-history.tsx';
import { OfferMonths } from './offer-months.tsx';

/** One offer: all that is stored of it, which who may can change in place. */
export function OfferPage({
  session,
  id,
  onSaved,
}: {
  readonly session: Session;
  readonly id: number;
  readonly onSaved: () => void;
}) {
  const { say } = useTranslation();
  const { answer, error, retry } = useAnswer([session.reach, id], (signal) => readOffer(session, id, signal));
  return (
    <div class="answers">
      <PlaceLink to={{ room: 'ofertas', id: null }}>{say('allOffers')}</PlaceLink>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer && (
        <OfferCards
          session={session}
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

function OfferCards({ session, read, onRead }: OfferCardProps) {
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
        <OfferForm session={session} read={read} onRead={onRead} />
      </section>
      {offer.is_indexed && <OfferMonths session={session} read={read} onRead={onRead} />}
      <OfferHistory session={session} offer={offer} />
    </>
  );
}
