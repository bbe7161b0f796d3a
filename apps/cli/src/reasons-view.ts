import type { Ranking as WireRanking } from '@tarifario/client';

/** Of how many results the reasons are shown. */
const SHOWN = 5;

/** The reasons of a ranking, where they were asked for. */
export function formatReasons(ranking: WireRanking): string[] {
  return formatWhy(ranking);
}

function formatWhy({ frente_a, results }: WireRanking): string[] {
  const lines = results.flatMap(({ offer, porque_texto }) =>
    porque_texto === undefined || offer.id === frente_a ? [] : [`  ${offer.offer_name}: ${porque_texto}`],
  );
  const name = results.find(({ offer }) => offer.id === frente_a)?.offer.offer_name ?? `offer ${frente_a}`;
  return lines.length === 0 ? [] : ['', `Why the first ones cost more than ${name}:`, ...lines.slice(0, SHOWN)];
}
