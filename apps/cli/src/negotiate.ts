import { bodyIn, fromWireCustomer, type NegotiatedCustomer, negotiation } from '@tarifario/api';
import { DomainError, negotiationForCaller } from '@tarifario/core/service';
import { CommandError, idFrom, type Run } from './command.ts';
import { shownName } from './input-files.ts';
import { type OffersOfCall, offersOf } from './offers-asked.ts';
import { customersIn } from './portfolio/customer-file.ts';
import { bodyOf, refOf, refuseIds } from './portfolio/ranker.ts';
import { formatNegotiation } from './reasons-view.ts';

/** Says what an offer of a file, or of an account, has to come down to win the customers of a file. */
export const negotiate: Run = async (args) => {
  const offerId = idFrom(args.required('offer'), '--offer');
  const offersFile = args.value('account') === null ? args.required('offers') : null;
  const customersFile = args.required('customers');
  const withOffers = await offersOf(args);
  const answers = await withOffers((offers) =>
    negotiated(offers, { offerId, customersFile }).catch((error: unknown) => {
      if (offersFile === null || !(error instanceof DomainError) || error.code !== 'not_found') throw error;
      throw new CommandError(`${shownName(offersFile)}: there is no offer ${offerId}`);
    }),
  );
  const json = bodyIn(negotiation.toWire(offerId, answers));
  return { json, pretty: `${formatNegotiation(json).join('\n')}\n`, records: json.results };
};

async function negotiated(
  { deps, caller, hasIds }: OffersOfCall,
  { offerId, customersFile }: { readonly offerId: number; readonly customersFile: string },
): Promise<readonly NegotiatedCustomer[]> {
  const { gapsOf } = await negotiationForCaller(deps, caller, { firmId: null, offerId });
  const answers: NegotiatedCustomer[] = [];
  for await (const row of customersIn(customersFile)) {
    try {
      const { ref, question } = fromWireCustomer(bodyOf(row), 1);
      if (!hasIds) refuseIds(question);
      const [answer] = await gapsOf([question]);
      if (!answer?.found) throw answer?.error;
      answers.push({ ref, gap: answer.gap });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      answers.push({ ref: refOf(row) ?? `line ${row.line}`, error });
    }
  }
  return answers;
}
