import type { Ranking } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import { type RequestedPreference, toWirePreference } from '../ranking/preference.ts';
import type { Session } from '../shell/session.ts';
import { type CustomerQuestion, withoutTaxes } from './draft.ts';
import { type OpenRate, openRatesOf } from './rates.ts';

/** An answer with what the server ranked with. */
export interface Answer {
  /** The question of the form with the rates that were chosen; without bills where one is not chosen. */
  readonly question: CustomerQuestion;
  /** The rates of the bills of the form that the law leaves open. */
  readonly rates: readonly OpenRate[];
  readonly ranking: Ranking;
  readonly preference: RequestedPreference;
}

/** Whether the answer has no bills until rates are chosen: none is assumed. */
export const isWithoutRates = ({ rates }: Pick<Answer, 'rates'>): boolean =>
  rates.some(({ chosen }) => chosen === null);

/**
 * The offers in order.
 *
 * @throws TarifarioError
 */
export async function answerTo(
  session: Pick<Session, 'api' | 'accountId'>,
  sent: CustomerQuestion,
  preference: RequestedPreference,
): Promise<Answer> {
  const rates = await openRatesOf(session, sent);
  const question = rates.some(({ chosen }) => chosen === null) ? withoutTaxes(sent) : withRates(sent, rates);
  const body = { ...question, ...toWirePreference(preference), limit: MAX_LIMIT };
  return { question, rates, ranking: await session.api.rankOffers({ body }), preference };
}

/** A question with the rates that were chosen. */
export function withRates(question: CustomerQuestion, rates: readonly OpenRate[]): CustomerQuestion {
  const { impuestos } = question;
  if (!impuestos || rates.length === 0) return question;
  const chosen = Object.fromEntries(rates.map(({ name, chosen: value }) => [name, value]));
  return { ...question, impuestos: { ...impuestos, tipos: { ...impuestos.tipos, ...chosen } } };
}
