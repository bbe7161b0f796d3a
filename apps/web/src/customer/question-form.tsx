import type { Offer } from '@tarifario/client';
import { COMMUNITIES, communityName, MAX_LIMIT, TARIFFS } from '@tarifario/core';
import { useEffect } from 'preact/hooks';
import { Choice, type Option, TextField, Tick } from '../shell/form.tsx';
import { keepChosen, keptChosen } from '../shell/kept.ts';
import { Problem } from '../shell/problem.tsx';
import { allFirms, firstOf, useAnswer } from '../shell/query.ts';
import { useOpenSession, useSession } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import {
  BILL_DAY,
  billDayOf,
  type Draft,
  EXCESS,
  GREEN,
  HOLDERS,
  isTicked,
  PANELS,
  PRESENT,
  PRESENT_OFFER,
  type PresentForm,
  periodNames,
  periodsOf,
  RENTAL_EUR,
  RENTALS,
  rentalOf,
  TAX_TICKS,
  TERRITORIES,
  ticking,
  turningTaxes,
  USES,
  withoutRates,
} from './draft.ts';
import { DraftChoice, type FormParts, NumberField, PeriodFields } from './fields.tsx';

const SUPPLIES = ['LUZ', 'GAS'] as const;
const PRESENT_FORMS: readonly PresentForm[] = [
  'presentNone',
  'presentPrices',
  'presentOffer',
  'presentTotal',
  'presentBill',
];

