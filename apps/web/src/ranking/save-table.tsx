import type { Ranking } from '@tarifario/client';
import { Problem } from '../shell/problem.tsx';
import { saveCsv } from '../shell/save-csv.ts';
import { useTask } from '../shell/use-task.ts';
import { useTranslation } from '../texts/texts.ts';
import type { Column } from './columns.tsx';
import type { Placed } from './view.ts';

/** Saves the rows of a view with its columns. Without commissions the score repeats the cost, so it is left out. */
export function SaveTable({
  answer: { results, total },
  rows,
  columns,
}: {
  readonly answer: Ranking;
  readonly rows: readonly Placed[];
  readonly columns: readonly Column[];
}) {
  const { say, month, language } = useTranslation();
  const { isBusy, error, run } = useTask();
  const hasCommission = columns.some(({ id }) => id === 'commission');
  // What a search found may be beyond what was read.
  const all = [...results, ...rows.map(({ result }) => result)];
  const hasIndexed = all.some(({ indexada }) => indexada !== null);
  const save = () => {
    const figures = columns.filter(({ id }) => id !== 'score' || hasCommission);
    const indexedTo = (last: string | null) => (last === null ? '' : say('indexedTo', { month: month(last) }));
    const head = ['#', say('offer'), say('retailer'), ...(hasIndexed ? [say('onlyIndexed')] : [])];
    const table = rows.map(({ place, result }) => {
      const { offer, indexada } = result;
      return [
        ...[place, offer.offer_name, offer.company.name],
        ...(hasIndexed ? [indexedTo(indexada && (indexada.mes ?? indexada.hasta))] : []),
        ...figures.map(({ of }) => of(result)),
      ];
    });
    const name = say('tableFile', { count: rows.length, total });
    return saveCsv(name, [[...head, ...figures.map(({ title }) => title)], ...table], language);
  };
  return (
    <div class="next">
      <button type="button" class="plain" aria-disabled={isBusy} onClick={() => void run(save)}>
        {say('downloadCsv')}
      </button>
      {error !== null && <Problem error={error} />}
    </div>
  );
}
