import { RATE_NAMES } from '@tarifario/core';
import { useTranslation } from '../texts/texts.ts';
import type { OpenRate, OpenRates } from './answer.ts';
import { billDayOf, RATE_PREFIX, withoutRates } from './draft.ts';
import { type FormParts, NumberField } from './fields.tsx';

const FIELDS: Readonly<Record<string, string>> = {
  impuesto_electrico: 'iee',
  hidrocarburos: 'hidrocarburos',
  financiacion_bono: 'bono_social',
};

/** The field of a rate: VAT, IGIC and IPSI have one, and one more for services. */
const fieldOf = ({ concepto, aplica }: OpenRate) =>
  RATE_PREFIX + (FIELDS[concepto] ?? (aplica === 'servicios' ? 'indirecto_servicios' : 'indirecto'));

/** Asks for each rate that is not known, with what decides it; afterwards for other ones. */
export function OpenRatesCard({
  open,
  form,
  onRank,
}: {
  readonly open: OpenRates | null;
  readonly form: FormParts;
  readonly onRank: () => void;
}) {
  const { say, day } = useTranslation();
  const { draft, change } = form;
  const billDay = billDayOf(draft);
  if (!billDay) return null;
  if (!open) {
    if (withoutRates(draft.values) === draft.values) return null;
    return (
      <p class="card note">
        {say('ratesChosen')}{' '}
        <button type="button" class="plain" onClick={() => change((now) => ({ values: withoutRates(now.values) }))}>
          {say('ratesForget')}
        </button>
      </p>
    );
  }
  return (
    <section class="card rates" aria-labelledby="rates-title">
      <h2 id="rates-title">{say('openRates', { day: day(billDay) })}</h2>
      <div class="row">
        {open.rates.map((rate) => (
          <RateField key={fieldOf(rate)} rate={rate} form={form} />
        ))}
        <button
          type="button"
          class="main"
          disabled={open.rates.some((rate) => !draft.values[fieldOf(rate)])}
          onClick={onRank}
        >
          {say('withTheseRates')}
        </button>
      </div>
      <details>
        <summary>{say('openReasons')}</summary>
        <ul class="meaning">
          {open.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </details>
    </section>
  );
}

function RateField({ rate, form }: { readonly rate: OpenRate; readonly form: FormParts }) {
  const { say, language, number } = useTranslation();
  const { draft, change } = form;
  const name = fieldOf(rate);
  const concept = RATE_NAMES[rate.concepto as keyof typeof RATE_NAMES][language];
  const unit = /hidrocarburos$/.test(name) ? '€/kWh' : /bono_social$/.test(name) ? say('eurPerYear') : '%';
  if (rate.valores.length === 0) return <NumberField name={name} label={concept} unit={unit} form={form} />;
  return (
    <label>
      {concept}
      <select
        name={name}
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
}
