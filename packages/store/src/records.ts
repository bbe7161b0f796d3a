import type { CatalogDefault, Firm, OfferDepth, OfferRecord } from '@tarifario/core/service';
import { type AliasedExpression, sql } from 'kysely';
import type { Session } from './dialects.ts';
import { HIDDEN_VALUES, TERMS_COLUMNS } from './offer-columns.ts';
import { fromCompanyRow, fromFirmRow, fromOfferRow, type TermsRow } from './rows.ts';

/** What stands in place of the columns of commissions that are not read. */
const UNREAD: ReadonlyMap<string, AliasedExpression<unknown, string>> = new Map(
  [...HIDDEN_VALUES].map(([name, value]) => [name, sql.lit(value).as(name)]),
);

const STORED_COLUMNS = [...TERMS_COLUMNS, 'id', 'created_at', 'updated_at', 'masked_updated_at'] as const;
const ALL_COLUMNS = STORED_COLUMNS.map((name) => `offers.${name}` as const);
const OTHER_COLUMNS = STORED_COLUMNS.map((name) => UNREAD.get(name) ?? (`offers.${name}` as const));

/** A query for offers. */
export function offerRows({ db }: Session, { withCommissions }: OfferDepth) {
  return db
    .selectFrom('offers')
    .select(withCommissions ? ALL_COLUMNS : OTHER_COLUMNS)
    .$castTo<TermsRow>();
}

/** A query for offers with their companies and firms. */
export function recordRows(session: Session, depth: OfferDepth) {
  return offerRows(session, depth)
    .innerJoin('companies', 'companies.id', 'offers.company_id')
    .leftJoin('firms', 'firms.id', 'companies.firm_id')
    .select([
      'companies.firm_id',
      'companies.name as company_name',
      'companies.logo_url',
      'companies.is_active as company_is_active',
      'companies.created_at as company_created_at',
      'companies.updated_at as company_updated_at',
      'firms.name as firm_name',
      'firms.image_url',
      'firms.catalog_default',
      'firms.is_active as firm_is_active',
      'firms.created_at as firm_created_at',
      'firms.updated_at as firm_updated_at',
    ]);
}

/** An offer with its company and firm, as one row. */
interface RecordRow extends TermsRow {
  readonly firm_id: number | null;
  readonly company_name: string;
  readonly logo_url: string | null;
  readonly company_is_active: number;
  readonly company_created_at: string;
  readonly company_updated_at: string;
  /** All of these are null if there is no firm. */
  readonly firm_name: string | null;
  readonly image_url: string | null;
  readonly catalog_default: CatalogDefault | null;
  readonly firm_is_active: number | null;
  readonly firm_created_at: string | null;
  readonly firm_updated_at: string | null;
}

export function fromRecordRow(row: RecordRow): OfferRecord {
  const company = fromCompanyRow({
    id: row.company_id,
    firm_id: row.firm_id,
    name: row.company_name,
    logo_url: row.logo_url,
    is_active: row.company_is_active,
    created_at: row.company_created_at,
    updated_at: row.company_updated_at,
  });
  return { offer: fromOfferRow(row), company, firm: firmBehind(row) };
}

function firmBehind(row: RecordRow): Firm | null {
  const { firm_id: id, firm_name: name, catalog_default, firm_is_active: is_active } = row;
  const { firm_created_at: created_at, firm_updated_at: updated_at, image_url } = row;
  if (id === null || name === null || catalog_default === null) return null;
  if (is_active === null || created_at === null || updated_at === null) return null;
  return fromFirmRow({ id, name, image_url, catalog_default, is_active, created_at, updated_at });
}