/** The customer: supply, address and type, quantities, and the present cost. */
export function QuestionFields({ form }: { readonly form: FormParts }) {
  const { say } = useTranslation();
  const { draft, change, replace } = form;
  const { supply, tariff } = draft;
  // In another territory the same hours of a meter belong to other periods.
  const changeMeter = (changes: Partial<Draft>) => {
    const all = (now: Draft) => ({ ...changes, values: withoutRates(now.values), months: null });
    (draft.months ? replace : change)(all);
  };
  // Ceuta and Melilla have hours of their own.
  const changePlace = draft.territory === 'ceuta_melilla' ? changeMeter : change;
  const { energy, power } = periodsOf(tariff);
  return (
    <>
      <div class="row">
        <label>
          {say('tariff')}
          <select
            name="peaje"
            value={tariff}
            onChange={({ currentTarget: { value } }) => {
              const next = SUPPLIES.find((one) => (TARIFFS[one] as readonly string[]).includes(value));
              changeMeter({ supply: next ?? supply, tariff: value });
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
        <Choice
          label={say('territory')}
          value={draft.territory}
          options={TERRITORIES}
          onChoose={(territory) => changeMeter({ territory, community: null })}
        />
        <DraftChoice name="holder" label="holder" options={HOLDERS} form={form} />
      </div>
      {supply === 'GAS' && <NumberField name="consumo_gas" label={say('gasEnergy')} unit="kWh" form={form} />}
      {supply === 'LUZ' && draft.months && (
        <p class="note">
          {say('monthsKnown', { count: draft.months.length })}{' '}
          <button type="button" class="plain" onClick={() => replace({ months: null })}>
            {say('forgetMonths')}
          </button>
        </p>
      )}
      {supply === 'LUZ' && !draft.months && (
        <PeriodFields legend="energy" unit="kWh" names={periodNames('e', energy)} form={form} />
      )}
      {supply === 'LUZ' && !draft.isWithoutPower && (
        <PeriodFields legend="power" unit="kW" names={periodNames('p', power)} form={form} />
      )}
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

/** What most customers are ranked without. */
function MoreFields({
  form,
  changePlace,
}: {
  readonly form: FormParts;
  readonly changePlace: (changes: Partial<Draft>) => void;
}) {
  const session = useSession();
  const { say } = useTranslation();
  const { draft } = form;
  const isElectric = draft.supply === 'LUZ';
  const isByMonths = isElectric && draft.months !== null;
  return (
    <>
      <PresentFields form={form} />
      <div class="row">
        {isElectric && !isByMonths && <NumberField name="excedentes" label={say('surplus')} unit="kWh" form={form} />}
        {!isByMonths && <NumberField name="dias" label={say('days')} unit="d" form={form} />}
        <Choice
          label={say('community')}
          value={draft.community ?? ''}
          options={[['', say('anyCommunity')], ...COMMUNITIES.map((one) => [one, communityName(one)] as const)]}
          onChoose={(community) => changePlace({ community: community === '' ? null : community })}
        />
        {session && <FirmChoice form={form} />}
        {isElectric && <DraftChoice name="panels" label="panels" options={PANELS} form={form} />}
        <NumberField name="permanencia_max" label={say('mostPermanence')} unit={say('inMonths')} form={form} />
        <NumberField name="precio_fijo_min" label={say('leastFixedPrice')} unit={say('inMonths')} form={form} />
        <DraftChoice name="green" label="energia_verde" options={GREEN} form={form} />
      </div>
      <TaxFields form={form} />
    </>
  );
}

function PresentFields({ form }: { readonly form: FormParts }) {
  const { say } = useTranslation();
  const { draft, change } = form;
  const { energy, power } = periodsOf(draft.tariff);
  const hasBills = billDayOf(draft) !== null;
  const priced = (letter: 'e' | 'p', count: number) => periodNames(letter, count).map((name) => PRESENT + name);
  return (
    <fieldset>
      <legend>{say('present')}</legend>
      <div class="row radios">
        {PRESENT_FORMS.filter((name) => name !== 'presentBill' || hasBills).map((name) => (
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
      {draft.present === 'presentTotal' && (
        <NumberField name={`${PRESENT}coste_total`} label={say('presentTotalEur')} unit="€" form={form} />
      )}
      {draft.present === 'presentBill' && hasBills && (
        <NumberField name={`${PRESENT}factura_total`} label={say('presentBillEur')} unit="€" form={form} />
      )}
      {draft.present === 'presentPrices' && draft.supply === 'LUZ' && (
        <>
          <PeriodFields legend="priceEnergy" unit="€/kWh" names={priced('e', energy)} form={form} />
          <PeriodFields legend="pricePower" unit="€/kW·d" names={priced('p', power)} form={form} />
        </>
      )}
      {draft.present === 'presentPrices' && (
        <div class="row">
          {draft.supply === 'GAS' && (
            <>
              <NumberField name={`${PRESENT}gas_energy`} label={say('priceEnergy')} unit="€/kWh" form={form} />
              <NumberField name={`${PRESENT}gas_fixed`} label={say('gasFixed')} unit={say('eurPerMonth')} form={form} />
            </>
          )}
          <NumberField name={`${PRESENT}services_cost`} label={say('services')} unit={say('eurPerMonth')} form={form} />
          {draft.supply === 'LUZ' && (
            <NumberField name={`${PRESENT}precio_excedentes`} label={say('priceSurplus')} unit="€/kWh" form={form} />
          )}
        </div>
      )}
    </fieldset>
  );
}

/** The offer that the customer has, such as the PVPC, and what is paid for services beside it. */
export function PresentOffer({ form }: { readonly form: FormParts }) {
  const session = useSession();
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
        const asked = { supply_type, limit: MAX_LIMIT };
        const own = api.listOffers({ ...asked, tariff_type }, { signal });
        const all = readsCatalog ? [own, api.listCatalogOffers(asked, { signal })] : [own];
        const found = (await Promise.all(all.map((list) => firstOf(list)))).flat();
        const fitting = found.filter((offer) => offer.tariff_type === tariff_type);
        return fitting.toSorted((a, b) => a.offer_name.localeCompare(b.offer_name, 'es'));
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
      <Tick name="taxes" isOn={day !== null} onTurn={(isOn) => change((now) => turningTaxes(now, isOn))}>
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
            <DraftChoice
              name="rental"
              label="rental"
              value={rentalOf(draft)}
              options={RENTALS[draft.supply]}
              form={form}
            />
            {rentalOf(draft) === 'rentalEur' && (
              <NumberField name={RENTAL_EUR} label={say('rentalMonthly')} unit={say('eurPerMonth')} form={form} />
            )}
            {draft.supply === 'LUZ' && (
              <>
                <DraftChoice name="use" label="use" options={USES} form={form} />
                <NumberField name={EXCESS} label={say('excess')} unit="€" form={form} />
              </>
            )}
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
