import { type Caller, seesCommissions } from '../access/caller.ts';
import { permitCatalogEditor } from '../access/permit.ts';
import type { Month } from '../calendar.ts';
import { refuseIfAny } from '../errors.ts';
import { type Company, type CompanyTerms, checkCompany } from '../firms/firm.ts';
import type { MonthlyPrice, Offer, OfferTerms } from '../offers/offer.ts';
import {
  changeOffer,
  draftOffer,
  type MonthDraft,
  namesCommissions,
  type OfferChanges,
} from '../offers/offer-changes.ts';
import type { OfferRecord } from '../offers/offer-filter.ts';
import type { CatalogOperation } from '../ports/records.ts';
import type { Writer } from '../ports/stores.ts';
import { cleanName } from '../text.ts';
import { type CatalogChoice, catalogCompany, catalogOffer } from './catalog.ts';
import type { Deps } from './deps.ts';
import type { FirmChoice } from './firms.ts';
import { monthOf, putMonthWithin } from './indexed-prices.ts';
import type { NewOffer } from './offers.ts';
import { permitMoreNow } from './quotas.ts';
import { noSuchCompany, notFound, resolveFirmId } from './record-access.ts';

/** The result of a write: the id of the record, and the answer. */
interface CatalogWriteResult<T> {
  readonly recordId: number;
  readonly answer: T;
}

/**
 * Every write of a single catalog record goes through here: it checks the permission and records who did what, in the
 * transaction of the write. Subscribed firms see the change in their next ranking, because the revision of the catalog
 * has changed.
 *
 * @throws DomainError `bound_key`, `not_catalog_editor`, `foreign_firm`, and what `work` throws.
 * @see docs/assumptions.md, A-23
 */
async function writeCatalog<T>(
  deps: Deps,
  caller: Caller,
  step: FirmChoice & {
    readonly operation: CatalogOperation;
    readonly work: (writer: Writer) => Promise<CatalogWriteResult<T>>;
  },
): Promise<T> {
  permitCatalogEditor(caller);
  const { firmId, operation, work } = step;
  return deps.store.write({ keyId: caller.keyId, at: deps.clock.now(), concerns: ['catalog'] }, async (writer) => {
    await resolveFirmId(writer, caller, firmId);
    const before = await writer.catalogCounts();
    const { recordId, answer } = await work(writer);
    const after = await writer.catalogCounts();
    await writer.recordCatalogWrite({
      accountId: caller.accountId,
      operation,
      recordId,
      before,
      after,
      fileHash: null,
    });
    return answer;
  });
}

/** A company to be created in the catalog. */
interface NewCatalogCompany extends FirmChoice {
  readonly name: string;
  readonly logoUrl: string | null;
}

/**
 * @throws DomainError as `writeCatalog`, `business_rule`, `quota_reached`, `duplicate_name`. @see docs/assumptions.md,
 *
 */
export async function createCatalogCompany(deps: Deps, caller: Caller, input: NewCatalogCompany): Promise<Company> {
  const { firmId, logoUrl } = input;
  const terms: CompanyTerms = { firmId: null, name: cleanName(input.name), logoUrl, isActive: true };
  const work = async (writer: Writer) => {
    refuseIfAny(checkCompany(terms, null));
    await permitMoreNow(writer, { caller, owner: 'catalog' }, { companies: 1 });
    const company = await writer.insertCompany('catalog', terms);
    return { recordId: company.id, answer: company };
  };
  return writeCatalog(deps, caller, { firmId, operation: 'create_company', work });
}

/** What is left out stays as it is. */
interface CatalogCompanyEdit extends CatalogChoice {
  readonly name?: string | undefined;
  /** `null` erases it. */
  readonly logoUrl?: string | null | undefined;
}

/**
 * Changes the name or the logo of a company of the catalog.
 *
 * @throws DomainError as `writeCatalog`, `not_found`, `business_rule`, `duplicate_name` (within the catalog).
 * @see docs/assumptions.md, A-30 and A-51
 */
export async function updateCatalogCompany(deps: Deps, caller: Caller, input: CatalogCompanyEdit): Promise<Company> {
  const change = (company: Company): CompanyTerms => {
    const name = input.name === undefined ? company.name : cleanName(input.name);
    const logoUrl = input.logoUrl === undefined ? company.logoUrl : input.logoUrl;
    refuseIfAny(checkCompany({ name, logoUrl }, company));
    return { ...company, name, logoUrl };
  };
  return changeCompany(deps, caller, { ...input, operation: 'update_company', change });
}

/** Activates or deactivates a company of the catalog. @throws DomainError as `writeCatalog`, `not_found`. */
export async function toggleCatalogCompany(deps: Deps, caller: Caller, input: CatalogChoice): Promise<Company> {
  const change = (company: Company) => ({ ...company, isActive: !company.isActive });
  return changeCompany(deps, caller, { ...input, operation: 'toggle_company', change });
}

/** Deactivates it, if it is not so already. @throws DomainError as `writeCatalog`, `not_found`. */
export async function deactivateCatalogCompany(deps: Deps, caller: Caller, input: CatalogChoice): Promise<Company> {
  const change = (company: Company) => ({ ...company, isActive: false });
  return changeCompany(deps, caller, { ...input, operation: 'deactivate_company', change });
}

