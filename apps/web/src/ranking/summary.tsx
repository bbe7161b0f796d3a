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
  lacksRates,
  heading,
  children,
}: {
  /** `null`: its order has not come. */
  readonly answer: Ranking | null;
  /** Whose figures are shown; `undefined`: those of the first of the list. */
  readonly chosen: RankingResult | undefined;
  readonly isBusy: boolean;
  /** What is paid today is known, and not yet beside which bills. */
  readonly lacksRates: boolean;
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
          {figuresOf(result, answer, lacksRates, translation).map(({ name, value, notes, kind }) => (
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
function figuresOf(
  result: RankingResult,
  answer: Ranking,
  lacksRates: boolean,
  translation: Translation,
): readonly Figure[] {
  const { offer, commission, factura_estimada: bill } = result;
  const { dias } = answer;
  const { say, eur } = translation;
  const { yearEur, monthEur } = byYearAndMonth(paidEur(result), { days: dias });
  const tax = say(bill ? 'afterTaxes' : 'beforeTaxes');
  return [
    {
      name: say('figurePaid', { name: offer.offer_name }),
      value: say('billPerMonth', { eur: eur(monthEur) }),
      notes: [`${say('billPerYear', { eur: eur(yearEur) })}, ${tax}`, ...extraOf(result, answer, translation)],
      kind: '',
    },
    savingFigure(result, answer, lacksRates, translation),
    ...(commission
      ? [
          {
            name: say('commission'),
            value: say('inEur', { eur: eur(commission.total) }),
            notes: [say('inYear')],
            kind: '',
          },
        ]
      : []),
  ];
}

function savingFigure(
  result: RankingResult,
  { dias, results, total }: Ranking,
  lacksRates: boolean,
  { say, eur, number }: Translation,
): Figure {
  const { eur: saved, isOfBill } = savedBy(result);
  if (saved === null)
    return {
      name: say('savingYearly'),
      value: '–',
      notes: [say(lacksRates ? 'savingNeedsRates' : 'savingUnknown')],
      kind: '',
    };
  const today = saved + (isOfBill ? paidEur(result) : result.cost.total);
  const yearly = inYear(saved, result, { dias });
  const mayStay = results.length === total && results.every((one) => (savedBy(one).eur ?? 1) < 0.005);
  return {
    name: say(yearly === null ? 'saving' : 'savingYearly'),
    value: say('inEur', { eur: eur(yearly ?? saved) }),
    notes: [
      ...(today > 0 ? [`${number((100 * saved) / today, 0, 1)} %`] : []),
      say(isOfBill ? 'afterTaxes' : 'beforeTaxes'),
      ...(yearly === null ? [say('inDays', { days: dias })] : []),
      ...(mayStay ? [say('nothingCheaper')] : []),
    ],
    kind: saved >= 0 ? 'good' : 'bad',
  };
}

/** What it costs more than the cheapest, by year where that is known. */
function extraOf(result: RankingResult, { dias }: Ranking, { say, eur }: Translation): readonly string[] {
  const { factura_estimada: bill, coste_extra_factura, coste_extra } = result;
  const extra = (bill ? coste_extra_factura : coste_extra) ?? 0;
  if (extra <= 0) return [];
  const yearly = inYear(extra, result, { dias });
  const unit = yearly === null ? say('inDays', { days: dias }) : say('eurPerYear');
  return [say('answerExtra', { eur: eur(yearly ?? extra), unit, tax: say(bill ? 'afterTaxes' : 'beforeTaxes') })];
}

function sentenceOf(answer: Ranking, translation: Translation): string {
  const { results, total, dias } = answer;
  const { say, eur } = translation;
  const [first] = results;
  if (!first) return say('nothingRanked');
  const { offer, cost, commission, factura_estimada: bill } = first;
  const paid = bill?.total ?? cost.total;
  const { eur: saving, isOfBill } = savedBy(first);
  const base = bill && !isOfBill ? ` (${say('beforeTaxes')})` : '';
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
    ...extraOf(first, answer, translation),
    ...(commission ? [say('answerPays', { eur: eur(commission.total) })] : []),
  ];
  return `${[parts.join(', '), against.join(', ')].filter((part) => part !== '').join('; ')}.`;
}
