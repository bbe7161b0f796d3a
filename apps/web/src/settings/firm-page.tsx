import type { OfferFormField } from '@tarifario/api/offer-form';
import type { Client, ClientDetail } from '@tarifario/client';
import { useState } from 'preact/hooks';
import type { StoredOffer } from '../offers/offer-draft.ts';
import { fieldName, saidOf } from '../offers/offer-fields.tsx';
import { DraftForm } from '../offers/offer-form.tsx';
import { type FieldState, useOfferDraft } from '../offers/use-offer-draft.ts';
import { Press, TextField } from '../shell/form.tsx';
import { PlaceLink } from '../shell/place.tsx';
import { Problem } from '../shell/problem.tsx';
import { firstOf, useAnswer, useTask } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { ShowMore } from '../shell/table.tsx';
import { lacking, type Translation, useTranslation } from '../texts/texts.ts';
import { Logo, LogoField } from './logo-field.tsx';

/** A firm as it was read, and its tag. */
interface ReadFirm {
  readonly firm: ClientDetail;
  readonly tag: string;
}

/** Its texts and its logo, as fields of a form. */
const FIELDS = ['name', 'image_url', 'contact', 'logo'].map((wire): OfferFormField => {
  const own = { section: 'identity', supply: null, names: [], unit: null, label: { es: wire, en: wire } } as const;
  return { ...own, wire, kind: 'text', isOptional: wire !== 'name' };
});

/** One firm: name, pictures, whether it is active, and what of the catalog it subscribes to. */
export function FirmPage({ id }: { readonly id: number }) {
  const session = useOpenSession();
  const { say } = useTranslation();
  const { answer, error, retry } = useAnswer([session.reach, id], async (signal): Promise<ReadFirm> => {
    const { data, headers } = await session.api.getClient({ id }, { signal }).withResponse();
    return { firm: data, tag: headers.get('ETag') ?? '' };
  });
  return (
    <div class="answers">
      <PlaceLink to={{ room: 'ajustes', id: null }}>{say('allSettings')}</PlaceLink>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {answer && <FirmCard read={answer} onRead={retry} />}
      {answer && <Subscriptions firm={answer.firm} />}
    </div>
  );
}

function FirmCard({ read, onRead }: { readonly read: ReadFirm; readonly onRead: () => void }) {
  const { api, reach, scopes } = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  const { isBusy, error, run } = useTask();
  const { firm, tag: ifMatch } = read;
  const { id, name, logo, is_active } = firm;
  const draft = useOfferDraft({
    ...{ id: `firm.${id}`, reach, read, onRead },
    fieldsOf: () => FIELDS,
    stored: firm as unknown as StoredOffer,
    partsOf: (body) => [{ prefix: '', name, send: () => api.updateClient({ id, body }, { ifMatch }) }],
  });
  const toggle = () => {
    if (is_active && !confirm(say('deactivateQuestion', { name }))) return;
    void run(async () => {
      await api.toggleClient({ id }, { ifMatch }).finally(onRead);
    });
  };
  return (
    <section class="card panel" aria-labelledby="firm-title">
      <h2 id="firm-title">
        {name} {!is_active && <small>{say('inactive')}</small>}
      </h2>
      {scopes.includes('clients:write') ? (
        <>
          <DraftForm draft={draft} mayWrite>
            <div class="row">{draft.fields.map((state) => fieldOf(state, translation))}</div>
            {draft.fields.map(
              (state) => state.field.wire === 'logo' && <LogoField key="logo" name={name} {...state} />,
            )}
          </DraftForm>
          {error !== null && <Problem error={error} />}
          <Press text={is_active ? 'deactivate' : 'activate'} aria-disabled={isBusy} onPress={toggle} />
        </>
      ) : (
        <>
          {logo !== null && <Logo logo={logo} name={name} />}
          <p class="note">{lacking(translation, 'clients:write')}</p>
        </>
      )}
    </section>
  );
}

function fieldOf(state: FieldState, translation: Translation) {
  const { field, text, onInput } = state;
  const { wire } = field;
  if (wire === 'logo') return null;
  const said = { label: fieldName(field, translation), fault: saidOf(state, translation) };
  return <TextField key={wire} name={wire} {...said} value={text} onText={onInput} />;
}

const PAGE = 100;

/** The retailers of the catalog, with those that a firm subscribes to. */
export function Subscriptions({ firm: { id, name } }: { readonly firm: Client }) {
  const { api, reach, scopes } = useOpenSession();
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
