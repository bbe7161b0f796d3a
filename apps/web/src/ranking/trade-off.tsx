import type { Ranking, RankingResult } from '@tarifario/client';
import type { ComponentChildren } from 'preact';
import { useTranslation } from '../texts/texts.ts';
import { Plot } from './plot.tsx';
import { positionOf, type RequestedPreference, TOLERANCE_STEP, toleranceAt } from './preference.ts';

interface Parts {
  readonly answer: Ranking;
  readonly preference: RequestedPreference;
  readonly onPreference: (preference: RequestedPreference) => void;
}

/** Cost against commission, the winner at each weight, and the weight in money. */
export function TradeOff(parts: Parts & { readonly onOpen: (result: RankingResult) => void }) {
  const { say, number } = useTranslation();
  const { answer } = parts;
  return (
    <section class="card trade-off" aria-labelledby="trade-off-title">
      <h2 id="trade-off-title">{say('tradeOff')}</h2>
      <div class="split">
        <div>
          <Plot answer={answer} onOpen={parts.onOpen} />
          {answer.total > answer.results.length && (
            <p class="note">{say('plotOf', { count: number(answer.results.length), total: number(answer.total) })}</p>
          )}
        </div>
        <div class="preference">
          <Winners {...parts} />
          <ToleranceSlider {...parts} />
          <Meaning answer={answer} />
        </div>
      </div>
    </section>
  );
}

/** The winners by name, in the order of their weights. Pressing one sets a weight at which it wins. */
function Winners({ answer: { umbrales, results, w }, onPreference }: Parts) {
  const { say, number } = useTranslation();
  const names = new Map(results.map(({ offer }) => [offer.id, offer.offer_name]));
  return (
    <fieldset class="winners" aria-label={say('winners')}>
      {umbrales?.map(({ w_desde, w_hasta, offer_id }, index) => {
        const name = names.get(offer_id) ?? `#${offer_id}`;
        const label = say('winnerFrom', { from: number(100 * w_desde, 0, 1), to: number(100 * w_hasta, 0, 1), name });
        return (
          <button
            type="button"
            key={`${w_desde} ${w_hasta}`}
            class={w >= w_desde && w <= w_hasta ? 'now' : ''}
            title={label}
            aria-label={`${index + 1} ${label}`}
            onClick={() => onPreference({ weight: (w_desde + w_hasta) / 2 })}
          >
            <b>{index + 1}</b> {name}
          </button>
        );
      })}
    </fieldset>
  );
}

/** The weight, with a band for each offer that wins. */
export function WeightSlider({
  answer,
  preference,
  onPreference,
  children,
}: Parts & { readonly children: ComponentChildren }) {
  const { say, number } = useTranslation();
  const { umbrales } = answer;
  // What was asked is seen at once, also while the server is asked for its order.
  const w = preference && 'weight' in preference ? preference.weight : answer.w;
  const value = say('weightValue', { saving: number(100 * w, 0, 1), commission: number(100 - 100 * w, 0, 1) });
  return (
    <div class="card weighing">
      <div class="slider weight">
        <span>
          <span id="weight-name">{say('weight')}</span> <output>{value}</output>
        </span>
        <span class="bands" aria-hidden="true">
          {umbrales?.map(({ w_desde, w_hasta }, index) => (
            <span
              key={`${w_desde} ${w_hasta}`}
              class={w >= w_desde && w <= w_hasta ? 'now' : ''}
              style={{ flexGrow: w_hasta - w_desde }}
            >
              {index + 1}
            </span>
          ))}
        </span>
        <input
          type="range"
          name="w"
          aria-labelledby="weight-name"
          min="0"
          max="1"
          step="0.01"
          value={w}
          aria-valuetext={value}
          onInput={({ currentTarget }) => onPreference({ weight: currentTarget.valueAsNumber })}
        />
        <span class="ends">
          <span>{say('weightZero')}</span>
          <span>{say('weightOne')}</span>
        </span>
      </div>
      <span class="views">{children}</span>
    </div>
  );
}

function ToleranceSlider({ answer: { conflicto }, preference, onPreference }: Parts) {
  const { say, number } = useTranslation();
  const rate = conflicto?.euros_cliente_por_euro_comision ?? null;
  const asked = preference && 'tolerance' in preference ? preference.tolerance : null;
  const tolerance = asked ?? rate;
  const text = tolerance === null ? say('toleranceNone') : say('billPerYear', { eur: number(tolerance, 2) });
  return (
    <div class="slider">
      <span>
        <span id="tolerance-name">{say('tolerance')}</span> <output>{text}</output>
      </span>
      <input
        type="range"
        name="tolerancia"
        aria-labelledby="tolerance-name"
        min="0"
        max="1"
        step={TOLERANCE_STEP}
        value={positionOf(tolerance ?? 100)}
        aria-valuetext={text}
        onInput={({ currentTarget }) => onPreference({ tolerance: toleranceAt(currentTarget.valueAsNumber) })}
      />
    </div>
  );
}

function Meaning({ answer: { conflicto } }: Pick<Parts, 'answer'>) {
  const { say, number } = useTranslation();
  if (!conflicto) return null;
  const { mas_eficiente: first, mas_comision: paid } = conflicto;
  const amountsOf = (of: typeof first) => ({
    cost: number(of.coste_extra_anual, 2),
    pay: number(of.comision_extra, 2),
  });
  return (
    <ul class="meaning">
      <li>{first.coste_extra_anual > 0 ? say('meaningFirst', amountsOf(first)) : say('meaningCheapest')}</li>
      <li>{say('meaningPaid', amountsOf(paid))}</li>
    </ul>
  );
}
