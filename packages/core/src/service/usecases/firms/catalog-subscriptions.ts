import type { Caller } from '../../access/caller.ts';
import type { CatalogSubscription, Company, Firm } from '../../firms/firm.ts';
import { subscribesTo } from '../../firms/visible-companies.ts';
import type { PageOf } from '../../ports/lists.ts';
import type { Command } from '../requests/command.ts';
import type { Deps } from '../requests/deps.ts';
import { companyOf, type ListChoice, noSuchCompany, type RecordChoice } from '../requests/record-access.ts';
import { ownFirm } from './firms.ts';

/** A company of the catalog, and whether a firm subscribes to it. */
export interface SubscriptionEntry {
  readonly company: Company;
  readonly isSubscribed: boolean;
}

/**
 * The companies of the catalog by id, and whether the firm subscribes to each: by its own decision, else by its
 * default.
 *
 * @throws DomainError `foreign_firm`, `not_found` (the firm).
 * @see docs/assumptions.md, A-22
 */
export async function listCatalogSubscriptions(
  deps: Deps,
  caller: Caller,
  input: RecordChoice & ListChoice,
): Promise<PageOf<SubscriptionEntry>> {
  const { includeInactive, page } = input;
  return deps.store.read(async (reader) => {
    const firm = await ownFirm(reader, caller, input);
    const { total, results } = await reader.companies.list({ owner: 'catalog', firmId: null, includeInactive }, page);
    const decisions = (await reader.catalog.subscriptions(caller.accountId)).filter(({ firmId }) => firmId === firm.id);
    const entries = results.map((company) => ({
      company,
      isSubscribed: subscribesTo(firm, company.id, decisions),
    }));
    return { total, results: entries };
  });
}

/**
 * Decides for a firm whether it subscribes to a company of the catalog, active or not. The decision overrides the
 * firm's default and applies from the next ranking on.
 *
 * @throws DomainError `foreign_firm`, `not_found` (the firm, or the company is not of the catalog).
 * @see docs/assumptions.md, A-22
 */
export const decideCatalogSubscription: Command<
  RecordChoice & { readonly companyId: number; readonly isSubscribed: boolean },
  SubscriptionEntry,
  { readonly firm: Firm; readonly company: Company; readonly decision: CatalogSubscription | undefined }
> = {
  async find(writer, caller, input) {
    const firm = await ownFirm(writer, caller, input);
    const company = await companyOf(writer, 'catalog', {
      id: input.companyId,
      firmId: null,
      refusal: noSuchCompany,
    });
    const decisions = await writer.catalog.subscriptions(caller.accountId);
    return { firm, company, decision: decisions.find((one) => one.firmId === firm.id && one.companyId === company.id) };
  },
  async run(writer, { accountId }, { companyId, isSubscribed }, { firm, company, decision }) {
    if (decision?.isSubscribed !== isSubscribed) {
      await writer.catalog.putSubscription(accountId, { firmId: firm.id, companyId, isSubscribed });
    }
    return { company, isSubscribed };
  },
};
