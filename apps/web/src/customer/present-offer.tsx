import type { Offer } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import { useId } from 'preact/hooks';
import { Problem } from '../shell/problem.tsx';
import type { Session } from '../shell/session.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { useTranslation } from '../texts/texts.ts';
import { PRESENT, PRESENT_OFFER } from './draft.ts';
import { type FormParts, NumberField } from './fields.tsx';

/** The offer that the customer has, such as the PVPC, and what is paid for services beside it. */
export function PresentOffer({ session, form }: { readonly session: Session | null; readonly form: FormParts }) {
  const translation = useTranslation();
  const { say } = translation;
  const id = useId();
  const api = session?.api ?? null;
  // Other offers of the catalog are ranked all the same.
  const readsCatalog = session?.scopes.includes('catalog:read') ?? false;
  const { draft, faults, change } = form;
  const { supply: supply_type, tariff: tariff_type, values } = draft;
  const { answer, error, retry } = useAnswer(
    [api, supply_type, tariff_type],
    api &&
      (async (signal) => {
        const offers: Offer[] = [];
        const all = { supply_type, limit: MAX_LIMIT };
        for await (const offer of api.listOffers({ ...all, tariff_type }, { signal })) offers.push(offer);
        if (readsCatalog) {
          for await (const offer of api.listCatalogOffers(all, { signal })) {
            if (offer.tariff_type === tariff_type) offers.push(offer);
          }
        }
        return offers.toSorted((a, b) => a.offer_name.localeCompare(b.offer_name, 'es'));
      }),
  );
  const fault = faults[PRESENT_OFFER]?.(translation);
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      <div class="row">
        <div class="field">
          <label for={id}>{say('offer')}</label>
          <select
            id={id}
            name={PRESENT_OFFER}
            value={values[PRESENT_OFFER] ?? ''}
            aria-invalid={fault !== undefined}
            aria-describedby={fault ? `${id}-fault` : undefined}
            onChange={({ currentTarget }) => change({ values: { ...values, [PRESENT_OFFER]: currentTarget.value } })}
          >
            <option value="">{say('chooseRate')}</option>
            {answer?.map((offer) => (
              <option key={offer.id} value={offer.id}>
                {offer.offer_name} ({offer.company.name})
              </option>
            ))}
          </select>
          {fault && (
            <span class="fault" id={`${id}-fault`}>
              {fault}
            </span>
          )}
        </div>
        <NumberField name={`${PRESENT}services_cost`} label={say('services')} unit={say('eurPerMonth')} form={form} />
      </div>
    </>
  );
}
