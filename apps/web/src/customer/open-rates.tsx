import { RATE_KIND_NAMES, RATE_NAMES } from '@tarifario/core';
import { useId, useState } from 'preact/hooks';
import { Press, TextField } from '../shell/form.tsx';
import { type Translation, useTranslation } from '../texts/texts.ts';
import { type Answer, isWithoutRates } from './answer.ts';
import { readNumber, typedNumber } from './numbers.ts';
import type { OpenRate } from './rates.ts';
import type { Study } from './study.ts';

const isDecided = ({ row }: OpenRate): boolean => row?.valor !== undefined;

interface Choosing {
  readonly onChoose: (rates: readonly OpenRate[]) => void;
}

/** The rates that an answer was computed with by choice, or the choice among what they may be. */
export function OpenRates({ study: { answer, asked }, onChoose }: Choosing & { readonly study: Study }) {
  if (!answer || !asked?.impuestos || answer.rates.length === 0) return null;
  const key = JSON.stringify(answer.rates);
  return <ChosenRates key={key} answer={answer} fecha={asked.impuestos.fecha} onChoose={onChoose} />;
}

/** The same of rates that stand for many customers. */
export function ChosenRates({
  answer,
  fecha,
  onChoose,
}: Choosing & {
  readonly answer: Pick<Answer, 'rates'>;
  /** The day of the bills. */
  readonly fecha: string;
}) {
  const { rates } = answer;
  const translation = useTranslation();
  const { say, day, language } = translation;
  const open = rates.filter((rate) => !isDecided(rate));
  const [isChanging, setChanging] = useState(false);
  const [typed, setTyped] = useState(
    open.map(({ chosen }) => (chosen === null ? '' : typedNumber(chosen, language))) as readonly string[],
  );
  const isAlone = ({ concepto }: OpenRate) => rates.filter((rate) => rate.concepto === concepto).length === 1;
  const shortName = (rate: OpenRate) =>
    isAlone(rate) ? RATE_NAMES[rate.concepto][language] : nameOf(rate, translation);
  if (!isWithoutRates(answer) && !isChanging) {
    return (
      <p class="note chosen-rates">
        {rates.map((rate) => `${shortName(rate)} ${shownValue(rate, rate.chosen, translation)}`).join(' · ')}
        {' · '}
        <button type="button" class="plain" onClick={() => (open.length > 0 ? setChanging(true) : onChoose([]))}>
          {say('ratesChange')}
        </button>
      </p>
    );
  }
  const values = typed.map((text) => readNumber(text, language));
  return (
    <section class="card rates" aria-labelledby="rates-title">
      <h2 id="rates-title">
        {say('openRates', { day: day(fecha) })} <small>{say('rateLookedUp')}</small>
      </h2>
      <div class="row">
        {open.map((rate, place) => (
          <RateField
            key={rate.name}
            rate={rate}
            value={typed[place] ?? ''}
            onChange={(text) => setTyped(typed.with(place, text))}
          />
        ))}
      </div>
      <Press
        text="withTheseRates"
        class="main"
        disabled={values.some((value) => typeof value === 'string')}
        onPress={() => onChoose(open.map((rate, place) => ({ ...rate, chosen: Number(values[place]) })))}
      />
    </section>
  );
}

function nameOf({ concepto, aplica }: OpenRate, { language }: Translation): string {
  const name = RATE_NAMES[concepto][language];
  return aplica === 'general' ? name : `${name} (${RATE_KIND_NAMES[aplica][language]})`;
}

function shownValue({ concepto, row }: OpenRate, value: number | null, { number }: Translation): string {
  const unit = { hidrocarburos: '€/kWh', financiacion_bono: '€/año' }[concepto as string] ?? '%';
  return `${number(value ?? 0, 0, unit === '%' ? 2 : 8)} ${row?.unidad.replace('EUR', '€') ?? unit}`;
}

/** One of the values that a law names, or a typed one where none is known. */
function RateField({
  rate,
  value,
  onChange,
}: {
  readonly rate: OpenRate;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const translation = useTranslation();
  const { language } = translation;
  const id = useId();
  const { row } = rate;
  const legend = nameOf(rate, translation);
  if (!row?.valores) {
    return (
      <TextField
        label={`${legend} (${shownValue(rate, 0, translation).split(' ')[1]})`}
        inputMode="decimal"
        value={value}
        onText={onChange}
      />
    );
  }
  const least = Math.min(...row.valores.map(({ valor }) => valor));
  return (
    <fieldset>
      <legend>{legend}</legend>
      {row.valores.map(({ valor, condicion }) => (
        <label key={valor} class="tick">
          <input
            type="radio"
            name={id}
            checked={value === typedNumber(valor, language)}
            onChange={() => onChange(typedNumber(valor, language))}
          />
          <span>
            <strong>{shownValue(rate, valor, translation)}</strong> {condicion}
            {valor > least && `: ${followsFrom(rate, { valor, least }, translation)}`}
          </span>
        </label>
      ))}
      <p class="note">
        {row.condicion} {row.url === null ? row.norma : <a href={row.url}>{row.norma}</a>}
      </p>
    </fieldset>
  );
}

/** What a higher value changes in the bill. */
function followsFrom(
  { name }: OpenRate,
  { valor, least }: { readonly valor: number; readonly least: number },
  { say, number }: Translation,
): string {
  if (name === 'hidrocarburos') return say('rateOfKwh', { eur: number(valor - least, 0, 6) });
  if (name === 'bono_social') return say('rateOfYear', { eur: number(valor - least, 0, 2) });
  const percent = number(((100 + valor) / (100 + least) - 1) * 100, 0, 1);
  return say(name === 'iee' ? 'rateOfEnergy' : 'rateOfBill', { percent });
}
