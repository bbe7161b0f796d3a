import type { Ranking, RankingResult } from '@tarifario/client';
import { byYearAndMonth } from '@tarifario/core';

/** What an offer saves: of the bill where that is known of the present contract too, else before tax; `null`: nothing known. */
export function savedBy({ ahorro }: RankingResult): { readonly eur: number | null; readonly isOfBill: boolean } {
  const ofBill = ahorro?.factura ?? null;
  return { eur: ofBill ?? ahorro?.eur ?? null, isOfBill: ofBill !== null };
}

/** An amount of an offer by year; `null`: its discount may end in the year, and a shorter period does not tell of the rest. */
export function inYear(
  eur: number | null,
  { cost, coste_segundo_anio }: RankingResult,
  { dias }: Pick<Ranking, 'dias'>,
): number | null {
  const isDearerLater = dias < 365 && (coste_segundo_anio ?? cost.total) > cost.total;
  return eur === null || isDearerLater ? null : byYearAndMonth(eur, { days: dias }).yearEur;
}
