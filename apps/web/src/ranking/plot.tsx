import type { Ranking, RankingResult } from '@tarifario/client';
import { useTranslation } from '../texts/texts.ts';
import { axisFor, HorizontalGrid, useWidth } from './chart.tsx';

const HEIGHT = 300;
/** How far from a point a press is one of it. */
const PRESS_PX = 12;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 10, 10, 40];

/** Each offer by its cost and its commission, with a line through those on the frontier. */
export function Plot({
  answer,
  onOpen,
}: {
  readonly answer: Ranking;
  readonly onOpen: (result: RankingResult) => void;
}) {
  const { say, number } = useTranslation();
  const { element, width } = useWidth<HTMLDivElement>(560);
  const points = answer.results.map((result) => {
    const { offer, cost, commission, en_frontera } = result;
    return { result, offer, cost: cost.total, pay: commission?.total ?? 0, en_frontera };
  });
  const today = answer.actual?.cost?.total ?? null;
  const pays = points.map(({ pay }) => pay);
  const costs = points.map(({ cost }) => cost);
  const x = axisFor(today === null ? costs : [...costs, today], [LEFT, width - RIGHT], width < 450 ? 4 : 7);
  const y = axisFor(pays, [HEIGHT - BOTTOM, TOP]);
  const frontier = points.filter(({ en_frontera }) => en_frontera).toSorted((a, b) => a.cost - b.cost);
  const best = points[0];
  const press = ({ clientX, clientY }: MouseEvent) => {
    const { left = 0, top = 0 } = element.current?.getBoundingClientRect() ?? {};
    const distanceOf = ({ cost, pay }: (typeof points)[number]) =>
      Math.hypot(x.at(cost) - clientX + left, y.at(pay) - clientY + top);
    const [nearest] = points.toSorted((a, b) => distanceOf(a) - distanceOf(b));
    if (nearest && distanceOf(nearest) <= PRESS_PX) onOpen(nearest.result);
  };
  return (
    <div class="plot" ref={element}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the names in the table do the same by keyboard */}
      <svg
        onClick={press}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={say('plotLabel', { count: points.length })}
      >
        {x.ticks.map((tick) => (
          <g key={tick} transform={`translate(${x.at(tick)} 0)`}>
            <line class="grid" y1={TOP} y2={HEIGHT - BOTTOM} />
            <text y={HEIGHT - BOTTOM + 15} text-anchor="middle">
              {number(tick, x.decimals)}
            </text>
          </g>
        ))}
        <HorizontalGrid axis={y} from={LEFT} to={width - RIGHT} />
        <text class="axis" x={width - RIGHT} y={HEIGHT - 6} text-anchor="end">
          {say('axisCost')}
        </text>
        <text class="axis" transform={`translate(12 ${TOP}) rotate(-90)`} text-anchor="end">
          {say('axisCommission')}
        </text>
        {today !== null && (
          <g class="today" transform={`translate(${x.at(today)} 0)`}>
            <line y1={TOP} y2={HEIGHT - BOTTOM} />
            <text
              x={x.at(today) > width / 2 ? -4 : 4}
              y={TOP + 10}
              text-anchor={x.at(today) > width / 2 ? 'end' : 'start'}
            >
              {say('present')}
            </text>
          </g>
        )}
        <polyline class="frontier" points={frontier.map(({ cost, pay }) => `${x.at(cost)},${y.at(pay)}`).join(' ')} />
        {points.map(({ offer, cost, pay, en_frontera }) => (
          <circle
            key={offer.id}
            data-id={offer.id}
            class={en_frontera ? 'on' : ''}
            cx={x.at(cost)}
            cy={y.at(pay)}
            r={en_frontera ? 4 : 3}
          >
            <title>{`${offer.offer_name}: ${number(cost, 2)} € · ${number(pay, 2)} €`}</title>
          </circle>
        ))}
        {best && (
          <g class="best" transform={`translate(${x.at(best.cost)} ${y.at(best.pay)})`}>
            <circle r="7" />
            <text
              x={x.at(best.cost) > width / 2 ? -12 : 12}
              dy="0.32em"
              text-anchor={x.at(best.cost) > width / 2 ? 'end' : 'start'}
            >
              {best.offer.offer_name.slice(0, 32)}
            </text>
          </g>
        )}
      </svg>
    </div>
  );
}
