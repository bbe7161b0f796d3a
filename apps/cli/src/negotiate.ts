import { bodyIn, fromWireCustomer, type NegotiatedCustomer, negotiation } from '@tarifario/api';
import {
  createOfferCache,
  DomainError,
  finish,
  type Gap,
  negotiatedGap,
  negotiationForCaller,
  type RankingQuestion,
} from '@tarifario/core/service';
import { type Arguments, CommandError, idFrom, type Run, UsageError } from './command.ts';
import { operatorOf, withDatabase } from './database.ts';
import { shownName } from './input-files.ts';
import { readOffers } from './offers-in-file.ts';
import { customersIn } from './portfolio/customer-file.ts';
import { bodyOf, partsIn, refOf, refuseIds } from './portfolio/ranker.ts';
import { formatNegotiation } from './reasons-view.ts';

/** Says what an offer of a file, or of an account, has to come down to win the customers of a file. */
export const negotiate: Run = async (args) => {
  const offerId = idFrom(args.required('offer'), '--offer');
  const answers = await (args.value('account') === null ? inFile(args, offerId) : inDatabase(args, offerId));
  const json = bodyIn(negotiation.toWire(offerId, answers));
  return { json, pretty: `${formatNegotiation(json).join('\n')}\n`, records: json.results };
};

async function inFile(args: Arguments, offerId: number): Promise<readonly NegotiatedCustomer[]> {
  const [offersFile, customersFile] = [args.required('offers'), args.required('customers')];
  const { offers, companies, seesCommissions, hasIds } = await readOffers(offersFile);
  const entry = offers.find(({ offer }) => offer.id === offerId);
  if (!entry) throw new CommandError(`${shownName(offersFile)}: there is no offer ${offerId}`);
  const othersOf = partsIn({ offers: offers.filter((offer) => offer !== entry), companies });
  return negotiated(customersFile, async (question) => {
    if (!hasIds) refuseIds(question);
    return finish(negotiatedGap({ entry, othersOf, seesCommissions }, question));
  });
}

function inDatabase(args: Arguments, offerId: number): Promise<readonly NegotiatedCustomer[]> {
  if (args.value('offers') !== null) throw new UsageError('either --account or --offers');
  const accountId = idFrom(args.required('account'), '--account');
  const customersFile = args.required('customers');
  return withDatabase(async ({ store, clock }) => {
    const deps = { store, clock, offerCache: createOfferCache() };
    const { gapsOf } = await negotiationForCaller(deps, await operatorOf(store, accountId), { firmId: null, offerId });
    return negotiated(customersFile, async (question) => {
      const [answer] = await gapsOf([question]);
      if (!answer?.found) throw answer?.error;
      return answer.gap;
    });
  });
}

async function negotiated(
  customersFile: string,
  gapOf: (question: RankingQuestion) => Promise<Gap>,
): Promise<readonly NegotiatedCustomer[]> {
  const answers: NegotiatedCustomer[] = [];
  for await (const row of customersIn(customersFile)) {
    try {
      const { ref, question } = fromWireCustomer(bodyOf(row), 1);
      answers.push({ ref, gap: await gapOf(question) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      answers.push({ ref: refOf(row) ?? `line ${row.line}`, error });
    }
  }
  return answers;
}
