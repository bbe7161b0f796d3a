import type { MonthlyPrices } from '@tarifario/client';
import { Scroll } from '../shell/scroll.tsx';
import { TableHead } from '../shell/table-head.tsx';
import { useTranslation } from '../texts/texts.ts';

/** The prices of an indexed offer by month, the newest first. */
export function OfferMonths({ months }: { readonly months: readonly MonthlyPrices[] }) {
  const { say, number } = useTranslation();
  const names = [...new Set(months.flatMap((month) => pricesOf(month).map(([name]) => name)))];
  return (
    <section class="card" aria-labelledby="offer-months">
      <h2 id="offer-months">{say('offerMonths', { count: months.length })}</h2>
      {months.length === 0 ? (
        <p>{say('noMonths')}</p>
      ) : (
        <Scroll name={say('offerMonths', { count: months.length })}>
          <table>
            <TableHead headings={[[say('month')], ...names.map((name) => [name.toUpperCase(), 'n'] as const)]} />
            <tbody>
              {months.toReversed().map((month) => (
                <tr key={month.reference_month}>
                  <th scope="row">{month.reference_month.slice(0, 7)}</th>
                  {names.map((name) => {
                    const price = Object.fromEntries(pricesOf(month))[name];
                    return (
                      <td key={name} class="n">
                        {price === undefined ? '–' : number(price, 0, 9)}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </section>
  );
}

const pricesOf = (month: MonthlyPrices) =>
  Object.entries(month).filter((one): one is [string, number] => typeof one[1] === 'number');
