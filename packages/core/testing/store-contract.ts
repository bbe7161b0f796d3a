import type { Store } from '../src/service/ports/stores.ts';
import { accountCases } from './contract/accounts.ts';
import type { Runs, StoreCase } from './contract/assertions.ts';
import { catalogCases } from './contract/catalog.ts';
import { changeCases } from './contract/changes.ts';
import { countCases } from './contract/counts.ts';
import { firmCases } from './contract/firms.ts';
import { indexCases } from './contract/indices.ts';
import { monthCases } from './contract/months.ts';
import { offerChangeCases } from './contract/offer-changes.ts';
import { offerCases } from './contract/offers.ts';
import { ownerCases } from './contract/owner-changes.ts';
import { proposalCases } from './contract/proposals.ts';
import { readCases } from './contract/reads.ts';
import { storedAnswerCases } from './contract/stored-answers.ts';
import { unitCases } from './contract/units-of-work.ts';
import { uploadFileCases } from './contract/upload-files.ts';
import { uploadCases } from './contract/uploads.ts';
import { usageCases } from './contract/usage.ts';
import { versionCases } from './contract/versions.ts';
import { webhookCases } from './contract/webhooks.ts';

export type { StoreCase } from './contract/assertions.ts';

const CASES = [
  ...accountCases,
  ...firmCases,
  ...catalogCases,
  ...offerCases,
  ...offerChangeCases,
  ...monthCases,
  ...versionCases,
  ...indexCases,
  ...ownerCases,
  ...changeCases,
  ...unitCases,
  ...proposalCases,
  ...readCases,
  ...uploadCases,
  ...uploadFileCases,
  ...usageCases,
  ...countCases,
  ...storedAnswerCases,
  ...webhookCases,
];

/**
 * What every store must do, as a list of named checks for any test runner:
 * `for (const { name, run } of storeContract(makeStore)) test(name, run);`
 *
 * @param makeStore - Makes an empty store of its own for each check, which closes it.
 * @param runs - How many random examples a law is tried with, of so many; all of them when left out.
 * @returns Checks whose `run` throws when the store misbehaves.
 */
export function storeContract(
  makeStore: () => Promise<Store>,
  { runs = (full) => full }: { readonly runs?: Runs } = {},
): readonly StoreCase[] {
  return CASES.map(({ name, run }) => ({
    name,
    run: async () => {
      const store = await makeStore();
      try {
        await run(store, runs);
      } finally {
        await store.close();
      }
    },
  }));
}
