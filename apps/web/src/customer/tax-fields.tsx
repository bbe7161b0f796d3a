import { type Refusal, TarifarioError } from '@tarifario/client';
import { RATE_NAMES } from '@tarifario/core';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useTranslation } from '../texts/texts.ts';
import { EXCESS, isTicked, RATE, RENTALS, TAX_TICKS, ticking, withoutRates } from './draft.ts';
import { Choice, type FormParts, NumberField } from './fields.tsx';

type OpenRate = NonNullable<Refusal['detail']['alternativas']>[number];

/** The rates that a day does not have, and why. */
export interface OpenRates {
  readonly rates: readonly OpenRate[];
  readonly reasons: readonly string[];
}

/** What the refusal of a day asks for; `null`: it is about something else. */
export function openRatesIn(error: unknown): OpenRates | null {
  if (!(error instanceof TarifarioError) || !error.detail?.alternativas) return null;
  const reasons = error.errors.flatMap((one) => ('path' in one ? [one.error] : []));
  return { rates: error.detail.alternativas, reasons };
}

const FIELDS: Readonly<Record<string, string>> = {
  impuesto_electrico: 'iee',
  hidrocarburos: 'hidrocarburos',
  financiacion_bono: 'bono_social',
};

/** The field of a rate: VAT, IGIC and IPSI have one, and one more for services. */
const fieldOf = ({ concepto, aplica }: OpenRate) =>
  RATE + (FIELDS[concepto] ?? (aplica === 'servicios' ? 'indirecto_servicios' : 'indirecto'));

/** Whether bills are asked for, of which day, and the rates that the day does not have. */
export function TaxFields({ form, open }: { readonly form: FormParts; readonly open: OpenRates | null }) {
  const { say } = useTranslation();
  const id = useId();
  const { draft, change } = form;
  const setDay = (taxDay: string | null) => change((now) => ({ taxDay, values: withoutRates(now.values) }));
  return (
    <fieldset class="taxes">
      <legend>{say('bill')}</legend>
      <label class="tick">
        <input
          type="checkbox"
          name="taxes"
          checked={draft.taxDay !== null}
          onChange={({ currentTarget }) => setDay(currentTarget.checked ? today() : null)}
        />
        {say('withTaxes')}
      </label>
      {draft.taxDay !== null && (
        <div class="row">
          <div class="field">
            <label for={id}>{say('taxDay')}</label>
            <input
              id={id}
              type="date"
              name="fecha"
              required
              value={draft.taxDay}
              onInput={({ currentTarget }) => currentTarget.value !== '' && setDay(currentTarget.value)}
            />
          </div>
          {draft.supply === 'LUZ' && (
            <Choice
              label="rental"
              value={draft.rental}
              options={RENTALS}
              nameOf={say}
              onChange={(rental) => change({ rental })}
            />
          )}
          {draft.supply === 'LUZ' && <NumberField name={EXCESS} label={say('excess')} unit="€" form={form} />}
        </div>
      )}
      {draft.taxDay !== null &&
        TAX_TICKS.filter(({ isFor }) => isFor(draft)).map(({ name }) => (
          <label key={name} class="tick">
            <input
              type="checkbox"
              name={name}
              checked={isTicked(draft, name)}
              onChange={({ currentTarget }) => change((now) => ticking(now, name, currentTarget.checked))}
            />
            {say(name)}
          </label>
        ))}
      {draft.taxDay !== null && open && <OpenFields form={form} open={open} />}
    </fieldset>
  );
}

/** Asks for each rate that is not known, with what decides it. */
function OpenFields({ form, open: { rates, reasons } }: { readonly form: FormParts; readonly open: OpenRates }) {
  const { say, language, number } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.querySelector<HTMLElement>('select, input')?.focus(), [reasons.join()]);
  const { draft, change } = form;
  return (
    <div class="problem" role="alert" ref={element}>
      <p>{say('openRates', { day: draft.taxDay ?? '' })}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {rates.map((rate) => {
        const name = fieldOf(rate);
        const concept = RATE_NAMES[rate.concepto as keyof typeof RATE_NAMES][language];
        const unit = /hidrocarburos$/.test(name) ? '€/kWh' : /bono_social$/.test(name) ? say('eurPerYear') : '%';
        if (rate.valores.length === 0) {
          return <NumberField key={name} name={name} label={concept} unit={unit} form={form} />;
        }
        return (
          <label key={name}>
            {concept}
            <select
              name={name}
              required
              value={draft.values[name] ?? ''}
              onChange={({ currentTarget }) => change({ values: { ...draft.values, [name]: currentTarget.value } })}
            >
              <option value="">{say('chooseRate')}</option>
              {rate.valores.map(({ valor, condicion }) => (
                <option key={valor} value={language === 'es' ? String(valor).replace('.', ',') : String(valor)}>
                  {number(valor, 0, 8)} {unit}: {condicion}
                </option>
              ))}
            </select>
          </label>
        );
      })}
    </div>
  );
}

/** The day of the reader's calendar. */
export function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
