import type { PowerAdvice, Ranking } from '@tarifario/client';
import { useState } from 'preact/hooks';
import { type Answer, answerTo } from '../customer/answer.ts';
import { type CustomerQuestion, type Draft, questionOf } from '../customer/draft.ts';
import { type Reopened, reopened } from '../customer/reopened.ts';
import { orderedBy, paidEur, preferenceOf, type ShownOrder, shownOf } from '../ranking/shown-order.ts';
import { Press } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { useTask } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';

const ROW_COUNT = 5;
const YEAR_DAYS = 365;

/**
 * The question of the form at one power. Its bills have the excess of that power, taken from `days` to the days of the
 * question.
 */
function questionAt(
  question: CustomerQuestion,
  { potencia, excesos }: PowerAdvice['actual'],
  days: number,
): CustomerQuestion {
  const { impuestos, perfil, dias = perfil?.reduce((sum, month) => sum + month.dias, 0) ?? YEAR_DAYS } = question;
  if (!impuestos) return { ...question, potencia };
  const con_iee = Math.round((100 * excesos * dias) / days) / 100;
  return { ...question, potencia, impuestos: { ...impuestos, otros: { ...impuestos.otros, con_iee } } };
}

/** The question at the power that costs least, beside what the customer pays at that of today. */
function questionInStudy(question: CustomerQuestion, { actual }: Ranking): CustomerQuestion {
  const { cost, factura_estimada } = actual ?? {};
  if (factura_estimada) return { ...question, contrato_actual: { factura_total: factura_estimada.total } };
  return cost ? { ...question, contrato_actual: { coste_total: cost.total } } : question;
}

/** The first offers at the power that costs least, beside what they cost at that of today. */
export function RankedTwice({
  draft,
  advice,
  days,
  order,
  onStudy,
}: {
  /** Makes another study of the customer, at the power that costs least. */
  readonly onStudy: (study: Reopened) => void;
  readonly draft: Draft;
  readonly advice: PowerAdvice;
  readonly days: number;
  readonly order: ShownOrder;
}) {
  const session = useOpenSession();
  const { say, language, eur, number } = useTranslation();
  const { isBusy, error, run } = useTask();
  const [ranked, setRanked] = useState<{ readonly asked: string; readonly both: readonly Answer[] } | null>(null);
  const asked = questionOf(draft, language);
  const askedText = JSON.stringify(asked);
  const preference = preferenceOf(order);
  if ('faults' in asked) return <p class="note">{say('powerNeedsQuestion')}</p>;
  const rank = () =>
    run(async () => {
      const bodies = [advice.actual, advice.optima].map((cost) => questionAt(asked.question, cost, days));
      const both = await Promise.all(bodies.map((body) => answerTo(session, body, preference)));
      setRanked({ asked: askedText, both });
    });
  const [today, best] = (ranked?.asked === askedText ? ranked.both : []).map((answer) => {
    const ranking = orderedBy(answer, preference);
    return ranking && shownOf(ranking, order);
  });
  const kwIn = ({ potencia }: PowerAdvice['actual']) =>
    Object.entries(potencia)
      .map(([name, kw]) => `${name.toUpperCase()} ${number(kw, 0, 3)}`)
      .join(' · ');
  const study = (ranking: Ranking) => {
    const question = questionInStudy(questionAt(asked.question, advice.optima, days), ranking);
    const powers = { best: kwIn(advice.optima), today: kwIn(advice.actual) };
    onStudy(reopened({ ...question }, language, { comment: say('powerComment', powers) }));
  };
  const paidTodayEur = new Map(today?.results.map((result) => [result.offer.id, paidEur(result)]));
  return (
    <>
      <Press text="rankTwice" isBusy={isBusy} onPress={() => void rank()} />
      {error !== null && <Problem error={error} />}
      {today && best && <Press text="studyAtPower" onPress={() => study(today)} />}
      {best && (
        <Table
          name={say('rankTwice')}
          rows={best.results.slice(0, ROW_COUNT)}
          rowOf={({ offer: { id } }) => ({ key: id, 'data-twice': id })}
          columns={[
            [`${say('offer')}, ${say(best.impuestos ? 'afterTaxes' : 'beforeTaxes')}`, ({ offer }) => offer.offer_name],
            [`${say('today')} (€)`, ({ offer }) => eur(paidTodayEur.get(offer.id) ?? null)],
            [`${say('powerOptimum')} (€)`, (result) => eur(paidEur(result))],
          ]}
        />
      )}
    </>
  );
}
