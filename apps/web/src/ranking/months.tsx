import type { OfferDetail } from '@tarifario/client';
import { type Column, Table } from '../shell/table.tsx';
import { useTranslation } from '../texts/texts.ts';
import { axisFor, HorizontalGrid, useWidth } from './chart.tsx';

type MonthlyPrices = OfferDetail['indexed_prices'][number];

const HEIGHT = 180;
const TEXT_HEIGHT = 12;
/** The colours of the lines, by their names in the styles. */
const HUES = ['main', 'good', 'warn', 'bad', 'dim', 'ink'];
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 34, 10, 24];

/** The monthly prices of energy of an indexed offer: a line for each period, and the same as a table. */
export function Months({ rows }: { readonly rows: readonly MonthlyPrices[] }) {
  const { say, number, month } = useTranslation();
  if (rows.length === 0) return <p class="note">{say('noMonths')}</p>;
  const lines = linesOf(rows);
  const priceText = (price: number | undefined) => (price === undefined ? '–' : number(price, 2, 6));
  return (
    <>
      <MonthChart rows={rows} />
      <details>
        <summary>{say('monthsTable')}</summary>
        <Table
          name={say('monthsTable')}
          rows={rows.toReversed()}
          columns={[
            [say('month'), ({ reference_month }) => month(reference_month)],
            ...lines.map(({ name, points }): Column<MonthlyPrices> => {
              const priceOf = (row: MonthlyPrices) =>
                points.find((point) => point.month === row.reference_month)?.price;
              return [`${name} €/kWh`, (row) => priceText(priceOf(row)), 'n'];
            }),
          ]}
        />
      </details>
    </>
  );
}

interface Line {
  readonly name: string;
  readonly points: readonly { readonly month: string; readonly price: number }[];
}

/** Periods that have prices. A period with the prices of the one before is on the same line. */
function linesOf(rows: readonly MonthlyPrices[]): readonly Line[] {
  const names = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'gas_energy'];
  return names.flatMap((name) => {
    const points = rows.flatMap((row) => {
      const price = Object.entries(row).find(([field]) => field === name)?.[1];
      return typeof price === 'number' ? [{ month: row.reference_month, price }] : [];
    });
    return points.length > 0 ? [{ name: name === 'gas_energy' ? 'Gas' : name.replace('e', 'P'), points }] : [];
  });
}

/** Months since year 0, so that a month without a price leaves a gap. */
const monthNumber = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5, 7));

/** Heights at which labels do not overlap, as close to the given heights as possible. */
function apart(heights: readonly number[]): readonly number[] {
  const placed = [...heights];
  let free = Number.NEGATIVE_INFINITY;
  for (const index of [...heights.keys()].sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0))) {
    placed[index] = Math.max(heights[index] ?? 0, free);
    free = (placed[index] ?? 0) + TEXT_HEIGHT;
  }
  return placed;
}

function MonthChart({ rows }: { readonly rows: readonly MonthlyPrices[] }) {
  const { say, number, month: monthOf } = useTranslation();
  const { element, width } = useWidth<HTMLDivElement>(560);
  const lines = linesOf(rows);
  const all = lines.flatMap(({ points }) => points);
  const x = axisFor(
    all.map(({ month }) => monthNumber(month)),
    [LEFT, width - RIGHT],
  );
  const y = axisFor(
    all.map(({ price }) => price),
    [HEIGHT - BOTTOM, TOP],
    4,
  );
  const labelAt = apart(lines.map(({ points }) => y.at(points.at(-1)?.price ?? 0)));
  const every = Math.ceil(rows.length / (width / 75));
  return (
    <div class="plot months" ref={element}>
      <svg width={width} height={HEIGHT} role="img" aria-label={say('monthsLabel', { count: rows.length })}>
        <HorizontalGrid axis={y} from={LEFT} to={width - RIGHT} />
        {rows.map(({ reference_month: month }, index) =>
          index % every === 0 ? (
            <text key={month} x={x.at(monthNumber(month))} y={HEIGHT - 6} text-anchor="middle">
              {monthOf(month)}
            </text>
          ) : null,
        )}
        {lines.map(({ name, points }, index) => {
          const last = points.at(-1);
          return (
            <g key={name} class="line" style={{ '--hue': `var(--${HUES[index]})` }}>
              <polyline points={points.map((at) => `${x.at(monthNumber(at.month))},${y.at(at.price)}`).join(' ')} />
              {points.map(({ month, price }) => (
                <circle key={month} cx={x.at(monthNumber(month))} cy={y.at(price)} r="2.5">
                  <title>{`${name} ${monthOf(month)}: ${number(price, 4)} €/kWh`}</title>
                </circle>
              ))}
              {last && (
                <text x={x.at(monthNumber(last.month)) + 6} y={labelAt[index]} dy="0.32em">
                  {name}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <p class="note">{say('monthsUnit')}</p>
    </div>
  );
}
