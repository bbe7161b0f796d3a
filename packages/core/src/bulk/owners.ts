import type { BulkFormat } from '../engine/errors.ts';
import { cleanName, foldName } from '../engine/text.ts';
import type { CompanyTerms } from '../service/firms/firm.ts';
import type { BulkState } from './state.ts';

/** A company that a file creates. */
export type CompanyToCreate = Pick<CompanyTerms, 'firmId' | 'name'>;

/**
 * The company of an offer: one that exists, or the `newCompany`-th that the file creates. Every company has one such
 * object.
 */
export interface CompanyRef {
  readonly firmId: number | null;
  /** 0 when it is new. */
  readonly companyId: number;
  readonly newCompany: number | null;
}

/** Finds firms and companies by name, ignoring case and surrounding spaces. */
export interface Owners {
  /** The caller's firm of that name, active or not; `null`: none that the caller may see. */
  firmIdFor(name: string): number | null;
  /** A company by id, if the caller may see it. */
  companyById(companyId: number): CompanyRef | null;
  /** `null`: the firm has no such company. */
  companyFor(firmId: number | null, name: string): CompanyRef | null;
  /** The same, including companies that the file creates. */
  companyNamed(firmId: number | null, name: string): CompanyRef | null;
  /** The company of that name, created if there is none. */
  companyOrNew(firmId: number | null, name: string): CompanyRef;
  /** In the order in which they were first named. */
  readonly toCreate: readonly CompanyToCreate[];
}

/** Every company of `state` belongs to the account, or to the catalog. */
export function createOwners(
  state: Pick<BulkState, 'firms' | 'companies'>,
  { format, boundFirmId }: { readonly format: BulkFormat; readonly boundFirmId: number | null },
): Owners {
  const firmIds = new Map<string, number>();
  const reached = new Set<number | null>(format === 'catalog' ? [null] : []);
  for (const { id, name } of state.firms) {
    if (boundFirmId !== null && id !== boundFirmId) continue;
    firmIds.set(foldName(name), id);
    if (format !== 'catalog') reached.add(id);
  }
  const byId = new Map<number, CompanyRef>();
  const byName = new Map<number | null, Map<string, CompanyRef>>();
  const toCreate: CompanyToCreate[] = [];
  const add = (name: string, ref: CompanyRef) => {
    const ofFirm = byName.get(ref.firmId) ?? new Map<string, CompanyRef>();
    byName.set(ref.firmId, ofFirm.set(foldName(name), ref));
  };
  for (const { id, firmId, name } of state.companies) {
    if (!reached.has(firmId)) continue;
    const ref = { firmId, companyId: id, newCompany: null };
    byId.set(id, ref);
    add(name, ref);
  }
  const named = (firmId: number | null, name: string) => byName.get(firmId)?.get(foldName(name)) ?? null;
  return {
    toCreate,
    firmIdFor: (name) => firmIds.get(foldName(name)) ?? null,
    companyById: (companyId) => byId.get(companyId) ?? null,
    companyFor(firmId, name) {
      const company = named(firmId, name);
      return company?.newCompany === null ? company : null;
    },
    companyNamed: named,
    companyOrNew(firmId, name) {
      const existing = named(firmId, name);
      if (existing) return existing;
      const ref = { firmId, companyId: 0, newCompany: toCreate.length };
      toCreate.push({ firmId, name: cleanName(name) });
      add(name, ref);
      return ref;
    },
  };
}
