import type { Negotiation, Ranking as WireRanking } from '@tarifario/client';

/** Of how many results the reasons are shown. */
const SHOWN = 5;

/** The reasons of a ranking, where they were asked for. */
export function formatReasons(ranking: WireRanking): string[] {
  return [...formatWhy(ranking), ...formatPast(ranking), ...formatThresholds(ranking), ...formatMargin(ranking)];
}

/** What each fall of the price of an offer wins. */
export function formatNegotiation({
  tramos,
  total,
}: {
  readonly tramos: readonly Negotiation['tramos'][number][];
  readonly total: number;
}): string[] {
  return tramos.map(
    ({ baja_eur_mwh, clientes, mwh }) =>
      `${baja_eur_mwh} EUR/MWh less: first for ${clientes} of ${total} customers, ${mwh.toFixed(1)} MWh a year`,
  );
}

function formatPast({ results }: WireRanking): string[] {
  const eur = (figure: number | null) => figure?.toFixed(2) ?? '-';
  return results.flatMap(({ offer, retrospectiva: past }) => {
    if (past === undefined || past.ventanas === 0) return [];
    const range = `${eur(past.minimo)} to ${eur(past.maximo)} EUR, median ${eur(past.mediana)}, latest ${eur(past.ultimo)}`;
    const [dearer, cheaper] = [eur(past.arrepentimiento_max), eur(past.ventaja_max)];
    const beside = `cheaper in ${past.veces_mas_barata}, at most ${dearer} dearer and ${cheaper} cheaper`;
    return [
      '',
      `${offer.offer_name} by ${past.ventanas} times 12 months of its history: ${range}`,
      ...(past.veces_mas_barata === null ? [] : [`  beside the best fixed offer: ${beside}`]),
    ];
  });
}

function formatThresholds({ umbrales_consumo = [], results }: WireRanking): string[] {
  const lines = umbrales_consumo.map(({ factor_desde, factor_hasta, offer_id }) => {
    return `  ${factor_desde.toFixed(2)} to ${factor_hasta.toFixed(2)} times: ${nameOf(results, offer_id)}`;
  });
  return lines.length === 0 ? [] : ['', 'The cheapest offer by consumption:', ...lines];
}

function formatMargin({ margen = [] }: WireRanking): string[] {
  const lines = margen.map(({ concepto, sube_hasta }) => `  ${concepto}: ${sube_hasta ?? 'any price'}`);
  return lines.length === 0 ? [] : ['', 'The first offer stays the first up to a price of', ...lines];
}

function nameOf(results: WireRanking['results'], id: number | null | undefined): string {
  return results.find(({ offer }) => offer.id === id)?.offer.offer_name ?? `offer ${id}`;
}

function formatWhy({ frente_a, results }: WireRanking): string[] {
  const lines = results.flatMap(({ offer, porque_texto }) =>
    porque_texto === undefined || offer.id === frente_a ? [] : [`  ${offer.offer_name}: ${porque_texto}`],
  );
  return lines.length === 0
    ? []
    : ['', `Why the first ones cost more than ${nameOf(results, frente_a)}:`, ...lines.slice(0, SHOWN)];
}
