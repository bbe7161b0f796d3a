import { bodyIn, fromWireCustomer, type NegotiatedCustomer, negotiation } from '@tarifario/api';
import { createOfferCache, DomainError, negotiationForCaller } from '@tarifario/core/service';
import { idFrom, type Run } from './command.ts';
import { operatorOf, withDatabase } from './database.ts';
import { customersIn } from './portfolio/customer-file.ts';
import { formatNegotiation } from './reasons-view.ts';

/** Says what an offer of an account has to come down to win the customers of a file. */
export const negotiate: Run = async (args) => {
  const accountId = idFrom(args.required('account'), '--account');
  const offerId = idFrom(args.required('offer'), '--offer');
  const customersFile = args.required('customers');
  const answers = await withDatabase(async ({ store, clock }) => {
    const deps = { store, clock, offerCache: createOfferCache() };
    const { gapsOf } = await negotiationForCaller(deps, await operatorOf(store, accountId), { firmId: null, offerId });
    const negotiated: NegotiatedCustomer[] = [];
    for await (const row of customersIn(customersFile)) {
      try {
        const { ref, question } = fromWireCustomer(row.json === null ? row.body : JSON.parse(row.json), 1);
        const [answer] = await gapsOf([question]);
        negotiated.push(answer?.found ? { ref, gap: answer.gap } : { ref, error: answer?.error });
      } catch (error) {
        if (!(error instanceof DomainError || error instanceof SyntaxError)) throw error;
        negotiated.push({ ref: `line ${row.line}`, error: new DomainError('invalid_request') });
      }
    }
    return negotiated;
  });
  const json = bodyIn(negotiation.toWire(offerId, answers));
  return { json, pretty: `${formatNegotiation(json).join('\n')}\n`, records: json.results };
};
