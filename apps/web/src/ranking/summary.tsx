import type { Ranking } from '@tarifario/client';
import { byYearAndMonth } from '@tarifario/core';
import type { ComponentChildren, RefObject } from 'preact';
import { type Translation, useTranslation } from '../texts/texts.ts';
import { inYear, savedBy } from './saving.ts';

/** The answer in a sentence: how many offers, and what the first one costs, saves and pays. */
export function Summary({
  answer,
  isBusy,
  heading,
  children,
}: {
  /** `null`: its order has not come. */
  readonly answer: Ranking | null;
  readonly isBusy: boolean;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  readonly children: ComponentChildren;
}) {
  const translation = useTranslation();
  return (
    <section class="card summary" aria-labelledby="summary-title">
      <h2 id="summary-title" ref={heading} tabIndex={-1} aria-describedby="summary-text">
        {translation.say('answer')}
      </h2>
      <p id="summary-text" role="status">
        {answer ? sentenceOf(answer, translation) : isBusy && translation.say('working')}
      </p>
      {children}
    </section>
  );
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
