import { OFFER_FORM } from '@tarifario/api/offer-form';
import type { OfferChanges } from '@tarifario/client';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { periodNames, periodsOf } from '../customer/draft.ts';
import { Form, Press } from '../shell/form.tsx';
import { focusFault } from '../shell/keep-focus.ts';
import { Problem } from '../shell/problem.tsx';
import { type Session, useOpenSession } from '../shell/session.ts';
import { lacking, type TextName, type Translation, useTranslation } from '../texts/texts.ts';
import type { ReadOffer, StoredOffer } from './offer-draft.ts';
import { OfferFieldBox } from './offer-fields.tsx';
import { isOutdated, useOfferDraft } from './use-offer-draft.ts';

/** Under which title the sections of the table of fields are shown. */
const SECTIONS: readonly (readonly [TextName, readonly string[]])[] = [
  ['offer', ['identity']],
  ['prices', ['prices', 'costs', 'options']],
  ['offerHours', ['hours']],
  ['offerCommissions', ['commissions']],
  ['offerReach', ['reach']],
  ['terms', ['contract']],
];

export interface OfferCardProps {
  readonly read: ReadOffer;
  /** Reads it again, after a change of this page or of somebody else. */
  readonly onRead: (isOwnChange: boolean) => void;
}

/** The fields of an offer; only those that were typed into are sent, and not over a change of somebody else. */
export function OfferForm({ read, onRead }: OfferCardProps) {
  const session = useOpenSession();
  const { offer, tag } = read;
  const translation = useTranslation();
  const { say } = translation;
  const draft = useOfferDraft({
    id: String(offer.id),
    reach: session.reach,
    fieldsOf: () => fieldsFor(session, offer),
    stored: offer as unknown as StoredOffer,
    read,
    partsOf: (values) => {
      const change = offer.is_catalog ? session.api.updateCatalogOffer : session.api.updateOffer;
      const send = () => change({ id: offer.id, body: values as OfferChanges }, { ifMatch: tag });
      return [{ prefix: '', name: offer.offer_name, send }];
    },
    onRead,
  });
  const refusal = refusalText(session, offer.is_catalog, translation);
  return (
    <DraftForm draft={draft} mayWrite={refusal === null}>
      {SECTIONS.map(([title, sections]) => {
        const own = draft.fields.filter(({ field }) => sections.includes(field.section));
        if (own.length === 0) return null;
        return (
          <fieldset key={title}>
            <legend>{say(title)}</legend>
            <div class="row">
              {own.map((state) => (
                <OfferFieldBox key={state.field.wire} {...state} isReadOnly={refusal !== null} />
              ))}
            </div>
          </fieldset>
        );
      })}
      {refusal !== null && <p class="note">{refusal}</p>}
    </DraftForm>
  );
}

/** Why the key may not change an offer; `null`: it may. */
export function refusalText({ scopes, isBound }: Session, isCatalog: boolean, translation: Translation): string | null {
  const scope = isCatalog ? 'catalog:write' : 'offers:write';
  if (!scopes.includes(scope)) return lacking(translation, scope);
  return isCatalog && isBound ? translation.say('boundKey') : null;
}

/** Fields with what becomes of them when they are saved. */
export function DraftForm({
  draft: { fields, isBusy, isSaved, savedParts, error, isAtField, save, discard },
  mayWrite,
  children,
}: {
  readonly draft: ReturnType<typeof useOfferDraft>;
  readonly mayWrite: boolean;
  readonly children: ComponentChildren;
}) {
  const { say } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const names = savedParts.join(', ');
  const count = fields.filter(({ isTyped }) => isTyped).length;
  return (
    <Form element={form} onSend={() => save().then(() => focusFault(form.current))}>
      {children}
      <div class={mayWrite && count > 0 ? 'apply' : ''}>
        {isOutdated(error) ? (
          <p class="problem" role="alert">
            {say('offerChanged')} {say(names === '' ? 'savedNothing' : 'savedOnly', { names })}
          </p>
        ) : (
          error !== null && <Problem error={error} isAtField={isAtField} />
        )}
        {names !== '' && !isOutdated(error) && <p class="note">{say('savedOnly', { names })}</p>}
        {mayWrite && (
          <p role="status">
            <Press text="save" type="submit" class="main" aria-disabled={isBusy || count === 0} isBusy={isBusy} />{' '}
            {count > 0 && <Press text="discard" onPress={discard} />}
            {isSaved && count === 0 && <span class="done">{say('saved')}</span>}
          </p>
        )}
      </div>
    </Form>
  );
}

/** The fields that an offer of this supply and tariff has, or has a value in, and that the key may see. */
function fieldsFor({ scopes }: Session, offer: ReadOffer['offer']) {
  const { energy, power } = periodsOf(offer.tariff_type);
  const ofTariff = [...periodNames('e', energy), ...periodNames('p', power)];
  const isOfPeriod = (wire: string) => /^[ep]\d$/.test(wire);
  return OFFER_FORM.filter(
    ({ wire, supply, section }) =>
      (supply === null || supply === offer.supply_type) &&
      (section !== 'commissions' || scopes.includes('commissions:read')) &&
      (!isOfPeriod(wire) || ofTariff.includes(wire) || (offer as unknown as StoredOffer)[wire] !== null),
  );
}
