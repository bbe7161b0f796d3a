import type { CatalogSubscription, Company, Firm } from './firm.ts';

/** Whether a firm subscribes to a catalog company: its own decision, else its default. */
export function subscribesTo(firm: Firm, companyId: number, decisions: readonly CatalogSubscription[]): boolean {
  const decision = decisions.find((candidate) => candidate.firmId === firm.id && candidate.companyId === companyId);
  return decision?.isSubscribed ?? firm.catalogDefault === 'all';
}

/**
 * The companies whose offers the given firms may rank: their own active companies, and the active catalog companies to
 * which at least one of them subscribes. Inactive firms see no company.
 *
 * @see docs/assumptions.md, A-21
 */
export function visibleCompanies(
  firms: readonly Firm[],
  companies: readonly Company[],
  decisions: readonly CatalogSubscription[],
): readonly Company[] {
  const active = firms.filter((firm) => firm.isActive);
  const firmIds = new Set(active.map((firm) => firm.id));
  const decided = new Map(decisions.map((decision) => [`${decision.firmId} ${decision.companyId}`, decision]));
  return companies.filter((company) => {
    if (!company.isActive) return false;
    if (company.firmId !== null) return firmIds.has(company.firmId);
    return active.some((firm) => {
      const decision = decided.get(`${firm.id} ${company.id}`);
      return subscribesTo(firm, company.id, decision ? [decision] : []);
    });
  });
}
