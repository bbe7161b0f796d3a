import type { Ranking, RankingResult } from '@tarifario/client';
import type { Answer } from '../customer/answer.ts';
import type { Study } from '../customer/study.ts';
import { canReweigh, type RequestedPreference, reweighed } from './preference.ts';

// Which offers are shown, and in which order. Nothing that a customer sees follows a commission.

/** By what offers are ordered on the screen. */
export type ShownOrder = Pick<Study, 'preference' | 'isForCustomer'>;
export type Ordered = Pick<Answer, 'ranking' | 'preference'>;

const BY_COST = { weight: 1 };

/** The preference of an order: by cost for the customer, whatever the slider says. */
export const preferenceOf = ({ isForCustomer, preference }: ShownOrder): RequestedPreference =>
  isForCustomer ? BY_COST : preference;

/** The preference that the next answer is asked at: ticks go with an answer, so they do not follow a weight either. */
export const nextPreferenceOf = (study: Study): RequestedPreference =>
  study.answer && canReweigh(study.answer.ranking) ? study.preference : preferenceOf(study);

/** An answer at a preference; `null`: only the service has that order. */
export function orderedBy({ ranking, preference: asked }: Ordered, preference: RequestedPreference): Ranking | null {
  if (preference === asked || ranking.total === 0) return ranking;
  return preference !== null && canReweigh(ranking) ? reweighed(ranking, preference) : null;
}

/** What is shown of an answer at the preference of an order. */
export function shownOf(answer: Ranking, { isForCustomer }: Pick<ShownOrder, 'isForCustomer'>): Ranking {
  if (!isForCustomer) return answer;
  const leastEur = Math.min(...answer.results.map(({ cost }) => cost.total));
  // Of equal costs the service has the highest commission first.
  const isTied = answer.results.filter(({ cost }) => cost.total === leastEur).length > 1;
  const results = shownResults(answer.results, { isForCustomer }).map((result) => ({
    ...result,
    is_optimal: result.is_optimal && !isTied,
  }));
  const avisos = answer.avisos.filter(({ codigo }) => codigo !== ABOUT_COMMISSIONS);
  return { ...answer, umbrales: null, conflicto: null, avisos, results };
}
const ABOUT_COMMISSIONS: Ranking['avisos'][number]['codigo'] = 'fee_power_sin_efecto';

/** Some offers as they are shown: to the customer without commissions, in the order of what is paid. */
export function shownResults(
  results: readonly RankingResult[],
  { isForCustomer }: Pick<ShownOrder, 'isForCustomer'>,
): readonly RankingResult[] {
  if (!isForCustomer) return results;
  return results
    .map(unpaid)
    .toSorted((a, b) => paidEur(a) - paidEur(b) || a.cost.total - b.cost.total || a.offer.id - b.offer.id);
}

/** The bill, or the cost before tax. */
export const paidEur = ({ cost, factura_estimada }: RankingResult): number => factura_estimada?.total ?? cost.total;

/** A result without its commission, and without what tells one. */
function unpaid(result: RankingResult): RankingResult {
  const { nota_precio: nota } = result;
  return { ...result, nota, nota_comision: null, commission: null, comision_extra: null, en_frontera: null };
}
