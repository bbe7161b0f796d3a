import type { Ranking } from '@tarifario/client';
import type { RefObject } from 'preact';
import { type Translation, useTranslation } from '../texts/texts.ts';

/** The answer in a sentence: how many offers, and what the first one costs, saves and pays. */
export function Summary({
  answer,
  heading,
}: {
  readonly answer: Ranking;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}) {
  const translation = useTranslation();
  return (
    <section class="card summary" aria-labelledby="summary-title">
      <h2 id="summary-title" ref={heading} tabIndex={-1} aria-describedby="summary-text">
        {translation.say('answer')}
      </h2>
      <p id="summary-text" role="status">
        {sentenceOf(answer, translation)}
      </p>
    </section>
  );
}

function sentenceOf({ results, total, conflicto }: Ranking, { say, eur }: Translation): string {
  const [first] = results;
  if (!first) return say('nothingRanked');
  const { offer, cost, ahorro, commission } = first;
  const saving = ahorro?.eur ?? null;
  const extra = conflicto?.mas_eficiente.coste_extra_anual ?? 0;
  return [
    say('answerFirst', { count: total, name: offer.offer_name, eur: eur(cost.total) }),
    ...(saving === null ? [] : [say(saving >= 0 ? 'answerLess' : 'answerMore', { eur: eur(Math.abs(saving)) })]),
    ...(extra > 0 ? [say('answerExtra', { eur: eur(extra) })] : []),
    ...(commission ? [say('answerPays', { eur: eur(commission.total) })] : []),
  ].join('; ');
}
