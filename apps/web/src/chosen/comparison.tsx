import type { OfferDetail, Ranking, RankingResult, Tarifario } from '@tarifario/client';
import { BILL_LINES, byYearAndMonth, indirectTaxName, SHOWN_COST_PARTS } from '@tarifario/core';
import type { CustomerQuestion } from '../customer/draft.ts';
import { priceRows } from '../ranking/price-rows.ts';
import { inYear } from '../ranking/saving.ts';
import { Problem } from '../shell/problem.tsx';
import { useAnswer } from '../shell/query.ts';
import { type Column, Table } from '../shell/table.tsx';
import { type TextName, type Translation, useTranslation } from '../texts/texts.ts';

/** Some offers side by side, part by part, with the present contract. */
export function Comparison({
  api,
  answer,
  chosen,
  contract = {},
  territory,
}: {
  readonly api: Tarifario;
  readonly answer: Ranking;
  readonly chosen: readonly RankingResult[];
  /** The present contract, as typed. */
  readonly contract?: CustomerQuestion['contrato_actual'];
  readonly territory: CustomerQuestion['territory'];
}) {
  const translation = useTranslation();
  const { say } = translation;
  const ids = chosen.map(({ offer }) => offer.id);
  const { answer: details, error, retry } = useAnswer([ids.join()], (signal) => offersOf(api, ids, signal));
  const rows = [
    ...figureRows(answer, { chosen, contract, territory }, translation),
    ...detailRows(ids, { contract, details: details ?? [] }, translation),
  ];
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      <Table
        name={say('sideBySide')}
        kind="comparison"
        rows={rows}
        rowOf={({ name, kind }) => ({ key: name, class: kind })}
        columns={[
          [say('concept'), ({ name, unit }: Row) => [name, ' ', unit && <span class="note">{unit}</span>]],
          ...(answer.actual ? [[say('present'), ({ today }: Row) => today ?? '–', 'n'] as const] : []),
          ...chosen.map(({ offer }, at): Column<Row> => {
            const retailer = <small>{offer.company.name}</small>;
            return [[offer.offer_name, retailer], ({ cells }) => cells[at], 'n name'];
          }),
        ]}
      />
    </>
  );
}

/** Comparing takes two or more. */
async function offersOf(api: Tarifario, ids: readonly number[], signal: AbortSignal): Promise<readonly OfferDetail[]> {
  const [id = 0, ...others] = ids;
  return others.length === 0
    ? [await api.getOffer({ id }, { signal })]
    : (await api.compareOffers({ ids: [...ids] }, { signal })).results;
}

interface Row {
  readonly name: string;
  readonly unit?: string;
  /** What is paid stands out. */
  readonly kind?: 'strong';
  /** The figure of the present contract; absent: it has none. */
  readonly today?: string | undefined;
  /** One for each offer. */
  readonly cells: readonly string[];
}

const moneyRow =
  (chosen: readonly RankingResult[], { eur }: Translation) =>
  (name: string, today: number | null, of: (result: RankingResult) => number | null): Row => ({
    name,
    unit: '€',
    today: eur(today),
    cells: chosen.map(of).map(eur),
  });

/** What is saved by year, and in a period that is no year. */
function savingRows(
  { actual, dias }: Ranking,
  [yearly, inPeriod]: readonly [TextName, TextName],
  {
    chosen,
    of,
  }: Pick<Compared, 'chosen'> & { readonly of: (saving: RankingResult['ahorro']) => number | null | undefined },
  translation: Translation,
): Row[] {
  if (!actual) return [];
  const { say } = translation;
  const money = moneyRow(chosen, translation);
  const saved = (result: RankingResult) => of(result.ahorro) ?? null;
  const byYear = money(say(yearly), null, (result) => inYear(saved(result), result, { dias }));
  const unit = say('inDays', { days: dias });
  return [byYear, ...(dias === 365 ? [] : [{ ...money(say(inPeriod), null, saved), unit }])];
}

type Compared = Pick<Parameters<typeof Comparison>[0], 'chosen' | 'contract' | 'territory'>;
type Bill = RankingResult['factura_estimada'] | null;

