import { bodyIn, fromWireCustomer, type NegotiatedCustomer, negotiation, portfolioRefusal } from '@tarifario/api';
import type { PortfolioCustomer } from '@tarifario/client';
import { DomainError, negotiationForCaller } from '@tarifario/core/service';
import { CommandError, idFrom, type Output, type Run } from './command.ts';
import { shownName } from './input-files.ts';
import { type OffersOfCall, offersOf } from './offers-asked.ts';
import { type CustomerRow, customersIn } from './portfolio/customer-file.ts';
import { bodyOf, refOf, refuseIds } from './portfolio/ranker.ts';
import { formatNegotiation } from './reasons-view.ts';
import { type AskService, listed, serviceOf } from './service-asked.ts';

/** Says what an offer of a file, or of an account, has to come down to win the customers of a file. */
export const negotiate: Run = async (args) => {
  const offerId = idFrom(args.required('offer'), '--offer');
  const ask = await serviceOf(args);
  if (ask !== null) return outputOf(await askedAt(ask, { offerId, customersFile: args.required('customers') }));
  const offersFile = args.value('account') === null ? args.required('offers') : null;
  const customersFile = args.required('customers');
  const withOffers = await offersOf(args);
  const answers = await withOffers((offers) =>
    negotiated(offers, { offerId, customersFile }).catch((error: unknown) => {
      if (offersFile === null || !(error instanceof DomainError) || error.code !== 'not_found') throw error;
      throw new CommandError(`${shownName(offersFile)}: there is no offer ${offerId}`);
    }),
  );
  return outputOf(bodyIn(negotiation.toWire(offerId, answers)));
};

type Answer = Parameters<typeof formatNegotiation>[0] & { readonly results: readonly unknown[] };

function outputOf(json: Answer): Output {
  return { json, pretty: `${formatNegotiation(json).join('\n')}\n`, records: json.results };
}

/** The answer of a server; rows that are no customer are refused here. */
async function askedAt(
  ask: AskService,
  { offerId, customersFile }: { readonly offerId: number; readonly customersFile: string },
): Promise<Answer> {
  const customers: PortfolioCustomer[] = [];
  const refused: object[] = [];
  const unnamed: string[] = [];
  for await (const row of customersIn(customersFile)) {
    try {
      customers.push(bodyOf(row) as PortfolioCustomer);
      if (refOf(row) === null) unnamed.push(nameOf(row));
    } catch (error) {
      refused.push(bodyIn(portfolioRefusal.toWire(nameOf(row), error)));
    }
  }
  const body = { offer_id: offerId, customers };
  const json = listed(await ask((service) => service.negotiateOffer({ body })), 'results');
  // Those without a reference are refused, in their order.
  const named = json.results.map((one) => (one.ref === null ? { ...one, ref: unnamed.shift() ?? null } : one));
  return { ...json, total: json.total + refused.length, results: [...named, ...refused] };
}

const nameOf = (row: CustomerRow) => refOf(row) ?? `line ${row.line}`;

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
      answers.push({ ref: nameOf(row), error });
    }
  }
  return answers;
}
