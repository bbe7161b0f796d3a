import { COMMUNITIES, communityName, TARIFFS } from '@tarifario/core';
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
import { Choice, type FormParts, NumberField, PeriodFields } from './fields.tsx';
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
  return (
    <>
      <div class="row">
        <Choice
          label="supply"
          value={supply}
          options={SUPPLIES}
          nameOf={say}
          onChange={(next) => changeMeter({ supply: next, tariff: next === 'GAS' ? 'RL.2' : '2.0TD' })}
        />
        <Choice
          label="tariff"
          value={tariff}
          options={TARIFFS[supply] as readonly string[]}
          nameOf={(name) => name}
          onChange={(next) => changeMeter({ tariff: next })}
        />
        <Choice
          label="territory"
          value={draft.territory}
          options={TERRITORIES}
          nameOf={say}
          onChange={(territory) => changeMeter({ territory, community: null })}
        />
        <Choice
          label="community"
          value={draft.community ?? ''}
          options={['', ...COMMUNITIES]}
          nameOf={(community) => (community === '' ? say('anyCommunity') : communityName(community))}
          onChange={(community) => changePlace({ community: community === '' ? null : community })}
        />
        <Choice
          label="holder"
          value={draft.holder}
          options={HOLDERS}
          nameOf={say}
          onChange={(holder) => change({ holder })}
        />
        {supply === 'LUZ' && (
          <Choice
            label="panels"
            value={draft.panels}
            options={PANELS}
            nameOf={say}
            onChange={(panels) => change({ panels })}
          />
        )}
        {session && <FirmChoice session={session} form={form} />}
      </div>
      {supply === 'GAS' ? <GasFields form={form} /> : <ElectricityFields form={form} />}
      <div class="row">
        <NumberField name="permanencia_max" label={say('mostPermanence')} unit={say('inMonths')} form={form} />
        <NumberField name="precio_fijo_min" label={say('leastFixedPrice')} unit={say('inMonths')} form={form} />
        <Choice
          label="energia_verde"
          value={draft.green}
          options={GREEN}
          nameOf={say}
          onChange={(green) => change({ green })}
        />
      </div>
      <PresentFields session={session} form={form} />
      <TaxFields form={form} />
    </>
  );
}

function ElectricityFields({ form }: { readonly form: FormParts }) {
  const { say } = useTranslation();
  const { energy, power } = periodsOf(form.draft.tariff);
  const { months, isWithoutPower } = form.draft;
  return (
    <>
      {months ? (
        <p class="note">
          {say('monthsKnown', { count: months.length })}{' '}
          <button type="button" class="plain" onClick={() => form.replace({ months: null })}>
            {say('forgetMonths')}
          </button>
        </p>
      ) : (
        <>
          <PeriodFields legend="energy" unit="kWh" names={periodNames('e', energy)} form={form} />
          <div class="row">
            <NumberField name="excedentes" label={say('surplus')} unit="kWh" form={form} />
            <NumberField name="dias" label={say('days')} unit="d" form={form} />
          </div>
        </>
      )}
      {!isWithoutPower && <PeriodFields legend="power" unit="kW" names={periodNames('p', power)} form={form} />}
      <label class="tick">
        <input
          type="checkbox"
          name="sin_potencia"
          checked={isWithoutPower}
          onChange={({ currentTarget }) => form.change({ isWithoutPower: currentTarget.checked })}
        />
        {say('withoutPower')}
      </label>
    </>
  );
}

function GasFields({ form }: { readonly form: FormParts }) {
  const { say } = useTranslation();
  return (
    <div class="row">
      <NumberField name="consumo_gas" label={say('gasEnergy')} unit="kWh" form={form} />
      <NumberField name="dias" label={say('days')} unit="d" form={form} />
    </div>
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
