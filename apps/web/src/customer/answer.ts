import { type Ranking, type Refusal, type Tarifario, TarifarioError } from '@tarifario/client';
import { MAX_LIMIT } from '@tarifario/core';
import { type RequestedPreference, toWirePreference } from '../ranking/preference.ts';
import { type CustomerQuestion, withoutTaxes } from './draft.ts';

/** An answer with what the server ranked with. */
export interface Answer {
  /** The question of the form, without bills where rates of their day are open. */
  readonly question: CustomerQuestion;
  /** The rates that the question of the form needs; `null`: it was answered. */
  readonly open: OpenRates | null;
  readonly ranking: Ranking;
  readonly preference: RequestedPreference;
}

export type OpenRate = NonNullable<Refusal['detail']['alternativas']>[number];

/** The rates that a day does not have, and why. */
export interface OpenRates {
  readonly rates: readonly OpenRate[];
  readonly reasons: readonly string[];
}

/** What the refusal of a day asks for; `null`: it is about something else. */
function openRatesIn(error: unknown): OpenRates | null {
  if (!(error instanceof TarifarioError) || !error.detail?.alternativas) return null;
  const reasons = error.errors.flatMap((one) => ('path' in one ? [one.error] : []));
  return { rates: error.detail.alternativas, reasons };
}

/**
 * The offers in order. Where a rate of the bills is open they are ranked without bills: no rate is assumed.
 *
 * @throws TarifarioError
 */
export async function answerTo(
  api: Tarifario,
  question: CustomerQuestion,
  preference: RequestedPreference,
): Promise<Answer> {
  const ask = (asked: CustomerQuestion) =>
    api.rankOffers({ body: { ...asked, ...toWirePreference(preference), limit: MAX_LIMIT } });
  try {
    return { question, open: null, ranking: await ask(question), preference };
  } catch (error) {
    const open = openRatesIn(error);
    if (!open) throw error;
    const plain = withoutTaxes(question);
    return { question: plain, open, ranking: await ask(plain), preference };
  }
}
