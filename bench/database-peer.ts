import { customers, market, questionFor } from './market.ts';
import { wallMicros } from './measure.ts';
import { type PeerOffer, toPeerOffers, toPeerQuestion } from './peer-offers.ts';
import { parametersOf, type SqlForm } from './sql.ts';

type Ask = (parameters: readonly number[]) => Promise<readonly number[]>;

/** A database that answers the question of the benchmark in SQL. */
export interface DatabaseDriver {
  readonly form: SqlForm;
  /** New tables with these offers; what it gives answers one question with the ids of the best. */
  load(offers: readonly PeerOffer[]): Promise<Ask>;
}

export interface DatabaseAnswer {
  readonly ids: readonly (readonly number[])[];
  /** Of each question, by the wall clock: databases use threads and processes of their own. */
  readonly micros: readonly number[];
}

/** In the child of a database: fills it, and asks it. */
export function answerDatabase(driver: DatabaseDriver) {
  let ask: Ask = async () => [];
  return {
    load: async ({ offerCount }: { readonly offerCount: number }) => {
      ask = await driver.load(toPeerOffers(market('LUZ', offerCount)));
    },
    rank: async ({ customerCount }: { readonly customerCount: number }): Promise<DatabaseAnswer> => {
      const ids: (readonly number[])[] = [];
      const micros: number[] = [];
      for (const customer of customers(customerCount)) {
        const parameters = parametersOf(toPeerQuestion(questionFor(customer)));
        micros.push(
          await wallMicros(async () => {
            ids.push(await ask(parameters));
          }),
        );
      }
      return { ids, micros };
    },
  };
}
