import { type OffersAsked, offersOfFile } from '@tarifario/core/service';
import { type Arguments, idFrom } from './command.ts';
import { readOffers } from './offers-in-file.ts';

/** The offers of a call. */
export interface OffersOfCall extends OffersAsked {
  /** Whether a question may name their companies and clients by ids. */
  readonly hasIds: boolean;
}

/** Gives the offers of a call to some work, and closes what they are in. */
type WithOffers = <T>(work: (offers: OffersOfCall) => Promise<T>) => Promise<T>;

/** The offers of `--offers`, which are read now, or those of `--account`, whose database is opened for the work alone. */
export async function offersOf(args: Arguments): Promise<WithOffers> {
  const account = args.value('account');
  if (account === null) {
    const { hasIds, ...file } = await readOffers(args.required('offers'));
    return (work) => work({ ...offersOfFile(file), hasIds });
  }
  const accountId = idFrom(account, '--account');
  return async (work) => {
    const { withAccount } = await import('./database.ts');
    return withAccount(accountId, (asked) => work({ ...asked, hasIds: true }));
  };
}
