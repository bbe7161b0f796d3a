import type { Issue } from '../../engine/errors.ts';
import type { RecordStamps } from '../../engine/offers/offer.ts';
import { checkChangedName, checkName, checkUrl } from '../../engine/text.ts';
import { checkLogo } from './logo.ts';

/** Whether a firm subscribes to catalog companies without a decision of its own, including those added later. */
export const CATALOG_DEFAULTS = ['all', 'none'] as const;
export type CatalogDefault = (typeof CATALOG_DEFAULTS)[number];

/** What a writer decides about a firm. */
export interface FirmTerms {
  readonly name: string;
  readonly imageUrl: string | null;
  readonly catalogDefault: CatalogDefault;
  readonly isActive: boolean;
}

/** An advisory firm; on the wire a `client`. */
export type Firm = FirmTerms & RecordStamps;

/** What only proposals show of a firm. It is apart from the record: lists, rankings and what stays in memory do without. */
export interface Letterhead {
  /** A data: URI. */
  readonly logo: string | null;
  /** A line of 1 to 200 characters. */
  readonly contact: string | null;
}

/** A firm with all that is known of it. */
export type FirmDetail = Firm & Letterhead;

/** What a writer decides about a company. */
export interface CompanyTerms {
  /** `null`: a company of the shared catalog. */
  readonly firmId: number | null;
  readonly name: string;
  readonly logoUrl: string | null;
  readonly isActive: boolean;
}

/** An energy retailer. Own companies belong to a firm; companies of the shared catalog belong to no firm. */
export type Company = CompanyTerms & RecordStamps;

/** The decision of a firm about a catalog company; without one the firm's default applies. */
export interface CatalogSubscription {
  readonly firmId: number;
  readonly companyId: number;
  readonly isSubscribed: boolean;
}

/** What is wrong with what people read or see of a firm. @param stored - The firm as it is; `null`: it is new. */
export function checkFirm(terms: Pick<FirmTerms, 'name' | 'imageUrl'> & Letterhead, stored: Firm | null): Issue[] {
  return [
    ...checkChangedName('name', terms.name, { stored: stored?.name }),
    ...checkUrl('imageUrl', terms.imageUrl),
    ...checkLogo('logo', terms.logo),
    ...(terms.contact === null ? [] : checkName('contact', terms.contact)),
  ];
}

/** What is wrong with a company's name or logo. @param stored - The company as it is; `null`: it is new. */
export function checkCompany(terms: Pick<CompanyTerms, 'name' | 'logoUrl'>, stored: Company | null): Issue[] {
  return [...checkChangedName('name', terms.name, { stored: stored?.name }), ...checkUrl('logoUrl', terms.logoUrl)];
}
