import type { Offer } from '@tarifario/client';
import { COMMUNITIES, communityName, MAX_LIMIT, TARIFFS } from '@tarifario/core';
import { useEffect } from 'preact/hooks';
import { Choice, type Option, Press, TextField, Tick } from '../shell/form.tsx';
import { keepChosen, keptChosen } from '../shell/kept.ts';
import { Problem } from '../shell/problem.tsx';
import { allFirms, firstOf, useAnswer } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import {
  BILL_DAY,
  billDayOf,
  type Draft,
  EXCESS,
  isTicked,
  PRESENT,
  PRESENT_OFFER,
  PRESENTS,
  RENTAL_EUR,
  TAX_TICKS,
  TERMS,
  TERRITORIES,
  ticking,
  withoutRates,
} from './draft.ts';
import { DraftChoice, type FormParts, Numbers, PeriodFields } from './fields.tsx';

const SUPPLIES = ['LUZ', 'GAS'] as const;

/** What is paid today, and the prices of the present contract but those of periods. */
const PAID = ['coste_total', 'factura_total'].map((name) => PRESENT + name);
const SERVICES = [`${PRESENT}services_cost`];
const PRICES = [`${PRESENT}gas_energy`, `${PRESENT}gas_fixed`, ...SERVICES, `${PRESENT}precio_excedentes`];

/** The customer: supply, address and type, quantities, and the present cost. */
export function QuestionFields({ form }: { readonly form: FormParts }) {
  const { say } = useTranslation();
  const { draft, change, replace } = form;
  const { supply } = draft;
  // In another territory the same hours of a meter belong to other periods.
  const changeMeter = (changes: Partial<Draft>) => {
    const all = (now: Draft) => ({ ...changes, values: withoutRates(now.values), months: null });
    (draft.months ? replace : change)(all);
  };
  // Ceuta and Melilla have hours of their own.
  const changePlace = draft.territory === 'ceuta_melilla' ? changeMeter : change;
  return (
    <>
      <div class="row">
        <TariffChoice {...draft} onChoose={changeMeter} />
        <Choice
          label={say('territory')}
          value={draft.territory}
          options={TERRITORIES}
          onChoose={(territory) => changeMeter({ territory, community: null })}
        />
        <DraftChoice name="holder" form={form} />
      </div>
      <Numbers names={['consumo_gas']} form={form} />
      {supply === 'LUZ' && draft.months && (
        <p class="note">
          {say('monthsKnown', { count: draft.months.length })}{' '}
          <Press text="forgetMonths" class="plain" onPress={() => replace({ months: null })} />
        </p>
      )}
      <PeriodFields of="energy" form={form} />
      <PeriodFields of="power" form={form} />
      {supply === 'LUZ' && (
        <Tick name="sin_potencia" isOn={draft.isWithoutPower} onTurn={(isWithoutPower) => change({ isWithoutPower })}>
          {say('withoutPower')}
        </Tick>
      )}
      <details class="more">
        <summary>{say('more')}</summary>
        <MoreFields form={form} changePlace={changePlace} />
      </details>
    </>
  );
}

