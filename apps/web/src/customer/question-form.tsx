import { COMMUNITIES, communityName, TARIFFS } from '@tarifario/core';
import { Choice, Tick } from '../shell/form.tsx';
import type { Session } from '../shell/session.ts';
import { useTranslation } from '../texts/texts.ts';
import {
  billDayOf,
  type Draft,
  GREEN,
  HOLDERS,
  PANELS,
  PRESENT,
  type PresentForm,
  periodNames,
  periodsOf,
  TERRITORIES,
  withoutRates,
} from './draft.ts';
import { DraftChoice, type FormParts, NumberField, PeriodFields } from './fields.tsx';
import { FirmChoice } from './firm-choice.tsx';
import { PresentOffer } from './present-offer.tsx';
import { TaxFields } from './tax-fields.tsx';

const SUPPLIES = ['LUZ', 'GAS'] as const;
const PRESENT_FORMS: readonly PresentForm[] = [
  'presentNone',
  'presentPrices',
  'presentOffer',
  'presentTotal',
  'presentBill',
];

/** The customer: supply, address and type, quantities, and the present cost. */
export function QuestionFields({ session, form }: { readonly session: Session | null; readonly form: FormParts }) {
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
        <MoreFields session={session} form={form} changePlace={changePlace} />
      </details>
    </>
  );
}

/** What most customers are ranked without. */
function MoreFields({
  session,
  form,
  changePlace,
}: {
  readonly session: Session | null;
  readonly form: FormParts;
  readonly changePlace: (changes: Partial<Draft>) => void;
}) {
  const { say } = useTranslation();
  const { draft } = form;
  const isElectric = draft.supply === 'LUZ';
  const isByMonths = isElectric && draft.months !== null;
  return (
    <>
      <PresentFields session={session} form={form} />
      <div class="row">
        {isElectric && !isByMonths && <NumberField name="excedentes" label={say('surplus')} unit="kWh" form={form} />}
        {!isByMonths && <NumberField name="dias" label={say('days')} unit="d" form={form} />}
        <Choice
          label={say('community')}
          value={draft.community ?? ''}
          options={[['', say('anyCommunity')], ...COMMUNITIES.map((one) => [one, communityName(one)] as const)]}
          onChoose={(community) => changePlace({ community: community === '' ? null : community })}
        />
        {session && <FirmChoice session={session} form={form} />}
        {isElectric && <DraftChoice name="panels" label="panels" options={PANELS} form={form} />}
        <NumberField name="permanencia_max" label={say('mostPermanence')} unit={say('inMonths')} form={form} />
        <NumberField name="precio_fijo_min" label={say('leastFixedPrice')} unit={say('inMonths')} form={form} />
        <DraftChoice name="green" label="energia_verde" options={GREEN} form={form} />
      </div>
      <TaxFields form={form} />
    </>
  );
}

function PresentFields({ session, form }: { readonly session: Session | null; readonly form: FormParts }) {
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
      {draft.present === 'presentOffer' && <PresentOffer session={session} form={form} />}
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
