import type { Caller } from '../access/caller.ts';
import { foreignFirm } from '../access/permit.ts';
import { refuseIfAny } from '../errors.ts';
import { type Company, type CompanyTerms, checkCompany } from '../firms/firm.ts';
import type { PageOf } from '../ports/stores.ts';
import { cleanName } from '../text.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice, ListChoice } from './firms.ts';
import { notFound, reachFirm } from './reach.ts';

export interface NewCompany extends FirmChoice {
  /** The firm that will own the company. */
  readonly ownerFirmId: number;
  readonly name: string;
  readonly logoUrl: string | null;
}

/**
 * Creates a company of one of the caller's firms.
 *
 * @throws DomainError `foreign_firm`, `business_rule`, `duplicate_name` (within the firm).
 * @see docs/assumptions.md, A-24, A-30 and A-51
 */
export async function createCompany(deps: Deps, caller: Caller, input: NewCompany): Promise<Company> {
  const { ownerFirmId, logoUrl } = input;
  const terms: CompanyTerms = { firmId: ownerFirmId, name: cleanName(input.name), logoUrl, isActive: true };
  return deps.store.write({ keyId: caller.keyId, at: deps.clock.now() }, async (writer) => {
    const narrowed = await reachFirm(writer, caller, input.firmId);
    await reachFirm(writer, caller, ownerFirmId);
    if (narrowed !== null && narrowed !== ownerFirmId) throw foreignFirm();
    refuseIfAny(checkCompany(terms));
    return writer.insertCompany(caller.accountId, terms);
  });
}

/** The own companies of the caller; catalog companies are not among them. @throws DomainError `foreign_firm`. */
export async function listCompanies(deps: Deps, caller: Caller, input: ListChoice): Promise<PageOf<Company>> {
  return deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    const { includeInactive, page } = input;
    return reader.companies({ accountId: caller.accountId, firmId, includeInactive }, page);
  });
}

/** @throws DomainError `foreign_firm`, `not_found`. */
export async function getCompany(
  deps: Deps,
  caller: Caller,
  input: FirmChoice & { readonly id: number },
): Promise<Company> {
  return deps.store.read(async (reader) => {
    const firmId = await reachFirm(reader, caller, input.firmId);
    const company = await reader.company(caller.accountId, input.id);
    if (!company || (firmId !== null && company.firmId !== firmId)) throw notFound();
    return company;
  });
}
