import type { Caller } from '../access/caller.ts';
import { foreignFirm } from '../access/permit.ts';
import { refuseIfAny } from '../errors.ts';
import { type Company, type CompanyTerms, checkCompany } from '../firms/firm.ts';
import type { PageOf } from '../ports/lists.ts';
import { cleanName } from '../text.ts';
import { type Deps, ownWork } from './deps.ts';
import type { FirmChoice, ListChoice } from './firms.ts';
import { permitMoreNow } from './quotas.ts';
import { ownCompany, resolveFirmId } from './record-access.ts';

/** A company to be created for one of the caller's firms. */
interface NewCompany extends FirmChoice {
  /** The firm that will own the company. */
  readonly ownerFirmId: number;
  readonly name: string;
  readonly logoUrl: string | null;
}

/**
 * Creates a company for one of the caller's firms.
 *
 * @throws DomainError `foreign_firm`, `business_rule`, `quota_reached`, `duplicate_name` (within the firm).
 * @see docs/assumptions.md, A-24, A-30, A-51 and A-63
 */
export async function createCompany(deps: Deps, caller: Caller, input: NewCompany): Promise<Company> {
  const { ownerFirmId, logoUrl } = input;
  const terms: CompanyTerms = { firmId: ownerFirmId, name: cleanName(input.name), logoUrl, isActive: true };
  return deps.store.write(ownWork(deps, caller), async (writer) => {
    const narrowed = await resolveFirmId(writer, caller, input.firmId);
    await resolveFirmId(writer, caller, ownerFirmId);
    if (narrowed !== null && narrowed !== ownerFirmId) throw foreignFirm();
    refuseIfAny(checkCompany(terms, null));
    await permitMoreNow(writer, { caller, owner: caller.accountId }, { companies: 1 });
    return writer.insertCompany(caller.accountId, terms);
  });
}

/** The caller's own companies, without those of the catalog. @throws DomainError `foreign_firm`. */
export async function listCompanies(deps: Deps, caller: Caller, input: ListChoice): Promise<PageOf<Company>> {
  return deps.store.read(async (reader) => {
    const firmId = await resolveFirmId(reader, caller, input.firmId);
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
    const firmId = await resolveFirmId(reader, caller, input.firmId);
    return ownCompany(reader, caller, { companyId: input.id, firmId });
  });
}

interface CompanyChoice extends FirmChoice {
  readonly id: number;
}

/** What is left out stays as it is. */
interface CompanyEdit extends CompanyChoice {
  readonly name?: string | undefined;
  /** `null` erases it. */
  readonly logoUrl?: string | null | undefined;
}

/**
 * Changes the name or the logo of an own company.
 *
 * @throws DomainError `foreign_firm`, `not_found`, `business_rule`, `duplicate_name` (within the firm).
 * @see docs/assumptions.md, A-30 and A-51
 */
export async function updateCompany(deps: Deps, caller: Caller, input: CompanyEdit): Promise<Company> {
  return changeCompany(deps, caller, {
    ...input,
    change: (company) => {
      const name = input.name === undefined ? company.name : cleanName(input.name);
      const logoUrl = input.logoUrl === undefined ? company.logoUrl : input.logoUrl;
      const terms: CompanyTerms = { ...company, name, logoUrl };
      refuseIfAny(checkCompany(terms, company));
      return terms;
    },
  });
}

/**
 * Activates an inactive company of the caller, or deactivates an active one. Offers of an inactive company remain
 * stored, but are neither ranked nor recommended.
 *
 * @throws DomainError `foreign_firm`, `not_found`.
 * @see docs/assumptions.md, A-21
 */
export async function toggleCompany(deps: Deps, caller: Caller, input: CompanyChoice): Promise<Company> {
  const change = (company: Company) => ({ ...company, isActive: !company.isActive });
  return changeCompany(deps, caller, { ...input, change });
}

/** Deactivates an own company, if it is active. @throws DomainError `foreign_firm`, `not_found`. */
export async function deactivateCompany(deps: Deps, caller: Caller, input: CompanyChoice): Promise<Company> {
  return changeCompany(deps, caller, { ...input, change: (company) => ({ ...company, isActive: false }) });
}

async function changeCompany(
  deps: Deps,
  caller: Caller,
  input: CompanyChoice & { readonly change: (company: Company) => CompanyTerms },
): Promise<Company> {
  return deps.store.write(ownWork(deps, caller), async (writer) => {
    const firmId = await resolveFirmId(writer, caller, input.firmId);
    const company = await ownCompany(writer, caller, { companyId: input.id, firmId });
    const { name, logoUrl, isActive } = input.change(company);
    const terms = { firmId: company.firmId, name, logoUrl, isActive };
    return (await writer.updateCompany(caller.accountId, company.id, terms)) ?? company;
  });
}
