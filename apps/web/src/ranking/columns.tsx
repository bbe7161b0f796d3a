import type { Ranking, RankingResult } from '@tarifario/client';
import { byYearAndMonth, SHOWN_COST_PARTS } from '@tarifario/core';
import type { ComponentChildren } from 'preact';
import { saveCsv } from '../shell/files.tsx';
import { Press } from '../shell/form.tsx';
import { Problem } from '../shell/problem.tsx';
import { useTask } from '../shell/query.ts';
import type { Translation } from '../texts/texts.ts';
import { useTranslation } from '../texts/texts.ts';
import { inYear, savedBy } from './saving.ts';
import type { Placed } from './view.ts';

/** A column of figures, by which the table can be sorted. */
export interface Column {
  readonly id: string;
  readonly head: ComponentChildren;
  /** What it is, in a table without the text around it. */
  readonly title: string;
  readonly of: (result: RankingResult) => number | null;
  readonly cell: (result: RankingResult) => ComponentChildren;
  readonly kind: (result: RankingResult) => string;
}

/** The figures of a ranking. A part that is 0 for all offers, or unknown to the caller, has no column. */
export function columnsOf(answer: Ranking, translation: Translation): readonly Column[] {
  const { results, actual, impuestos, dias } = answer;
  const { say, eur, language } = translation;
  const money = (
    id: string,
    name: string,
    of: Column['of'],
    { kind = '', tax = null }: { readonly kind?: string; readonly tax?: 'afterTaxes' | 'beforeTaxes' | null } = {},
  ): Column => {
    const basis = tax ?? (kind === 'part' ? 'beforeTaxes' : null);
    return {
      id,
      head: [`${name} €`, impuestos && tax && <small>{say(tax)}</small>],
      title: `${name} ${say('inDays', { days: dias })}${basis ? ` (${say(basis)})` : ''}`,
      of,
      cell: (result) => eur(of(result)),
      kind: () => kind,
    };
  };
  const savesBills = results.some((result) => savedBy(result).isOfBill);
  const bill = money('bill', say('bill'), ({ factura_estimada }) => factura_estimada?.total ?? null, {
    kind: 'strong',
    tax: 'afterTaxes',
  });
  const total = money('total', say('total'), ({ cost }) => cost.total, {
    kind: impuestos ? 'part' : 'strong',
    tax: 'beforeTaxes',
  });
  const saving = money('saving', say('saving'), (result) => savedBy(result).eur, {
    tax: savesBills ? 'afterTaxes' : 'beforeTaxes',
  });
  const commission = money('commission', say('commission'), (result) => result.commission?.total ?? null);
  const hasCommission = results.some((result) => result.commission !== null);
  const score: Column = {
    id: 'score',
    head: [say('score'), hasCommission && <small>{say('scoreParts')}</small>],
    title: say('score'),
    of: ({ nota }) => nota,
    cell: (result) => scoreCell(result, translation),
    kind: () => '',
  };
  const parts = SHOWN_COST_PARTS.filter(({ wire }) => results.some(({ cost }) => cost[wire] !== 0));
  return [
    impuestos ? { ...bill, cell: (result) => billCell(bill.of(result), answer, translation) } : total,
    ...(actual
      ? [
          {
            ...saving,
            head: [saving.head, <small key="year">{say('inYear')}</small>],
            cell: (result: RankingResult) => savingCell(result, answer, translation),
            kind: (result: RankingResult) => ((saving.of(result) ?? 0) >= 0 ? 'good' : 'bad'),
          },
        ]
      : []),
    ...(hasCommission ? [commission] : []),
    score,
    ...(impuestos ? [total] : []),
    ...parts.map((part) => money(part.wire, part[language], ({ cost }) => cost[part.wire], { kind: 'part' })),
  ];
}

function scoreCell({ nota, nota_precio, nota_comision }: RankingResult, { number }: Translation) {
  return (
    <>
      <span class="strong">{number(nota, 2)}</span>
      {nota_comision !== null && (
        <small>
          {number(nota_precio, 2)} · {number(nota_comision, 2)}
        </small>
      )}
    </>
  );
}

/** What is saved by year, or over the period where it is not known for a year. */
function savingCell(result: RankingResult, answer: Ranking, { say, eur }: Translation) {
  const { eur: saved } = savedBy(result);
  const yearly = inYear(saved, result, answer);
  if (yearly !== null || saved === null) return eur(yearly);
  return [eur(saved), <small key="days">{say('inDays', { days: answer.dias })}</small>];
}

/** A bill over the period, by month and, where the period is no year, by year. */
function billCell(total: number | null, { dias }: Ranking, { say, eur }: Translation) {
  if (total === null) return '–';
  const { yearEur, monthEur } = byYearAndMonth(total, { days: dias });
  return (
    <>
      {eur(total)}
      <small>{say('billPerMonth', { eur: eur(monthEur) })}</small>
      {dias !== 365 && <small>{say('billPerYear', { eur: eur(yearEur) })}</small>}
    </>
  );
}

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
      <Press text="downloadCsv" class="plain" aria-disabled={isBusy} onPress={() => void run(save)} />
      {error !== null && <Problem error={error} />}
    </div>
  );
}
