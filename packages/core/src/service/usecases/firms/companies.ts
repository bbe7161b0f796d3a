import { refuseIfAny } from '../../../engine/errors.ts';
import { changedTerms } from '../../../engine/offers/difference.ts';
import { cleanName } from '../../../engine/text.ts';
import { type Caller, hasScope } from '../../access/caller.ts';
import { foreignFirm } from '../../access/permit.ts';
import { type Company, type CompanyTerms, checkCompany } from '../../firms/firm.ts';
import type { PageOf } from '../../ports/lists.ts';
import type { CatalogOperation } from '../../ports/records.ts';
import type { Reader } from '../../ports/stores.ts';
import { CATALOG, OWN, type OwnerRecords } from '../offers/owner-records.ts';
import type { Deps } from '../requests/deps.ts';
import { permitMoreNow } from '../requests/quotas.ts';
import type { ListChoice } from '../requests/record-access.ts';
import {
  companyOf,
  type FirmChoice,
  NO_SUCH_COMPANY,
  notFound,
  type RecordChoice,
  readFor,
  resolveFirmId,
} from '../requests/record-access.ts';

interface NewCompany extends FirmChoice {
  /** The firm that will own the company; `null`: the catalog. */
  readonly ownerFirmId: number | null;
  readonly name: string;
  readonly logoUrl: string | null;
}

/** Absent fields stay as they are. */
interface CompanyEdit extends RecordChoice {
  readonly name?: string | undefined;
  /** `null` erases it. */
  readonly logoUrl?: string | null | undefined;
}

function companyReads(records: OwnerRecords) {
  return {
    /** By id. @throws DomainError `foreign_firm`. */
    list: (deps: Deps, caller: Caller, input: ListChoice): Promise<PageOf<Company>> =>
      readFor(deps, { caller, firmId: input.firmId }, (reader, firmId) => {
        const owner = records.ownerFor(caller);
        const scope = { owner, firmId: owner === 'catalog' ? null : firmId, includeInactive: input.includeInactive };
        return reader.companies.list(scope, input.page);
      }),
    /** One company of the caller. @throws DomainError `foreign_firm`, `not_found`. */
    get: (deps: Deps, caller: Caller, { id, firmId: requestedFirmId }: RecordChoice): Promise<Company> =>
      readFor(deps, { caller, firmId: requestedFirmId }, (reader, firmId) =>
        companyOf(reader, records.ownerFor(caller), { id, firmId }),
      ),
  };
}

const OF_CATALOG = 'is a company of the shared catalog, which is changed under /v1/catalog/companies';

async function seesInCatalog(reader: Reader, caller: Caller, id: number): Promise<boolean> {
  return hasScope(caller, 'catalog:read') && (await reader.companies.get('catalog', id)) !== null;
}

function companyWrites(records: OwnerRecords) {
  const changeAs = (operation: CatalogOperation, change: (company: Company, edit: CompanyEdit) => CompanyTerms) =>
    records.command<CompanyEdit, Company, Company>({
      operation,
      recordId: ({ id }) => id,
      find: (writer, caller, { id, firmId }) => {
        const refusal = async () => notFound((await seesInCatalog(writer, caller, id)) ? OF_CATALOG : NO_SUCH_COMPANY);
        return companyOf(writer, records.ownerFor(caller), { id, firmId, refusal });
      },
      async run(writer, caller, input, company) {
        const { name, logoUrl, isActive } = change(company, input);
        const changes = changedTerms<CompanyTerms>(company, { name, logoUrl, isActive });
        return changes ? writer.companies.update(records.ownerFor(caller), company.id, changes) : company;
      },
    });
  return {
    /**
     * Creates a company.
     *
     * @throws DomainError `foreign_firm`, `business_rule`, `quota_reached`, `duplicate_name`.
     * @see docs/assumptions.md, A-24, A-30, A-51 and A-63
     */
    create: records.command<NewCompany, Company, void>({
      operation: 'create_company',
      recordId: (_input, { id }) => id,
      async find(writer, caller, { firmId, ownerFirmId }) {
        if (ownerFirmId !== null) await resolveFirmId(writer, caller, ownerFirmId);
        if (firmId !== null && firmId !== ownerFirmId) throw foreignFirm();
      },
      async run(writer, caller, { ownerFirmId, name, logoUrl }) {
        const terms: CompanyTerms = { firmId: ownerFirmId, name: cleanName(name), logoUrl, isActive: true };
        const owner = records.ownerFor(caller);
        refuseIfAny(checkCompany(terms, null));
        await permitMoreNow(writer, { caller, owner }, { companies: 1 });
        return writer.companies.insert(owner, terms);
      },
    }),
    /**
     * Changes the name or the logo.
     *
     * @throws DomainError `foreign_firm`, `not_found`, `business_rule`, `duplicate_name`.
     * @see docs/assumptions.md, A-30 and A-51
     */
    update: changeAs('update_company', (company, edit) => {
      const name = edit.name === undefined ? company.name : cleanName(edit.name);
      const logoUrl = edit.logoUrl === undefined ? company.logoUrl : edit.logoUrl;
      refuseIfAny(checkCompany({ name, logoUrl }, company));
      return { ...company, name, logoUrl };
    }),
    /**
     * Activates an inactive company, or deactivates an active one. Offers of an inactive company remain stored, but are
     * neither ranked nor recommended.
     *
     * @throws DomainError `foreign_firm`, `not_found`.
     * @see docs/assumptions.md, A-21
     */
    toggle: changeAs('toggle_company', (company) => ({ ...company, isActive: !company.isActive })),
    /** Deactivates a company, if it is active. @throws DomainError `foreign_firm`, `not_found`. */
    deactivate: changeAs('deactivate_company', (company) => ({ ...company, isActive: false })),
  };
}

/** The caller's own companies, without those of the catalog. Names are unique within a firm. */
export const ownCompanyCases = { ...companyReads(OWN), ...companyWrites(OWN) };

/**
 * The companies of the catalog, subscribed to or not. Names are unique within it, and writes also throw what
 * `CATALOG.command` throws.
 */
export const catalogCompanyCases = { ...companyReads(CATALOG), ...companyWrites(CATALOG) };
