import type { Ranking, RankingResult } from '@tarifario/client';
import { byYearAndMonth } from '@tarifario/core';
import type { ComponentChildren, RefObject } from 'preact';
import { type Translation, useTranslation } from '../texts/texts.ts';
import { inYear, savedBy } from './saving.ts';
import { paidEur } from './shown-order.ts';

/** What one offer costs, saves and pays, in figures, and the first of the list in a sentence for screen readers. */
export function Summary({
  answer,
  chosen,
  isBusy,
  heading,
  children,
}: {
  /** `null`: its order has not come. */
  readonly answer: Ranking | null;
  /** Whose figures are shown; `undefined`: those of the first of the list. */
  readonly chosen: RankingResult | undefined;
  readonly isBusy: boolean;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly children: ComponentChildren;
}) {
  const translation = useTranslation();
  const { say } = translation;
  const result = answer && (chosen ?? answer.results[0]);
  return (
    <section class="card summary" aria-labelledby="summary-title">
      <h2 id="summary-title" class="unseen" ref={heading} tabIndex={-1} aria-describedby="summary-text">
        {say('answer')}
      </h2>
      <p id="summary-text" class={result ? 'unseen' : ''} role="status">
        {answer ? sentenceOf(answer, translation) : isBusy && say('working')}
      </p>
      {answer && result && (
        <dl class="figures">
          {figuresOf(result, answer, translation).map(({ name, value, notes, kind }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class={`figure ${kind}`}>{value}</dd>
              <dd class="note">{notes.join(' · ')}</dd>
            </div>
          ))}
        </dl>
      )}
      <div class="next">{children}</div>
    </section>
  );
}

interface Figure {
  readonly name: string;
  readonly value: string;
  readonly notes: readonly string[];
  readonly kind: string;
}

/** What is not known says so; what the caller may not see has no place. */
function figuresOf(result: RankingResult, answer: Ranking, translation: Translation): readonly Figure[] {
  const { offer, commission, factura_estimada: bill } = result;
  const { dias } = answer;
  const { say, eur } = translation;
  const { yearEur, monthEur } = byYearAndMonth(paidEur(result), { days: dias });
  const extra = (bill ? result.coste_extra_factura : result.coste_extra) ?? 0;
  const unit = dias === 365 ? say('eurPerYear') : say('inDays', { days: dias });
  const tax = say(bill ? 'afterTaxes' : 'beforeTaxes');
  return [
    {
      name: say('figurePaid', { name: offer.offer_name }),
      value: say('billPerMonth', { eur: eur(monthEur) }),
      notes: [
        `${say('billPerYear', { eur: eur(yearEur) })}, ${tax}`,
        ...(extra > 0 ? [say('answerExtra', { eur: eur(extra), unit, tax })] : []),
      ],
      kind: '',
    },
    savingFigure(result, answer, translation),
    ...(commission
      ? [{ name: say('commission'), value: `${eur(commission.total)} €`, notes: [say('inYear')], kind: '' }]
      : []),
  ];
}

function savingFigure(result: RankingResult, { dias }: Ranking, { say, eur, number }: Translation): Figure {
  const { eur: saved, isOfBill } = savedBy(result);
  if (saved === null) return { name: say('savingYearly'), value: '–', notes: [say('savingUnknown')], kind: '' };
  const today = saved + (isOfBill ? paidEur(result) : result.cost.total);
  const yearly = inYear(saved, result, { dias });
  return {
    name: say(yearly === null ? 'saving' : 'savingYearly'),
    value: `${eur(yearly ?? saved)} €`,
    notes: [
      ...(today > 0 ? [`${number((100 * saved) / today, 0, 1)} %`] : []),
      say(isOfBill ? 'afterTaxes' : 'beforeTaxes'),
      ...(yearly === null ? [say('inDays', { days: dias })] : []),
    ],
    kind: saved >= 0 ? 'good' : 'bad',
  };
}

function sentenceOf({ results, total, dias }: Ranking, { say, eur }: Translation): string {
  const [first] = results;
  if (!first) return say('nothingRanked');
  const { offer, cost, commission, factura_estimada: bill } = first;
  const paid = bill?.total ?? cost.total;
  const { eur: saving, isOfBill } = savedBy(first);
  const base = bill && !isOfBill ? ` (${say('beforeTaxes')})` : '';
  const extra = (bill ? first.coste_extra_factura : first.coste_extra) ?? 0;
  const days = say('inDays', { days: dias });
  const unit = dias === 365 ? say('eurPerYear') : days;
  const yearly = inYear(saving, first, { dias });
  const saved = { eur: eur(Math.abs(yearly ?? saving ?? 0)), unit: yearly === null ? days : say('eurPerYear') };
  const tax = say(bill ? 'afterTaxes' : 'beforeTaxes');
  const parts = [
    say('answerFirst', { count: total, name: offer.offer_name, eur: eur(paid), unit, tax }),
    say('billPerMonth', { eur: eur(byYearAndMonth(paid, { days: dias }).monthEur) }),
    ...(saving === null ? [] : [say(saving >= 0 ? 'answerLess' : 'answerMore', saved) + base]),
  ];
  const against = [
    ...(extra > 0 ? [say('answerExtra', { eur: eur(extra), unit, tax })] : []),
    ...(commission ? [say('answerPays', { eur: eur(commission.total) })] : []),
  ];
  return `${[parts.join(', '), against.join(', ')].filter((part) => part !== '').join('; ')}.`;
}
