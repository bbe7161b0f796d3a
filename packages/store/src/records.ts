import type { OfferDepth, OfferRecord } from '@tarifario/core/service';
import { type AliasedExpression, sql } from 'kysely';
import type { Session } from './dialects.ts';
import { HIDDEN_VALUES, TERMS_COLUMNS } from './offer-columns.ts';
import { aliased } from './record-codec.ts';
import { COMPANY, FIRM, fromOfferRow, type TermsRow } from './rows.ts';

/** The values in place of columns of commissions that are not read. */
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
    .select(aliased('companies', COMPANY.columns, 'company_'))
    .select(aliased('firms', FIRM.columns, 'firm_'))
    .$castTo<RecordRow>();
}

/** An offer with its company and firm, whose columns have their prefixes. */
interface RecordRow extends TermsRow {
  readonly firm_id: number | null;
}

const companyIn = COMPANY.readerIn('company_');
const firmIn = FIRM.readerIn('firm_');

export function fromRecordRow(row: RecordRow): OfferRecord {
  return { offer: fromOfferRow(row), company: companyIn(row), firm: row.firm_id === null ? null : firmIn(row) };
}
