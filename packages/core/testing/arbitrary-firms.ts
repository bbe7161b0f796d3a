import fc, { type Arbitrary } from 'fast-check';
import type { CompanyFilter } from '../src/engine/offers/offer-filter.ts';
import { CATALOG_DEFAULTS, type Company, type Firm, type FirmTerms } from '../src/service/firms/firm.ts';
import { arbitraryName, ID, nullable, stamps, URL_TEXT } from './arbitrary-values.ts';
import { takesNothing } from './given.ts';

export function arbitraryFirmTerms(...none: never[]): Arbitrary<FirmTerms> {
  takesNothing('arbitraryFirmTerms', none);
  return fc.record({
    name: arbitraryName(),
    imageUrl: nullable(URL_TEXT),
    catalogDefault: fc.constantFrom(...CATALOG_DEFAULTS),
    isActive: fc.boolean(),
  });
}

export function arbitraryFirm(id = ID): Arbitrary<Firm> {
  return fc.tuple(arbitraryFirmTerms(), stamps(id)).map(([terms, stamp]) => ({ ...terms, ...stamp }));
}

/** @param firmId - `null` for companies of the shared catalog. */
export function arbitraryCompany(firmId: Arbitrary<number | null> = nullable(ID), id = ID): Arbitrary<Company> {
  return fc
    .tuple(
      fc.record({ firmId, name: arbitraryName(), logoUrl: nullable(URL_TEXT), isActive: fc.boolean() }),
      stamps(id),
    )
    .map(([terms, stamp]) => ({ ...terms, ...stamp }));
}

export function arbitraryCompanyFilter(companyId: Arbitrary<number> = ID): Arbitrary<CompanyFilter> {
  return fc.record({
    ownCompanyId: fc.option(companyId, { nil: null, freq: 2 }),
    companyName: fc.option(fc.oneof(fc.constantFrom('', 'E', 'sur', 'Í', ' a', '%', '_'), arbitraryName(2)), {
      nil: null,
      freq: 2,
    }),
  });
}