async function changeCompany(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & {
    readonly operation: CatalogOperation;
    readonly change: (company: Company) => CompanyTerms;
  },
): Promise<Company> {
  const { id, firmId, operation, change } = input;
  const work = async (writer: Writer) => {
    const company = await catalogCompany(writer, id);
    const { name, logoUrl, isActive } = change(company);
    const terms = { firmId: null, name, logoUrl, isActive };
    return { recordId: id, answer: (await writer.updateCompany('catalog', id, terms)) ?? company };
  };
  return writeCatalog(deps, caller, { firmId, operation, work });
}

/**
 * Creates an offer of a company of the catalog.
 *
 * @throws DomainError as `writeCatalog`, `not_found` (the company is own, foreign or missing), `business_rule`,
 *   `quota_reached`.
 * @see docs/assumptions.md, A-24, A-49 and A-63
 */
export async function createCatalogOffer(deps: Deps, caller: Caller, input: NewOffer): Promise<OfferRecord> {
  const { firmId, required, changes } = input;
  const work = async (writer: Writer) => {
    await catalogCompany(writer, required.companyId, { refusal: noSuchCompany });
    const { terms, issues } = draftOffer(required, changes);
    refuseIfAny(issues);
    await permitMoreNow(writer, { caller, owner: 'catalog' }, { offers: 1 });
    const [offer] = await writer.insertOffers('catalog', [terms]);
    return writtenOffer(writer, offer?.id ?? 0);
  };
  return writeCatalog(deps, caller, { firmId, operation: 'create_offer', work });
}

/**
 * Changes some fields of an offer of the catalog.
 *
 * @throws DomainError as `writeCatalog`, `not_found` (the offer, or the company that it should move to),
 *   `business_rule` with every issue.
 * @see docs/assumptions.md, A-26 and A-30
 */
export async function updateCatalogOffer(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & { readonly changes: OfferChanges },
): Promise<OfferRecord> {
  const { changes } = input;
  // A caller who may not see commissions must not learn them by watching which of its writes change something.
  const countsAlways = namesCommissions(changes) && !seesCommissions(caller);
  const change = async (writer: Writer, offer: Offer) => {
    if (changes.companyId !== undefined) await catalogCompany(writer, changes.companyId, { refusal: noSuchCompany });
    const { terms, issues } = changeOffer(offer, changes);
    refuseIfAny(issues);
    return terms;
  };
  return changeCatalogOffer(deps, caller, { ...input, operation: 'update_offer', countsAlways, change });
}

/** Activates or deactivates an offer of the catalog. @throws DomainError as `writeCatalog`, `not_found`. */
export async function toggleCatalogOffer(deps: Deps, caller: Caller, input: CatalogChoice): Promise<OfferRecord> {
  const change = async (_writer: Writer, offer: Offer) => ({ ...offer, isActive: !offer.isActive });
  return changeCatalogOffer(deps, caller, { ...input, operation: 'toggle_offer', change });
}

/** Deactivates it, if it is not so already. @throws DomainError as `writeCatalog`, `not_found`. */
export async function deactivateCatalogOffer(deps: Deps, caller: Caller, input: CatalogChoice): Promise<OfferRecord> {
  const change = async (_writer: Writer, offer: Offer) => ({ ...offer, isActive: false });
  return changeCatalogOffer(deps, caller, { ...input, operation: 'deactivate_offer', change });
}

async function changeCatalogOffer(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & {
    readonly operation: CatalogOperation;
    readonly countsAlways?: boolean;
    readonly change: (writer: Writer, offer: Offer) => Promise<OfferTerms>;
  },
): Promise<OfferRecord> {
  const { id, firmId, operation, countsAlways = false, change } = input;
  const work = async (writer: Writer) => {
    const { offer } = await catalogOffer(writer, id);
    const terms = await change(writer, offer);
    await writer.updateOffers('catalog', [{ offerId: id, terms, countsAlways }]);
    return writtenOffer(writer, id);
  };
  return writeCatalog(deps, caller, { firmId, operation, work });
}

/** Reads the offer again, because it may have moved to another company. */
async function writtenOffer(writer: Writer, offerId: number): Promise<CatalogWriteResult<OfferRecord>> {
  return { recordId: offerId, answer: await catalogOffer(writer, offerId) };
}

/**
 * Creates or replaces one month of an indexed offer of the catalog. Prices that are not sent are erased.
 *
 * @throws DomainError as `writeCatalog`, `not_found`, `business_rule` (also when the offer is not indexed),
 *   `quota_reached`.
 * @see docs/assumptions.md, A-12 and A-63
 */
export async function upsertCatalogMonth(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & { readonly draft: MonthDraft },
): Promise<{ readonly price: MonthlyPrice; readonly outcome: 'created' | 'replaced' }> {
  const { id, firmId, draft } = input;
  const work = async (writer: Writer) => {
    const { offer } = await catalogOffer(writer, id);
    const price = monthOf(offer, draft);
    const outcome = await putMonthWithin(writer, { caller, owner: 'catalog' }, { offerId: id, price });
    return { recordId: id, answer: { price, outcome } };
  };
  return writeCatalog(deps, caller, { firmId, operation: 'put_month', work });
}

/** Deletes one month of an offer of the catalog. @throws DomainError as `writeCatalog`, `not_found`. */
export async function deleteCatalogMonth(
  deps: Deps,
  caller: Caller,
  input: CatalogChoice & { readonly month: Month },
): Promise<void> {
  const { id, firmId, month } = input;
  const work = async (writer: Writer) => {
    await catalogOffer(writer, id);
    if (!(await writer.deleteMonth('catalog', id, month))) throw notFound();
    return { recordId: id, answer: undefined };
  };
  return writeCatalog(deps, caller, { firmId, operation: 'delete_month', work });
}
