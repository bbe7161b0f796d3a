import type { Offer } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import { Choice, type Option } from '../shell/form.tsx';
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
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      <div class="row">
        <Choice
          label={say('offer')}
          name={PRESENT_OFFER}
          value={values[PRESENT_OFFER] ?? ''}
          fault={faults[PRESENT_OFFER]?.(translation)}
          options={[['', say('chooseRate')], ...(answer ?? []).map(optionOf)]}
          onChoose={(id) => change({ values: { ...values, [PRESENT_OFFER]: id } })}
        />
        <NumberField name={`${PRESENT}services_cost`} label={say('services')} unit={say('eurPerMonth')} form={form} />
      </div>
    </>
  );
}

const optionOf = ({ id, offer_name, company }: Offer): Option<string> => [`${id}`, `${offer_name} (${company.name})`];
