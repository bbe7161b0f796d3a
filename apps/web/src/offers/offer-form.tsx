import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { lacking, type TextName, useTranslation } from '../texts/texts.ts';
import type { ReadOffer } from './offer-draft.ts';
import { OfferFieldBox } from './offer-fields.tsx';
import { isOutdated, useOfferDraft } from './use-offer-draft.ts';

/** Under which title the sections of the table of fields are shown. */
const SECTIONS: readonly (readonly [TextName, readonly string[]])[] = [
  ['offerIdentity', ['identity']],
  ['offerPrices', ['prices', 'costs', 'options']],
  ['offerCommissions', ['commissions']],
  ['offerReach', ['reach']],
  ['offerTerms', ['contract']],
];

/** The fields of an offer; only those that were typed into are sent, and not over a change of somebody else. */
export function OfferForm({
  session,
  read,
  onRead,
}: {
  readonly session: Session;
  readonly read: ReadOffer;
  readonly onRead: (isOwnChange: boolean) => void;
}) {
  const translation = useTranslation();
  const { say } = translation;
  const { fields, isBusy, isSaved, error, isAtField, save, discard } = useOfferDraft(session, read, onRead);
  const scope = read.offer.is_catalog ? 'catalog:write' : 'offers:write';
  const mayWrite = session.scopes.includes(scope) && !(read.offer.is_catalog && session.isBound);
  const count = fields.filter(({ isTyped }) => isTyped).length;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {SECTIONS.map(([title, sections]) => {
        const own = fields.filter(({ field }) => sections.includes(field.section));
        if (own.length === 0) return null;
        return (
          <fieldset key={title}>
            <legend>{say(title)}</legend>
            <div class="row">
              {own.map((state) => (
                <OfferFieldBox key={state.field.wire} {...state} isReadOnly={!mayWrite} />
              ))}
            </div>
          </fieldset>
        );
      })}
      {!mayWrite && <p class="note">{lacking(translation, scope)}</p>}
      {isOutdated(error) ? (
        <p class="problem" role="alert">
          {say('offerChanged')}
        </p>
      ) : (
        error !== null && <Problem error={error} isAtField={isAtField} />
      )}
      {mayWrite && (
        <p class="apply" role="status">
          <button type="submit" class="main" aria-disabled={isBusy} disabled={count === 0}>
            {isBusy ? say('working') : say('save')}
          </button>{' '}
          {count > 0 && (
            <button type="button" onClick={discard}>
              {say('discard')}
            </button>
          )}
          {isSaved && <span class="done">{say('saved')}</span>}
        </p>
      )}
    </form>
  );
}
