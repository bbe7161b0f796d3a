import type { RankingResult } from '@tarifario/client';

/** What an offer saves: of the bill where that is known of the present contract too, else before tax; `null`: nothing known. */
export function savedBy({ ahorro }: RankingResult): { readonly eur: number | null; readonly isOfBill: boolean } {
  const ofBill = ahorro?.factura ?? null;
  return { eur: ofBill ?? ahorro?.eur ?? null, isOfBill: ofBill !== null };
}