/** The bills: what they add to the cost, the total, by month, and what is saved. */
function billRows(answer: Ranking, { chosen, contract, territory }: Compared, translation: Translation): Row[] {
  const { actual, dias } = answer;
  const { say, language } = translation;
  const money = moneyRow(chosen, translation);
  const totalOf = (bill: Bill | undefined) => bill?.total ?? null;
  const paid = totalOf(actual?.factura_estimada) ?? contract?.factura_total ?? null;
  const monthly = (eur: number | null) => (eur === null ? null : byYearAndMonth(eur, { days: dias }).monthEur);
  const ofBill = (name: string, of: (bill: NonNullable<Bill>) => number | null) => {
    const figure = (bill: Bill | undefined) => (bill ? of(bill) : null);
    return money(name, figure(actual?.factura_estimada), ({ factura_estimada }) => figure(factura_estimada));
  };
  const ofTotal = (name: string, of: (eur: number | null) => number | null) =>
    money(name, of(paid), ({ factura_estimada }) => of(totalOf(factura_estimada)));
  const ofLine = (bill: Bill | undefined, wire: string) =>
    Object.entries(bill ?? {}).find(([name]) => name === wire)?.[1] ?? null;
  const added = BILL_LINES.filter(
    ({ name, wire }) =>
      name !== 'taxBaseEur' &&
      !SHOWN_COST_PARTS.some((part) => part.wire === wire) &&
      chosen.some(({ factura_estimada }) => ofLine(factura_estimada, wire)),
  );
  return [
    ...added.map(({ name, wire, ...own }) => {
      if (name === 'totalEur') return { ...ofTotal(say('bill'), (eur) => eur), kind: 'strong' as const };
      const names = name === 'indirectTaxEur' && territory ? indirectTaxName(territory) : own;
      return ofBill(names[language], (bill) => ofLine(bill, wire));
    }),
    ofTotal(say('billMonthly'), monthly),
    ...savingRows(answer, ['billSavingYearly', 'billSaving'], { chosen, of: (ahorro) => ahorro?.factura }, translation),
  ];
}

/** The figures of the ranking: cost, saving, commission. */
function figureRows(answer: Ranking, compared: Compared, translation: Translation): Row[] {
  const { chosen } = compared;
  const { actual, impuestos } = answer;
  const { say, number, language, month } = translation;
  const money = moneyRow(chosen, translation);
  const parts = SHOWN_COST_PARTS.filter(
    ({ wire }) => chosen.some(({ cost }) => cost[wire] !== 0) || actual?.cost?.[wire],
  );
  const seesCommissions = chosen.some(({ commission }) => commission !== null);
  return [
    {
      ...money(`${say('total')} ${say('beforeTaxes')}`, actual?.cost?.total ?? null, ({ cost }) => cost.total),
      ...(!impuestos && { kind: 'strong' as const }),
    },
    ...savingRows(answer, ['savingYearly', 'saving'], { chosen, of: (ahorro) => ahorro?.eur }, translation),
    ...parts.map((part) => money(part[language], actual?.cost?.[part.wire] ?? null, ({ cost }) => cost[part.wire])),
    ...(impuestos ? billRows(answer, compared, translation) : []),
    ...(seesCommissions ? [money(say('commission'), null, ({ commission }) => commission?.total ?? null)] : []),
    { name: say('score'), cells: chosen.map(({ nota }) => number(nota, 2)) },
    {
      name: say('priceKind'),
      cells: chosen.map(({ indexada }) =>
        indexada
          ? say('indexedFrom', {
              from: month(indexada.desde ?? indexada.mes ?? ''),
              to: month(indexada.hasta ?? indexada.mes ?? ''),
            })
          : say('fixedPrice'),
      ),
    },
  ];
}

/** The prices of the offers, beside those of the present contract. */
function detailRows(
  ids: readonly number[],
  { contract, details }: Pick<Compared, 'contract'> & { readonly details: readonly OfferDetail[] },
  translation: Translation,
): Row[] {
  const inOrder = ids.map((id) => details.find((detail) => detail.id === id));
  return priceRows([contract, ...inOrder], translation).map(({ name, unit, least, prices }) => {
    const [today, ...cells] = prices.map((price) => (price === null ? '–' : translation.number(price, least, 6)));
    return { name, unit, today, cells };
  });
}
