import { writeFileSync } from 'node:fs';
import { fromWireEfficient, fromWireOffers } from '@tarifario/api';
import { type RankedOffer, type Ranking, rankOffers } from '@tarifario/core';
import { readDemoCatalog } from '../src/demo/demo-catalog.ts';

// Draws what README shows: every offer of the demo for the demo household, by cost and commission.
// `node --conditions=tarifario-source apps/cli/test/trade-off.ts` writes the picture anew.

const SIZE = { width: 900, height: 430, left: 64, right: 276, top: 24, bottom: 52 };
const COLOURS = { text: '#57606a', grid: '#d0d7de', offer: '#8c959f', frontier: '#0969da', best: '#bf3989' };

export const PICTURE = new URL('../../../docs/images/trade-off.svg', import.meta.url);

/** @returns The picture as SVG, the same on every machine. */
export function drawTradeOff(): string {
  const { results, costRangeEur, commissionRangeEur } = rankDemo();
  const [costs, commissions] = [axis(costRangeEur, 20), axis(commissionRangeEur, 10)];
  const across = SIZE.width - SIZE.left - SIZE.right;
  const down = SIZE.height - SIZE.top - SIZE.bottom;
  const x = (eur: number) => round(SIZE.left + (across * (eur - costs.min)) / (costs.max - costs.min));
  const y = (eur: number) =>
    round(SIZE.top + down - (down * (eur - commissions.min)) / (commissions.max - commissions.min));
  const at = ({ cost, commission }: RankedOffer) => ({ x: x(cost.totalEur), y: y(commission?.totalEur ?? 0) });
  const frontier = results
    .filter(({ isOnFrontier }) => isOnFrontier)
    .toSorted((a, b) => a.cost.totalEur - b.cost.totalEur);
  const bottom = SIZE.top + down;
  // Names stand right of the frontier, one below the other, in the order of their commissions.
  const named = frontier.toReversed().map((entry, index) => {
    const { x: fromX, y: fromY } = at(entry);
    const row = SIZE.top + 8 + (index * down) / Math.max(1, frontier.length - 1);
    const column = SIZE.left + across + 16;
    const name = `${entry.offer.offerName} ${entry.cost.totalEur.toFixed(2)} / ${entry.commission?.totalEur.toFixed(2)}`;
    return `${line(fromX, fromY, column - 4, round(row - 4))}${text(column, round(row), name)}`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12">`,
    '<title>Offers of the demo for one household: what each costs the customer and pays the advisor</title>',
    ...costs.ticks.map(
      (eur) => `${line(x(eur), SIZE.top, x(eur), bottom)}${text(x(eur), bottom + 18, String(eur), 'middle')}`,
    ),
    ...commissions.ticks.map(
      (eur) =>
        `${line(SIZE.left, y(eur), SIZE.left + across, y(eur))}${text(SIZE.left - 8, y(eur) + 4, String(eur), 'end')}`,
    ),
    text(SIZE.left + across / 2, SIZE.height - 10, 'cost, EUR a year before tax', 'middle'),
    text(SIZE.left - 44, SIZE.top - 8, 'commission, EUR a year'),
    `<polyline fill="none" stroke="${COLOURS.frontier}" points="${frontier.map((entry) => `${at(entry).x},${at(entry).y}`).join(' ')}"/>`,
    ...named,
    ...results.map((entry) => dot(at(entry), colourOf(entry))),
    '</svg>',
    '',
  ].join('\n');
}

/** The ranking that the demo prints, with all its offers. */
export function rankDemo() {
  const { offers, companies, households } = readDemoCatalog();
  const household = households.find(({ name }) => name === 'hogar-2.0TD');
  if (!household) throw new Error('the demo has its household');
  const catalog = new Set(companies.filter(({ firm }) => firm === undefined).map(({ name }) => name));
  const entries = offers.map((offer, index) => ({ ...offer, id: index + 1, is_catalog: catalog.has(offer.company) }));
  const { request } = fromWireEfficient({ ...household.efficient, limit: 100 });
  return rankOffers({ ...request, offers: fromWireOffers(entries).offers, weight: 0.5 });
}

function axis(range: Ranking['costRangeEur'], step: number) {
  if (range === null) throw new Error('the demo has offers');
  const { min, max } = range;
  const [from, to] = [Math.floor(min / step) * step, Math.ceil(max / step) * step];
  return {
    min: from,
    max: to,
    ticks: Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step),
  };
}

const round = (value: number) => Math.round(value * 10) / 10;
const line = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${COLOURS.grid}"/>`;
const text = (x: number, y: number, words: string, anchor = 'start') =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${COLOURS.text}">${words}</text>`;
const dot = ({ x, y }: Point, colour: string) => `<circle cx="${x}" cy="${y}" r="4.5" fill="${colour}"/>`;

interface Point {
  readonly x: number;
  readonly y: number;
}

function colourOf({ isOptimal, isOnFrontier }: RankedOffer): string {
  if (isOptimal) return COLOURS.best;
  return isOnFrontier ? COLOURS.frontier : COLOURS.offer;
}

if (import.meta.main) writeFileSync(PICTURE, drawTradeOff());