/** The access tariff, which says whether it is electricity or gas. */
function TariffChoice({
  supply,
  tariff,
  onChoose,
}: Pick<Draft, 'supply' | 'tariff'> & { readonly onChoose: (chosen: Pick<Draft, 'supply' | 'tariff'>) => void }) {
  const { say } = useTranslation();
  return (
    <label>
      {say('tariff')}
      <select
        name="peaje"
        value={tariff}
        onChange={({ currentTarget: { value } }) => {
          const next = SUPPLIES.find((one) => (TARIFFS[one] as readonly string[]).includes(value));
          onChoose({ supply: next ?? supply, tariff: value });
        }}
      >
        {SUPPLIES.map((one) => (
          <optgroup key={one} label={say(one)}>
            {TARIFFS[one].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

/** What most customers are ranked without. */
function MoreFields({
  form,
  changePlace,
}: {
  readonly form: FormParts;
  readonly changePlace: (changes: Partial<Draft>) => void;
}) {
  const { say } = useTranslation();
  const { draft } = form;
  const isElectric = draft.supply === 'LUZ';
  return (
    <>
      <PresentFields form={form} />
      <div class="row">
        <Numbers names={['excedentes', 'dias']} form={form} />
        <Choice
          label={say('community')}
          value={draft.community ?? ''}
          options={[['', say('anyCommunity')], ...COMMUNITIES.map((one) => [one, communityName(one)] as const)]}
          onChoose={(community) => changePlace({ community: community === '' ? null : community })}
        />
        <FirmChoice form={form} />
        {isElectric && <DraftChoice name="panels" form={form} />}
        <Numbers names={TERMS} form={form} />
        <DraftChoice name="green" form={form} />
      </div>
      <TaxFields form={form} />
    </>
  );
}

function PresentFields({ form }: { readonly form: FormParts }) {
  const { say } = useTranslation();
  const { draft, change } = form;
  const hasBills = billDayOf(draft) !== null;
  return (
    <fieldset>
      <legend>{say('present')}</legend>
      <div class="row radios">
        {PRESENTS.filter((name) => name !== 'presentBill' || hasBills).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="present"
              checked={draft.present === name}
              onChange={() => change({ present: name })}
            />
            {say(name)}
          </label>
        ))}
      </div>
      {draft.present === 'presentOffer' && <PresentOffer form={form} />}
      <Numbers names={PAID} form={form} />
      <PeriodFields of="priceEnergy" form={form} />
      <PeriodFields of="pricePower" form={form} />
      {draft.present === 'presentPrices' && (
        <div class="row">
          <Numbers names={PRICES} form={form} />
        </div>
      )}
    </fieldset>
  );
}

/** The offer that the customer has, such as the PVPC, and what is paid for services beside it. */
export function PresentOffer({ form }: { readonly form: FormParts }) {
  const { api, scopes } = useOpenSession();
  const translation = useTranslation();
  const { say } = translation;
  // Other offers of the catalog are ranked all the same.
  const readsCatalog = scopes.includes('catalog:read');
  const { draft, faults, change } = form;
  const { supply: supply_type, tariff: tariff_type, values } = draft;
  const { answer, error, retry } = useAnswer([api, supply_type, tariff_type], async (signal) => {
    const asked = { supply_type, limit: MAX_LIMIT };
    const own = api.listOffers({ ...asked, tariff_type }, { signal });
    const all = readsCatalog ? [own, api.listCatalogOffers(asked, { signal })] : [own];
    const found = (await Promise.all(all.map((list) => firstOf(list)))).flat();
    const fitting = found.filter((offer) => offer.tariff_type === tariff_type);
    return fitting.toSorted((a, b) => a.offer_name.localeCompare(b.offer_name, 'es'));
  });
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
        <Numbers names={SERVICES} form={form} />
      </div>
    </>
  );
}

const optionOf = ({ id, offer_name, company }: Offer): Option<string> => [`${id}`, `${offer_name} (${company.name})`];

const NAME = 'firm';

/** The firm that advises, for a key of the whole account; the browser remembers it. */
export function FirmChoice({ form: { draft, change } }: { readonly form: FormParts }) {
  const session = useOpenSession();
  const { say } = useTranslation();
  const { firmId } = draft;
  const mayAsk = !session.isBound && session.scopes.includes('clients:read');
  const { answer } = useAnswer([session.reach], mayAsk ? (signal) => allFirms(session, signal) : null);
  const firms = (answer ?? []).filter(({ is_active }) => is_active);
  const idAmong = (id: unknown) => firms.find((firm) => firm.id === id)?.id ?? null;
  useEffect(() => {
    if (answer === null && mayAsk) return;
    // Another account does not have it.
    const id = idAmong(firmId) ?? idAmong(keptChosen(session.accountId, NAME));
    if (id !== firmId) change({ firmId: id });
  }, [answer]);
  if (firms.length === 0) return null;
  return (
    <Choice
      label={say('firm')}
      name="firma"
      value={`${firmId ?? ''}`}
      options={[['', say('allFirms')], ...firms.map(({ id, name }): Option<string> => [`${id}`, name])]}
      onChoose={(chosen) => {
        const id = Number(chosen) || null;
        keepChosen(session.accountId, NAME, id);
        change({ firmId: id });
      }}
    />
  );
}

/** Whether bills are asked for, of which day, and what they depend on. */
export function TaxFields({ form }: { readonly form: FormParts }) {
  const translation = useTranslation();
  const { say } = translation;
  const { draft, change } = form;
  const day = billDayOf(draft);
  return (
    <fieldset class="taxes">
      <legend>{say('bill')}</legend>
      <Tick name="taxes" isOn={day !== null} onTurn={(isBilled) => change({ isBilled })}>
        {say('withTaxes')}
      </Tick>
      {day !== null && (
        <>
          <div class="row">
            <TextField
              label={say('taxDay')}
              type="date"
              name="fecha"
              required
              value={day}
              fault={form.faults[BILL_DAY]?.(translation)}
              onText={(text) => text !== '' && change((now) => ({ taxDay: text, values: withoutRates(now.values) }))}
            />
            <DraftChoice name="rental" form={form} />
            <Numbers names={[RENTAL_EUR]} form={form} />
            {draft.supply === 'LUZ' && <DraftChoice name="use" form={form} />}
            <Numbers names={[EXCESS]} form={form} />
          </div>
          {TAX_TICKS.filter(({ isFor }) => isFor(draft)).map(({ name }) => (
            <Tick
              key={name}
              name={name}
              isOn={isTicked(draft, name)}
              onTurn={(isOn) => change((now) => ticking(now, name, isOn))}
            >
              {say(name)}
            </Tick>
          ))}
        </>
      )}
    </fieldset>
  );
}
