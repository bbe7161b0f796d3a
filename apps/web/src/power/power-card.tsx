import type { PowerAdvice, Tarifario } from '@tarifario/client';
import { useRef, useState } from 'preact/hooks';
import { curveWithoutCups } from '../customer/cups.ts';
import { today } from '../customer/day.ts';
import type { FormParts } from '../customer/fields.tsx';
import { requireCurve, Unread } from '../customer/file-kind.ts';
import { readNumber } from '../customer/numbers.ts';
import type { Reopened } from '../customer/reopened.ts';
import type { ShownOrder } from '../ranking/shown-order.ts';
import { FileDrop } from '../shell/files.tsx';
import { Press } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { useTask } from '../shell/query.ts';
import { useOpenSession } from '../shell/session.ts';
import { Table } from '../shell/table.tsx';
import { noticeText } from '../texts/notices.ts';
import { useTranslation } from '../texts/texts.ts';
import { hasPowerAdvice, type MaximaEntry, maximaIn, powerPeriods, refusedMaxima } from './maxima.ts';
import { MaximaTable } from './maxima-table.tsx';
import { RankedTwice } from './ranked-twice.tsx';

type Body = Parameters<Tarifario['optimizePower']>[0]['body'];

interface Answered {
  /** The question as a text: an answer to another one is not shown. */
  readonly asked: string;
  readonly advice: PowerAdvice;
  /** Days of its costs. */
  readonly days: number;
}

/** The contracted power that costs least, from the maxima of bills or the curve of a meter. */
export function PowerCard({
  form,
  order,
  onStudy,
}: {
  readonly form: FormParts;
  /** The order of the offers that it ranks. */
  readonly order: ShownOrder;
  readonly onStudy: (study: Reopened) => void;
}) {
  const { api } = useOpenSession();
  const { say, language } = useTranslation();
  const { draft, change } = form;
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [isOpen, setOpen] = useState(false);
  /** Whether faults are said: once the answer is asked for. */
  const [saysFaults, setSaysFaults] = useState(false);
  const { isBusy, error, run } = useTask();
  /** Those that were asked about: what is refused of them stays at its cell. */
  const sent = useRef<readonly MaximaEntry[]>([]);
  if (draft.supply !== 'LUZ' || !hasPowerAdvice(draft.tariff)) return null;
  const { tariff, territory, community, taxDay, values } = draft;
  const kwOf = (name: string) => readNumber(values[name] ?? '', language);
  const names = powerPeriods(tariff);
  const question = {
    ...{ tariff_type: tariff, fecha: taxDay ?? today(), territory, ...(community === null ? {} : { community }) },
    potencia: Object.fromEntries(names.flatMap((name) => (typeof kwOf(name) === 'number' ? [[name, kwOf(name)]] : []))),
  };
  const { entries, faults } = maximaIn(values, tariff, language);
  const hasFaults = Object.keys(faults).length > 0;
  const asked = JSON.stringify([question, entries]);
  const refused = refusedMaxima(error, sent.current);
  const answer = async (body: Body | Promise<Body>, sentDays?: number) => {
    await run(async () => {
      const advice = await api.optimizePower({ body: await body });
      // Of a curve: valle, or P6, occurs on every day, so its days are the file's.
      const days = sentDays ?? Math.max(...advice.detalle.map(({ dias_del_periodo }) => dias_del_periodo));
      setAnswered({ asked, advice, days });
    });
  };
  const byMaxima = async () => {
    setSaysFaults(hasFaults);
    if (hasFaults) return;
    sent.current = entries;
    const days = entries.reduce((sum, { dias }) => sum + dias, 0);
    await answer({ ...question, periodos: [...entries] }, days);
  };
  const byCurve = (file: File) => {
    const curve = requireCurve(file).then(() => curveWithoutCups(file));
    return answer(curve.then((sent) => ({ file: sent, question: JSON.stringify(question) })));
  };
  const shown = answered?.asked === asked ? answered : null;
  return (
    <details class="power" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{say('powerAdvice')}</summary>
      {isOpen && (
        <MaximaTable
          {...{ tariff, values }}
          faults={saysFaults ? faults : refused}
          onType={(typed) => change({ values: { ...values, ...typed } })}
        />
      )}
      <p class="note">{say('maximaForm')}</p>
      <Press
        text="advisePower"
        isBusy={isBusy}
        disabled={entries.length === 0 && !hasFaults}
        onPress={() => void byMaxima()}
      />
      <FileDrop label={say('powerCurve')} accept=".csv,.txt,text/csv" onFile={byCurve} />
      {error !== null && (
        <Problem
          error={error}
          advice={error instanceof Unread ? error.advice : undefined}
          isAtField={(path) => path.includes('.maximos.')}
        />
      )}
      <div role="status">{shown && <Advice advice={shown.advice} />}</div>
      {shown && <RankedTwice key={shown.asked} draft={draft} order={order} onStudy={onStudy} {...shown} />}
    </details>
  );
}

type Cells = readonly (string | number)[];
const TITLES = ['today', 'powerOptimum', 'powerCovering', 'maximaAbove'] as const;

function Advice({ advice }: Pick<Answered, 'advice'>) {
  const { actual, optima, cubriente, ahorro_anual, detalle, avisos, periodos_sin_maximos } = advice;
  const { say, language, number, eur } = useTranslation();
  const kw = (value: number | undefined) => (value === undefined ? '–' : number(value, 0, 3));
  const rowOf = ({ periodo, potencia, optima: best, maximos_por_encima }: PowerAdvice['detalle'][number]): Cells => [
    periodo.toUpperCase(),
    ...[potencia, best, cubriente.potencia[periodo]].map(kw),
    maximos_por_encima,
  ];
  const sumOf = (part: 'fijo' | 'excesos' | 'total'): Cells => [
    `${say(part)} (€)`,
    ...[actual, optima, cubriente].map((cost) => eur(cost[part])),
    '',
  ];
  return (
    <>
      <p class="good">{say('powerSaving', { eur: eur(ahorro_anual) })}</p>
      <ul class="meaning">
        {periodos_sin_maximos && <li>{say('noMaxima', { periods: periodos_sin_maximos.join(', ').toUpperCase() })}</li>}
        {avisos.map(({ codigo, mensaje }) => (
          <li key={codigo}>{noticeText(codigo, language) ?? mensaje}</li>
        ))}
      </ul>
      <Table
        name={say('powerAdvice')}
        rows={[...detalle.map(rowOf), ...(['fijo', 'excesos', 'total'] as const).map(sumOf)]}
        columns={['kW', ...TITLES.map((text) => say(text))].map((title, at) => [
          title,
          (row: Cells) => row[at],
          at > 0 ? 'n' : undefined,
        ])}
      />
    </>
  );
}
